"""Analyses for people: tables on a terminal, with a bar while they are worked out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from croupier.cards import RANKS
from croupier.games import House, find
from croupier.study.analysis import analyze, analyze_game

Json = dict[str, Any]
CHART_SIZE = 169


def with_progress(
    console: Console, work: Callable[[Callable[[float, str], None]], Json], title: str
) -> Json:
    """Run `work(report)` behind a bar; nothing is drawn where the console is no terminal."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bars:
        task = bars.add_task(title, total=1.0)

        def report(done: float, what: str) -> None:
            bars.update(task, completed=done, description=what)

        return work(report)


def analysis(source: str | House, console: Console) -> Json:
    """The analysis of a game by its key, or of a House, behind a bar on the console."""
    if isinstance(source, House):
        return with_progress(console, lambda report: analyze(source, report), source.game.title)
    return with_progress(console, lambda report: analyze_game(source, report), source)


def is_result(found: Json) -> bool:
    """Whether this is a result, and not a map from choices to results."""
    return "ev" in found


def mains(found: Json) -> Iterator[tuple[str, Json]]:
    """The main results with their choices."""
    if is_result(found["main"]):
        yield "", found["main"]
    else:
        yield from found["main"].items()


def side_results(found: Json) -> Iterator[tuple[str, str, str, Json]]:
    """Wager, letter, reading and result of every side wager."""
    for wager, tables in found["wagers"].items():
        for letter, result in tables.items():
            if is_result(result):
                yield wager, letter, "", result
            else:
                for reading, one in result.items():
                    yield wager, letter, reading, one


def render(found: Json) -> RenderableType:
    """An analysis as tables for `rich`."""
    title = find(found["game"]).title
    parts: list[RenderableType] = [Text(title, style="bold")]
    for choice, result in mains(found):
        parts += [main_table(choice, result), action_table(result)]
        if len(result["chart"]) == CHART_SIZE:
            parts.append(hand_chart(result["chart"]))
        for street in result["streets"]:
            parts.append(street_text(street))
    if found["wagers"]:
        parts.append(side_table(found))
    return Group(*parts)


def percent(value: float) -> str:
    """A share as it is printed."""
    return f"{100 * value:.4f} %"


def main_table(choice: str, result: Json) -> Table:
    """The figures of the main game."""
    table = Table(title=choice or "main game", show_header=False, title_justify="left")
    table.add_row("expected value per ante", result["ev"])
    table.add_row("house edge", percent(result["house_edge"]))
    table.add_row("average total wager", f"{result['average_wager']:.6f}")
    table.add_row("element of risk", percent(result["element_of_risk"]))
    table.add_row("standard deviation", f"{result['standard_deviation']:.6f}")
    for word, share in result["outcomes"].items():
        table.add_row(word, percent(share))
    return table


def action_table(result: Json) -> Table:
    """How often each action is taken, of those who come to decide."""
    table = Table("street", "action", "frequency", title="actions", title_justify="left")
    for street, words in result["actions"].items():
        for word, share in words.items():
            table.add_row(street, word, percent(share))
    return table


def hand_chart(chart: Json) -> Table:
    """The 169 starting hands: suited above the diagonal, off-suit below."""
    table = Table(title="starting hands", title_justify="left", padding=0)
    table.add_column("")
    for rank in reversed(RANKS):
        table.add_column(rank, justify="center", min_width=3)
    for row in reversed(RANKS):
        cells = []
        for column in reversed(RANKS):
            high, low = sorted((row, column), key=RANKS.index, reverse=True)
            suited = "s" if RANKS.index(row) > RANKS.index(column) else "o"
            hand = high + low + ("" if high == low else suited)
            word = chart[hand]["best"]
            cells.append(Text("·" if word in ("check", "fold") else word, style=style_of(word)))
        table.add_row(row, *cells)
    return table


def style_of(word: str) -> str:
    """A colour per action; the word itself is always there too."""
    return {"fold": "red", "check": "yellow"}.get(word, "green")


def street_text(street: Json) -> Text:
    """A later street in words, with its closest decisions."""
    actions = ", ".join(f"{word} in {count:,}" for word, count in street["actions"].items())
    text = Text(f"{street['street']}: {street['situations']:,} situations differ; {actions}.")
    for close in street["marginal"][:5]:
        gain = float(Fraction(close["gain"]))
        text.append(f"\n  close: {close['hand']}  {close['board']}  {gain:+.7f}")
    return text


def side_table(found: Json) -> Table:
    """All side wagers, one line each."""
    table = Table(
        "wager", "table", "reading", "house edge", "hits", "deviation", "break-even meter",
        title="side wagers", title_justify="left",
    )  # fmt: skip
    for wager, letter, reading, result in side_results(found):
        meters = ", ".join(
            f"{name} ${meter['break_even'] / 100:,.2f}"
            for name, meter in result.get("meters", {}).items()
            if meter["break_even"] is not None
        )
        table.add_row(
            wager,
            letter,
            reading,
            percent(result["house_edge"]),
            percent(result["hit_frequency"]),
            f"{result['standard_deviation']:.4f}",
            meters,
        )
    return table
