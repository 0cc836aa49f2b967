"""The evaluator's tables, made once per ranking and kept on disk; and the door to `rank_hands`."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.analysis import disk_cache as disk
from croupier.analysis.kernels.hands import evaluator
from croupier.analysis.kernels.hands.compact_evaluator import Orders, build_orders
from croupier.analysis.kernels.hands.evaluator import Tables
from croupier.analysis.parallel import parallel_for

PARALLEL = 2**18  # hands from which threads gain more than they cost


@cache
def tables(ace_low: bool = True) -> Tables:
    """The tables, from the disk when this very ranking has made them before."""
    name = f"ranks-{disk.source_digest()}-{'low' if ace_low else 'high'}"
    made = disk.load_or_compute(name, Tables._fields, lambda: evaluator.build_tables(ace_low)._asdict())
    return Tables(**made)  # type: ignore[arg-type]


@cache
def orders(ace_low: bool = True) -> Orders:
    """The tables of `kernels.orders`, kept in the same way."""
    name = f"orders-{disk.source_digest()}-{'low' if ace_low else 'high'}"
    made = disk.load_or_compute(name, Orders._fields, lambda: build_orders(tables(ace_low))._asdict())
    return Orders(**made)  # type: ignore[arg-type]


def rank_hands(
    hands: ArrayLike, *, ace_low: bool = True, check_duplicates: bool = False
) -> NDArray[np.int32]:
    """What `croupier.ranking.rank_hands` promises; raises TypeError or ValueError for no hands."""
    given = np.asarray(hands)
    if not np.issubdtype(given.dtype, np.integer):
        raise TypeError(f"cards are whole numbers 0 to 51, got an array of {given.dtype}")
    if given.ndim != 2 or given.shape[1] not in (5, 6, 7):
        raise ValueError(f"expected an array of n x 5, 6 or 7 cards, got shape {given.shape}")
    if given.dtype != np.uint8 and given.size and (given.min() < 0 or given.max() > 51):
        row = int(np.argmax(((given < 0) | (given > 51)).any(axis=1)))
        raise ValueError(f"row {row} is {given[row].tolist()}; a card is a number from 0 to 51")
    # One compiled version serves every integer type; bytes also read fastest.
    cards = np.ascontiguousarray(given, np.uint8)
    out = np.empty(len(cards), np.int32)
    known = tables(ace_low)[:4]
    bad: list[int] = []

    def rank(first: int, last: int) -> None:
        part = cards[first:last]
        if part.max() > 51 or check_duplicates:
            row = evaluator.first_bad_row(part, check_duplicates)
            if row >= 0:
                bad.append(first + row)
                return
        evaluator.rank_all(part, *known, out[first:last])

    if len(cards) >= PARALLEL:
        parallel_for(len(cards), rank)
    elif len(cards):
        rank(0, len(cards))
    if bad:
        row = min(bad)
        why = (
            "a card is a number from 0 to 51" if given[row].max() > 51 else "a card is there twice"
        )
        raise ValueError(f"row {row} is {given[row].tolist()}; {why}")
    return out
