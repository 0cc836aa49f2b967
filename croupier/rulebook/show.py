"""The rule book on a terminal: clauses in our words, readings, enforcement, proofs, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.rulebook.clauses import Clause, clauses, under
from croupier.rulebook.coverage import KINDS, coverage, proofs
from croupier.rulebook.documents import About, Document, document
from croupier.rulebook.enforcement import enforced_at
from croupier.rulebook.readings import readings_of

if TYPE_CHECKING:
    from rich.console import Console


def entry(about: About, clause: Clause) -> dict[str, Any]:
    """All that is known of one clause of a game, ready for JSON."""
    book = document(about)
    return {
        **msgspec.to_builtins(clause),
        "readings": [reading.id for reading in readings_of(book, clause.id)],
        "enforced": [str(place) for place in enforced_at(book, clause.id)],
        "tests": list(proofs(book).get(clause.id, ())),
    }


def chosen(about: About, prefix: str) -> tuple[Clause, ...]:
    """The clauses of a game, or those at and below one id."""
    return under(about, prefix) if prefix else clauses(about)


def render(console: Console, about: About, prefix: str) -> None:
    """Print clauses with everything that touches them; without an id only id and summary."""
    from rich.markup import escape
    from rich.padding import Padding

    book = document(about)
    for clause in chosen(book, prefix):
        console.print(f"[bold cyan]{clause.id}[/]  {escape(clause.summary)}", highlight=False)
        if not prefix:
            continue
        known = entry(book, clause)
        lines = [f"[dim]{clause.kind}, proved by {clause.proof}[/]"]
        lines += [f"enforced: {escape(place)}" for place in known["enforced"]]
        lines += [f"test: {escape(test)}" for test in known["tests"]]
        for line in lines:
            console.print(Padding(line, (0, 0, 0, 4)), highlight=False)
        for reading in readings_of(book, clause.id):
            default = reading.readings.get(reading.default, "none: must be stated")
            told = f"[yellow]{reading.id}[/] {escape(reading.title)}: {escape(default)}"
            console.print(Padding(told, (0, 0, 0, 4)), highlight=False)


def coverage_json(books: Sequence[Document]) -> dict[str, Any]:
    """Coverage of these documents, ready for JSON."""
    return {
        book.game: {
            part.proof: {
                "clauses": part.total,
                "proved": part.proved,
                "unproved": [clause.id for clause in part.unproved],
            }
            for part in coverage(book)
        }
        for book in books
    }


def render_coverage(console: Console, books: Sequence[Document]) -> None:
    """Print per game and kind how many clauses are proved, then those that are not."""
    from rich.table import Table

    table = Table(title="Clauses proved by tests", header_style="bold")
    for heading in ("game", *KINDS):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for book in books:
        table.add_row(book.game, *(f"{part.proved}/{part.total}" for part in coverage(book)))
    console.print(table)
    for book in books:
        for part in coverage(book):
            if part.unproved:
                ids = ", ".join(clause.id for clause in part.unproved)
                told = f"[bold]{book.game}[/] {part.proof}, not proved: {ids}"
                console.print(told, highlight=False)
