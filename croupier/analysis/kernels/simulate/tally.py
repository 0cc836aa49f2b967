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


@numba.njit(cache=True, nogil=True)
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
    nets, staked = np.empty((seats, size), np.int64), np.empty(size, np.int64)
    covered = np.empty(size, np.int64)
    main_sums, side_sums = pack_values(main), pack_values(sides)
    stakes, same = equal_stakes(sides)
    reached = most_covered(main, sides) > limit
    marked[:] = False
    for lot in range(lots):
        staked[:] = seats * stakes
        for seat in range(seats):
            value_seat(
                codes[lot, seat], main_sums, side_sums, counts[seat], side_counts[seat],
                nets[seat], marked[lot],
            )  # fmt: skip
            varying = sides[: 0 if same else sides.shape[0]]
            add_column(codes[lot, seat], main, varying, STAKED, staked)
            if reached:
                covered[:] = 0
                add_column(codes[lot, seat], main, sides, COVERED, covered)
                for row in range(size):
                    marked[lot, row] |= covered[row] > limit
            for other in range(seat + 1):
                products[seat, other] += dot_product(nets[seat], nets[other])
        add_shifts(
            first + lot * size, nets, staked, buys, stay, need, per_shift, sums, shifts, start,
            banks, left,
        )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def pack_values(values: Any) -> Any:
    """Pack the net value of a code and, in the low bits, whether it is marked.

    One lookup per code then adds both; the number of marks never exceeds `MARK_BITS` bits.
    """
    return (values[..., NET] << MARK_BITS) + (values[..., MARKED] != 0)


@numba.njit(cache=True, nogil=True)
def equal_stakes(sides: Any) -> Any:
    """The total stake of all side wagers, and whether it is the same for every code; or 0."""
    total = 0
    for wager in range(sides.shape[0]):
        stakes = sides[wager, :, STAKED]
        total += stakes[0]
        if (stakes != stakes[0]).any():
            return 0, False
    return total, True


@numba.njit(cache=True, nogil=True)
def most_covered(main: Any, sides: Any) -> Any:
    """The largest winnings under the payout limit in one round."""
    most = main[:, COVERED].max()
    for wager in range(sides.shape[0]):
        most += sides[wager, :, COVERED].max()
    return most


@numba.njit(cache=True, nogil=True)
def add_column(codes: Any, main: Any, sides: Any, column: Any, total: Any) -> None:
    """Add one column of the values of a seat's codes, by round."""
    row_codes, values = codes[0], main[:, column]
    for row in range(total.size):
        total[row] += values[row_codes[row]]
    for wager in range(sides.shape[0]):
        row_codes, values = codes[wager + 1], sides[wager, :, column]
        for row in range(total.size):
            total[row] += values[row_codes[row]]


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
        shifts[at, HANDLE] += staked[row:end].sum()
        for seat in range(seats):
            won = nets[seat, row:end].sum()
            sums[seat] += won
            shifts[at, WIN] -= won
            if begins:
                left[seat] = 0
            bank, rest, bought = track_bankroll(
                nets[seat, row:end], buys, stay, need, banks[seat], left[seat]
            )
            banks[seat], left[seat] = bank, rest
            shifts[at, DROP] += bought
        row = end


@numba.njit(cache=True, nogil=True)
def value_seat(
    codes: Any, main: Any, sides: Any, counts: Any, side_counts: Any, nets: Any, marked: Any
) -> None:
    """Count the codes of a seat, and add up their packed values by round."""
    row_codes = codes[0]
    for row in range(nets.size):
        counts[row_codes[row]] += 1
        nets[row] = main[row_codes[row]]
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
    """Bankroll of a seat over rounds of one shift: final bank, rounds left to stay, buy-ins."""
    bought = 0
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
    return bank, left, bought
