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
    kept[:] = False
    for lot in range(lots):
        staked[:] = 0
        for seat in range(seats):
            value_seat(
                codes[lot, seat], main, sides, limit, counts[seat], side_counts[seat], nets[seat],
                staked, kept[lot],
            )  # fmt: skip
            for other in range(seat + 1):
                products[seat, other] += multiplied(nets[seat], nets[other])
        add_shifts(
            first + lot * size, nets, staked, buys, stay, need, per_shift, sums, shifts, start,
            banks, left,
        )  # fmt: skip


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
    codes: Any, main: Any, sides: Any, limit: Any, counts: Any, side_counts: Any, nets: Any,
    staked: Any, kept: Any,
) -> None:  # fmt: skip
    """Count the codes of a seat, and add up what they are worth round by round."""
    for row in range(nets.size):
        code = codes[0, row]
        counts[code] += 1
        net, stake = main[code, NET], main[code, STAKED]
        covered, mark = main[code, COVERED], main[code, MARKED]
        for wager in range(sides.shape[0]):
            code = codes[wager + 1, row]
            side_counts[wager, code] += 1
            net += sides[wager, code, NET]
            stake += sides[wager, code, STAKED]
            covered += sides[wager, code, COVERED]
            mark |= sides[wager, code, MARKED]
        nets[row] = net
        staked[row] += stake
        kept[row] |= mark != 0 or covered > limit


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
