"""Paytables that were found for a wanted edge, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from croupier.papers.analyses import figures, percent
from croupier.papers.strategies import exact

if TYPE_CHECKING:
    from croupier.games import House
    from croupier.study import Designed


def render(house: House, wager: str, found: Sequence[Designed]) -> RenderableType:
    """Candidates side by side, and the first as a proposal."""
    columns = [f"{at}" for at in range(1, len(found) + 1)]
    table = figures(f"{house.game.title}: {wager}", "", *columns)
    for hand in [hand for hand, _ in found[0].lines]:
        table.add_row(hand.replace("_", " "), *(dict(one.lines)[hand] for one in found))
    table.add_row("house edge", *(percent(one.house_edge) for one in found))
    table.add_row("hit frequency", *(percent(one.result.hit_frequency, 2) for one in found))
    table.add_row("deviation", *(f"{one.result.standard_deviation:.2f}" for one in found))
    lines = [f"[proposal.pays.{wager}]"]
    lines += [f'{hand} = "{pays}"' for hand, pays in found[0].lines]
    return Group(table, Text("The first, for a proposal:\n"), Text("\n".join(lines)))


def to_json(house: House, wager: str, found: Sequence[Designed]) -> dict[str, Any]:
    """Candidates as JSON, best first."""
    return {
        "game": house.game.key,
        "wager": wager,
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
