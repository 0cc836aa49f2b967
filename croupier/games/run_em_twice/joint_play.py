"""Run 'Em Twice and a progressive that a fold forfeits, played for their sum.

As in `together`, only folds are worth less: on every street by what the wager brings on average
with the cards to come.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.cross import cross_folds, cross_runs
from croupier.analysis.solvers import starting_hands
from croupier.analysis.solvers.forfeited_wagers import value_if_carried, lost_by_folding
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.hand_names import POKER_HANDS
from croupier.games.run_em_twice import boards
from croupier.games.run_em_twice.form import RunChoices
from croupier.games.run_em_twice.solver import DEALS, LAST
from croupier.money import Cents

Longs = NDArray[np.int64]

MOST_SUMMED = 2**62  # of all that one starting hand may meet


def of_two_runs(house: House[RunChoices], wager: str, ante: Cents) -> Fraction:
    """The best sum of main game and wager, for one ante."""
    game = ForfeitingRuns(house, wager, ante)
    sizes = starting_hands.hand_classes().sizes.tolist()
    worth = list(parallel.pool().map(game.best, range(len(sizes))))
    total = sum(size * best for size, best in zip(sizes, worth, strict=True))
    return Fraction(total, DEALS * game.finer) + value_if_carried(house, wager) / ante


class ForfeitingRuns:
    """The main game where every fold also loses a wager; sums are in `finer`ths of an ante."""

    def __init__(self, house: House[RunChoices], wager: str, ante: Cents) -> None:
        self.rules = boards.RunRules(house)
        self.basis = boards.judged_on(house)
        by_hand = lost_by_folding(house, wager)
        taken = [by_hand[hand] / ante for hand in POKER_HANDS]
        assert min(taken) >= 0, "a fold that saves a wager: the kernel looks for none"
        self.finer = lcm(*(antes.denominator for antes in taken))
        # The last place is that of a card that lies already.
        self.lost = np.array([*(int(antes * self.finer) for antes in taken), 0], np.int64)
        rules = self.rules
        made = np.add.outer(rules.multiples, rules.multiples) - 2 * rules.multiples[0]
        assert (rules.folds - rules.folds[0, 0] <= made * rules.run_pay.min()).all(), (
            "a run that loses more than was bet: the kernel looks for folds after the least bets"
        )
        most = rules.multiples[-1] * (2 * rules.run_pay.max() + int(rules.shared.max()))
        most = int(most) * self.finer + int(self.lost.max())
        if most * cross_runs.SIDES * LAST >= MOST_SUMMED:
            raise BadInput(
                f"what a fold forfeits comes in {self.finer}ths of this ante, too fine to be added "
                "up exactly; expected a rounder ante, such as whole dollars"
            )

    def sums(self, hand_class: int) -> Longs:
        """By class of first side, first and second bet: all second sides and centers."""
        found = boards.sides(hand_class)
        classes = boards.run_classes(self.rules, found)
        bets = len(self.rules.multiples)
        out = np.zeros((len(found.chosen), bets, bets), np.int64)
        cross_folds.value_sides_forfeiting(
            found.chosen, boards.side_cards(), *boards.prepare(self.rules, classes),
            boards.by_side(classes), found.hand, found.others, self.rules.ranks(), self.basis,
            self.lost, self.finer, out,
        )  # fmt: skip
        return out

    def lost_behind(self, hand_class: int, wanted: NDArray[np.bool_]) -> Longs:
        """What a fold takes behind each class of first side, where it is wanted."""
        found = boards.sides(hand_class)
        classes = boards.run_classes(self.rules, found)
        sums = np.zeros(int(wanted.sum()), np.int64)
        cross_folds.lost_behind(
            found.chosen[wanted], boards.side_cards(), boards.by_side(classes), found.hand,
            found.others, self.rules.ranks(), self.basis, self.lost, sums,
        )  # fmt: skip
        out = np.zeros(len(wanted), np.int64)
        out[wanted] = sums
        return out

    def best(self, hand_class: int) -> int:
        """What a starting hand is worth over everything that may follow."""
        rules, found = self.rules, boards.sides(hand_class)
        second = self.sums(hand_class).max(axis=2)
        fold = np.array([rules.fold_at("second", bet) for bet in rules.multiples])
        fold = fold * LAST * self.finer
        lost = self.lost_behind(hand_class, (second < fold).any(axis=1))
        most = int((found.sizes @ np.maximum(second, fold - lost[:, None])).max())
        at_once = rules.fold_at("first") * cross_runs.SIDES * LAST * self.finer
        if most >= at_once:
            return most
        every = self.lost_behind(hand_class, np.ones(len(found.chosen), np.bool_))
        return max(most, at_once - int(found.sizes @ every))
