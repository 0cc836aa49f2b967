"""Suit isomorphism classes of boards and hole cards, perfectly indexed.

The class of a board with three or more cards of a suit (*flush board*, 36,608 classes) is the ranks
in that suit and the ranks outside it; of any other board (*rank board*, 6,188 classes, thirteen of
them impossible) its ranks. On a flush board a card is one of 26 types: thirteen ranks outside the
suit, then thirteen inside. A hand is a pair of types, numbered `high * (high + 1) / 2 + low`: 351
hand types, of which the first 91 are the pairs of ranks that matter on a rank board.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

CARD_TYPES = 26
HAND_TYPES = 351
RANK_PAIRS = 91
NO_RANK = 13  # placeholder for a missing rank

# The first flush board with three, four and five cards in the suit.
FOUR_SUITED = 286 * RANK_PAIRS
FIVE_SUITED = FOUR_SUITED + 715 * 13
FLUSH_BOARDS = FIVE_SUITED + 1287
# The first partial board, counted from the most suited, of three and of four cards.
FLOP_STARTS = (286, 286 + 78 * 13, 286 + 78 * 13 + 13 * 91)
TURN_STARTS = (715, 715 + 286 * 13, 715 + 286 * 13 + 78 * 91)


class Numbering(NamedTuple):
    """Index tables shared by all kernels."""

    masks: NDArray[np.int64]  # 8192: the index of a rank set among those of its size
    flush_masks: NDArray[np.int64]  # per flush board: the ranks in the suit
    flush_outside: NDArray[np.int64]  # per flush board: up to two ranks outside, or NO_RANK
    type_pairs: NDArray[np.int64]  # 351 x 2: low and high card type
    rank_pairs: NDArray[np.int64]  # 351: the pair of ranks behind a pair of types


@cache
def multiset_ids(size: int) -> NDArray[np.int64]:
    """The colexicographic index of a multiset of ranks, by its ranks in any order."""
    ranks = np.sort(np.indices((13,) * size, np.uint8), axis=0)
    ids = np.zeros((13,) * size, np.int64)
    for place in range(size):  # the number of lower multisets of this size
        ids += np.array([comb(rank + place, place + 1) for rank in range(13)])[ranks[place]]
    return ids


@cache
def multisets(size: int) -> NDArray[np.int64]:
    """The ranks of every multiset of a size, in the order of `multiset_ids`."""
    listed = np.array(list(combinations_with_replacement(range(13), size)), np.int64)
    ids = multiset_ids(size)[tuple(listed.T)]
    return listed[np.argsort(ids)]


@cache
def numbering() -> Numbering:
    """The tables, built once."""
    masks = np.zeros(8192, np.int64)
    sets: dict[int, NDArray[np.int64]] = {}
    for size in range(6):
        bits = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
        sets[size] = np.array(bits, np.int64)
        masks[sets[size]] = np.arange(len(bits))
    high, low = np.tril_indices(13)
    none = np.full(13, NO_RANK)
    outside = {
        3: np.column_stack([low, high]),
        4: np.column_stack([np.arange(13), none]),
        5: np.array([[NO_RANK, NO_RANK]]),
    }
    listed = [(sets[size], ranks) for size, ranks in outside.items()]
    types = np.array([(low, high) for high in range(26) for low in range(high + 1)], np.int64)
    both = np.sort(types % 13, axis=1)
    return Numbering(
        masks,
        np.concatenate([np.repeat(suited, len(ranks)) for suited, ranks in listed]),
        np.concatenate([np.tile(ranks, (len(suited), 1)) for suited, ranks in listed]),
        types,
        both[:, 1] * (both[:, 1] + 1) // 2 + both[:, 0],
    )


@numba.njit(cache=True, nogil=True, inline="always")
def pair_number(first: int, second: int) -> int:
    """The number of an unordered pair of types or ranks."""
    if first > second:
        return first * (first + 1) // 2 + second
    return second * (second + 1) // 2 + first


@numba.njit(cache=True, nogil=True)
def flush_board(masks: Any, mask: int, suited: int, one: int, two: int) -> int:
    """The number of a flush board: a mask of `suited` ranks and up to two ranks outside."""
    if suited == 3:
        return masks[mask] * RANK_PAIRS + pair_number(one, two)  # type: ignore[no-any-return]
    if suited == 4:
        return FOUR_SUITED + masks[mask] * 13 + min(one, two)  # type: ignore[no-any-return]
    return FIVE_SUITED + masks[mask]  # type: ignore[no-any-return]


def flush_board_number(mask: int, outside: list[int]) -> int:
    """`flush_board` in plain Python; `outside` is sorted."""
    place = int(numbering().masks[mask])
    if len(outside) == 2:
        low, high = outside
        return place * RANK_PAIRS + high * (high + 1) // 2 + low
    return FOUR_SUITED + place * 13 + outside[0] if outside else FIVE_SUITED + place


@cache
def partial_boards(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Flops (3) or turns (4) relative to one suit: ranks in it, and up to two ranks outside.

    Ordered from all cards in the suit down to two fewer: 286 + 1,014 + 1,183 flops, and
    715 + 3,718 + 7,098 turns.
    """
    ranks = [(low, high) for high in range(13) for low in range(high + 1)]
    outside = [[(NO_RANK, NO_RANK)], [(rank, NO_RANK) for rank in range(13)], ranks]
    rows = [
        (sum(1 << rank for rank in suited), *others)
        for missing in range(3)
        for suited in combinations(range(13), size - missing)
        for others in outside[missing]
    ]
    table = np.array(rows, np.int64)
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1:])


@cache
def partial_numbers(size: int) -> dict[tuple[int, int, int], int]:
    """The number of each of `partial_boards`, for single lookups without compiled code."""
    masks, others = partial_boards(size)
    rows = zip(masks.tolist(), *others.T.tolist(), strict=True)
    return {row: number for number, row in enumerate(rows)}


def suit_view_number(cards: Sequence[int], suit: int) -> int:
    """`flops.suit_view` in plain Python: the number of a flop or turn relative to a suit, or -1."""
    mask = sum(1 << (card >> 2) for card in cards if card & 3 == suit)
    others = sorted(card >> 2 for card in cards if card & 3 != suit)
    if len(others) > 2:
        return -1
    one, two = [*others, NO_RANK, NO_RANK][:2]
    return partial_numbers(len(cards))[mask, one, two]


@numba.njit(cache=True, nogil=True)
def partial_board(masks: Any, starts: Any, mask: int, missing: int, one: int, two: int) -> int:
    """The number of a flop or turn relative to one suit, in the order of `partial_boards`."""
    if missing == 0:
        return masks[mask]  # type: ignore[no-any-return]
    if missing == 1:
        return starts[0] + masks[mask] * 13 + min(one, two)  # type: ignore[no-any-return]
    return starts[1] + masks[mask] * RANK_PAIRS + pair_number(one, two)  # type: ignore[no-any-return]
