"""Which clauses are proved, and by which tests: the record that `make proofs` writes."""

from __future__ import annotations

import csv
from functools import cache

import msgspec

from croupier.rulebook.clauses import Clause, clauses
from croupier.rulebook.documents import About, Document, document

KINDS = ("engine", "submission", "table", "record", "layout")


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
def _proofs(book: Document) -> dict[str, tuple[str, ...]]:
    rows = csv.DictReader(book.text(book.proofs).splitlines()) if book.proofs else ()
    return {row["clause"]: tuple(row["tests"].split()) for row in rows if row["game"] == book.game}


def proofs(about: About) -> dict[str, tuple[str, ...]]:
    """The tests that prove each clause of a game, by its id."""
    return _proofs(document(about))


def coverage(about: About) -> tuple[Coverage, ...]:
    """The game's clauses by kind of proof, those that software enforces first."""
    book = document(about)
    proved = proofs(book)
    found = []
    for proof in KINDS:
        kind = [clause for clause in clauses(book) if clause.proof == proof]
        unproved = tuple(clause for clause in kind if clause.id not in proved)
        found.append(Coverage(book.game, proof, len(kind), unproved))
    return tuple(found)
