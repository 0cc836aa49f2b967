"""Totals of simulated rounds: counts of codes, and sums of money per seat and shift.

The round kernels write codes by [seat, wager, round]: the main game first, then each side wager.
Values by code are passed in; they come from the House's own `settle`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

# Columns of the values of a code.
NET, STAKED, COVERED, MARKED = range(4)
COLUMNS = 4
MARK_BITS = 8
MARKS = (1 << MARK_BITS) - 1
# Columns of a shift's totals.
WIN, HANDLE, DROP = range(3)


def tally(
    first: Any, codes: Any, main: Any, sides: Any, limit: Any, buys: Any, stay: Any, need: Any,
    per_shift: Any, counts: Any, side_counts: Any, sums: Any, products: Any, shifts: Any,
    start: Any, banks: Any, left: Any, marked: Any,
) -> None:  # fmt: skip
    """Tally batches of rounds from `first` on, and mark those that need settlement.

    `main[code, column]` and `sides[wager, code, column]` are values of codes. A round is `marked`
    if one of its codes is marked (meter or envy), or if a box wins more than the payout
    limit on the covered wagers. Players buy in at the start of a shift, after `stay` rounds, and
    whenever they hold less than `need`.
    """
    lots, seats, _, size = codes.shape
    nets, totals = np.empty((seats, size), np.int64), np.empty(size, np.int64)
    packed, staked = (pack_values(main), pack_values(sides)), sides[..., STAKED]
    same = bool((staked == staked[:, :1]).all())  # whatever the code, so one sum for all rounds
    main_staked = np.ascontiguousarray(main[:, STAKED])
    stakes = seats * int(staked[:, 0].sum()) if same else 0
    reached = main[:, COVERED].max() + sides[..., COVERED].max(axis=1).sum() > limit
    marked[:] = False
    for lot in range(lots):
        totals[:] = stakes
        for seat in range(seats):
            value_seat(
                codes[lot, seat], *packed, main_staked, counts[seat], side_counts[seat],
                nets[seat], totals, marked[lot],
            )  # fmt: skip
            if not same:
                add_column(codes[lot, seat, 1:], sides, STAKED, totals)
            for other in range(seat + 1):
                products[seat, other] += dot_product(nets[seat], nets[other])
        add_shifts(
            first + lot * size, nets, totals, buys, stay, need, per_shift, sums, shifts, start,
            banks, left,
        )  # fmt: skip
        for seat in range(seats if reached else 0):
            totals[:] = main[:, COVERED].take(codes[lot, seat, 0])
            add_column(codes[lot, seat, 1:], sides, COVERED, totals)
            marked[lot] |= totals > limit


def pack_values(values: Any) -> Any:
    """Pack the net value of a code and, in the low bits, whether it is marked.

    One lookup per code then adds both; the number of marks never exceeds `MARK_BITS` bits.
    """
    return np.ascontiguousarray((values[..., NET] << MARK_BITS) + (values[..., MARKED] != 0))


def add_column(codes: Any, sides: Any, column: int, total: Any) -> None:
    """Add one column of the values of a seat's side wagers, by round."""
    for values, row_codes in zip(sides, codes, strict=True):
        total += values[:, column].take(row_codes)


@numba.njit(cache=True, nogil=True)
def dot_product(one: Any, two: Any) -> Any:
    """The sum of products of two seats' nets."""
    total = 0
    for row in range(one.size):
        total += one[row] * two[row]
    return total


@numba.njit(cache=True, nogil=True)
def add_shifts(
    first: Any, nets: Any, staked: Any, buys: Any, stay: Any, need: Any, per_shift: Any, sums: Any,
    shifts: Any, start: Any, banks: Any, left: Any,
) -> None:  # fmt: skip
    """Add a batch to the shifts it belongs to."""
    seats, size = nets.shape
    row = 0
    while row < size:
        shift = (first + row) // per_shift
        begins = first + row == shift * per_shift
        end = min(size, (shift + 1) * per_shift - first)
        at = shift - start
        handle = 0
        for place in range(row, end):
            handle += staked[place]
        shifts[at, HANDLE] += handle
        for seat in range(seats):
            if begins:
                left[seat] = 0
            bank, rest, bought, won = track_bankroll(
                nets[seat, row:end], buys, stay, need, banks[seat], left[seat]
            )
            banks[seat], left[seat] = bank, rest
            sums[seat] += won
            shifts[at, WIN] -= won
            shifts[at, DROP] += bought
        row = end


@numba.njit(cache=True, nogil=True)
def value_seat(
    codes: Any, main: Any, sides: Any, staked: Any, counts: Any, side_counts: Any, nets: Any,
    totals: Any, marked: Any,
) -> None:  # fmt: skip
    """Count the codes of a seat, and add up their packed values and main stakes by round."""
    row_codes = codes[0]
    for row in range(nets.size):
        counts[row_codes[row]] += 1
        nets[row] = main[row_codes[row]]
        totals[row] += staked[row_codes[row]]
    for wager in range(sides.shape[0]):
        row_codes, side, times = codes[wager + 1], sides[wager], side_counts[wager]
        for row in range(nets.size):
            times[row_codes[row]] += 1
            nets[row] += side[row_codes[row]]
    for row in range(nets.size):
        marked[row] |= nets[row] & MARKS != 0
        nets[row] >>= MARK_BITS


@numba.njit(cache=True, nogil=True)
def track_bankroll(nets: Any, buys: Any, stay: Any, need: Any, bank: Any, left: Any) -> Any:
    """Bankroll of a seat over rounds of one shift: bank, rounds left to stay, buy-ins, won."""
    bought = won = 0
    for row in range(nets.size):
        if left == 0:
            bank = buys
            left = stay
            bought += buys
        while bank < need:
            bank += buys
            bought += buys
        left -= 1
        bank += nets[row]
        won += nets[row]
    return bank, left, bought, won
