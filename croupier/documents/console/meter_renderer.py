"""Progressive meters as a business, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType

from croupier.documents.console.analysis_renderer import figures, percent
from croupier.documents.console.strategy_renderer import exact
from croupier.money import dollars, up_to_cent

if TYPE_CHECKING:
    from croupier.analysis import ProgressiveEconomics, MeterEconomics
    from croupier.games import House


def render(house: House, found: ProgressiveEconomics, wagers_per_hour: int) -> RenderableType:
    """The progressive in the long run, for `rich`."""
    title = f"{house.game.title}: the {dollars(found.stake)} progressive in the long run"
    whole = figures(title, "", "")
    whole.show_header = False
    whole.add_row("house edge with meters at reset", percent(-found.at_reset))
    whole.add_row("of each wager goes to meters and reserves", percent(found.increment))
    whole.add_row("house edge in the long run, seeds paid", percent(found.house_edge))
    whole.add_row("in the meters on average", dollars(up_to_cent(found.liability)))
    return Group(whole, *(_meter(one, wagers_per_hour) for one in found.meters))


def _meter(one: MeterEconomics, wagers_per_hour: int) -> RenderableType:
    table = figures(one.name, "", "")
    table.show_header = False
    hours = float(one.wagers_between_hits) / wagers_per_hour
    table.add_row("reset", dollars(one.reset))
    table.add_row("a wager adds", f"{float(one.added):g} cents")
    table.add_row("seeds cost per wager", f"{float(one.seed_cost):.4f} cents")
    table.add_row("wagers between hits", f"{float(one.wagers_between_hits):,.0f}")
    table.add_row(f"hours between hits at {wagers_per_hour:,} an hour", f"{hours:,.1f}")
    table.add_row("on average when hit", dollars(up_to_cent(one.mean)))
    if one.bound:
        table.add_row("", one.bound)
    table.add_row("19 of 20 times hit below", dollars(up_to_cent(one.at_hit(0.95))))
    if one.break_even is not None:
        even = one.break_even
        told = dollars(up_to_cent(even)) if even > one.reset else "favourable at reset"
        table.add_row("worth playing from, others at reset", told)
    return table


def to_json(house: House, found: ProgressiveEconomics) -> dict[str, Any]:
    """The progressive in the long run as JSON; amounts in cents."""
    return {
        "game": house.game.key,
        "digest": house.digest,
        "stake": found.stake,
        "at_reset": exact(found.at_reset),
        "ev": exact(found.ev),
        "increment": exact(found.increment),
        "liability": exact(found.liability),
        "meters": {
            one.name: {
                "reset": one.reset,
                "added": exact(one.added),
                "reserve": exact(one.reserve),
                "hit": exact(one.hit),
                "seed_cost": exact(one.seed_cost),
                "mean": exact(one.mean),
                "bound": one.bound,
                "break_even": None if one.break_even is None else exact(one.break_even),
            }
            for one in found.meters
        },
    }
