"""The rule book on a terminal: clauses in our words, readings, enforcement, proofs, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.rulebook.clauses import Clause, clauses, under
from croupier.rulebook.coverage import STANDINGS, Standing, coverage, nature, proofs
from croupier.rulebook.coverage import standing as standing_of
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
        "nature": nature(clause),
        "shown": standing_of(book, clause),
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
        lines = [f"[dim]{clause.kind}, {clause.proof}: {known['shown']}[/]"]
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
    found: dict[str, Any] = {}
    for book in books:
        known = coverage(book)
        counts: dict[str, Any] = {name: len(known.of(name)) for name in STANDINGS}
        counts["open"] = [clause.id for clause in known.open]
        found[book.game] = {"clauses": len(clauses(book)), **counts}
    return found


HEADINGS: dict[Standing, str] = {
    "enforced": "enforced: a violation is caught",
    "recorded": "recorded: the act is logged",
    "defined": "defined: words, permissions",
    "open": "open",
}


def render_coverage(console: Console, books: Sequence[Document]) -> None:
    """Print per game what is shown of its clauses, then those that are open."""
    from rich.table import Table

    table = Table(title="What is shown of the clauses", header_style="bold")
    table.add_column("game")
    for standing in STANDINGS:
        table.add_column(HEADINGS[standing], justify="right")
    table.add_column("clauses", justify="right")
    totals = dict.fromkeys(STANDINGS, 0)
    for book in books:
        known = coverage(book)
        for standing in STANDINGS:
            totals[standing] += len(known.of(standing))
        row = (str(len(known.of(standing))) for standing in STANDINGS)
        table.add_row(book.game, *row, str(len(clauses(book))), end_section=book is books[-1])
    if len(books) > 1:
        row = (str(totals[standing]) for standing in STANDINGS)
        table.add_row("all", *row, str(sum(totals.values())))
    console.print(table)
    for book in books:
        ids = ", ".join(clause.id for clause in coverage(book).open)
        if ids:
            console.print(f"[bold]{book.game}[/] open: {ids}", highlight=False)
