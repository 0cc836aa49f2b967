"""Showdowns of every hand on every board: hands ranked once, opponents counted by subtraction.

All two-card hands on a board are sorted by value. In one sweep from the worst to the best, a hand
beats those below it, less those that hold one of its two cards; only the hand itself holds both.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.enumerate.closest_decisions import keep_closest
from croupier.analysis.kernels.hands.evaluator import COLUMN_MASK, ROW_SHIFT
from croupier.analysis.kernels.hands.isomorphism import CARD_TYPES, HAND_TYPES, NO_RANK

Longs = NDArray[np.int64]
# Cards left by type; sorted hands; opponents of each hand by outcome; hands by a card they hold.
Room = tuple[Longs, Longs, Longs, Longs]

TYPE_BITS = 9
TYPE_MASK = (1 << TYPE_BITS) - 1
CATEGORY_SHIFT = 20  # as in `croupier.ranking`; a test compares them
OPPONENTS = 990  # two-card hands of the 45 cards that neither board nor player holds
SHELL_GAPS = (132, 57, 23, 10, 4, 1)
# The best action where the first payoff row has a floor; 0 for hands that cannot be dealt.
FOLDS, BETS = 1, 2
# Counts of opponents: unqualified, then qualified; in each the player is behind, tied, ahead.
OUTCOMES = 6
# Typed, because Numba compiles a separate version for a literal argument.
NONE_SUITED: Any = np.int64(0)  # mask of a board without a possible flush
ALL_QUALIFY: Any = np.int64(0)  # least qualifying value if there is no qualifier


def new_room() -> Room:
    """Buffers of the kernels that go through boards, for one thread.

    Allocated here: every shape of array that a kernel allocates takes a tenth of a second to
    compile.
    """
    return (
        np.zeros(CARD_TYPES, np.int64),
        np.zeros(HAND_TYPES, np.int64),
        np.zeros((HAND_TYPES, OUTCOMES), np.int64),
        np.zeros((3, CARD_TYPES), np.int64),
    )


@numba.njit(cache=True, nogil=True)
def list_hands(
    available: Any, suited: int, key: int, weights: Any, row_offsets: Any, rank_values: Any,
    flush_values: Any, codes: Any,
) -> int:  # fmt: skip
    """List every possible hand type as (value, type) in one number; returns how many."""
    count = 0
    number = 0
    for high in range(CARD_TYPES):
        high_rank = high
        high_mask = suited
        if high >= 13:
            high_rank = high - 13
            high_mask |= 1 << high_rank
        high_key = key + weights[high_rank]
        for low in range(high + 1):
            if available[high] > 0 and available[low] > (low == high):
                low_rank = low
                mask = high_mask
                if low >= 13:
                    low_rank = low - 13
                    mask |= 1 << low_rank
                value = flush_values[mask]
                if value == 0:
                    ranks = high_key + weights[low_rank]
                    value = rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]]
                codes[count] = np.int64(value) << TYPE_BITS | number
                count += 1
            number += 1
    return count


@numba.njit(cache=True, nogil=True)
def sort_hands(
    available: Any, suited: int, key: int, weights: Any, row_offsets: Any, rank_values: Any,
    flush_values: Any, codes: Any,
) -> int:  # fmt: skip
    """`list_hands`, sorted worst first (Shell's sort: NumPy's takes a second to compile)."""
    count = list_hands(
        available, suited, key, weights, row_offsets, rank_values, flush_values, codes
    )
    for gap in SHELL_GAPS:
        for at in range(gap, count):
            code, place = codes[at], at
            while place >= gap and codes[place - gap] > code:
                codes[place] = codes[place - gap]
                place -= gap
            codes[place] = code
    return count


@numba.njit(cache=True, nogil=True)
def count_opponents(
    codes: Any, count: int, available: Any, type_pairs: Any, qualifying: int, counts: Any,
    with_card: Any,
) -> None:  # fmt: skip
    """For each sorted hand, the 990 opponents by outcome. Naive twin: tests/analysis/kernels.

    `with_card` is a buffer of hands by a card that they hold.
    """
    with_card[:] = 0
    low_with, below_with, level_with = with_card[0], with_card[1], with_card[2]
    low_total = 0  # hands that do not qualify
    below_total = 0
    for at in range(count):
        if codes[at] >> TYPE_BITS >= qualifying:
            break
        low_total += add_hand(type_pairs, codes[at] & TYPE_MASK, available, low_with)
    first = 0
    while first < count:
        value = codes[first] >> TYPE_BITS
        level_total = 0
        last = first
        while last < count and codes[last] >> TYPE_BITS == value:
            level_total += add_hand(type_pairs, codes[last] & TYPE_MASK, available, level_with)
            last += 1
        for at in range(first, last):
            low, high = type_pairs[codes[at] & TYPE_MASK, 0], type_pairs[codes[at] & TYPE_MASK, 1]
            # The hand itself was subtracted twice among its equals.
            tied = level_total - level_with[low] - level_with[high] + 1
            ahead = below_total - below_with[low] - below_with[high]
            unqualified = low_total - low_with[low] - low_with[high]
            if value >= qualifying:
                counts[at, 0] = 0
                counts[at, 1] = 0
                counts[at, 2] = unqualified
                counts[at, 3] = OPPONENTS - ahead - tied
                counts[at, 4] = tied
                counts[at, 5] = ahead - unqualified
            else:
                unqualified += 1  # the hand itself was subtracted twice
                counts[at, 0] = unqualified - ahead - tied
                counts[at, 1] = tied
                counts[at, 2] = ahead
                counts[at, 3] = OPPONENTS - unqualified
                counts[at, 4] = 0
                counts[at, 5] = 0
        for at in range(first, last):
            low, high = type_pairs[codes[at] & TYPE_MASK, 0], type_pairs[codes[at] & TYPE_MASK, 1]
            below_with[low] += level_with[low]
            level_with[low] = 0
            below_with[high] += level_with[high]
            level_with[high] = 0
        below_total += level_total
        first = last


@numba.njit(cache=True, nogil=True, inline="always")
def add_hand(type_pairs: Any, number: int, available: Any, with_card: Any) -> int:
    """Add a hand type to the counts by card; returns the number of hands of the type."""
    low = type_pairs[number, 0]
    high = type_pairs[number, 1]
    if low == high:
        with_card[low] += available[low] - 1
        return available[low] * (available[low] - 1) // 2  # type: ignore[no-any-return]
    with_card[low] += available[high]
    with_card[high] += available[low]
    return available[low] * available[high]  # type: ignore[no-any-return]


@numba.njit(cache=True, nogil=True)
def rank_board_cards(board: Any, available: Any, weights: Any) -> int:
    """Set the cards left beside a rank board, all as outside types; returns the board's key."""
    key = 0
    available[:13] = 4
    available[13:] = 0
    for rank in board:
        available[rank] -= 1
        key += weights[rank]
    return key


