"""A House's own `settle`, tabulated as integers: the only way money reaches a kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from croupier.games import VERSUS, Facts, Game, House, Option, Result
from croupier.games.holdem import FOLDED, Contest
from croupier.ranking import CATEGORIES

Longs = NDArray[np.int64]


def net(results: Iterable[Result], stakes: Mapping[str, int]) -> Fraction:
    """What a box gains by these results, in units of the ante; wagers without a stake count 0."""
    total = Fraction(0)
    for result in results:
        stake = stakes.get(result.wager, 0)
        if result.outcome == "win":
            total += result.pays.winnings(stake)
        elif result.outcome == "lose":
            total -= stake
    return total


def opening_stakes(game: Game) -> dict[str, int]:
    """The compulsory wagers of a box, one unit each."""
    return {wager.name: 1 for wager in game.wagers if wager.role in ("ante", "matching")}


def bets(options: Sequence[Option]) -> list[Option]:
    """The options that put chips down, smallest first."""
    return sorted((option for option in options if option.times), key=lambda option: option.times)


class Scaled:
    """Rows of exact payoffs brought to whole numbers by one common factor."""

    def __init__(self, rows: Sequence[Sequence[Fraction]]) -> None:
        self.scale = lcm(*(value.denominator for row in rows for value in row))
        self.values: list[list[int]] = [[int(value * self.scale) for value in row] for row in rows]


def contest_row(house: House, stakes: Mapping[str, int]) -> list[Fraction]:
    """Net results of a showdown by category, then unqualified and qualified, then versus."""
    return [
        net(house.settle(Contest(False, qualifies, standing, hand)), stakes)
        for hand in CATEGORIES
        for qualifies in (False, True)
        for standing in VERSUS
    ]


def fold_value(house: House, stakes: Mapping[str, int], facts: Facts = FOLDED) -> Fraction:
    """What folding costs with these stakes on the table."""
    return net(house.settle(facts), stakes)


def contest_table(rows: Sequence[Sequence[Fraction]]) -> tuple[Longs, int]:
    """Rows of `contest_row` as integers [row, category, outcome], and their common factor."""
    scaled = Scaled(rows)
    return np.array(scaled.values, np.int64).reshape(len(rows), len(CATEGORIES), 6), scaled.scale
