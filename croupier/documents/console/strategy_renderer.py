"""Priced strategies, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from croupier.documents.console.analysis_renderer import figures, percent

if TYPE_CHECKING:
    from croupier.analysis import Mistake, StrategyCost, SearchResult
    from croupier.games import House


def render(house: House, title: str, found: StrategyCost) -> RenderableType:
    """A strategy's worth, the cost of its lines and its costliest mistakes, for `rich`."""
    worth = figures(f"{house.game.title}: {title}, of one ante", "", "")
    worth.show_header = False
    worth.add_row("exactly", str(found.ev))
    worth.add_row("house edge", percent(found.house_edge))
    worth.add_row("under perfect play", percent(-found.best_ev))
    worth.add_row("what following it costs", percent(found.cost))
    return Group(worth, *_details(found))


def _details(found: StrategyCost) -> list[RenderableType]:
    lines = figures("what each line costs", "line", "used", "wrong", "cost")
    for line in found.lines:
        told = Text(line.rule, overflow="fold")
        lines.add_row(told, percent(line.used, 2), percent(line.wrong, 3), percent(line.cost))
    if not found.mistakes:
        return [lines]
    wrong = figures("the costliest mistakes", "street", "hand", "board", "played", "loses", "cost")
    for one in found.mistakes:
        wrong.add_row(one.street, one.hand, one.board, one.played, *_amounts(one))
    return [lines, wrong]


def _amounts(one: Mistake) -> tuple[str, str]:
    return f"{float(one.loss):.4f}", percent(one.cost, 6)


def render_found(house: House, found: Sequence[SearchResult]) -> RenderableType:
    """Short lists with what they cost, the longest in full."""
    table = figures("cost against length", "lines", "house edge", "cost")
    for one in found:
        priced = one.priced
        table.add_row(
            str(len(one.strategy.rules)), percent(priced.house_edge), percent(priced.cost)
        )
    rules = Text("\n".join(["", *map(str, found[-1].strategy.rules), ""]), overflow="fold")
    return Group(Text(house.game.title, style="bold"), table, rules, *_details(found[-1].priced))


def exact(value: Fraction) -> dict[str, Any]:
    """A fraction with its decimal beside."""
    return {"exact": str(value), "value": float(value)}


def to_json(found: StrategyCost) -> dict[str, Any]:
    """A priced strategy as JSON."""
    return {
        "game": found.game,
        "digest": found.digest,
        "setting": found.setting,
        "ev": exact(found.ev),
        "best_ev": exact(found.best_ev),
        "cost": exact(found.cost),
        "lines": [
            {
                "street": line.street,
                "line": line.rule,
                "action": line.action,
                "words": line.words,
                "cost": exact(line.cost),
                "used": exact(line.used),
                "wrong": exact(line.wrong),
            }
            for line in found.lines
        ],
        "mistakes": [
            {
                "street": one.street,
                "hand": one.hand,
                "board": one.board,
                "played": one.played,
                "line": one.rule,
                "loss": exact(one.loss),
                "share": exact(one.share),
            }
            for one in found.mistakes
        ],
    }


def found_to_json(found: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """Short lists as JSON, shortest first."""
    return [{"rules": list(map(str, one.strategy.rules)), **to_json(one.priced)} for one in found]