@numba.njit(cache=True, nogil=True)
def flush_board_cards(suited: int, outside: Any, available: Any, weights: Any) -> int:
    """Set the cards left beside a flush board, by type; returns the board's key."""
    key = 0
    for rank in range(13):
        held = suited >> rank & 1
        available[rank] = 3
        available[13 + rank] = 1 - held
        key += held * weights[rank]
    for rank in outside:
        if rank != NO_RANK:
            available[rank] -= 1
            key += weights[rank]
    return key


@numba.njit(cache=True, nogil=True)
def value_hands(
    codes: Any, count: int, counts: Any, pay: Any, floors: Any, same_ranks: Any, out: Any,
    above: Any, board: int, rank_pairs: Any, closest: Any,
) -> None:  # fmt: skip
    """Sums over opponents of every payoff row, each no lower than its floor, by hand type.

    Values are stored relative to those of the same ranks, `same_ranks[row, pair of ranks]`.
    `above` is BETS where the first row exceeds its floor, else FOLDS; situations of the closest
    decisions are numbered `board * HAND_TYPES + type`.
    """
    for at in range(count):
        number = codes[at] & TYPE_MASK
        pair = rank_pairs[number]
        category = codes[at] >> (TYPE_BITS + CATEGORY_SHIFT)
        for row in range(pay.shape[0]):
            total = 0
            for outcome in range(OUTCOMES):
                total += counts[at, outcome] * pay[row, category, outcome]
            out[row, number] = max(total, floors[row]) - same_ranks[row, pair]
            if row == 0:
                above[number] = BETS if total > floors[0] else FOLDS
                place = board * HAND_TYPES + number
                keep_closest(total - floors[0], place, closest, pair)


