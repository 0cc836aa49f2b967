"""Payoffs over dealer hands, summed over subsets (zeta transform) of the live cards."""

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
    """Sum payoffs over dealer hands whose live cards are a subset of each set of free `cards`.

    A set is a bit mask in the order of `cards`. `values[mask]` are the values of sets of live
    cards, `ways[live]` the ways to complete a dealer hand with dead cards, `pay[qualifies,
    standing]` the payoffs. With `must` a set lists the cards that the dealer may lack: all others
    are held. Naive twin: tests/analysis/kernels.
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
    """Replace each entry by the sum over all subsets of its set, bit by bit."""
    for bit in range(bits):
        step = 1 << bit
        for start in range(0, table.size, 2 * step):
            for at in range(start, start + step):
                table[at + step] += table[at]
