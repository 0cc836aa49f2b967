"""Analyses for people: tables that are readable at eighty columns and cut nothing."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.cards import RANKS
from croupier.documents.charts.starting_hand_grid import best_actions, hand_at
from croupier.money import dollars, up_to_cent

if TYPE_CHECKING:
    from croupier.analysis import Analysis, JointResult, MainResult, SideResult, StreetSummary

CLOSE_SHOWN = 5
STYLES = {"fold": "red", "check": "yellow"}  # a colour per action; the word is always there too


def render(analysis: Analysis) -> RenderableType:
    """An analysis as tables for `rich`."""
    parts: list[RenderableType] = [Text(analysis.title, style="bold")]
    for result in analysis.mains.values():
        parts += [main_table(result), component_table(result), action_table(result)]
        chart = best_actions(result)
        if chart:
            parts.append(hand_chart(chart))
        parts += [street_text(street) for street in result.streets]
    if analysis.by_ante:
        parts.append(ante_table(analysis))
    parts += side_tables(analysis)
    parts.append(notes(analysis))
    return Group(*parts)


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share as it is printed."""
    return f"{100 * float(value):.{digits}f} %"


def figures(title: str, *columns: str) -> Table:
    """An empty table: names to the left, figures to the right."""
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for at, column in enumerate(columns):
        table.add_column(column, justify="right" if at else "left", overflow="fold")
    return table


def main_table(result: MainResult) -> Table:
    """The figures of the main game."""
    table = figures(result.setting.replace(",", "\n") or "main game", "", "")
    table.show_header = False
    table.add_row("expected value per ante", f"{result.ev.numerator}/{result.ev.denominator}")
    table.add_row("house edge", percent(result.house_edge))
    if result.compulsory > 1:
        name = f"house edge of the {result.compulsory} compulsory units"
        table.add_row(name, percent(result.edge_of_compulsory))
    table.add_row("average total wager", f"{float(result.average_wager):.6f}")
    table.add_row("element of risk", percent(result.element_of_risk))
    table.add_row("standard deviation", f"{result.standard_deviation:.6f}")
    for word, share in result.outcomes.items():
        table.add_row(word, percent(share))
    return table


def component_table(result: MainResult) -> Table:
    """What each wager adds to the expected value of one ante."""
    table = figures("by wager, of one ante", "wager", "expected value")
    for wager, part in result.components.items():
        table.add_row(wager, f"{float(part):+.6f}")
    return table


def action_table(result: MainResult) -> Table:
    """How often each action is taken, of those who come to decide."""
    table = figures("actions", "street", "action", "frequency")
    for street, words in result.actions.items():
        for word, share in words.items():
            table.add_row(street, word, percent(share))
    return table


def hand_chart(chart: dict[str, str]) -> Table:
    """The 169 starting hands: suited above the diagonal, off-suit below."""
    table = Table(title="starting hands", title_justify="left", padding=0)
    table.add_column("")
    for rank in reversed(RANKS):
        table.add_column(rank, justify="center", min_width=3)
    for row, rank in enumerate(reversed(RANKS)):
        words = [chart[hand_at(row, column)] for column in range(len(RANKS))]
        table.add_row(rank, *(Text(short(word), STYLES.get(word, "green")) for word in words))
    return table


def short(word: str) -> str:
    """An action in a cell of the chart; not betting is a dot."""
    return "·" if word in ("check", "fold") else word


def street_text(street: StreetSummary) -> Text:
    """A later street in words, with its closest decisions."""
    actions = ", ".join(f"{word} in {count:,}" for word, count in street.actions.items())
    text = Text(f"{street.street}: {street.situations:,} situations differ; {actions}.")
    for close in street.marginal[:CLOSE_SHOWN]:
        text.append(f"\n  close: {close.hand}  {close.board}  {float(close.gain):+.7f}")
    return text


def ante_table(analysis: Analysis) -> Table:
    """The main game as offered, from the least ante to the most."""
    table = figures("as offered, by ante", "ante", "house edge")
    for at in analysis.by_ante:
        table.add_row(dollars(at.ante), percent(at.house_edge))
    return table


def side_tables(analysis: Analysis) -> Iterator[RenderableType]:
    """The side wagers: one table per wager and reading, one line per paytable."""
    for wager, tables in analysis.wagers.items():
        readings = dict.fromkeys(reading for results in tables.values() for reading in results)
        for reading in readings:
            results = {letter: found[reading] for letter, found in tables.items()}
            yield side_table(wager, reading, results)
            for result in results.values():
                if result.together:
                    yield together_text(result.together)


def together_text(found: JointResult) -> Text:
    """What it adds to think of a wager before a fold forfeits it."""
    return Text(
        f"  a fold forfeits it. Of one ante of {dollars(found.ante)}, both together:\n"
        f"  played for their sum {percent(-found.ev)}, the main game by itself "
        f"{percent(-found.apart)}"
    )


def side_table(wager: str, reading: str, results: dict[str, SideResult]) -> Table:
    """One wager under one reading."""
    choices = [choice.replace("=", " ") for choice in reading.split(",") if choice]
    metered = any(result.meters for result in results.values())
    columns = ["table", "house edge", "hits", "deviation"] + ["break-even meter"] * metered
    table = figures("\n  ".join([wager, *choices]), *columns)
    for letter, result in results.items():
        edge = percent(-result.ev) + (" at least" if result.upper_bound else "")
        row = [letter, edge, percent(result.hit_frequency), f"{result.standard_deviation:.4f}"]
        table.add_row(*row, *["\n".join(break_evens(result))] * metered)
    return table


def break_evens(result: SideResult) -> Iterator[str]:
    """Where each meter alone would make the wager even; none where it is so already at reset."""
    if result.ev >= 0:
        yield "favourable at reset"
        return
    for name, meter in result.meters.items():
        if meter.break_even is not None:
            yield f"{name} {dollars(up_to_cent(meter.break_even))}"


def notes(analysis: Analysis) -> RenderableType:
    """What is assumed, and what made the figures."""
    lines = [
        *analysis.assumptions,
        f"{analysis.game} edition {analysis.edition}, House {analysis.digest[:12]}, "
        f"Croupier {analysis.version}",
    ]
    return Padding(
        Text("\n".join(f"- {line}" for line in lines), style="dim"), (1, 0, 0, 0), expand=False
    )