@numba.njit(cache=True, nogil=True)
def value_rank_boards(
    first: int, last: int, boards: Any, tables: Any, type_pairs: Any, rank_pairs: Any,
    qualifying: int, pay: Any, floors: Any, nothing: Any, out: Any, above: Any, closest: Any,
    room: Any,
) -> None:  # fmt: skip
    """Values on rank boards: out[board, row, pair of ranks]; `nothing` are zeros [row, pair]."""
    _, row_offsets, rank_values, flush_values, weights = tables
    available, codes, counts, with_card = room
    for board in range(first, last):
        if boards[board, 0] == boards[board, 4]:
            continue  # five of one rank
        key = rank_board_cards(boards[board], available, weights)
        count = sort_hands(
            available, NONE_SUITED, key, weights, row_offsets, rank_values, flush_values, codes
        )
        count_opponents(codes, count, available, type_pairs, qualifying, counts, with_card)
        value_hands(
            codes, count, counts, pay, floors, nothing, out[board], above[board], board,
            rank_pairs, closest,
        )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def value_flush_boards(
    first: int, last: int, masks: Any, outside: Any, tables: Any, type_pairs: Any,
    rank_pairs: Any, rank_boards: Any, qualifying: int, pay: Any, floors: Any, plain: Any,
    out: Any, above: Any, closest: Any, room: Any,
) -> None:  # fmt: skip
    """Corrections on flush boards: values less those of the rank board with the same ranks.

    `rank_boards` is the rank board of every flush board and `plain` the values there; `out`
    starts at board `first`. In the numbers of situations, flush boards follow rank boards.
    """
    _, row_offsets, rank_values, flush_values, weights = tables
    available, codes, counts, with_card = room
    for board in range(first, last):
        key = flush_board_cards(masks[board], outside[board], available, weights)
        count = sort_hands(
            available, masks[board], key, weights, row_offsets, rank_values, flush_values, codes
        )
        count_opponents(codes, count, available, type_pairs, qualifying, counts, with_card)
        board_out = out[board - first]
        board_out[:] = 0
        value_hands(
            codes, count, counts, pay, floors, plain[rank_boards[board]], board_out, above[board],
            plain.shape[0] + board, rank_pairs, closest,
        )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def tally_hands(
    codes: Any, count: int, counts: Any, weights: Any, river_pay: Any, floor: int, facts: Any,
    folded: int, tally: Any,
) -> None:  # fmt: skip
    """Count opponents by action and code of facts; the last action may become a fold.

    `weights[action, type]` is how often a hand takes each action; the last one, the bet on the
    river, is made only if its value exceeds `floor`, and is `folded` otherwise.
    `facts[category, outcome]` is the code of a showdown.
    """
    actions = weights.shape[0]
    for at in range(count):
        number = codes[at] & TYPE_MASK
        category = codes[at] >> (TYPE_BITS + CATEGORY_SHIFT)
        total = 0
        for outcome in range(OUTCOMES):
            total += counts[at, outcome] * river_pay[category, outcome]
        for action in range(actions):
            weight = weights[action, number]
            if weight and action == actions - 1 and total <= floor:
                tally[action, folded] += weight * OPPONENTS
            elif weight:
                for outcome in range(OUTCOMES):
                    tally[action, facts[category, outcome]] += weight * counts[at, outcome]


@numba.njit(cache=True, nogil=True)
def tally_rank_boards(
    first: int, last: int, boards: Any, tables: Any, type_pairs: Any, qualifying: int,
    weights: Any, river_pay: Any, floor: int, facts: Any, folded: int, tally: Any, room: Any,
) -> None:  # fmt: skip
    """`tally_hands` over rank boards."""
    _, row_offsets, rank_values, flush_values, rank_weights = tables
    available, codes, counts, with_card = room
    for board in range(first, last):
        if boards[board, 0] == boards[board, 4]:
            continue
        key = rank_board_cards(boards[board], available, rank_weights)
        count = sort_hands(
            available, NONE_SUITED, key, rank_weights, row_offsets, rank_values, flush_values, codes
        )
        count_opponents(codes, count, available, type_pairs, qualifying, counts, with_card)
        tally_hands(codes, count, counts, weights[board], river_pay, floor, facts, folded, tally)


@numba.njit(cache=True, nogil=True)
def tally_flush_boards(
    first: int, last: int, masks: Any, outside: Any, tables: Any, type_pairs: Any,
    qualifying: int, weights: Any, river_pay: Any, floor: int, facts: Any, folded: int,
    tally: Any, room: Any,
) -> None:  # fmt: skip
    """`tally_hands` over flush boards."""
    _, row_offsets, rank_values, flush_values, rank_weights = tables
    available, codes, counts, with_card = room
    for board in range(first, last):
        key = flush_board_cards(masks[board], outside[board], available, rank_weights)
        count = sort_hands(
            available, masks[board], key, rank_weights, row_offsets, rank_values, flush_values,
            codes,
        )  # fmt: skip
        count_opponents(codes, count, available, type_pairs, qualifying, counts, with_card)
        tally_hands(codes, count, counts, weights[board], river_pay, floor, facts, folded, tally)
