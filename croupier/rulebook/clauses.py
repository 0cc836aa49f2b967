"""The clauses of the rule documents: id, kind, means of proof and a summary.

Clauses are in document order. Where a document uses a letter twice, the second has the suffix
`#2`: `12.E#2` is not below `12.E`.
"""

from __future__ import annotations

import csv
from difflib import get_close_matches
from functools import cache
from typing import Literal

import msgspec

from croupier.errors import UnknownClause
from croupier.rulebook.rule_document import DocumentRef, RuleDocument, find_document

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

    `proof` names what shows compliance: the engine's arithmetic, the state of the table, an entry
    in the record, a check of the Rules Submission, or the drawing of the layout.
    """

    game: str
    id: str
    kind: Kind
    proof: Proof
    summary: str

    def __str__(self) -> str:
        return f"{self.game} {self.id}"


def clauses(game: DocumentRef) -> tuple[Clause, ...]:
    """Return every clause of a game, in document order."""
    return _clauses(find_document(game))


@cache
def _clauses(document: RuleDocument) -> tuple[Clause, ...]:
    return tuple(_clauses_by_id(document).values())


@cache
def _clauses_by_id(document: RuleDocument) -> dict[str, Clause]:
    rows = csv.DictReader(document.text(document.clauses).splitlines())
    return {
        row["clause"]: msgspec.convert(
            {
                "game": document.game,
                "id": row["clause"],
                "kind": row["kind"],
                "proof": row["proof"],
                "summary": row["summary"],
            },
            Clause,
        )
        for row in rows
    }


def clause(game: DocumentRef, id: str) -> Clause:
    """Return the clause with this id; raise UnknownClause for any other id, also a heading."""
    document = find_document(game)
    known = _clauses_by_id(document)
    if id not in known:
        raise _unknown(document, id)
    return known[id]


def clauses_under(game: DocumentRef, prefix: str) -> tuple[Clause, ...]:
    """Return the clause `prefix` and all clauses below it; raise UnknownClause if there are none.

    A heading or chapter that is not a clause ("11.I", "12") gives the clauses below it. Case does
    not matter, because no two clause ids differ only in case.
    """
    document = find_document(game)
    result = tuple(c for c in clauses(document) if is_within(c.id.lower(), prefix.lower()))
    if not result:
        raise _unknown(document, prefix)
    return result


def is_within(id: str, prefix: str) -> bool:
    """Return whether `id` is `prefix` or below it: 12.E.1 is within 12.E, 12.E.10 not in 12.E.1."""
    return id == prefix or id.startswith(prefix + ".")


def _unknown(document: RuleDocument, id: str) -> UnknownClause:
    # A document has hundreds of ids, so only the closest are listed.
    closest = get_close_matches(id, _clauses_by_id(document), n=5)
    return UnknownClause(f"{document.game} {id}", closest)
