"""Evaluator keys and card masks of one simulated round."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.hands.evaluator import COLUMN_MASK, FLUSH_BITS, ROW_SHIFT

long: Any = np.int64  # Any for the type checker


@numba.njit(cache=True, nogil=True)
def hand_number(one: Any, two: Any) -> Any:
    """The number of a two-card hand, as in `flops.hands`."""
    high, low = max(one, two), min(one, two)
    return high * (high - 1) // 2 + low


@numba.njit(cache=True, nogil=True)
def value_of(key: Any, suited: Any, rank_values: Any, row_offsets: Any, flush_values: Any) -> Any:
    """The value of a key; `suited` is the mask of ranks in the flush suit, if any."""
    if key & FLUSH_BITS:
        return flush_values[suited]
    sums = key & 0xFFFFFFFF
    return rank_values[(sums & COLUMN_MASK) + row_offsets[sums >> ROW_SHIFT]]


@numba.njit(cache=True, nogil=True)
def flush_suit(key: Any) -> Any:
    """The suit with five or more cards in a key; 0 if there is none."""
    suit = 0
    while suit < 3 and not key >> (35 + 4 * suit) & 1:
        suit += 1
    return suit


@numba.njit(cache=True, nogil=True)
def suited_with(key: Any, one: Any, two: Any, masks: Any) -> Any:
    """The mask of ranks in the flush suit of two cards and others; 0 without a flush.

    `masks` are the ranks of the others, sixteen bits per suit.
    """
    if not key & FLUSH_BITS:
        return 0
    suit = flush_suit(key)
    mask = masks >> 16 * suit & 0x1FFF
    if one & 3 == suit:
        mask |= 1 << (one >> 2)
    if two & 3 == suit:
        mask |= 1 << (two >> 2)
    return mask


@numba.njit(cache=True, nogil=True)
def suit_rank_bit(card: Any) -> Any:
    """The bit of a card's rank, in the sixteen bits of its suit."""
    return 1 << ((card >> 2) + 16 * (card & 3))


@numba.njit(cache=True, nogil=True)
def pair_category(pairs: Any) -> Any:
    """The category of cards by equal ranks alone, from the number of equal pairs."""
    # 1 pair, 2 two pair, 3 trips, 4 full house, 6 quads: as categories of `croupier.ranking`.
    return (0, 1, 2, 3, 6, 6, 7)[pairs]


@numba.njit(cache=True, nogil=True)
def equal_ranks(decks: Any, row: Any, places: Any) -> Any:
    """The number of pairs of equal rank among the cards at `places` of a deck."""
    pairs = 0
    for one in range(places.size):
        for two in range(one):
            pairs += decks[places[one], row] >> 2 == decks[places[two], row] >> 2
    return pairs
