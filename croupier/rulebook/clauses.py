"""The clauses of the rule documents: id, kind, how each is proved, and what it says in our words.

A document is one file, `data/clauses/<game>.csv`, in its own order. Where a document uses a
letter twice, the second carries the suffix `#2`: `12.E#2` is not below `12.E`.
"""

from __future__ import annotations

import csv
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from croupier.errors import UnknownClause, UnknownGame

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


@cache
def games() -> tuple[str, ...]:
    """The keys of the games whose document is here, in alphabetical order."""
    names = (file.name for file in (files("croupier.rulebook") / "data" / "clauses").iterdir())
    return tuple(sorted(name.removesuffix(".csv") for name in names if name.endswith(".csv")))


@cache
def clauses(game: str) -> tuple[Clause, ...]:
    """Every clause of a game, in the order of its document; refuses a game without one."""
    if game not in games():
        raise UnknownGame(game, games())
    path = files("croupier.rulebook") / "data" / "clauses" / f"{game}.csv"
    text = path.read_text(encoding="utf-8")
    return tuple(
        msgspec.convert(
            {
                "game": game,
                "id": row["clause"],
                "kind": row["kind"],
                "proof": row["proof"],
                "summary": row["summary"],
            },
            Clause,
        )
        for row in csv.DictReader(text.splitlines())
    )


@cache
def _by_id(game: str) -> dict[str, Clause]:
    return {clause.id: clause for clause in clauses(game)}


def clause(game: str, id: str) -> Clause:
    """The clause with exactly this id; refuses an id, or a mere heading, that is not a clause."""
    known = _by_id(game)
    if id not in known:
        raise _unknown(game, id)
    return known[id]


def under(game: str, prefix: str) -> tuple[Clause, ...]:
    """The clause `prefix` and all clauses below it, in order; never empty.

    A heading or chapter that is no clause itself ("11.I", "12") gives the clauses below it.
    """
    found = tuple(each for each in clauses(game) if is_within(each.id, prefix))
    if not found:
        raise _unknown(game, prefix)
    return found


def is_within(id: str, prefix: str) -> bool:
    """Whether `id` is `prefix` or lies below it, compared step by step and not letter by letter."""
    return id == prefix or id.startswith(prefix + ".")


def _unknown(game: str, id: str) -> UnknownClause:
    # The whole list would be hundreds of ids, so only those that look like the wrong one are named.
    return UnknownClause(f"{game} {id}", get_close_matches(id, _by_id(game), n=5))
