"""Rich and JSON renderers of strategy costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from croupier.documents.formatting import exact_json, figure_table, percent

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


def to_json(priced: StrategyCost) -> dict[str, Any]:
    """The cost of a strategy as JSON."""
    return {
        "game": priced.game,
        "digest": priced.digest,
        "setting": priced.setting,
        "ev": exact_json(priced.ev),
        "best_ev": exact_json(priced.best_ev),
        "cost": exact_json(priced.cost),
        "lines": [
            {
                "street": line.street,
                "line": line.rule,
                "action": line.action,
                "words": line.words,
                "cost": exact_json(line.cost),
                "used": exact_json(line.used),
                "wrong": exact_json(line.wrong),
            }
            for line in priced.lines
        ],
        "mistakes": [
            {
                "street": mistake.street,
                "hand": mistake.hand,
                "board": mistake.board,
                "played": mistake.played,
                "line": mistake.rule,
                "loss": exact_json(mistake.loss),
                "share": exact_json(mistake.share),
            }
            for mistake in priced.mistakes
        ],
    }


def search_to_json(results: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """Rule lists as JSON, shortest first."""
    return [
        {"rules": list(map(str, result.strategy.rules)), **to_json(result.priced)}
        for result in results
    ]
