"""Lookup tables of the hand evaluators, cached on disk, and `rank_hands`."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.analysis import disk_cache
from croupier.analysis.kernels.hands import evaluator
from croupier.analysis.kernels.hands.compact_evaluator import Orders, build_orders
from croupier.analysis.kernels.hands.evaluator import Tables
from croupier.analysis.parallel import parallel_for

PARALLEL = 2**18  # from this many hands threads pay off


@cache
def tables(ace_low: bool = True) -> Tables:
    """The tables of `kernels.hands.evaluator`; the cache key has the digest of the source."""
    name = f"ranks-{disk_cache.source_digest()}-{'low' if ace_low else 'high'}"
    arrays = disk_cache.load_or_compute(
        name, Tables._fields, lambda: evaluator.build_tables(ace_low)._asdict()
    )
    return Tables(**arrays)  # type: ignore[arg-type]


@cache
def orders(ace_low: bool = True) -> Orders:
    """The tables of `kernels.hands.compact_evaluator`, cached in the same way."""
    name = f"orders-{disk_cache.source_digest()}-{'low' if ace_low else 'high'}"
    arrays = disk_cache.load_or_compute(
        name, Orders._fields, lambda: build_orders(tables(ace_low))._asdict()
    )
    return Orders(**arrays)  # type: ignore[arg-type]


def rank_hands(
    hands: ArrayLike, *, ace_low: bool = True, check_duplicates: bool = False
) -> NDArray[np.int32]:
    """Implementation of `croupier.ranking.rank_hands`; raises TypeError or ValueError."""
    array = np.asarray(hands)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"cards are whole numbers 0 to 51, got an array of {array.dtype}")
    if array.ndim != 2 or array.shape[1] not in (5, 6, 7):
        raise ValueError(f"expected an array of n x 5, 6 or 7 cards, got shape {array.shape}")
    if array.dtype != np.uint8 and array.size and (array.min() < 0 or array.max() > 51):
        row = int(np.argmax(((array < 0) | (array > 51)).any(axis=1)))
        raise ValueError(f"row {row} is {array[row].tolist()}; a card is a number from 0 to 51")
    # One compiled version for every integer type; bytes are also the fastest to read.
    cards = np.ascontiguousarray(array, np.uint8)
    out = np.empty(len(cards), np.int32)
    lookup = tables(ace_low)[:4]
    bad: list[int] = []

    def rank(first: int, last: int) -> None:
        part = cards[first:last]
        if part.max() > 51 or check_duplicates:
            row = evaluator.first_bad_row(part, check_duplicates)
            if row >= 0:
                bad.append(first + row)
                return
        evaluator.rank_all(part, *lookup, out[first:last])

    if len(cards) >= PARALLEL:
        parallel_for(len(cards), rank)
    elif len(cards):
        rank(0, len(cards))
    if bad:
        row = min(bad)
        why = "a card is a number from 0 to 51" if array[row].max() > 51 else "a card appears twice"
        raise ValueError(f"row {row} is {array[row].tolist()}; {why}")
    return out
