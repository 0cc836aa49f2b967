"""Compact evaluator for simulation: hands by their order among all hands, from small tables.

The evaluator's weights are multiplied by an odd number modulo 2^25: different sums stay different
and are scattered evenly over rows, which then pack almost without gaps. With two-byte orders
instead of four-byte values the tables are an eighth of the evaluator's and stay in the processor's
cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.cross.cross_runs import finest_class
from croupier.analysis.kernels.hands.evaluator import (
    COLUMN_MASK,
    FLUSH_BITS,
    RANK_WEIGHTS,
    ROW_SHIFT,
    SUITS_START,
    Tables,
    first_fit,
    rank_multisets,
)
from croupier.analysis.kernels.simulate.evaluator_keys import flush_suit, long

SUM_MASK = (1 << 25) - 1
SCATTER = 0xC2B2AE35  # any odd number works; this one leaves few gaps


class Orders(NamedTuple):
    """Lookup tables; an order is a hand's index among all hands, the lowest first."""

    card_keys: NDArray[np.int64]  # 52: scattered rank weight, plus one in the suit's count
    row_offsets: NDArray[np.int32]
    orders: NDArray[np.uint16]
    flush_orders: NDArray[np.uint16]  # by mask of 13 ranks
    values: NDArray[np.int32]  # by order
    classes: NDArray[np.uint8]  # by order: the hand class (`cross_runs.finest_class`)
    categories: NDArray[np.uint8]  # by order


def build_orders(ranks: Tables) -> Orders:
    """Build the tables from those of the evaluator."""
    plain = np.array(RANK_WEIGHTS, np.int64)
    sums = np.concatenate([plain[rank_multisets(size)].sum(axis=1) for size in (5, 6, 7)])
    cells = (sums & COLUMN_MASK) + ranks.row_offsets[sums >> ROW_SHIFT]
    by_sum = ranks.rank_values[cells]
    values = np.unique(np.concatenate([by_sum, ranks.flush_values[ranks.flush_values > 0]]))
    keys = sums * SCATTER & SUM_MASK
    sort = np.argsort(keys)
    keys, by_sum = keys[sort], by_sum[sort]
    rows, starts, sizes = np.unique(keys >> ROW_SHIFT, return_index=True, return_counts=True)
    columns = keys & COLUMN_MASK
    row_offsets = np.zeros((SUM_MASK >> ROW_SHIFT) + 1, np.int32)
    fullest_first = np.argsort(-sizes, kind="stable")
    row_offsets[rows] = first_fit(columns, starts, sizes, fullest_first)
    cells = columns + row_offsets[keys >> ROW_SHIFT]
    # Padding behind the last row, so that sums of invalid hands stay in bounds.
    orders = np.zeros(int(row_offsets.max()) + COLUMN_MASK + 1, np.uint16)
    orders[cells] = np.searchsorted(values, by_sum)
    suits = np.array([1 << 4 * suit for suit in range(4)], np.int64) << 32
    scattered = plain * SCATTER & SUM_MASK
    return Orders(
        card_keys=(scattered[:, None] + suits[None, :]).reshape(52),
        row_offsets=row_offsets,
        orders=orders,
        flush_orders=np.searchsorted(values, ranks.flush_values).astype(np.uint16),
        values=values.astype(np.int32),
        classes=np.array([finest_class(value) for value in values.tolist()], np.uint8),
        categories=(values >> 20).astype(np.uint8),
    )


@numba.njit(cache=True, nogil=True, inline="always")
def plain_order(key: Any, row_offsets: Any, orders: Any) -> Any:
    """The order of cards without a flush."""
    sums = key & SUM_MASK
    return orders[(sums & COLUMN_MASK) + row_offsets[sums >> ROW_SHIFT]]


@numba.njit(cache=True, nogil=True)
def suited_mask(key: Any, decks: Any, row: Any, places: Any) -> Any:
    """The mask of ranks in the flush suit, of the cards at `places`."""
    suit = flush_suit(key)
    mask = long(0)
    for at in range(places.size):
        card = long(decks[places[at], row])
        mask |= long(card & 3 == suit) << (card >> 2)
    return mask


@numba.njit(cache=True, nogil=True)
def one_order(
    decks: Any, row: Any, places: Any, card_keys: Any, row_offsets: Any, orders: Any,
    flush_orders: Any,
) -> Any:  # fmt: skip
    """The order of the cards at `places` of one deck."""
    key = SUITS_START
    for at in range(places.size):
        key += card_keys[decks[places[at], row]]
    if key & FLUSH_BITS:
        return flush_orders[suited_mask(key, decks, row, places)]
    return plain_order(key, row_offsets, orders)


@numba.njit(cache=True, nogil=True)
def sum_keys(decks: Any, places: Any, card_keys: Any, keys: Any) -> None:
    """Sums of the keys of the cards at two or more `places`, for every deck."""
    one, two = decks[places[0]], decks[places[1]]
    for row in range(keys.size):
        keys[row] = card_keys[one[row]] + card_keys[two[row]]
    for at in range(2, places.size):
        one = decks[places[at]]
        for row in range(keys.size):
            keys[row] += card_keys[one[row]]


@numba.njit(cache=True, nogil=True)
def order_sums(
    decks: Any, places: Any, one: Any, two: Any, row_offsets: Any, orders: Any, flush_orders: Any,
    out: Any,
) -> None:  # fmt: skip
    """The order of the cards at `places` of every deck, from two partial sums of their keys.

    Twin: `ranking.poker_value`.
    """
    flushes, count = np.empty(out.size, np.int32), 0
    for row in range(out.size):
        key = SUITS_START + one[row] + two[row]
        out[row] = plain_order(key, row_offsets, orders)
        flushes[count] = row
        count += key & FLUSH_BITS != 0
    for at in range(count):
        row = flushes[at]
        key = SUITS_START + one[row] + two[row]
        out[row] = flush_orders[suited_mask(key, decks, row, places)]
