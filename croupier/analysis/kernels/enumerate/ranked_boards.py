"""Hands on a board ranked once, and valued against the dealer hands left by known cards.

A hand's *level* is its dense rank among the hands on the board, from 1 for the worst; 0 is a hand
that cannot be dealt. Comparisons need levels alone, whichever cards of the dealer or another seat
are known: thirteen ranks, or 169 hands, share one ranking.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.enumerate.showdown_counts import (
    CATEGORY_SHIFT,
    NONE_SUITED,
    TYPE_BITS,
    TYPE_MASK,
    flush_board_cards,
    rank_board_cards,
    sort_hands,
)
from croupier.analysis.kernels.hands.isomorphism import CARD_TYPES, HAND_TYPES, pair_number

KINDS = 20  # twice a hand's category, plus one if it would qualify
TERMS = 4  # base payoff, then the change per dealer hand that is unqualified, behind, tied
ABOVE_ALL = HAND_TYPES + 1  # above any level


@numba.njit(cache=True, nogil=True)
def number_levels(codes: Any, count: int, qualifying: int, levels: Any, kinds: Any) -> int:
    """Set levels and kinds of sorted hands by hand type; returns the first qualifying level."""
    level, before, least = 0, -1, 1
    for at in range(count):
        value = codes[at] >> TYPE_BITS
        if value != before:
            level += 1
            before = value
            if value < qualifying:
                least = level + 1
        number = codes[at] & TYPE_MASK
        levels[number] = level
        kinds[number] = 2 * (value >> CATEGORY_SHIFT) + (value >= qualifying)
    return least


@numba.njit(cache=True, nogil=True)
def rank_boards_in_order(
    first: int, last: int, boards: Any, tables: Any, qualifying: int, levels: Any, kinds: Any,
    least: Any,
) -> None:  # fmt: skip
    """Rank boards: levels[board, hand type], kinds, and the first qualifying level."""
    _, row_offsets, rank_values, flush_values, weights = tables
    available = np.zeros(CARD_TYPES, np.int64)
    codes = np.zeros(HAND_TYPES, np.int64)
    for board in range(first, last):
        if boards[board, 0] == boards[board, 4]:
            continue  # five of one rank
        key = rank_board_cards(boards[board], available, weights)
        count = sort_hands(
            available, NONE_SUITED, key, weights, row_offsets, rank_values, flush_values, codes
        )
        least[board] = number_levels(codes, count, qualifying, levels[board], kinds[board])


@numba.njit(cache=True, nogil=True)
def flush_boards_in_order(
    first: int, last: int, masks: Any, outside: Any, tables: Any, qualifying: int, levels: Any,
    kinds: Any, least: Any,
) -> None:  # fmt: skip
    """The same for flush boards."""
    _, row_offsets, rank_values, flush_values, weights = tables
    available = np.zeros(CARD_TYPES, np.int64)
    codes = np.zeros(HAND_TYPES, np.int64)
    for board in range(first, last):
        key = flush_board_cards(masks[board], outside[board], available, weights)
        count = sort_hands(
            available, masks[board], key, weights, row_offsets, rank_values, flush_values, codes
        )
        least[board] = number_levels(codes, count, qualifying, levels[board], kinds[board])


@numba.njit(cache=True, nogil=True)
def remove_cards(available: Any, held: Any) -> bool:
    """Remove known cards from the available ones; whether all of them were available."""
    for card in held:
        available[card] -= 1
    return available.min() >= 0  # type: ignore[no-any-return]


@numba.njit(cache=True, nogil=True)
def dealers_below(available: Any, held: Any, levels: Any, seconds: Any, below: Any) -> None:
    """The number of possible dealer hands below each level, with one or two known cards.

    `seconds[card]` is the level of the hand with that second card, so that hands with a player's
    card can be subtracted; with both cards known there is one hand and nothing to subtract.
    """
    below[:] = 0
    if held.size == 1:
        for card in range(CARD_TYPES):
            seconds[card] = 0
            if available[card] > 0:
                level = levels[pair_number(held[0], card)]
                seconds[card] = level
                below[level + 1] += available[card]
    else:
        seconds[:] = ABOVE_ALL
        below[levels[pair_number(held[0], held[1])] + 1] = 1
    for level in range(1, below.size):
        below[level] += below[level - 1]


@numba.njit(cache=True, nogil=True)
def value_board(
    available: Any, held: Any, levels: Any, kinds: Any, least: int, terms: Any, floors: Any,
    seconds: Any, below: Any, out: Any,
) -> None:  # fmt: skip
    """Sums over dealer hands of every payoff row, no lower than its floor: out[row, type].

    `terms[row, kind]` are the payoff if all dealer hands are ahead and qualify, and the change for
    each one that does not qualify, is behind, or is tied. Naive twin: tests/analysis/kernels.
    """
    dealers_below(available, held, levels, seconds, below)
    all_low = below[least]
    for high in range(CARD_TYPES):
        if available[high] == 0:
            continue
        high_second = seconds[high]
        start = high * (high + 1) // 2
        for low in range(high + 1):
            if available[low] <= (low == high):
                continue
            number = start + low
            level, low_second = levels[number], seconds[low]
            behind = below[level] - (high_second < level) - (low_second < level)
            tied = below[level + 1] - below[level] - (high_second == level) - (low_second == level)
            unqualified = all_low - (high_second < least) - (low_second < least)
            for row in range(terms.shape[0]):
                term = terms[row, kinds[number]]
                total = term[0] + unqualified * term[1] + behind * term[2] + tied * term[3]
                out[row, number] = max(total, floors[row])


@numba.njit(cache=True, nogil=True)
def all_dealers_below(available: Any, levels: Any, below: Any, below_with: Any) -> None:
    """The number of all dealer hands below each level, in total and by a card they hold.

    `below_with[level, card]` are those that hold one particular card of a type.
    """
    top = levels.max()
    below[: top + 2] = 0
    below_with[: top + 2] = 0
    for high in range(CARD_TYPES):
        if available[high] == 0:
            continue
        for low in range(high + 1):
            same = low == high
            if available[low] <= same:
                continue
            level = levels[high * (high + 1) // 2 + low]
            seconds = available[low] - same
            below_with[level + 1, high] += seconds
            if same:
                below[level + 1] += available[high] * seconds // 2
            else:
                below_with[level + 1, low] += available[high]
                below[level + 1] += available[high] * seconds
    for level in range(1, top + 2):
        below[level] += below[level - 1]
        for card in range(CARD_TYPES):
            below_with[level, card] += below_with[level - 1, card]


@numba.njit(cache=True, nogil=True)
def value_against_all(
    available: Any, levels: Any, kinds: Any, least: int, terms: Any, floors: Any, below: Any,
    below_with: Any, out: Any,
) -> None:  # fmt: skip
    """`value_board` where no card of the dealer is known. Naive twin: tests/analysis/kernels."""
    all_dealers_below(available, levels, below, below_with)
    for high in range(CARD_TYPES):
        if available[high] == 0:
            continue
        start = high * (high + 1) // 2
        for low in range(high + 1):
            if available[low] <= (low == high):
                continue
            number = start + low
            level = levels[number]
            behind = below[level] - below_with[level, high] - below_with[level, low]
            up_to = below[level + 1] - below_with[level + 1, high] - below_with[level + 1, low]
            unqualified = below[least] - below_with[least, high] - below_with[least, low]
            # The hand itself was subtracted with each of its cards: once too often.
            tied = up_to + 1 - behind
            unqualified += level < least
            for row in range(terms.shape[0]):
                term = terms[row, kinds[number]]
                total = term[0] + unqualified * term[1] + behind * term[2] + tied * term[3]
                out[row, number] = max(total, floors[row])


@numba.njit(cache=True, nogil=True)
def value_rank_boards(
    first: int, last: int, boards: Any, weights: Any, held: Any, dead: Any, order: Any,
    terms: Any, floors: Any, out: Any,
) -> None:  # fmt: skip
    """Values on rank boards, with known cards by rank.

    `held` are the dealer's cards, `dead` those of another seat.
    """
    levels, kinds, least = order
    available = np.zeros(CARD_TYPES, np.int64)
    seconds, below = np.zeros(CARD_TYPES, np.int64), np.zeros(HAND_TYPES + 3, np.int64)
    below_with = np.zeros((below.size, CARD_TYPES), np.int32)
    for board in range(first, last):
        rank_board_cards(boards[board], available, weights)
        if not (remove_cards(available, held) and remove_cards(available, dead)):
            continue  # more than four of a rank with what is known
        if held.size:
            value_board(
                available, held, levels[board], kinds[board], least[board], terms, floors, seconds,
                below, out[board],
            )  # fmt: skip
        else:
            value_against_all(
                available, levels[board], kinds[board], least[board], terms, floors, below,
                below_with, out[board],
            )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def value_flush_boards(
    first: int, last: int, masks: Any, outside: Any, weights: Any, rank_pairs: Any,
    rank_boards: Any, held: Any, dead: Any, order: Any, terms: Any, floors: Any, plain: Any,
    out: Any,
) -> None:  # fmt: skip
    """Corrections on flush boards; known cards are card types inside or outside the suit.

    `out` starts at board `first`.
    """
    levels, kinds, least = order
    available = np.zeros(CARD_TYPES, np.int64)
    seconds, below = np.zeros(CARD_TYPES, np.int64), np.zeros(HAND_TYPES + 3, np.int64)
    below_with = np.zeros((below.size, CARD_TYPES), np.int32)
    for board in range(first, last):
        flush_board_cards(masks[board], outside[board], available, weights)
        board_out = out[board - first]
        board_out[:] = 0
        if not (remove_cards(available, held) and remove_cards(available, dead)):
            continue  # a known card lies on this board
        if held.size:
            value_board(
                available, held, levels[board], kinds[board], least[board], terms, floors, seconds,
                below, board_out,
            )  # fmt: skip
        else:
            value_against_all(
                available, levels[board], kinds[board], least[board], terms, floors, below,
                below_with, board_out,
            )  # fmt: skip
        same_ranks = plain[rank_boards[board]]
        for high in range(CARD_TYPES):
            if available[high] == 0:
                continue
            for low in range(high + 1):
                if available[low] > (low == high):
                    number = high * (high + 1) // 2 + low
                    for row in range(terms.shape[0]):
                        board_out[row, number] -= same_ranks[row, rank_pairs[number]]
