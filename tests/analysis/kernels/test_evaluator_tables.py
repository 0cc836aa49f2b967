"""The tables of the evaluator: rows packed as by looking at one cell after the other."""

from __future__ import annotations

import random

import numpy as np
import pytest

from croupier.analysis.kernels.hands import evaluator
from croupier.ranking import poker_value


def packed(rows: list[list[int]]) -> list[int]:
    """Each row, the fullest first, where it first fits; one displacement after the other."""
    taken: set[int] = set()
    results = [0] * len(rows)
    for row in sorted(range(len(rows)), key=lambda at: -len(rows[at])):
        offset = -rows[row][0]
        while taken & {column + offset for column in rows[row]}:
            offset += 1
        taken |= {column + offset for column in rows[row]}
        results[row] = offset
    return results


@pytest.mark.parametrize("seed", range(6))
def test_rows_are_packed_where_they_first_fit(seed: int) -> None:
    """Few and many cells to a row, near to one another and far apart."""
    rng = random.Random(seed)
    width = rng.choice((20, 63, 64, 65, 300))
    rows = [sorted(rng.sample(range(width), rng.randint(1, 18))) for _ in range(60)]
    sizes = np.array([len(row) for row in rows])
    starts = np.cumsum(sizes) - sizes
    order = np.argsort(-sizes, kind="stable")
    columns = np.concatenate([np.array(row) for row in rows])
    offsets = evaluator.first_fit(columns, starts, sizes, order)

    assert packed(rows) == offsets.tolist()


@pytest.mark.parametrize("ace_low", [True, False])
def test_more_cards_are_worth_their_best_five(ace_low: bool) -> None:
    """Six and seven cards, some of all, through the ranking that knows nothing of tables."""
    sums, values = evaluator.values_of_ranks(ace_low)
    for size, by_sum, worth in zip((5, 6, 7), sums, values, strict=True):
        ranks = evaluator.rank_multisets(size)
        for at in random.Random(size).sample(range(len(ranks)), 400):
            held = [rank << 2 | place & 3 for place, rank in enumerate(ranks[at].tolist())]
            assert sum(evaluator.RANK_WEIGHTS[rank] for rank in ranks[at]) == by_sum[at]
            assert poker_value(held, ace_low) == worth[at]
