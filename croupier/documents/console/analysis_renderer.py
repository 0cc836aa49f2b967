"""Rich tables of a game analysis, complete and legible at 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.cards import RANKS
from croupier.documents.charts.starting_hand_grid import best_actions, hand_at
from croupier.documents.formatting import figure_table, percent, player_edge_text
from croupier.money import dollars, up_to_cent

if TYPE_CHECKING:
    from croupier.analysis import Analysis, JointResult, MainResult, SideResult, StreetSummary

MARGINAL_SHOWN = 5
STYLES = {"fold": "red", "check": "yellow"}  # color is never the only cue: the word is printed too


def render(analysis: Analysis) -> RenderableType:
    """Render a whole analysis."""
    parts: list[RenderableType] = [Text(analysis.title, style="bold")]
    if analysis.player_edges:
        parts.append(Text(player_edge_text(analysis.player_edges), style="bold red"))
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


def main_table(result: MainResult) -> Table:
    """House edge, element of risk, standard deviation and outcomes of the main game."""
    table = figure_table(result.setting.replace(",", "\n") or "main game", "", "")
    table.show_header = False
    table.add_row("expected value per ante", f"{result.ev.numerator}/{result.ev.denominator}")
    table.add_row("house edge", percent(result.house_edge))
    if result.compulsory > 1:
        name = f"house edge on the {result.compulsory} required units"
        table.add_row(name, percent(result.edge_of_compulsory))
    table.add_row("average total wager", f"{float(result.average_wager):.6f}")
    table.add_row("element of risk", percent(result.element_of_risk))
    table.add_row("standard deviation", f"{result.standard_deviation:.6f}")
    for word, share in result.outcomes.items():
        table.add_row(word, percent(share))
    return table


def component_table(result: MainResult) -> Table:
    """Contribution of each wager to the expected value per ante."""
    table = figure_table("by wager, per ante", "wager", "expected value")
    for wager, part in result.components.items():
        table.add_row(wager, f"{float(part):+.6f}")
    return table


def action_table(result: MainResult) -> Table:
    """Frequency of each action, given that the decision is reached."""
    table = figure_table("actions", "street", "action", "frequency")
    for street, words in result.actions.items():
        for word, share in words.items():
            table.add_row(street, word, percent(share))
    return table


def hand_chart(chart: dict[str, str]) -> Table:
    """The 169 starting hands: suited above the diagonal, offsuit below."""
    table = Table(title="starting hands", title_justify="left", padding=0)
    table.add_column("")
    for rank in reversed(RANKS):
        table.add_column(rank, justify="center", min_width=3)
    for row, rank in enumerate(reversed(RANKS)):
        words = [chart[hand_at(row, column)] for column in range(len(RANKS))]
        table.add_row(rank, *(Text(chart_cell(word), STYLES.get(word, "green")) for word in words))
    return table


def chart_cell(word: str) -> str:
    """Abbreviate an action for a chart cell; check and fold are a dot."""
    return "·" if word in ("check", "fold") else word


def street_text(street: StreetSummary) -> Text:
    """Summary of a later street with its closest decisions."""
    actions = ", ".join(f"{word} in {count:,}" for word, count in street.actions.items())
    text = Text(f"{street.street}: {street.situations:,} distinct situations; {actions}.")
    for close in street.marginal[:MARGINAL_SHOWN]:
        text.append(f"\n  close: {close.hand}  {close.board}  {float(close.gain):+.7f}")
    return text


def ante_table(analysis: Analysis) -> Table:
    """House edge of the main game as offered, by ante."""
    table = figure_table("as offered, by ante", "ante", "house edge")
    for entry in analysis.by_ante:
        table.add_row(dollars(entry.ante), percent(entry.house_edge))
    return table


def side_tables(analysis: Analysis) -> Iterator[RenderableType]:
    """Side wagers: one table per wager and reading, one row per paytable."""
    for wager, tables in analysis.wagers.items():
        readings = dict.fromkeys(reading for results in tables.values() for reading in results)
        for reading in readings:
            results = {letter: by_reading[reading] for letter, by_reading in tables.items()}
            yield side_table(wager, reading, results)
            for result in results.values():
                if result.together:
                    yield joint_text(result.together)


def joint_text(joint: JointResult) -> Text:
    """House edge of the main game and a wager that folding forfeits, played jointly."""
    return Text(
        f"  folding forfeits this wager; house edge of both, per ante of {dollars(joint.ante)}:\n"
        f"  {percent(-joint.ev)} with joint play, {percent(-joint.separate_ev)} if play ignores it"
    )


def side_table(wager: str, reading: str, results: dict[str, SideResult]) -> Table:
    """One side wager under one reading of the rules."""
    choices = [choice.replace("=", " ") for choice in reading.split(",") if choice]
    metered = any(result.meters for result in results.values())
    columns = ["paytable", "house edge", "hits", "deviation"] + ["break-even meter"] * metered
    table = figure_table("\n  ".join([wager, *choices]), *columns)
    for letter, result in results.items():
        edge = percent(-result.ev) + (" at least" if result.upper_bound else "")
        row = [letter, edge, percent(result.hit_frequency), f"{result.standard_deviation:.4f}"]
        table.add_row(*row, *["\n".join(break_evens(result))] * metered)
    return table


def break_evens(result: SideResult) -> Iterator[str]:
    """The amount at which each meter alone makes the wager break even."""
    if result.ev >= 0:
        yield "favorable at reset"
        return
    for name, meter in result.meters.items():
        if meter.break_even is not None:
            yield f"{name} {dollars(up_to_cent(meter.break_even))}"


def notes(analysis: Analysis) -> RenderableType:
    """Assumptions, and the edition, submission and version behind the figures."""
    lines = [
        *analysis.assumptions,
        f"{analysis.game} edition {analysis.edition}, House {analysis.digest[:12]}, "
        f"Croupier {analysis.version}",
    ]
    return Padding(
        Text("\n".join(f"- {line}" for line in lines), style="dim"), (1, 0, 0, 0), expand=False
    )
