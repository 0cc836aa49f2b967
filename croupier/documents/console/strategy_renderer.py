"""Rich renderers of strategy costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from croupier.documents.formatting import figure_table, percent

if TYPE_CHECKING:
    from croupier.analysis import SearchResult, StrategyCost
    from croupier.games import House


def render(house: House, title: str, priced: StrategyCost) -> RenderableType:
    """House edge of a strategy, the cost of each line and its costliest mistakes."""
    worth = figure_table(f"{house.game.title}: {title}, per ante", "", "")
    worth.show_header = False
    worth.add_row("expected value", str(priced.ev))
    worth.add_row("house edge", percent(priced.house_edge))
    worth.add_row("house edge, perfect play", percent(-priced.best_ev))
    worth.add_row("cost of the strategy", percent(priced.cost))
    return Group(worth, *_details(priced))


def _details(priced: StrategyCost) -> list[RenderableType]:
    lines = figure_table("cost of each line", "line", "used", "wrong", "cost")
    for line in priced.lines:
        text = Text(line.rule, overflow="fold")
        lines.add_row(text, percent(line.used, 2), percent(line.wrong, 3), percent(line.cost))
    if not priced.mistakes:
        return [lines]
    wrong = figure_table("costliest mistakes", "street", "hand", "board", "played", "loses", "cost")
    for mistake in priced.mistakes:
        wrong.add_row(
            mistake.street,
            mistake.hand,
            mistake.board,
            mistake.played,
            f"{float(mistake.loss):.4f}",
            percent(mistake.cost, 6),
        )
    return [lines, wrong]


def render_search(house: House, results: Sequence[SearchResult]) -> RenderableType:
    """Cost of rule lists by length, and the longest list in full."""
    table = figure_table("cost against length", "lines", "house edge", "cost")
    for result in results:
        priced = result.priced
        table.add_row(
            str(len(result.strategy.rules)), percent(priced.house_edge), percent(priced.cost)
        )
    longest = results[-1]
    rules = Text("\n".join(["", *map(str, longest.strategy.rules), ""]), overflow="fold")
    return Group(Text(house.game.title, style="bold"), table, rules, *_details(longest.priced))
