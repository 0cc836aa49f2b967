"""Hands beside a board in their order, ranked once for every card that may be known.

A hand's *level* is its place among the values that hands beside the board have, from 1 for the
worst; 0 is a hand that cannot be dealt there. Who is ahead follows from levels alone, whichever
cards are known, of the dealer or of another seat: thirteen ranks, or 169 hands, share one ranking.
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

KINDS = 20  # a hand's category, twice, and one more where a dealer would qualify with it
TERMS = 4  # what all dealers bring, and then what changes with one who is low, behind, tied
ABOVE_ALL = HAND_TYPES + 1  # a level that no hand has


@numba.njit(cache=True, nogil=True)
def number_levels(codes: Any, count: int, qualifying: int, levels: Any, kinds: Any) -> int:
    """Levels and kinds of sorted hands, by hand type; the first level that qualifies."""
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
    """Every board told by its ranks alone: levels[board, hand type], kinds, and where they part."""
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
    """The same of flush boards."""
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
def take(available: Any, held: Any) -> bool:
    """Take what is known out of the cards left; whether all of it was there."""
    for card in held:
        available[card] -= 1
    return available.min() >= 0  # type: ignore[no-any-return]


@numba.njit(cache=True, nogil=True)
def dealers_below(available: Any, held: Any, levels: Any, seconds: Any, below: Any) -> None:
    """Of the dealer's hands that are left, how many lie below each level.

    `seconds[card]` becomes the level of the hand with that second card, so that those a player
    holds can be taken out again; with both cards known there is one hand, and none to take out.
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
    """Sums over the dealer's hands of every payoff row, no lower than its floor: out[row, type].

    `terms[row, kind]` are what all dealers bring if they are ahead and qualify, and how that
    changes with each one who does not qualify, who is behind, who is tied. Naive twin: tests/analysis/twins.
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
    """Of all hands of the dealer, how many lie below each level, in all and by a card they hold.

    `below_with[level, card]` are those that hold one certain card of a type.
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
    """`value_board` where no card of the dealer is known. Naive twin: tests/analysis/twins."""
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
            # The hand itself was taken out with each of its cards: once too often among its equals.
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
    """Values on boards told by their ranks alone, known cards by their ranks too.

    `held` are the dealer's, `dead` those of another seat.
    """
    levels, kinds, least = order
    available = np.zeros(CARD_TYPES, np.int64)
    seconds, below = np.zeros(CARD_TYPES, np.int64), np.zeros(HAND_TYPES + 3, np.int64)
    below_with = np.zeros((below.size, CARD_TYPES), np.int32)
    for board in range(first, last):
        rank_board_cards(boards[board], available, weights)
        if not (take(available, held) and take(available, dead)):
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
    """What the suit changes; known cards are types inside the suit or outside it.

    `out` begins with the first board asked for.
    """
    levels, kinds, least = order
    available = np.zeros(CARD_TYPES, np.int64)
    seconds, below = np.zeros(CARD_TYPES, np.int64), np.zeros(HAND_TYPES + 3, np.int64)
    below_with = np.zeros((below.size, CARD_TYPES), np.int32)
    for board in range(first, last):
        flush_board_cards(masks[board], outside[board], available, weights)
        found = out[board - first]
        found[:] = 0
        if not (take(available, held) and take(available, dead)):
            continue  # a known card lies on this board
        if held.size:
            value_board(
                available, held, levels[board], kinds[board], least[board], terms, floors, seconds,
                below, found,
            )  # fmt: skip
        else:
            value_against_all(
                available, levels[board], kinds[board], least[board], terms, floors, below,
                below_with, found,
            )  # fmt: skip
        same_ranks = plain[rank_boards[board]]
        for high in range(CARD_TYPES):
            if available[high] == 0:
                continue
            for low in range(high + 1):
                if available[low] > (low == high):
                    number = high * (high + 1) // 2 + low
                    for row in range(terms.shape[0]):
                        found[row, number] -= same_ranks[row, rank_pairs[number]]
