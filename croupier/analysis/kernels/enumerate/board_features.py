"""Features of a hold'em hand and board, for the conditions of strategy rules.

A feature is one byte per situation, in the order of `NAMES`. Ranks are 2 to 14; 0 means none.
Naive twin: tests/analysis/kernels.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.enumerate.showdown_counts import (
    CATEGORY_SHIFT,
    NONE_SUITED,
    flush_board_cards,
    rank_board_cards,
)
from croupier.analysis.kernels.hands.evaluator import COLUMN_MASK, ROW_SHIFT
from croupier.analysis.kernels.hands.isomorphism import CARD_TYPES, HAND_TYPES

NAMES = ("high", "low", "pocket", "made", "board", "pair", "hidden", "over", "flush_draw",
         "straight_draw", "outs")  # fmt: skip
HIGH, LOW, POCKET, MADE, BOARD, PAIR, HIDDEN, OVER, FLUSH_DRAW, STRAIGHT_DRAW, OUTS = range(11)
EARLY_NAMES = NAMES[:OUTS]
RIVER_NAMES = (*NAMES[:FLUSH_DRAW], "outs")
RIVER_OUTS = FLUSH_DRAW  # on the river the outs take the place of the draws


@cache
def straight_completions() -> NDArray[np.int64]:
    """By mask of ranks, the mask of ranks that complete a straight."""
    wheel = 0b1_0000_0000_1111
    ranks = np.zeros(8192, np.int64)
    for straight in (wheel, *(0b11111 << low for low in range(9))):
        missing = straight & ~np.arange(8192)
        ranks |= np.where(missing & (missing - 1), 0, missing)  # only if one rank is missing
    return ranks


@numba.njit(cache=True, nogil=True, inline="always")
def category_of_ranks(key: int, tables: Any) -> int:
    """The category of five to seven cards without a flush, from the sum of their weights."""
    _, row_offsets, rank_values, _, _ = tables
    return rank_values[(key & COLUMN_MASK) + row_offsets[key >> ROW_SHIFT]] >> CATEGORY_SHIFT  # type: ignore[no-any-return]


@numba.njit(cache=True, nogil=True)
def category_of_counts(counts: Any) -> int:
    """The category of fewer than five cards, from the count of each rank."""
    most = pairs = 0
    for count in counts:
        most = max(most, count)
        pairs += count == 2
    if most == 4:
        return 7
    if most == 3:
        return 3
    return min(pairs, 2)


@numba.njit(cache=True, nogil=True)
def early_features(
    first: int, last: int, boards: Any, hands: Any, tables: Any, completions: Any, out: Any
) -> None:
    """out[board, feature, hand] for flops or turns; undefined for hands with a board card."""
    flush_values, weights = tables[3], tables[4]
    counts = np.zeros(13, np.int64)
    masks = np.zeros(4, np.int64)
    sizes = np.zeros(4, np.int64)
    for board in range(first, last):
        counts[:] = 0
        masks[:] = 0
        sizes[:] = 0
        key = top = ranks = 0
        for card in boards[board]:
            counts[card >> 2] += 1
            masks[card & 3] |= 1 << (card >> 2)
            sizes[card & 3] += 1
            key += weights[card >> 2]
            top = max(top, card >> 2)
            ranks |= 1 << (card >> 2)
        board_category = category_of_counts(counts)
        for hand in range(hands.shape[0]):
            one, two = hands[hand, 0], hands[hand, 1]  # the lower first
            low, high = one >> 2, two >> 2
            pair = 0
            if counts[high] or low == high:
                pair = high + 2
            elif counts[low]:
                pair = low + 2
            made = category_of_ranks(key + weights[low] + weights[high], tables)
            draw = 0
            same_suit = one & 3 == two & 3
            for own in (one, two):
                suit = own & 3
                held = sizes[suit] + (2 if same_suit else 1)
                if held == 4:
                    draw = max(draw, (own >> 2) + 2)
                elif held > 4:
                    mask = masks[suit] | 1 << (own >> 2)
                    if same_suit:
                        mask |= 1 << low
                    made = flush_values[mask] >> CATEGORY_SHIFT
            mask = ranks | 1 << low | 1 << high
            outs = 0
            if made < 4:
                left = completions[mask] & ~completions[ranks]
                while left:
                    left &= left - 1
                    outs += 1
            values = out[board, :, hand]
            values[HIGH] = high + 2
            values[LOW] = low + 2
            values[POCKET] = high + 2 if low == high else 0
            values[MADE] = made
            values[BOARD] = board_category
            values[PAIR] = pair
            values[HIDDEN] = pair > 0 or made > board_category
            values[OVER] = (low > top) + (high > top)
            values[FLUSH_DRAW] = draw
            values[STRAIGHT_DRAW] = outs


@numba.njit(cache=True, nogil=True)
def river_features(
    available: Any, suited: int, key: int, counts: Any, top: int, tables: Any, out: Any
) -> None:
    """out[feature, hand type] for one full board; undefined for types that cannot be dealt.

    `outs` are the unseen cards of which one alone, with the board, beats the hand.
    """
    _, row_offsets, rank_values, flush_values, weights = tables
    value = flush_values[suited]
    if value == 0:
        value = rank_values[(key & COLUMN_MASK) + row_offsets[key >> ROW_SHIFT]]
    board_category = value >> CATEGORY_SHIFT
    with_card = np.zeros(CARD_TYPES, np.int64)
    for kind in range(CARD_TYPES):
        mask = suited | (1 << (kind - 13) if kind >= 13 else 0)
        with_card[kind] = flush_values[mask]
        if with_card[kind] == 0:
            ranks = key + weights[kind % 13]
            with_card[kind] = rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]]
    number = 0
    for first in range(CARD_TYPES):
        for second in range(first + 1):
            if available[first] == 0 or available[second] <= (first == second):
                number += 1
                continue
            high, low = max(first % 13, second % 13), min(first % 13, second % 13)
            mask = suited | (1 << (first - 13) if first >= 13 else 0)
            mask |= 1 << (second - 13) if second >= 13 else 0
            own = np.int64(flush_values[mask])
            if own == 0:
                ranks = key + weights[high] + weights[low]
                own = np.int64(rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]])
            pair = 0
            if counts[high] or low == high:
                pair = high + 2
            elif counts[low]:
                pair = low + 2
            outs = 0
            for kind in range(CARD_TYPES):
                if with_card[kind] > own:
                    outs += available[kind] - (kind == first) - (kind == second)
            out[HIGH, number] = high + 2
            out[LOW, number] = low + 2
            out[POCKET, number] = high + 2 if low == high else 0
            out[MADE, number] = own >> CATEGORY_SHIFT
            out[BOARD, number] = board_category
            out[PAIR, number] = pair
            out[HIDDEN, number] = pair > 0 or own >> CATEGORY_SHIFT > board_category
            out[OVER, number] = (low > top) + (high > top)
            out[RIVER_OUTS, number] = outs
            number += 1


@numba.njit(cache=True, nogil=True)
def rank_board_features(first: int, last: int, boards: Any, tables: Any, out: Any) -> None:
    """out[board, feature, pair of ranks] for rank boards."""
    available = np.zeros(CARD_TYPES, np.int64)
    counts = np.zeros(13, np.int64)
    room = np.zeros((out.shape[1], HAND_TYPES), np.uint8)
    for board in range(first, last):
        if boards[board, 0] == boards[board, 4]:
            continue  # five of one rank
        key = rank_board_cards(boards[board], available, tables[4])
        for rank in range(13):
            counts[rank] = 4 - available[rank]
        # The ranks of a rank board ascend.
        river_features(available, NONE_SUITED, key, counts, boards[board, 4], tables, room)
        for feature in range(out.shape[1]):
            for pair in range(out.shape[2]):
                out[board, feature, pair] = room[feature, pair]


@numba.njit(cache=True, nogil=True)
def flush_board_features(
    first: int, last: int, masks: Any, outside: Any, tables: Any, out: Any
) -> None:
    """out[board, feature, hand type] for flush boards."""
    available = np.zeros(CARD_TYPES, np.int64)
    counts = np.zeros(13, np.int64)
    for board in range(first, last):
        key = flush_board_cards(masks[board], outside[board], available, tables[4])
        top: Any = np.int64(0)
        for rank in range(13):
            counts[rank] = 4 - available[rank] - available[13 + rank]
            if counts[rank]:
                top = rank
        river_features(available, masks[board], key, counts, top, tables, out[board])
