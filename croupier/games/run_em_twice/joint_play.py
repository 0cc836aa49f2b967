"""Joint optimal play of Run 'Em Twice and a progressive that a fold forfeits.

Compared with the main game, only folds change: on every street they also cost the average return
of the wager over the cards to come.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.cross import cross_folds, cross_runs
from croupier.analysis.solvers import starting_hands
from croupier.analysis.solvers.forfeited_wagers import lost_by_folding, value_if_carried
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.hand_names import POKER_HANDS
from croupier.games.run_em_twice import boards
from croupier.games.run_em_twice.form import RunChoices
from croupier.games.run_em_twice.solver import DEALS, LAST
from croupier.money import Cents

Longs = NDArray[np.int64]

MOST_SUMMED = 2**62  # bound on the sums of one starting hand


def of_two_runs(house: House[RunChoices], wager: str, ante: Cents) -> Fraction:
    """The optimal value of main game plus wager, per ante."""
    game = ForfeitingRuns(house, wager, ante)
    sizes = starting_hands.hand_classes().sizes.tolist()
    worth = list(parallel.pool().map(game.best, range(len(sizes))))
    total = sum(size * best for size, best in zip(sizes, worth, strict=True))
    return Fraction(total, DEALS * game.finer) + value_if_carried(house, wager) / ante


class ForfeitingRuns:
    """The main game in which every fold also forfeits a wager; sums in `finer`ths of an ante."""

    def __init__(self, house: House[RunChoices], wager: str, ante: Cents) -> None:
        self.rules = boards.RunRules(house)
        self.basis = boards.judged_on(house)
        by_hand = lost_by_folding(house, wager)
        taken = [by_hand[hand] / ante for hand in POKER_HANDS]
        assert min(taken) >= 0, "the kernel assumes that a fold never saves a wager"
        self.finer = lcm(*(antes.denominator for antes in taken))
        # The last entry is for cards that are already open.
        self.lost = np.array([*(int(antes * self.finer) for antes in taken), 0], np.int64)
        rules = self.rules
        made = np.add.outer(rules.multiples, rules.multiples) - 2 * rules.multiples[0]
        assert (rules.folds - rules.folds[0, 0] <= made * rules.run_pay.min()).all(), (
            "the kernel assumes that a run never loses more than was bet"
        )
        most = rules.multiples[-1] * (2 * rules.run_pay.max() + int(rules.shared.max()))
        most = int(most) * self.finer + int(self.lost.max())
        if most * cross_runs.SIDES * LAST >= MOST_SUMMED:
            raise BadInput(
                f"the forfeited amount is in {self.finer}ths of this ante, too fine to be summed "
                "exactly; expected a rounder ante, such as whole dollars"
            )

    def sums(self, hand_class: int) -> Longs:
        """Sums over second sides and centers, by class of first side, first and second bet."""
        hand_sides = boards.sides(hand_class)
        classes = boards.run_classes(self.rules, hand_sides)
        bets = len(self.rules.multiples)
        out = np.zeros((len(hand_sides.chosen), bets, bets), np.int64)
        cross_folds.value_sides_forfeiting(
            hand_sides.chosen, boards.side_cards(), *boards.prepare(self.rules, classes),
            boards.by_side(classes), hand_sides.hand, hand_sides.others, self.rules.ranks(),
            self.basis, self.lost, self.finer, out,
        )  # fmt: skip
        return out

    def lost_behind(self, hand_class: int, wanted: NDArray[np.bool_]) -> Longs:
        """The forfeited amount after each wanted class of first side."""
        hand_sides = boards.sides(hand_class)
        classes = boards.run_classes(self.rules, hand_sides)
        sums = np.zeros(int(wanted.sum()), np.int64)
        cross_folds.lost_behind(
            hand_sides.chosen[wanted], boards.side_cards(), boards.by_side(classes),
            hand_sides.hand, hand_sides.others, self.rules.ranks(), self.basis, self.lost, sums,
        )  # fmt: skip
        out = np.zeros(len(wanted), np.int64)
        out[wanted] = sums
        return out

    def best(self, hand_class: int) -> int:
        """The value of a starting hand, summed over all boards."""
        rules, hand_sides = self.rules, boards.sides(hand_class)
        second = self.sums(hand_class).max(axis=2)
        fold = np.array([rules.fold_at("second", bet) for bet in rules.multiples])
        fold = fold * LAST * self.finer
        lost = self.lost_behind(hand_class, (second < fold).any(axis=1))
        most = int((hand_sides.sizes @ np.maximum(second, fold - lost[:, None])).max())
        fold_first = rules.fold_at("first") * cross_runs.SIDES * LAST * self.finer
        if most >= fold_first:
            return most
        lost_everywhere = self.lost_behind(hand_class, np.ones(len(hand_sides.chosen), np.bool_))
        return max(most, fold_first - int(hand_sides.sizes @ lost_everywhere))
