"""Counts of the better of two runs by named hand."""

from __future__ import annotations

import numpy as np

from croupier.analysis import parallel
from croupier.analysis.hand_frequencies import Counts
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.hands import frequencies
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers import starting_hands
from croupier.games.hand_names import POKER_HANDS
from croupier.games.run_em_twice import boards as cross


def hand_counts() -> dict[str, Counts]:
    """The counts of the bases that only this game has."""
    return {"higher_run": higher_run(), "higher_run_ace_high": higher_run(ace_low=False)}


def higher_run(*, ace_low: bool = True) -> Counts:
    """The better of two runs through the same center."""
    ranks = tables(ace_low)
    hands = starting_hands.hand_classes()
    parts = []

    def count_hand(at: int, _: int) -> None:
        hand_sides = cross.sides(at)
        classes = np.zeros((cross_runs.OTHERS, cross_runs.SIDES), np.uint8)
        cross_runs.run_classes(hand_sides.hand, hand_sides.others, ranks, classes)
        part = np.zeros(cross_runs.CLASSES, np.int64)
        sizes = hand_sides.sizes * hands.sizes[at]
        frequencies.higher_classes(hand_sides.chosen, sizes, cross.side_cards(), classes, part)
        parts.append(part)

    parallel.parallel_for(len(hands.names), count_hand, parts=len(hands.names))
    return dict(zip(POKER_HANDS, np.sum(parts, axis=0).tolist(), strict=True))
