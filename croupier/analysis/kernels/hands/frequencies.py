"""Exhaustive counts of hands of five to seven cards, and of player against dealer."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.cross.cross_runs import CLASSES, finest_class
from croupier.analysis.kernels.enumerate.showdown_counts import (
    ALL_QUALIFY,
    CATEGORY_SHIFT,
    NONE_SUITED,
    OPPONENTS,
    TYPE_BITS,
    TYPE_MASK,
    add_hand,
    count_opponents,
    flush_board_cards,
    rank_board_cards,
    sort_hands,
)
from croupier.analysis.kernels.hands.evaluator import (
    COLUMN_MASK,
    FLUSH_BITS,
    ROW_SHIFT,
    SUITS_START,
)
from croupier.analysis.kernels.hands.isomorphism import CARD_TYPES, HAND_TYPES

ROYAL = CLASSES - 1
CATEGORIES = 10


@numba.njit(cache=True, nogil=True)
def count_hands(top: int, size: int, tables: Any, counts: Any) -> None:
    """Count the classes of all hands of a size whose highest card is `top`.

    counts[class], with royal flushes by suit from counts[22].
    """
    card_keys, row_offsets, rank_values, flush_values, _ = tables
    cards = np.zeros(size, np.int64)
    keys = np.zeros(size + 1, np.int64)
    cards[0] = top
    keys[1] = SUITS_START + card_keys[top]
    depth = 1
    cards[1] = top
    while depth > 0:
        if cards[depth] == 0:
            depth -= 1
            continue
        cards[depth] -= 1
        keys[depth + 1] = keys[depth] + card_keys[cards[depth]]
        if depth < size - 2:
            depth += 1
            cards[depth] = cards[depth - 1]
            continue
        for last in range(cards[depth]):
            key = keys[depth + 1] + card_keys[last]
            if key & FLUSH_BITS:
                cards[size - 1] = last
                count_flush(cards, key, flush_values, counts)
            else:
                ranks = key & 0xFFFFFFFF
                value = rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]]
                counts[finest_class(value)] += 1


@numba.njit(cache=True, nogil=True)
def count_flush(cards: Any, key: int, flush_values: Any, counts: Any) -> None:
    """Count a hand with five cards of a suit."""
    suit = 0
    while not key >> (35 + 4 * suit) & 1:
        suit += 1
    mask = 0
    for card in cards:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    kind = finest_class(flush_values[mask])
    counts[kind] += 1
    if kind == ROYAL:
        counts[CLASSES + suit] += 1


@numba.njit(cache=True, nogil=True)
def dealers_by_category(
    codes: Any, count: int, available: Any, type_pairs: Any, totals: Any, with_card: Any
) -> None:
    """Count all hands on a board by category: totals[category], with_card[category, card]."""
    totals[:] = 0
    with_card[:] = 0
    for at in range(count):
        category = codes[at] >> (TYPE_BITS + CATEGORY_SHIFT)
        totals[category] += add_hand(
            type_pairs, codes[at] & TYPE_MASK, available, with_card[category]
        )


@numba.njit(cache=True, nogil=True)
def stand_against(
    code: int, counts: Any, type_pairs: Any, totals: Any, with_card: Any, stands: Any
) -> None:
    """Count the opponents of one hand by outcome and category: stands[versus, category].

    `counts` are those of `count_opponents`.
    """
    category = code >> (TYPE_BITS + CATEGORY_SHIFT)
    low, high = type_pairs[code & TYPE_MASK]
    ahead = counts[2] + counts[5]
    behind = counts[0] + counts[3]
    stands[:] = 0
    stands[1, category] = OPPONENTS - ahead - behind
    for other in range(CATEGORIES):
        dealers = totals[other] - with_card[other, low] - with_card[other, high]
        if other < category:
            stands[2, other] = dealers
            ahead -= dealers
        elif other > category:
            stands[0, other] = dealers
            behind -= dealers
    stands[0, category] = behind
    stands[2, category] = ahead


@numba.njit(cache=True, nogil=True)
def compare_categories(
    codes: Any, count: int, available: Any, type_pairs: Any, counts: Any, times: Any, tally: Any
) -> None:
    """Count player against dealer on one board: tally[versus, player category, dealer category].

    `times[type]` is the weight of each hand type.
    """
    totals = np.zeros(CATEGORIES, np.int64)
    with_card = np.zeros((CATEGORIES, CARD_TYPES), np.int64)
    stands = np.zeros((3, CATEGORIES), np.int64)
    dealers_by_category(codes, count, available, type_pairs, totals, with_card)
    for at in range(count):
        category = codes[at] >> (TYPE_BITS + CATEGORY_SHIFT)
        stand_against(codes[at], counts[at], type_pairs, totals, with_card, stands)
        deals = times[codes[at] & TYPE_MASK]
        for versus in range(3):
            for other in range(CATEGORIES):
                tally[versus, category, other] += deals * stands[versus, other]


@numba.njit(cache=True, nogil=True)
def sum_by_category(
    first: int, last: int, rank_boards: Any, flush_masks: Any, flush_outside: Any, tables: Any,
    type_pairs: Any, worth: Any, out: Any, room: Any,
) -> None:  # fmt: skip
    """Sums over opponents of worth[versus, player category, dealer category]: out[board, type].

    Boards are rank boards, then flush boards. Naive twin: tests/analysis/kernels.
    """
    _, row_offsets, rank_values, flush_values, weights = tables
    available, codes, counts, held = room
    totals = np.zeros(CATEGORIES, np.int64)
    with_card = np.zeros((CATEGORIES, CARD_TYPES), np.int64)
    stands = np.zeros((3, CATEGORIES), np.int64)
    for board in range(first, last):
        flush, mask = board - rank_boards.shape[0], 0
        if flush >= 0:
            mask = flush_masks[flush]
            key = flush_board_cards(mask, flush_outside[flush], available, weights)
        elif rank_boards[board, 0] != rank_boards[board, 4]:
            key = rank_board_cards(rank_boards[board], available, weights)
        else:
            continue  # five of one rank
        count = sort_hands(
            available, mask, key, weights, row_offsets, rank_values, flush_values, codes
        )
        count_opponents(codes, count, available, type_pairs, ALL_QUALIFY, counts, held)
        dealers_by_category(codes, count, available, type_pairs, totals, with_card)
        for at in range(count):
            stand_against(codes[at], counts[at], type_pairs, totals, with_card, stands)
            own = worth[:, codes[at] >> (TYPE_BITS + CATEGORY_SHIFT)]
            total = 0
            for versus in range(3):
                for other in range(CATEGORIES):
                    total += stands[versus, other] * own[versus, other]
            out[board, codes[at] & TYPE_MASK] = total


@numba.njit(cache=True, nogil=True)
def compare_all(
    rank_boards: Any, rank_times: Any, flush_masks: Any, flush_outside: Any, flush_times: Any,
    tables: Any, type_pairs: Any, tally: Any, room: Any,
) -> None:  # fmt: skip
    """Count every player hand against every dealer hand; times[board, type] are the weights."""
    _, row_offsets, rank_values, flush_values, weights = tables
    available, codes, counts, held = room
    times = np.zeros(HAND_TYPES, np.int64)
    for board in range(rank_boards.shape[0] + flush_masks.size):
        flush = board - rank_boards.shape[0]
        mask = NONE_SUITED
        if flush >= 0:
            mask = flush_masks[flush]
            times[:] = flush_times[flush]
            key = flush_board_cards(mask, flush_outside[flush], available, weights)
        elif rank_times[board].any():
            times[: rank_times.shape[1]] = rank_times[board]
            key = rank_board_cards(rank_boards[board], available, weights)
        else:
            continue
        count = sort_hands(
            available, mask, key, weights, row_offsets, rank_values, flush_values, codes
        )
        count_opponents(codes, count, available, type_pairs, ALL_QUALIFY, counts, held)
        compare_categories(codes, count, available, type_pairs, counts, times, tally)


@numba.njit(cache=True, nogil=True)
def hand_times(
    rank_boards: Any, rank_sizes: Any, flush_masks: Any, flush_outside: Any, flush_sizes: Any,
    weights: Any, type_pairs: Any, rank_times: Any, flush_times: Any,
) -> None:  # fmt: skip
    """The number of boards and hands in each pair of board class and hand type."""
    available = np.zeros(CARD_TYPES, np.int64)
    for board in range(rank_boards.shape[0]):
        if rank_sizes[board] > 0:
            rank_board_cards(rank_boards[board], available, weights)
            for number in range(rank_times.shape[1]):
                low, high = type_pairs[number]
                hands = available[low] * (available[high] - (low == high))
                rank_times[board, number] = rank_sizes[board] * (hands >> (low == high))
    for board in range(flush_masks.size):
        flush_board_cards(flush_masks[board], flush_outside[board], available, weights)
        for number in range(HAND_TYPES):
            low, high = type_pairs[number]
            hands = available[low] * (available[high] - (low == high))
            flush_times[board, number] = flush_sizes[board] * (hands >> (low == high))


@numba.njit(cache=True, nogil=True)
def higher_classes(chosen: Any, sizes: Any, cards: Any, classes: Any, counts: Any) -> None:
    """Count the better class of two runs over all second sides and centers."""
    for at in range(chosen.size):
        side = chosen[at]
        a, b = cards[side]
        for center in range(classes.shape[0]):
            mine = classes[center, side]
            if mine == CLASSES:
                continue
            for other in range(cards.shape[0]):
                c, d = cards[other]
                theirs = classes[center, other]
                if theirs != CLASSES and a != c and a != d and b != c and b != d:
                    counts[max(mine, theirs)] += sizes[at]
