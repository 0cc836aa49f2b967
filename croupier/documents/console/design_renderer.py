"""Paytables that were found for a wanted edge, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from croupier.documents.console.analysis_renderer import figures, percent
from croupier.documents.console.strategy_renderer import exact
from croupier.games import title

if TYPE_CHECKING:
    from croupier.analysis import PaytableDesign, DesignGoal, HitFrequencyOption
    from croupier.games import House


def render(
    house: House,
    wager: str,
    found: Sequence[PaytableDesign],
    wanted: DesignGoal,
    reachable: Sequence[HitFrequencyOption],
) -> RenderableType:
    """Candidates side by side, what was asked beside what is reached, the first as a proposal."""
    columns = [f"{at}" for at in range(1, len(found) + 1)]
    table = figures(f"{house.game.title}: {wager}", "", *columns)
    for hand in [hand for hand, _ in found[0].lines]:
        table.add_row(hand.replace("_", " "), *(dict(one.lines)[hand] for one in found))
    table.add_row("house edge", *(percent(one.house_edge) for one in found))
    table.add_row("hit frequency", *(percent(one.result.hit_frequency, 2) for one in found))
    table.add_row("deviation", *(f"{one.result.standard_deviation:.2f}" for one in found))
    told = [
        f"{name.replace('_', ' ')}: asked {figure(name, asked)}, "
        + ("reached " if met else "which no table tried here reaches: the first has ")
        + figure(name, reached)
        for name, (asked, reached, met) in wanted.compared(found[0]).items()
    ]
    if wanted.hit is not None and not wanted.compared(found[0])["hit_frequency"][2]:
        told.append(f"tables of this wager hit {nearest(wanted.hit, reachable)}")
    lines = [f"[proposal.pays.{wager}]"]
    lines += [f'{hand} = "{pays}"' for hand, pays in found[0].lines]
    return Group(
        table,
        Text("\n".join(told)),
        Text("\nThe first, for a proposal:\n"),
        Text("\n".join(lines)),
    )


def nearest(hit: Fraction, reachable: Sequence[HitFrequencyOption]) -> str:
    """The hit frequencies on either side of one that no table has, each with its last line."""
    beside = [*[one for one in reachable if one.hit < hit][-1:]]
    beside += [one for one in reachable if one.hit >= hit][:1]
    return " or ".join(
        f"{percent(one.hit)} (down to {title(one.lines[-1].hand)})" for one in beside
    )


def figure(name: str, value: float) -> str:
    """A figure as it is printed: shares in percent, a deviation in units."""
    return f"{value:.2f}" if name == "standard_deviation" else percent(value)


def to_json(
    house: House, wager: str, found: Sequence[PaytableDesign], wanted: DesignGoal
) -> dict[str, Any]:
    """Candidates as JSON, best first, with what was asked and how near the first comes."""
    return {
        "game": house.game.key,
        "wager": wager,
        "asked": {
            name: {"asked": asked, "reached": reached, "met": met}
            for name, (asked, reached, met) in wanted.compared(found[0]).items()
        },
        "candidates": [
            {
                "lines": dict(one.lines),
                "house_edge": exact(one.house_edge),
                "hit_frequency": exact(one.result.hit_frequency),
                "standard_deviation": one.result.standard_deviation,
            }
            for one in found
        ],
    }
