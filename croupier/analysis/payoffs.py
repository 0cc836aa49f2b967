"""Payoff tables from a House's own `settle`: the only way money reaches a kernel.

Tables are indexed by the code of the facts (`FactsSpace`), as the counts of the kernels are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.errors import BadInput
from croupier.games import VERSUS, Facts, FactsSpace, Game, House, Option, Result
from croupier.games.holdem import FOLDED, Contest
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents
from croupier.ranking import CATEGORIES

Longs = NDArray[np.int64]


class Payoffs:
    """Net payoffs of a House's results to a box, in antes, by the odds alone."""

    def __init__(self, house: House) -> None:
        self.house = house

    def parts(self, facts: Facts, stakes: Mapping[str, int]) -> dict[str, Fraction]:
        """The net payoff of every staked wager that these facts settle."""
        payoffs = {}
        for result in self.house.settle(facts):
            stake = stakes.get(result.wager, 0)
            if stake:
                payoffs[result.wager] = self.gain(result, stake)
        return payoffs

    def gain(self, result: Result, stake: int) -> Fraction:
        """The net payoff of one result."""
        if result.outcome == "win":
            return result.pays.winnings(stake)
        return Fraction(-stake if result.outcome == "lose" else 0)

    def net(self, facts: Facts, stakes: Mapping[str, int]) -> Fraction:
        """The net payoff of a box with these stakes on the table."""
        return sum(self.parts(facts, stakes).values(), Fraction(0))

    def by_code(self, space: Iterable[Facts], stakes: Mapping[str, int]) -> list[Fraction]:
        """The net payoff of every set of facts with these stakes on the table, by code."""
        by_results: dict[tuple[Result, ...], Fraction] = {}
        row = []
        for facts in space:
            results = self.house.settle(facts)
            if results not in by_results:
                by_results[results] = self.net(facts, stakes)
            row.append(by_results[results])
        return row


class OfferedPayoffs(Payoffs):
    """Net payoffs as paid at an ante: rounded, and under the payout limit."""

    def __init__(self, house: House, ante: Cents) -> None:
        super().__init__(house)
        self.ante = ante

    def parts(self, facts: Facts, stakes: Mapping[str, int]) -> dict[str, Fraction]:
        """The net payoff of every wager; those settled first use up the limit first."""
        payouts = PayoutCalculator(self.house, {})
        payoffs = {}
        for result in self.house.settle(facts):
            stake = stakes.get(result.wager, 0) * self.ante
            if stake:
                returned = payouts.pay(result, stake).returned
                payoffs[result.wager] = Fraction(returned - stake, self.ante)
        return payoffs


def payoffs_at(house: House, ante: Cents | None) -> Payoffs:
    """Payoffs by the odds alone, or as offered at an ante."""
    return Payoffs(house) if ante is None else OfferedPayoffs(house, ante)


def opening_stakes(game: Game) -> dict[str, int]:
    """The compulsory wagers of a box, one unit each."""
    return {wager.name: 1 for wager in game.wagers if wager.role in ("ante", "matching")}


def bet_options(options: Sequence[Option]) -> list[Option]:
    """The options that place a bet, smallest first."""
    return sorted((option for option in options if option.times), key=lambda option: option.times)


class ScaledPayoffs:
    """Rows of exact payoffs as integers, multiplied by their common denominator (`scale`)."""

    def __init__(self, rows: Sequence[Sequence[Fraction]]) -> None:
        self.scale = lcm(*(value.denominator for row in rows for value in row))
        self.values: Longs = np.array(
            [[int(value * self.scale) for value in row] for row in rows], np.int64
        )


def scale_to_int32(rows: Sequence[Sequence[Fraction]], opponents: int) -> ScaledPayoffs:
    """Scale rows so that sums over all opponents fit 32 bits, in which boards are stored.

    Raises `BadInput` if they do not fit.
    """
    scaled = ScaledPayoffs(rows)
    if int(np.abs(scaled.values).max()) * opponents * 2 >= 2**31:
        raise BadInput(
            f"payoffs are in {scaled.scale}ths of the ante, too fine to be summed exactly; "
            "expected a rounder ante, such as whole dollars"
        )
    return scaled


class ContestCodes(NamedTuple):
    """The codes of a hold'em contest by the category and outcome that a kernel counts.

    Outcomes are unqualified, then qualified; each behind, tied, ahead. Without a dealer qualifier
    the unqualified outcomes do not occur and have code -1.
    """

    showdowns: Longs  # [category, outcome]
    folded: int
    size: int


def contest_codes(space: FactsSpace[Contest]) -> ContestCodes:
    """The codes of a House's contest."""
    showdowns = [
        [Contest(False, qualifies, standing, hand) for qualifies in (False, True)
         for standing in VERSUS]
        for hand in CATEGORIES
    ]  # fmt: skip
    codes = [[space.code(case) if case in space else -1 for case in row] for row in showdowns]
    return ContestCodes(np.array(codes, np.int64), space.code(FOLDED), len(space))
