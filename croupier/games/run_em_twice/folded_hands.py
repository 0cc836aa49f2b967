"""Hands that the best play folds, by what the progressive would have been judged on."""

from __future__ import annotations

import numpy as np

from croupier.analysis import parallel
from croupier.analysis.kernels.cross import cross_folds, cross_runs
from croupier.analysis.solvers import starting_hands
from croupier.games import House
from croupier.games.expected_returns import Folded
from croupier.games.hand_names import POKER_HANDS
from croupier.games.run_em_twice import boards as cross
from croupier.games.run_em_twice import solver
from croupier.games.run_em_twice.form import RunChoices


def folded(house: House[RunChoices], wager: str) -> Folded:
    """The folded deals by the hand that the progressive is judged on."""
    rules = cross.RunRules(house)
    values, _, best_first = solver.decide(rules)
    judged = cross.judged_on(house)
    hands = starting_hands.hand_classes().sizes
    parts = []

    def one_hand(at: int, _: int) -> None:
        found = cross.sides(at)
        classes = cross.run_classes(rules, found)
        bet = int(best_first[at])
        part = np.zeros(cross_runs.CLASSES + 1, np.int64)
        cross_folds.count_folds(
            found.chosen, found.sizes * hands[at], cross.side_cards(),
            *cross.prepare(rules, classes), cross.by_side(classes), found.hand, found.others,
            rules.ranks(),
            max(bet, 0), solver.bets_made(rules, values[at], bet), judged, part,
        )  # fmt: skip
        parts.append(part)

    parallel.parallel_for(len(values), one_hand, parts=len(values))
    counts = np.sum(parts, axis=0)[: cross_runs.CLASSES].tolist()
    return Folded(dict(zip(POKER_HANDS, counts, strict=True)), solver.DEALS)
