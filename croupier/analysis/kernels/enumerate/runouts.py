"""Sums over runouts: values from full boards back to flops and turns, and the transpose.

A sum over runouts splits in two: the sum ignoring suits, which depends on ranks alone, and for
each suit a correction for the runouts that make a flush possible in it, which depends on hand and
early board only relative to that suit. No runout makes a flush possible in two suits.
`spread_*` are the transposes of `collect_*`: they carry weights of early decisions to full boards.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.hands.isomorphism import (
    CARD_TYPES,
    HAND_TYPES,
    NO_RANK,
    RANK_PAIRS,
    pair_number,
    partial_board,
)

NONE_GONE = np.zeros(13, np.int64)
# Typed, because Numba compiles a separate version for a literal argument.
ONE: Any = np.int64(1)
NONE: Any = np.int64(NO_RANK)


@numba.njit(cache=True, nogil=True)
def _add(out: Any, row: Any, times: int) -> None:
    """out += times * row, over every payoff row and hand type."""
    few = np.int32(times)  # 32-bit products vectorize, 64-bit ones do not
    for line in range(row.shape[0]):
        for number in range(HAND_TYPES):
            out[line, number] += few * row[line, number]


@numba.njit(cache=True, nogil=True)
def _add_outside(out: Any, row: Any, rank: int, left: int) -> None:
    """`_add` for a drawn card outside the suit, of which the hand may hold some."""
    _add(out, row, left)
    for other in range(CARD_TYPES):
        number = pair_number(rank, other)
        held = 2 if other == rank else 1
        for line in range(row.shape[0]):
            out[line, number] -= held * row[line, number]


@numba.njit(cache=True, nogil=True)
def two_outside(low: int, high: int, one: int, two: int, left_one: int, left_two: int) -> int:
    """The number of ways to draw ranks one and two outside the suit, given a hand."""
    if one == two:
        left = left_one - (low == one) - (high == one)
        return left * (left - 1) // 2
    return (left_one - (low == one) - (high == one)) * (left_two - (low == two) - (high == two))


@numba.njit(cache=True, nogil=True)
def ranks_held(mask: int, held: Any) -> int:
    """List the ranks of a mask; returns their number."""
    count = 0
    for rank in range(13):
        if mask >> rank & 1:
            held[count] = rank
            count += 1
    return count


@numba.njit(cache=True, nogil=True)
def collect_flops(
    first: int, last: int, board_masks: Any, board_outside: Any, masks: Any, starts: Any,
    type_pairs: Any, gone: Any, boards: Any, out: Any, held: Any,
) -> None:  # fmt: skip
    """Add the corrections of flush boards to every flop from which a runout leads to the board.

    `boards[board - first]` are the corrections of one board. `gone` are cards outside the suit
    that cannot be drawn, by rank; boards with a suited card that cannot be drawn have zeros.
    `held` is a buffer of five ranks.
    """
    for board in range(first, last):
        mask, one, two = board_masks[board], board_outside[board, 0], board_outside[board, 1]
        suited, row = ranks_held(mask, held), boards[board - first]
        for at in range(suited):
            turned = mask & ~(1 << held[at])
            for other in range(at):
                flop = partial_board(
                    masks, starts, turned & ~(1 << held[other]), 5 - suited, one, two
                )
                _add(out[flop], row, ONE)
            if suited < 5:
                flop = partial_board(masks, starts, turned, 4 - suited, two, NONE)
                _add_outside(out[flop], row, one, 3 - (one == two) - gone[one])
            if suited == 3 and one != two:
                flop = partial_board(masks, starts, turned, ONE, one, NONE)
                _add_outside(out[flop], row, two, 3 - gone[two])
        if suited == 3:
            _add_two_outside(out[masks[mask]], row, one, two, type_pairs, gone)


@numba.njit(cache=True, nogil=True)
def _add_two_outside(out: Any, row: Any, one: int, two: int, type_pairs: Any, gone: Any) -> None:
    """`_add` for two drawn cards outside the suit, when the whole flop is in it."""
    left_one, left_two = 3 - gone[one], 3 - gone[two]
    for number in range(HAND_TYPES):
        low, high = type_pairs[number]
        times = two_outside(low, high, one, two, left_one, left_two)
        for line in range(row.shape[0]):
            out[line, number] += times * row[line, number]


@numba.njit(cache=True, nogil=True)
def collect_turns(
    first: int, last: int, board_masks: Any, board_outside: Any, masks: Any, starts: Any,
    type_pairs: Any, gone: Any, boards: Any, out: Any, held: Any,
) -> None:  # fmt: skip
    """`collect_flops` for turns, with one card to come."""
    for board in range(first, last):
        mask, one, two = board_masks[board], board_outside[board, 0], board_outside[board, 1]
        suited, row = ranks_held(mask, held), boards[board - first]
        for at in range(suited):
            turn = partial_board(masks, starts, mask & ~(1 << held[at]), 5 - suited, one, two)
            _add(out[turn], row, ONE)
        if suited < 5:
            turn = partial_board(masks, starts, mask, 4 - suited, two, NONE)
            _add_outside(out[turn], row, one, 3 - (one == two) - gone[one])
        if suited == 3 and one != two:
            turn = partial_board(masks, starts, mask, ONE, one, NONE)
            _add_outside(out[turn], row, two, 3 - gone[two])


def rank_runouts(early: Any, drawn: Any, gone: Any) -> NDArray[np.int64]:
    """The ways to draw each runout beside one early board, by hand: [pair of ranks, runout].

    `early` are the ranks of the flop or turn, `drawn` those of each runout, two or one of them;
    `gone` are cards that cannot be drawn, by rank.
    """
    pairs = np.arange(RANK_PAIRS)
    high, low = np.tril_indices(13)
    left = np.tile(4 - gone - np.bincount(early, minlength=13), (RANK_PAIRS, 1))
    left[pairs, high] -= 1
    left[pairs, low] -= 1
    ways = left[:, drawn[:, 0]]
    if drawn.shape[1] == 2:
        one, two = drawn.T
        ways = np.where(one == two, ways * (ways - 1) // 2, ways * left[:, two])
    return np.where(left.min(axis=1, keepdims=True) < 0, 0, ways)


@numba.njit(cache=True, nogil=True)
def spread_flops(
    first: int, last: int, board_masks: Any, board_outside: Any, masks: Any, starts: Any,
    type_pairs: Any, gone: Any, weights: Any, boards: Any,
) -> None:  # fmt: skip
    """Transpose of `collect_flops`: boards[board, row, type] += ways * weights[flop, row, type]."""
    held = np.zeros(5, np.int64)
    for board in range(first, last):
        mask, one, two = board_masks[board], board_outside[board, 0], board_outside[board, 1]
        suited, row = ranks_held(mask, held), boards[board]
        for at in range(suited):
            turned = mask & ~(1 << held[at])
            for other in range(at):
                flop = partial_board(
                    masks, starts, turned & ~(1 << held[other]), 5 - suited, one, two
                )
                _add(row, weights[flop], ONE)
            if suited < 5:
                flop = partial_board(masks, starts, turned, 4 - suited, two, NONE)
                _add_outside(row, weights[flop], one, 3 - (one == two))
            if suited == 3 and one != two:
                flop = partial_board(masks, starts, turned, ONE, one, NONE)
                _add_outside(row, weights[flop], two, 3 * ONE)
        if suited == 3:
            _add_two_outside(row, weights[masks[mask]], one, two, type_pairs, gone)


@numba.njit(cache=True, nogil=True)
def spread_turns(
    first: int, last: int, board_masks: Any, board_outside: Any, masks: Any, starts: Any,
    type_pairs: Any, gone: Any, weights: Any, boards: Any,
) -> None:  # fmt: skip
    """Transpose of `collect_turns`."""
    held = np.zeros(5, np.int64)
    for board in range(first, last):
        mask, one, two = board_masks[board], board_outside[board, 0], board_outside[board, 1]
        suited, row = ranks_held(mask, held), boards[board]
        for at in range(suited):
            turn = partial_board(masks, starts, mask & ~(1 << held[at]), 5 - suited, one, two)
            _add(row, weights[turn], ONE)
        if suited < 5:
            turn = partial_board(masks, starts, mask, 4 - suited, two, NONE)
            _add_outside(row, weights[turn], one, 3 - (one == two))
        if suited == 3 and one != two:
            turn = partial_board(masks, starts, mask, ONE, one, NONE)
            _add_outside(row, weights[turn], two, 3 * ONE)


@numba.njit(cache=True, nogil=True)
def take_flush_weights(
    flush_masks: Any, type_pairs: Any, rank_boards: Any, rank_pairs: Any, boards: Any, plain: Any
) -> None:
    """Subtract the weight on flush boards from the rank boards with the same ranks.

    Hands that hold a suited card of the board are impossible; spreading ignored that.
    """
    for board in range(boards.shape[0]):
        mask = flush_masks[board] << 13
        for number in range(HAND_TYPES):
            if mask >> type_pairs[number, 0] & 1 or mask >> type_pairs[number, 1] & 1:
                continue
            for line in range(boards.shape[1]):
                weight = boards[board, line, number]
                if weight:
                    plain[rank_boards[board], line, rank_pairs[number]] -= weight
