"""A House's own `settle`, tabulated as integers: the only way money reaches a kernel.

Every table is by the code of its facts (`FactsSpace`), so a kernel's counts and these payoffs meet
in one sum.
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
    """What a House's results are worth to a box, in units of the ante, by the odds alone."""

    def __init__(self, house: House) -> None:
        self.house = house

    def parts(self, facts: Facts, stakes: Mapping[str, int]) -> dict[str, Fraction]:
        """The gain of every wager that these facts settle and that has a stake."""
        found = {}
        for result in self.house.settle(facts):
            stake = stakes.get(result.wager, 0)
            if stake:
                found[result.wager] = self.gain(result, stake)
        return found

    def gain(self, result: Result, stake: int) -> Fraction:
        """What a stake becomes, less the stake."""
        if result.outcome == "win":
            return result.pays.winnings(stake)
        return Fraction(-stake if result.outcome == "lose" else 0)

    def net(self, facts: Facts, stakes: Mapping[str, int]) -> Fraction:
        """What a box gains with these stakes on the table."""
        return sum(self.parts(facts, stakes).values(), Fraction(0))

    def by_code(self, space: Iterable[Facts], stakes: Mapping[str, int]) -> list[Fraction]:
        """The net result of every set of facts with these stakes on the table, by code."""
        known: dict[tuple[Result, ...], Fraction] = {}
        found = []
        for facts in space:
            results = self.house.settle(facts)
            if results not in known:
                known[results] = self.net(facts, stakes)
            found.append(known[results])
        return found


class OfferedPayoffs(Payoffs):
    """The same as the cashier pays it at an ante: rounded to what can be paid, under the limit."""

    def __init__(self, house: House, ante: Cents) -> None:
        super().__init__(house)
        self.ante = ante

    def parts(self, facts: Facts, stakes: Mapping[str, int]) -> dict[str, Fraction]:
        """The gain of every wager; those settled first use up the limit first."""
        payouts = PayoutCalculator(self.house, {})
        found = {}
        for result in self.house.settle(facts):
            stake = stakes.get(result.wager, 0) * self.ante
            if stake:
                returned = payouts.pay(result, stake).returned
                found[result.wager] = Fraction(returned - stake, self.ante)
        return found


def payoffs_at(house: House, ante: Cents | None) -> Payoffs:
    """By the odds alone, or as offered at an ante."""
    return Payoffs(house) if ante is None else OfferedPayoffs(house, ante)


def opening_stakes(game: Game) -> dict[str, int]:
    """The compulsory wagers of a box, one unit each."""
    return {wager.name: 1 for wager in game.wagers if wager.role in ("ante", "matching")}


def bet_options(options: Sequence[Option]) -> list[Option]:
    """The options that put chips down, smallest first."""
    return sorted((option for option in options if option.times), key=lambda option: option.times)


class ScaledPayoffs:
    """Rows of exact payoffs brought to whole numbers by one common factor."""

    def __init__(self, rows: Sequence[Sequence[Fraction]]) -> None:
        self.scale = lcm(*(value.denominator for row in rows for value in row))
        self.values: Longs = np.array(
            [[int(value * self.scale) for value in row] for row in rows], np.int64
        )


def scale_to_int32(rows: Sequence[Sequence[Fraction]], opponents: int) -> ScaledPayoffs:
    """Rows whose sums over all opponents fit the four bytes that boards are kept in."""
    scaled = ScaledPayoffs(rows)
    if int(np.abs(scaled.values).max()) * opponents * 2 >= 2**31:
        raise BadInput(
            f"payoffs come in {scaled.scale}ths of the ante, too fine to be added up exactly; "
            "expected a rounder ante, such as whole dollars"
        )
    return scaled


class ContestCodes(NamedTuple):
    """The codes of a hold'em contest as a kernel tells its showdowns apart.

    Outcomes are unqualified, then qualified; each behind, tied, ahead. Where the document asks
    nothing of the dealer's hand no facts are unqualified and none are counted: those have -1.
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
    codes = [[space.code(one) if one in space else -1 for one in row] for row in showdowns]
    return ContestCodes(np.array(codes, np.int64), space.code(FOLDED), len(space))
