"""Top Five: what dealers are worth by the live cards that they may or must hold."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.live_cards.live_card_counts import AHEAD, BEHIND, FEWER, MORE, TIED


@numba.njit(cache=True, nogil=True)
def sum_within(
    cards: Any, size: int, value: int, values: Any, qualifying: int, pay: Any, ways: Any,
    must: bool, table: Any,
) -> None:  # fmt: skip
    """For every set of the free live `cards`, the dealers whose live cards all lie within it.

    A set is told by bits in the order of `cards`. `values[mask]` are those of sets of live cards,
    `ways[live]` the dead cards that fill up a dealer's hand, `pay[qualifies, how two hands stand]`
    what it brings. With `must` the sets are of cards that the dealer lacks: what is outside such a
    set is held for sure. Naive twin: tests/analysis/twins.
    """
    last = (1 << cards.size) - 1
    masks = np.zeros(table.size, np.int32)
    sizes = np.zeros(table.size, np.int8)
    for at in range(table.size):
        if at:
            before = at & (at - 1)
            lowest = 0
            while not at >> lowest & 1:
                lowest += 1
            masks[at] = masks[before] | 1 << cards[lowest]
            sizes[at] = sizes[before] + 1
        other, worth = sizes[at], 0
        if other < ways.size and ways[other] > 0:
            theirs = values[masks[at]]
            if other != size:
                stands = FEWER if other > size else MORE
            elif theirs == value:
                stands = TIED
            else:
                stands = BEHIND if theirs > value else AHEAD
            worth = ways[other] * pay[np.int64(theirs >= qualifying), stands]
        table[last - at if must else at] = worth
    sum_subsets(cards.size, table)


@numba.njit(cache=True, nogil=True)
def sum_subsets(bits: int, table: Any) -> None:
    """Each entry becomes the sum over all sets within its own, bit by bit."""
    for bit in range(bits):
        step = 1 << bit
        for start in range(0, table.size, 2 * step):
            for at in range(start, start + step):
                table[at + step] += table[at]
