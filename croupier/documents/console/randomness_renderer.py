"""Rich, JSON and PDF renderers of a randomness test battery."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from croupier import __version__
from croupier.documents.formatting import figure_table, json_values

if TYPE_CHECKING:
    from croupier.analysis import Battery

METHOD = (
    "Each p-value is the probability that a perfect shuffle gives a result at least as extreme. "
    "Corrected p-values use Holm's method for multiple tests: the probability that a perfect "
    "shuffler fails any test of the battery is at most the significance level."
)


def verdict(battery: Battery) -> str:
    """The result of the battery in one sentence."""
    if not battery.complete:
        return "FAILED: not every deck has all 52 cards [R27]"
    if battery.repeated:
        return f"FAILED: {battery.repeated:,} decks are repeated [R25]"
    if battery.failed:
        return f"FAILED: {', '.join(test.name for test in battery.failed)}"
    return f"passed: no test fails at the {100 * (1 - battery.level):g}% confidence level"


def render(battery: Battery) -> Group:
    """The tests as a Rich table, then the verdict."""
    title = f"{battery.source}, {battery.decks:,} decks"
    table: Table = figure_table(title, "test", "requirement", "statistic", "p-value", "corrected")
    for test in battery.tests:
        table.add_row(
            test.name,
            test.law,
            f"{test.statistic:,.3f}",
            f"{test.chance:.6f}",
            f"{test.corrected:.6f}",
        )
    return Group(table, Text(verdict(battery)))


def to_json(battery: Battery) -> dict[str, Any]:
    """The battery as JSON."""
    verdicts = {"version": __version__, "passed": battery.passed, "verdict": verdict(battery)}
    return {**json_values(battery), **verdicts}


def pdf(battery: Battery) -> bytes:
    """The battery as a PDF for a test laboratory."""
    from croupier.documents.pdf import compile_pdf

    data = to_json(battery) | {
        "title": "Shuffler randomness test",
        "method": METHOD,
        "rows": [
            [test.name, test.looks_at, test.law, f"{test.statistic:,.3f}", f"{test.chance:.6f}",
             f"{test.corrected:.6f}"]
            for test in battery.tests
        ],
    }  # fmt: skip
    return compile_pdf("randomness", {"data": json.dumps(data)})
