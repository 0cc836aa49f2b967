"""Counts of deals folded under optimal play, by the hand of the progressive."""

from __future__ import annotations

import numpy as np

from croupier.analysis import parallel
from croupier.analysis.kernels.cross import cross_folds, cross_runs
from croupier.analysis.solvers import starting_hands
from croupier.games import House
from croupier.games.expected_returns import FoldedHands
from croupier.games.hand_names import POKER_HANDS
from croupier.games.run_em_twice import boards as cross
from croupier.games.run_em_twice import solver
from croupier.games.run_em_twice.form import RunChoices


def folded(house: House[RunChoices], wager: str) -> FoldedHands:
    """Count folded deals by the hand that the progressive is judged on."""
    rules = cross.RunRules(house)
    values, _, best_first = solver.decide(rules)
    basis = cross.judged_on(house)
    hands = starting_hands.hand_classes().sizes
    parts = []

    def count_hand(at: int, _: int) -> None:
        hand_sides = cross.sides(at)
        classes = cross.run_classes(rules, hand_sides)
        bet = int(best_first[at])
        part = np.zeros(cross_runs.CLASSES + 1, np.int64)
        cross_folds.count_folds(
            hand_sides.chosen, hand_sides.sizes * hands[at], cross.side_cards(),
            *cross.prepare(rules, classes), cross.by_side(classes), hand_sides.hand,
            hand_sides.others, rules.ranks(), max(bet, 0), solver.bets_made(rules, values[at], bet),
            basis, part,
        )  # fmt: skip
        parts.append(part)

    parallel.parallel_for(len(values), count_hand, parts=len(values))
    counts = np.sum(parts, axis=0)[: cross_runs.CLASSES].tolist()
    return FoldedHands(dict(zip(POKER_HANDS, counts, strict=True)), solver.DEALS)
