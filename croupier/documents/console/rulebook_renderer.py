"""The rule book on a terminal: clauses in our words, readings, enforcement, proofs, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.rulebook.clauses import Clause, clauses, clauses_under
from croupier.rulebook.coverage import STANDINGS, Standing, coverage, nature, proofs
from croupier.rulebook.coverage import standing as standing_of
from croupier.rulebook.rule_document import (DocumentRef, RuleDocument, find_document)
from croupier.rulebook.enforcement import enforced_at
from croupier.rulebook.readings import Reading, readings_of

if TYPE_CHECKING:
    from rich.console import Console


def entry(about: DocumentRef, clause: Clause) -> dict[str, Any]:
    """All that is known of one clause of a game, ready for JSON."""
    book = find_document(about)
    return {
        **msgspec.to_builtins(clause),
        "readings": [reading.id for reading in readings_of(book, clause.id)],
        "enforced": [str(place) for place in enforced_at(book, clause.id)],
        "nature": nature(clause),
        "shown": standing_of(book, clause),
        "tests": list(proofs(book).get(clause.id, ())),
    }


def chosen(about: DocumentRef, prefix: str) -> tuple[Clause, ...]:
    """The clauses of a game, or those at and below one id."""
    return clauses_under(about, prefix) if prefix else clauses(about)


def render(console: Console, about: DocumentRef, prefix: str) -> None:
    """Print clauses with everything that touches them; without an id only id and summary."""
    from rich.markup import escape
    from rich.padding import Padding

    book = find_document(about)
    for clause in chosen(book, prefix):
        console.print(f"[bold cyan]{clause.id}[/]  {escape(clause.summary)}", highlight=False)
        if not prefix:
            continue
        known = entry(book, clause)
        lines = [f"[dim]{clause.kind}, {clause.proof}: {known['shown']}[/]"]
        lines += [f"enforced: {escape(place)}" for place in known["enforced"]]
        lines += [f"test: {escape(test)}" for test in known["tests"]]
        for line in lines:
            console.print(Padding(line, (0, 0, 0, 4), expand=False), highlight=False)
        for reading in readings_of(book, clause.id):
            default = reading.readings.get(reading.default, "none: must be stated")
            told = f"[yellow]{reading.id}[/] {escape(reading.title)}: {escape(default)}"
            console.print(Padding(told, (0, 0, 0, 4), expand=False), highlight=False)


def render_reading(console: Console, reading: Reading) -> None:
    """Print an unclear place: the question, what it could mean, which is followed, and why."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Text.assemble((reading.id, "bold yellow"), f"  {reading.title}"))
    console.print(Text(reading.question))
    for key, words in reading.readings.items():
        mark = "*" if key == reading.default else " "
        console.print(Padding(Text(f"{mark} {key}  {words}"), (0, 0, 0, 2), expand=False))
    followed = "* is followed" if reading.default else "None is followed: it must be stated"
    lines = [f"{followed}. {reading.why}", f"Money at stake: {reading.money}."]
    lines += [f"Chosen by: {', '.join(f'choices.{name}' for name in reading.fields)}."] * bool(
        reading.fields
    )
    lines.append(f"Clauses: {', '.join(reading.clauses)}.")
    for line in lines:
        console.print(Text(line, style="dim"))


def coverage_json(books: Sequence[RuleDocument]) -> dict[str, Any]:
    """Coverage of these documents, ready for JSON."""
    found: dict[str, Any] = {}
    for book in books:
        known = coverage(book)
        counts: dict[str, Any] = {name: len(known.of(name)) for name in STANDINGS}
        counts["open"] = [clause.id for clause in known.open]
        found[book.game] = {"clauses": len(clauses(book)), **counts}
    return found


MEANINGS: dict[Standing, str] = {
    "enforced": "a violation is caught",
    "recorded": "the act is logged",
    "defined": "words, permissions",
    "open": "not shown yet",
}


def render_coverage(console: Console, books: Sequence[RuleDocument]) -> None:
    """Print per game what is shown of its clauses, then those that are open."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game", no_wrap=True)
    for standing in STANDINGS:
        table.add_column(standing, justify="right", no_wrap=True)
    table.add_column("clauses", justify="right", no_wrap=True)
    totals = dict.fromkeys(STANDINGS, 0)
    for book in books:
        known = coverage(book)
        for standing in STANDINGS:
            totals[standing] += len(known.of(standing))
        row = (str(len(known.of(standing))) for standing in STANDINGS)
        table.add_row(book.game, *row, str(len(clauses(book))))
    if len(books) > 1:
        row = (str(totals[standing]) for standing in STANDINGS)
        table.add_row("all", *row, str(sum(totals.values())))
    console.print(table)
    for standing, meaning in MEANINGS.items():
        console.print(f"{standing}: {meaning}", style="dim", highlight=False)
    for book in books:
        ids = ", ".join(clause.id for clause in coverage(book).open)
        if ids:
            console.print(f"[bold]{book.game}[/] open: {ids}", highlight=False)
