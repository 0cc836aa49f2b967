"""Rich and JSON renderers of paytable design results."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from croupier.documents.formatting import figure_table, percent
from croupier.games import title

if TYPE_CHECKING:
    from croupier.analysis import DesignGoal, HitFrequencyOption, PaytableDesign
    from croupier.games import House


def render(
    house: House,
    wager: str,
    candidates: Sequence[PaytableDesign],
    goal: DesignGoal,
    reachable: Sequence[HitFrequencyOption],
) -> RenderableType:
    """Candidate paytables side by side, goals against results, and a proposal to copy."""
    best = candidates[0]
    columns = [str(number) for number in range(1, len(candidates) + 1)]
    table = figure_table(f"{house.game.title}: {wager}", "", *columns)
    for hand, _ in best.lines:
        table.add_row(hand.replace("_", " "), *(dict(item.lines)[hand] for item in candidates))
    table.add_row("house edge", *(percent(item.house_edge) for item in candidates))
    table.add_row("hit frequency", *(percent(item.result.hit_frequency, 2) for item in candidates))
    table.add_row("deviation", *(f"{item.result.standard_deviation:.2f}" for item in candidates))
    compared = goal.compared(best)
    summary = [
        f"{name.replace('_', ' ')}: target {format_figure(name, target)}, "
        + ("reached " if met else "not reached by any paytable tried; paytable 1 has ")
        + format_figure(name, reached)
        for name, (target, reached, met) in compared.items()
    ]
    if goal.hit is not None and not compared["hit_frequency"][2]:
        summary.append(f"nearest possible hit frequency: {nearest(goal.hit, reachable)}")
    proposal = [f"[proposal.pays.{wager}]"]
    proposal += [f'{hand} = "{pays}"' for hand, pays in best.lines]
    return Group(
        table,
        Text("\n".join(summary)),
        Text("\nPaytable 1 as a proposal:\n"),
        Text("\n".join(proposal)),
    )


def nearest(hit: Fraction, reachable: Sequence[HitFrequencyOption]) -> str:
    """The possible hit frequencies just below and above `hit`, each with its lowest paying hand."""
    neighbors = [item for item in reachable if item.hit < hit][-1:]
    neighbors += [item for item in reachable if item.hit >= hit][:1]
    return " or ".join(
        f"{percent(item.hit)} (down to {title(item.lines[-1].hand)})" for item in neighbors
    )


def format_figure(name: str, value: float) -> str:
    """Format a figure: shares in percent, a standard deviation in units."""
    return f"{value:.2f}" if name == "standard_deviation" else percent(value)


def to_json(wager: str, candidates: Sequence[PaytableDesign], goal: DesignGoal) -> dict[str, Any]:
    """Candidate paytables for JSON, best first, with the goals and how close the best one is."""
    return {
        "wager": wager,
        "asked": {
            name: {"asked": target, "reached": reached, "met": met}
            for name, (target, reached, met) in goal.compared(candidates[0]).items()
        },
        "candidates": [
            {
                "lines": dict(item.lines),
                "house_edge": item.house_edge,
                "hit_frequency": item.result.hit_frequency,
                "standard_deviation": item.result.standard_deviation,
            }
            for item in candidates
        ],
    }
