"""What a battery of tests found of a shuffler: a table, JSON, and a page for a laboratory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from croupier import __version__
from croupier.documents.console.analysis_renderer import figures

if TYPE_CHECKING:
    from croupier.analysis import Battery

METHOD = (
    "Each chance is that of a result at least as far from even under a perfect shuffle. Corrected "
    "chances are Holm's for the number of tests: a perfect shuffler fails the whole battery with "
    "at most the chance of the level."
)


def verdict(found: Battery) -> str:
    """One sentence."""
    if not found.complete:
        return "FAILED: a deck does not have all 52 cards [R27]"
    if found.repeated:
        return f"FAILED: {found.repeated:,} decks came more than once [R25]"
    if found.failed:
        return f"FAILED: {', '.join(test.name for test in found.failed)}"
    return f"passed: nothing speaks against this shuffler at {100 * (1 - found.level):g} %"


def render(found: Battery) -> Group:
    """The tests as a table for `rich`, and what they add up to."""
    title = f"{found.source}, {found.decks:,} decks"
    table: Table = figures(title, "test", "law", "statistic", "chance", "corrected")
    for test in found.tests:
        table.add_row(
            test.name,
            test.law,
            f"{test.statistic:,.3f}",
            f"{test.chance:.6f}",
            f"{test.corrected:.6f}",
        )
    return Group(table, Text(verdict(found)))


def to_json(found: Battery) -> dict[str, Any]:
    """The battery as JSON."""
    return {
        "version": __version__,
        "source": found.source,
        "decks": found.decks,
        "sha256": found.sha256,
        "level": found.level,
        "passed": found.passed,
        "verdict": verdict(found),
        "complete": found.complete,
        "repeated": found.repeated,
        "tests": [test._asdict() for test in found.tests],
    }


def pdf(found: Battery) -> bytes:
    """The battery as pages."""
    from croupier.documents.pdf import compiled

    written = to_json(found) | {
        "title": "Randomness of a shuffler",
        "method": METHOD,
        "rows": [
            [test.name, test.looks_at, test.law, f"{test.statistic:,.3f}", f"{test.chance:.6f}",
             f"{test.corrected:.6f}"]
            for test in found.tests
        ],
    }  # fmt: skip
    return compiled("randomness", {"data": json.dumps(written)})
