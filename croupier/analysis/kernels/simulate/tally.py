"""What a block of rounds adds up to: codes of facts counted, and their worth where it is joint.

Kernels that judge rounds write codes by [seat, wager, round]: the main game first, then each side
wager. Worth comes from outside, made of the House's own settlement, by code.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

# Columns of what a code is worth.
NET, STAKED, COVERED, MARKED = range(4)
WORTH = 4
MARK_BITS = 8
MARKS = (1 << MARK_BITS) - 1
# What one shift adds up to.
WIN, HANDLE, DROP = range(3)


@numba.njit(cache=True, nogil=True)
def tally(
    first: Any, codes: Any, main: Any, sides: Any, limit: Any, buys: Any, stay: Any, need: Any,
    per_shift: Any, counts: Any, side_counts: Any, sums: Any, products: Any, shifts: Any,
    start: Any, banks: Any, left: Any, kept: Any,
) -> None:  # fmt: skip
    """Count lots of rounds from `first` on, and mark what a meter, envy or the limit may touch.

    `main[code, column]` and `sides[wager, code, column]` are worth; a round is marked in `kept`
    where a code is, or where a box wins more than the limit on what it covers. Everybody buys in
    when a shift begins and after staying for so many rounds, and again without enough to go on.
    """
    lots, seats, _, size = codes.shape
    nets, staked = np.empty((seats, size), np.int64), np.empty(size, np.int64)
    covered = np.empty(size, np.int64)
    main_sums, side_sums = packed(main), packed(sides)
    stakes, same = equal_stakes(sides)
    reached = most_covered(main, sides) > limit
    kept[:] = False
    for lot in range(lots):
        staked[:] = seats * stakes
        for seat in range(seats):
            value_seat(
                codes[lot, seat], main_sums, side_sums, counts[seat], side_counts[seat],
                nets[seat], kept[lot],
            )  # fmt: skip
            varying = sides[: 0 if same else sides.shape[0]]
            add_column(codes[lot, seat], main, varying, STAKED, staked)
            if reached:
                covered[:] = 0
                add_column(codes[lot, seat], main, sides, COVERED, covered)
                for row in range(size):
                    kept[lot, row] |= covered[row] > limit
            for other in range(seat + 1):
                products[seat, other] += multiplied(nets[seat], nets[other])
        add_shifts(
            first + lot * size, nets, staked, buys, stay, need, per_shift, sums, shifts, start,
            banks, left,
        )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def packed(worth: Any) -> Any:
    """By code: the net, and below it one bit where the code is marked.

    A round's codes are then added up with one look at each; how many are marked stays below
    `MARK_BITS`, so that it never runs into the net.
    """
    return (worth[..., NET] << MARK_BITS) + (worth[..., MARKED] != 0)


@numba.njit(cache=True, nogil=True)
def equal_stakes(sides: Any) -> Any:
    """What all side wagers stake together, and whether that is so whatever is met; or 0."""
    total = 0
    for wager in range(sides.shape[0]):
        stakes = sides[wager, :, STAKED]
        total += stakes[0]
        if (stakes != stakes[0]).any():
            return 0, False
    return total, True


@numba.njit(cache=True, nogil=True)
def most_covered(main: Any, sides: Any) -> Any:
    """The most that the limit can reach in one round."""
    most = main[:, COVERED].max()
    for wager in range(sides.shape[0]):
        most += sides[wager, :, COVERED].max()
    return most


@numba.njit(cache=True, nogil=True)
def add_column(codes: Any, main: Any, sides: Any, column: Any, total: Any) -> None:
    """One column of what the codes of a seat are worth, round by round."""
    met, worth = codes[0], main[:, column]
    for row in range(total.size):
        total[row] += worth[met[row]]
    for wager in range(sides.shape[0]):
        met, worth = codes[wager + 1], sides[wager, :, column]
        for row in range(total.size):
            total[row] += worth[met[row]]


@numba.njit(cache=True, nogil=True)
def multiplied(one: Any, two: Any) -> Any:
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
    """What a lot adds to the shifts that it lies in."""
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
            bank, rest, bought = buy(nets[seat, row:end], buys, stay, need, banks[seat], left[seat])
            banks[seat], left[seat] = bank, rest
            shifts[at, DROP] += bought
        row = end


@numba.njit(cache=True, nogil=True)
def value_seat(
    codes: Any, main: Any, sides: Any, counts: Any, side_counts: Any, nets: Any, kept: Any
) -> None:
    """Count the codes of a seat, and add up what they are worth, `packed`, round by round."""
    met = codes[0]
    for row in range(nets.size):
        counts[met[row]] += 1
        nets[row] = main[met[row]]
    for wager in range(sides.shape[0]):
        met, side, times = codes[wager + 1], sides[wager], side_counts[wager]
        for row in range(nets.size):
            times[met[row]] += 1
            nets[row] += side[met[row]]
    for row in range(nets.size):
        kept[row] |= nets[row] & MARKS != 0
        nets[row] >>= MARK_BITS


@numba.njit(cache=True, nogil=True)
def buy(nets: Any, buys: Any, stay: Any, need: Any, bank: Any, left: Any) -> Any:
    """Rounds of one shift: what a seat has after them, how long it stays on, what it bought."""
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
