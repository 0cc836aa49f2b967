"""Rich renderer of the economics of progressive meters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType

from croupier.documents.formatting import figure_table, percent
from croupier.money import dollars, up_to_cent

if TYPE_CHECKING:
    from croupier.analysis import MeterEconomics, ProgressiveEconomics
    from croupier.games import House


def render(house: House, business: ProgressiveEconomics, wagers_per_hour: int) -> RenderableType:
    """Long-run economics of a progressive as Rich tables."""
    title = f"{house.game.title}: the {dollars(business.stake)} progressive in the long run"
    summary = figure_table(title, "", "")
    summary.show_header = False
    summary.add_row("house edge with meters at reset", percent(-business.at_reset))
    summary.add_row("share of each wager added to meters and reserves", percent(business.increment))
    summary.add_row("long-run house edge, including seed cost", percent(business.house_edge))
    summary.add_row("average amount in the meters", dollars(up_to_cent(business.liability)))
    return Group(summary, *(_meter_table(meter, wagers_per_hour) for meter in business.meters))


def _meter_table(meter: MeterEconomics, wagers_per_hour: int) -> RenderableType:
    table = figure_table(meter.name, "", "")
    table.show_header = False
    hours = float(meter.wagers_between_hits) / wagers_per_hour
    table.add_row("reset", dollars(meter.reset))
    table.add_row("added per wager", f"{float(meter.added):g} cents")
    table.add_row("seed cost per wager", f"{float(meter.seed_cost):.4f} cents")
    table.add_row("wagers between hits", f"{float(meter.wagers_between_hits):,.0f}")
    table.add_row(f"hours between hits at {wagers_per_hour:,} an hour", f"{hours:,.1f}")
    table.add_row("average at hit", dollars(up_to_cent(meter.mean)))
    if meter.bound:
        table.add_row("", meter.bound)
    table.add_row("95% of hits are below", dollars(up_to_cent(meter.at_hit(0.95))))
    if meter.break_even is not None:
        favorable = meter.break_even <= meter.reset
        text = "favorable at reset" if favorable else dollars(up_to_cent(meter.break_even))
        table.add_row("break-even, other meters at reset", text)
    return table
