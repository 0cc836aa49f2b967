"""Which clauses are proved, and by which tests: the record that `make proofs` writes."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

import msgspec

from croupier.rulebook.clauses import Clause, clauses


class Coverage(msgspec.Struct, frozen=True):
    """How many clauses of one game and kind of proof are proved, and which are not."""

    game: str
    proof: str
    total: int
    unproved: tuple[Clause, ...]

    @property
    def proved(self) -> int:
        """The clauses with at least one test."""
        return self.total - len(self.unproved)


@cache
def proofs() -> dict[tuple[str, str], tuple[str, ...]]:
    """The tests that prove each clause, by game and id."""
    path = resources.files("croupier.rulebook") / "data" / "proofs.csv"
    rows = csv.DictReader(path.read_text("utf-8").splitlines())
    return {(row["game"], row["clause"]): tuple(row["tests"].split()) for row in rows}


def coverage(game: str) -> tuple[Coverage, ...]:
    """The game's clauses by kind of proof, those that software enforces first."""
    found = []
    for proof in ("engine", "submission", "table", "record", "layout"):
        kind = [clause for clause in clauses(game) if clause.proof == proof]
        unproved = tuple(clause for clause in kind if (game, clause.id) not in proofs())
        found.append(Coverage(game, proof, len(kind), unproved))
    return tuple(found)
