"""The clauses of the rule documents: id, kind, how each is proved, and what it says in our words.

They stand in the order of their document. Where a document uses a letter twice, the second carries
the suffix `#2`: `12.E#2` is not below `12.E`.
"""

from __future__ import annotations

import csv
from difflib import get_close_matches
from functools import cache
from typing import Literal

import msgspec

from croupier.errors import UnknownClause
from croupier.rulebook.document_files import About, RuleDocument, document

Kind = Literal[
    "conduct",
    "decision",
    "definition",
    "equipment",
    "irregularity",
    "layout",
    "limit",
    "payout",
    "procedure",
    "progressive",
    "ranking",
    "settlement",
    "submission",
    "wager",
]
Proof = Literal["engine", "table", "record", "submission", "layout"]


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause of one document.

    `proof` names what shows that it is kept: the engine's own arithmetic, the state of the table,
    an entry in the record, a check of the Rules Submission, or the drawing of the layout.
    """

    game: str
    id: str
    kind: Kind
    proof: Proof
    summary: str

    def __str__(self) -> str:
        return f"{self.game} {self.id}"


def clauses(about: About) -> tuple[Clause, ...]:
    """Every clause of a game, in the order of its document."""
    return _clauses(document(about))


@cache
def _clauses(book: RuleDocument) -> tuple[Clause, ...]:
    return tuple(_by_id(book).values())


@cache
def _by_id(book: RuleDocument) -> dict[str, Clause]:
    rows = csv.DictReader(book.text(book.clauses).splitlines())
    return {
        row["clause"]: msgspec.convert(
            {
                "game": book.game,
                "id": row["clause"],
                "kind": row["kind"],
                "proof": row["proof"],
                "summary": row["summary"],
            },
            Clause,
        )
        for row in rows
    }


def clause(about: About, id: str) -> Clause:
    """The clause with exactly this id; refuses an id, or a mere heading, that is not a clause."""
    book = document(about)
    known = _by_id(book)
    if id not in known:
        raise _unknown(book, id)
    return known[id]


def under(about: About, prefix: str) -> tuple[Clause, ...]:
    """The clause `prefix` and all clauses below it, in order; never empty.

    A heading or chapter that is no clause itself ("11.I", "12") gives the clauses below it. Case
    does not matter: no two clauses differ in nothing else.
    """
    book = document(about)
    found = tuple(each for each in clauses(book) if is_within(each.id.lower(), prefix.lower()))
    if not found:
        raise _unknown(book, prefix)
    return found


def is_within(id: str, prefix: str) -> bool:
    """Whether `id` is `prefix` or lies below it, compared step by step and not letter by letter."""
    return id == prefix or id.startswith(prefix + ".")


def _unknown(book: RuleDocument, id: str) -> UnknownClause:
    # The whole list would be hundreds of ids, so only those that look like the wrong one are named.
    return UnknownClause(f"{book.game} {id}", get_close_matches(id, _by_id(book), n=5))
