"""Rich and JSON renderers of the rule book: clauses, readings, enforcement, tests, coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.rulebook.clauses import Clause, clauses, clauses_under
from croupier.rulebook.coverage import (
    STANDINGS,
    Standing,
    citing_functions,
    coverage,
    is_by_construction,
    nature,
    proofs,
)
from croupier.rulebook.coverage import standing as standing_of
from croupier.rulebook.readings import Reading, readings_of
from croupier.rulebook.rule_document import DocumentRef, RuleDocument, find_document

if TYPE_CHECKING:
    from rich.console import Console


def clause_json(about: DocumentRef, clause: Clause) -> dict[str, Any]:
    """One clause of a game for JSON, with its readings, enforcement and tests."""
    book = find_document(about)
    functions = citing_functions(book).get(clause.id, ())
    return {
        **msgspec.to_builtins(clause),
        "readings": [reading.id for reading in readings_of(book, clause.id)],
        "enforced": [*["by construction"] * is_by_construction(clause), *functions],
        "nature": nature(clause),
        "shown": standing_of(book, clause),
        "tests": list(proofs(book).get(clause.id, ())),
    }


def citation_lines(details: dict[str, Any]) -> Iterator[str]:
    """Where a clause is enforced; where it is only cited, if no test caught a violation."""
    label = "enforced" if details["shown"] == "enforced" else "cited"
    for place in details["enforced"] or ["nowhere"]:
        yield f"{'enforced' if place in ('by construction', 'nowhere') else label}: {place}"


def selected_clauses(about: DocumentRef, prefix: str) -> tuple[Clause, ...]:
    """The clauses of a game; with a prefix, that clause and those below it."""
    return clauses_under(about, prefix) if prefix else clauses(about)


def render(console: Console, about: DocumentRef, prefix: str) -> None:
    """Print clauses: id and summary; with a prefix also kind, enforcement, tests and readings."""
    from rich.markup import escape
    from rich.padding import Padding

    book = find_document(about)
    for clause in selected_clauses(book, prefix):
        console.print(f"[bold cyan]{clause.id}[/]  {escape(clause.summary)}", highlight=False)
        if not prefix:
            continue
        details = clause_json(book, clause)
        lines = [f"[dim]{clause.kind}, {clause.proof}: {details['shown']}[/]"]
        lines += [escape(line) for line in citation_lines(details)]
        lines += [f"test: {escape(test)}" for test in details["tests"]]
        for line in lines:
            console.print(Padding(line, (0, 0, 0, 4), expand=False), highlight=False)
        for reading in readings_of(book, clause.id):
            default = reading.readings.get(reading.default, "none: must be stated")
            text = f"[yellow]{reading.id}[/] {escape(reading.title)}: {escape(default)}"
            console.print(Padding(text, (0, 0, 0, 4), expand=False), highlight=False)


def render_reading(console: Console, reading: Reading) -> None:
    """Print an ambiguous clause: the question, its possible readings, the default and why."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Text.assemble((reading.id, "bold yellow"), f"  {reading.title}"))
    console.print(Text(reading.question))
    for key, words in reading.readings.items():
        mark = "*" if key == reading.default else " "
        console.print(Padding(Text(f"{mark} {key}  {words}"), (0, 0, 0, 2), expand=False))
    followed = "* is the default" if reading.default else "No default: the submission must state it"
    lines = [f"{followed}. {reading.why}", f"Financial effect: {reading.money}."]
    lines += [f"Set by: {', '.join(f'choices.{name}' for name in reading.fields)}."] * bool(
        reading.fields
    )
    lines.append(f"Clauses: {', '.join(reading.clauses)}.")
    for line in lines:
        console.print(Text(line, style="dim"))


def coverage_json(books: Sequence[RuleDocument]) -> dict[str, Any]:
    """Clause coverage of rule documents for JSON."""
    result: dict[str, Any] = {}
    for book in books:
        covered = coverage(book)
        counts: dict[str, Any] = {name: len(covered.of(name)) for name in STANDINGS}
        counts["open"] = [clause.id for clause in covered.open]
        result[book.game] = {"clauses": len(clauses(book)), **counts}
    return result


MEANINGS: dict[Standing, str] = {
    "enforced": "a violation is caught",
    "recorded": "the act is logged",
    "defined": "a definition or permission",
    "open": "not yet covered",
}


def render_coverage(console: Console, books: Sequence[RuleDocument]) -> None:
    """Print clause coverage per game, then the open clauses."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game", no_wrap=True)
    for standing in STANDINGS:
        table.add_column(standing, justify="right", no_wrap=True)
    table.add_column("clauses", justify="right", no_wrap=True)
    totals = dict.fromkeys(STANDINGS, 0)
    for book in books:
        covered = coverage(book)
        for standing in STANDINGS:
            totals[standing] += len(covered.of(standing))
        row = (str(len(covered.of(standing))) for standing in STANDINGS)
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
