"""The odds of chapter 12 typed from the documents, apart from the data that the engine pays from.

One file for each game; `[wager.letter]` holds the clause of a paytable and, under the clause of
each line, the hand and what it pays, in print order. `[meters.letter]` holds the least amounts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
GAMES = tuple(sorted(path.stem for path in HERE.glob("*.toml")))


class Line(NamedTuple):
    """One printed line."""

    clause: str
    hand: str
    pays: str


class Table(NamedTuple):
    """One printed paytable."""

    game: str
    wager: str
    letter: str
    clause: str
    lines: tuple[Line, ...]


class Floor(NamedTuple):
    """The least initial and reset amount of a meter, in dollars."""

    clause: str
    meter: str
    dollars: int


@cache
def _typed(game: str) -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads((HERE / f"{game}.toml").read_text("utf-8"))


def tables(game: str) -> Iterator[Table]:
    """Every paytable of a game, the envy schedules among them."""
    for wager, letters in _typed(game).items():
        for letter, typed in letters.items() if wager != "meters" else ():
            lines = [
                Line(clause, *text.split(maxsplit=1))
                for clause, text in typed.items()
                if clause != "clause"
            ]
            yield Table(game, wager, letter, typed["clause"], tuple(lines))


def table(game: str, wager: str, letter: str) -> Table:
    """One of them."""
    return next(result for result in tables(game) if result[1:3] == (wager, letter))


def floors(game: str) -> Iterator[tuple[str, tuple[Floor, ...]]]:
    """The meters of each progressive paytable, by its letter."""
    for letter, typed in _typed(game).get("meters", {}).items():
        parted = ((clause, *text.split()) for clause, text in typed.items())
        yield letter, tuple(Floor(clause, meter, int(sum)) for clause, meter, sum in parted)
