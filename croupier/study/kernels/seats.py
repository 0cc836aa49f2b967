"""What a block of rounds adds up to: codes of facts counted, and their worth where it is joint.

Kernels that judge a round write one row of codes per seat: the main game first, then each side
wager. Worth comes from outside, made of the House's own settlement, by code.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

long: Any = np.int64  # as kernels need it; for a type checker it is anything

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
    """Count rounds from `first` on, and mark those that a meter, envy or the limit may touch.

    `main[code, column]` and `sides[wager, code, column]` are worth; a round is marked in `kept`
    where a code is, or where a box wins more than the limit on what it covers. Everybody buys in
    when a shift begins and after staying for so many rounds, and again without enough to go on.
    """
    seats = codes.shape[1]
    nets = np.zeros(seats, np.int64)
    for row in range(codes.shape[0]):
        number = first + row
        at = number // per_shift
        begins = number == at * per_shift
        marked = False
        win = handle = bought = 0
        for seat in range(seats):
            if begins or left[seat] == 0:
                banks[seat] = buys
                left[seat] = stay
                bought += buys
            while banks[seat] < need:
                banks[seat] += buys
                bought += buys
            left[seat] -= 1
            code = codes[row, seat, 0]
            counts[seat, code] += 1
            net, staked = main[code, NET], main[code, STAKED]
            covered, mark = main[code, COVERED], main[code, MARKED]
            for wager in range(sides.shape[0]):
                code = codes[row, seat, wager + 1]
                side_counts[seat, wager, code] += 1
                net += sides[wager, code, NET]
                staked += sides[wager, code, STAKED]
                covered += sides[wager, code, COVERED]
                mark |= sides[wager, code, MARKED]
            marked |= mark != 0 or covered > limit
            nets[seat] = net
            banks[seat] += net
            win -= net
            handle += staked
            sums[seat] += net
            for other in range(seat + 1):
                products[seat, other] += net * nets[other]
        shifts[at - start, WIN] += win
        shifts[at - start, HANDLE] += handle
        shifts[at - start, DROP] += bought
        kept[row] = marked


@numba.njit(cache=True, nogil=True)
def hand_number(one: Any, two: Any) -> Any:
    """The number of a hand of two cards, as in `deals.hands`."""
    if one > two:
        return one * (one - 1) // 2 + two
    return two * (two - 1) // 2 + one
