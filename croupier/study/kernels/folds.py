"""What folded boxes of Run 'Em Twice would have held, card by card."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.study.kernels.evaluator import COLUMN_MASK, FLUSH_BITS, ROW_SHIFT, SUITS_START
from croupier.study.kernels.runs import CENTERS, OTHERS, SIDES, finest_class, sum_centers

FIRST_RUN, HIGHER_RUN, ALL_SEVEN = 0, 1, 2


@numba.njit(cache=True, nogil=True)
def seven_class(held: Any, tables: Any) -> int:
    """The class of the best five of seven cards."""
    card_keys, row_offsets, rank_values, flush_values, _ = tables
    key = SUITS_START
    for card in held:
        key += card_keys[card]
    if key & FLUSH_BITS == 0:
        ranks = key & 0xFFFFFFFF
        return finest_class(rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]])
    suit = 0
    while not key >> (35 + 4 * suit) & 1:
        suit += 1
    mask = 0
    for card in held:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    return finest_class(flush_values[mask])


@numba.njit(cache=True, nogil=True)
def count_folds(
    chosen: Any, sizes: Any, cards: Any, runs: Any, run_totals: Any, antes: Any,
    ante_totals: Any, shared: Any, packing: Any, multiples: Any, folds: Any, classes: Any,
    hand: Any, others: Any, tables: Any, first_bet: int, second_bets: Any, basis: int,
    counts: Any,
) -> None:  # fmt: skip
    """Folded deals by class on a basis: counts[class].

    `second_bets[at]` is -1 where the box folds before the last street, which ends all of them.
    """
    bets = multiples.size
    mine, theirs = np.zeros(SIDES, np.int64), np.zeros(SIDES, np.int64)
    base, middle = np.zeros(SIDES, np.int64), np.zeros(SIDES, np.int64)
    held = np.zeros(7, np.int64)
    held[:2] = hand
    for at in range(chosen.size):
        side, two = chosen[at], second_bets[at]
        a, b = cards[side]
        held[2], held[3] = others[a], others[b]
        if two >= 0:
            sum_centers(
                side, a, b, runs, run_totals, antes, ante_totals, shared, packing, mine, theirs,
                base, middle,
            )  # fmt: skip
        for other in range(SIDES):
            c, d = cards[other]
            if a in (c, d) or b in (c, d):
                continue
            if two >= 0:
                best = bets - 1 if middle[other] > 0 else 0
                worth = base[other] + multiples[first_bet] * mine[other]
                worth += multiples[two] * theirs[other] + multiples[best] * middle[other]
                if worth > folds[first_bet, two] * CENTERS:
                    continue
            held[4], held[5] = others[c], others[d]
            for center in range(OTHERS):
                if center in (a, b, c, d):
                    continue
                if basis == FIRST_RUN:
                    kind = classes[center, side]
                elif basis == HIGHER_RUN:
                    kind = max(classes[center, side], classes[center, other])
                else:
                    held[6] = others[center]
                    kind = seven_class(held, tables)
                counts[kind] += sizes[at]
