"""Table-driven hand evaluator for arrays of hands; values are those of `croupier.ranking`.

Without a flush a hand's value depends on its ranks alone. The sum of one weight per rank is a
perfect hash of all 73,775 rank multisets of five to seven cards; a displacement per row of 4,096
sums packs them into one table. The upper half of the same sum counts suits; five or more of a suit
are looked up by their rank mask instead.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier import ranking

Ints = NDArray[np.int32]

# Greedy: each weight is the least one, above those before it, for which no two multisets of up to
# seven ranks, four of a rank at most, have the same sum.
RANK_WEIGHTS: tuple[int, ...] = (
    (1, 5, 24, 112, 521, 2_247, 9_244, 30_823, 103_066)
    + (250_154, 667_453, 1_526_359, 3_453_520)
)  # fmt: skip

ROW_SHIFT = 12
COLUMN_MASK = (1 << ROW_SHIFT) - 1
# Suit counts are above the rank sum; each starts at three, so that bit 3 means "five or more".
SUITS_START = 0x3333 << 32
FLUSH_BITS = 0x8888 << 32


class Tables(NamedTuple):
    """Lookup tables of the evaluator; the solvers use the rank tables too."""

    card_keys: NDArray[np.int64]  # 52: rank weight, plus one in the suit's count
    row_offsets: Ints
    rank_values: Ints
    flush_values: Ints  # by mask of 13 ranks, 0 with fewer than five ranks
    weights: NDArray[np.int64]  # 13


def first_fit(columns: Any, starts: Any, sizes: Any, order: Any) -> NDArray[np.int64]:
    """First-fit row displacement: the least offset of every row without a collision."""
    taken = 0  # occupied cells, as bits
    offsets = np.zeros(len(starts), np.int64)
    for row in order.tolist():
        cells = columns[starts[row] : starts[row] + sizes[row]].tolist()
        blocked = 0  # places of the row's first cell
        for cell in cells:
            blocked |= taken >> (cell - cells[0])
        place = (~blocked & blocked + 1).bit_length() - 1
        taken |= sum(1 << (cell - cells[0]) for cell in cells) << place
        offsets[row] = place - cells[0]
    return offsets


def values_of_ranks(ace_low: bool) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """Sums of weights and values of five, six and seven cards without a flush.

    Five cards are valued by `ranking.poker_value`; more have the best value with one left out.
    """
    weights = np.array(RANK_WEIGHTS, np.int64)
    fives = rank_multisets(5)
    # Alternating suits keep equal ranks distinct and make no flush.
    cards = fives << 2 | np.arange(5) & 3
    sums = [weights[fives].sum(axis=1)]
    values = [np.array([ranking.poker_value(hand, ace_low) for hand in cards.tolist()], np.int64)]
    for size in (6, 7):
        ranks = rank_multisets(size)
        whole = weights[ranks].sum(axis=1)
        order = np.argsort(sums[-1])
        known, worth = sums[-1][order], values[-1][order]
        best = np.zeros(len(ranks), np.int64)
        for column in range(size):
            less = whole - weights[ranks[:, column]]
            at = np.minimum(np.searchsorted(known, less), known.size - 1)
            best = np.maximum(best, np.where(known[at] == less, worth[at], 0))
        sums.append(whole)
        values.append(best)
    return sums, values


@cache
def rank_multisets(size: int) -> NDArray[np.int64]:
    """All rank multisets of `size` cards, with at most four of a rank."""
    listed = np.array(list(combinations_with_replacement(range(13), size)), np.int64)
    five_equal = (listed[:, : size - 4] == listed[:, 4:]).any(axis=1)
    possible: NDArray[np.int64] = listed[~five_equal]
    return possible


def build_tables(ace_low: bool) -> Tables:
    """Compute all tables from `ranking.poker_value`."""
    weights = np.array(RANK_WEIGHTS, np.int64)
    sums, values = map(np.concatenate, values_of_ranks(ace_low))
    order = np.argsort(sums)
    keys, sorted_values = sums[order], values[order].astype(np.int32)
    rows, starts, sizes = np.unique(keys >> ROW_SHIFT, return_index=True, return_counts=True)
    columns = keys & COLUMN_MASK
    fullest_first = np.argsort(-sizes, kind="stable")
    # Rows for every sum of seven cards, so that sums of invalid hands stay in bounds.
    row_offsets = np.zeros((7 * max(RANK_WEIGHTS) >> ROW_SHIFT) + 1, np.int32)
    row_offsets[rows] = first_fit(columns, starts, sizes, fullest_first)
    cells = columns + row_offsets[keys >> ROW_SHIFT]
    rank_values = np.zeros(int(cells.max()) + COLUMN_MASK + 1, np.int32)
    rank_values[cells] = sorted_values
    flush_values = np.zeros(8192, np.int32)
    for mask in range(8192):
        if 5 <= mask.bit_count() <= 7:
            suited = [rank << 2 for rank in range(13) if mask >> rank & 1]
            flush_values[mask] = ranking.poker_value(suited, ace_low)
    suits = np.array([1 << 4 * suit for suit in range(4)], np.int64) << 32
    card_keys = (weights[:, None] + suits[None, :]).reshape(52)
    return Tables(card_keys, row_offsets, rank_values, flush_values, weights)


@numba.njit(cache=True, nogil=True)
def _flush_mask(cards: Any, key: int) -> int:
    """The mask of ranks in the flush suit."""
    suit = 0
    while not key >> (35 + 4 * suit) & 1:
        suit += 1
    mask = 0
    for card in cards:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    return mask


@numba.njit(cache=True, nogil=True)
def rank_all(
    hands: Any, card_keys: Any, row_offsets: Any, rank_values: Any, flush_values: Any, out: Any
) -> None:
    """Fill `out` with the value of every row of `hands`. Naive twin: `ranking.poker_value`."""
    for row in range(hands.shape[0]):
        key = SUITS_START
        for column in range(hands.shape[1]):
            key += card_keys[hands[row, column]]
        if key & FLUSH_BITS:
            out[row] = flush_values[_flush_mask(hands[row], key)]
        else:
            ranks = key & 0xFFFFFFFF
            out[row] = rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]]


@numba.njit(cache=True, nogil=True)
def first_bad_row(hands: Any, distinct: bool) -> int:
    """The first row with a card outside 0 to 51 or, if `distinct`, with a duplicate; else -1."""
    for row in range(hands.shape[0]):
        seen: Any = 0
        for column in range(hands.shape[1]):
            card: Any = np.int64(hands[row, column])
            if card < 0 or card > 51 or (distinct and seen >> card & 1):
                return row
            seen |= 1 << card
    return -1
