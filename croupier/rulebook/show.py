"""The rule book on a terminal: clauses in our words, readings, enforcement, proofs, coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.rulebook.clauses import Clause, clauses, games, under
from croupier.rulebook.coverage import coverage, proofs
from croupier.rulebook.enforcement import enforced_at
from croupier.rulebook.readings import readings_of

if TYPE_CHECKING:
    from rich.console import Console


def entry(clause: Clause) -> dict[str, Any]:
    """All that is known of one clause, ready for JSON."""
    return {
        **msgspec.to_builtins(clause),
        "readings": [reading.id for reading in readings_of(clause.game, clause.id)],
        "enforced": [str(place) for place in enforced_at(clause.game, clause.id)],
        "tests": list(proofs().get((clause.game, clause.id), ())),
    }


def chosen(game: str, prefix: str) -> tuple[Clause, ...]:
    """The clauses of a game, or those at and below one id."""
    return under(game, prefix) if prefix else clauses(game)


def render(console: Console, game: str, prefix: str) -> None:
    """Print clauses with everything that touches them; without an id only id and summary."""
    from rich.markup import escape
    from rich.padding import Padding

    for clause in chosen(game, prefix):
        console.print(f"[bold cyan]{clause.id}[/]  {escape(clause.summary)}", highlight=False)
        if not prefix:
            continue
        about = entry(clause)
        lines = [f"[dim]{clause.kind}, proved by {clause.proof}[/]"]
        lines += [f"enforced: {escape(place)}" for place in about["enforced"]]
        lines += [f"test: {escape(test)}" for test in about["tests"]]
        for line in lines:
            console.print(Padding(line, (0, 0, 0, 4)), highlight=False)
        for reading in readings_of(game, clause.id):
            default = reading.readings.get(reading.default, "none: must be stated")
            told = f"[yellow]{reading.id}[/] {escape(reading.title)}: {escape(default)}"
            console.print(Padding(told, (0, 0, 0, 4)), highlight=False)


def coverage_json() -> dict[str, Any]:
    """Coverage of all games, ready for JSON."""
    return {
        game: {
            part.proof: {
                "clauses": part.total,
                "proved": part.proved,
                "unproved": [clause.id for clause in part.unproved],
            }
            for part in coverage(game)
        }
        for game in games()
    }


def render_coverage(console: Console) -> None:
    """Print per game and kind how many clauses are proved, then those that are not."""
    from rich.table import Table

    table = Table(title="Clauses proved by tests", header_style="bold")
    kinds = [part.proof for part in coverage(games()[0])]
    for heading in ("game", *kinds):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for game in games():
        parts = coverage(game)
        table.add_row(game, *(f"{part.proved}/{part.total}" for part in parts))
    console.print(table)
    for game in games():
        for part in coverage(game):
            if part.unproved:
                ids = ", ".join(clause.id for clause in part.unproved)
                console.print(f"[bold]{game}[/] {part.proof}, not proved: {ids}", highlight=False)
