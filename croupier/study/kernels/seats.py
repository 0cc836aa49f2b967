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
    number: Any, codes: Any, main: Any, sides: Any, limit: Any, counts: Any, side_counts: Any,
    nets: Any, sums: Any, products: Any, shift: Any, kept: Any, kept_rounds: Any, kept_codes: Any,
) -> Any:  # fmt: skip
    """Count a round, and keep it whole if a meter, envy or the payout limit may touch it.

    Says how many rounds are kept by now. `main[code, column]` and `sides[wager, code, column]` are
    worth; a round is kept where a code is marked, or a box wins more than the limit on what it
    covers.
    """
    marked = False
    seats = codes.shape[0]
    for seat in range(seats):
        code = codes[seat, 0]
        counts[seat, code] += 1
        net, staked = main[code, NET], main[code, STAKED]
        covered, mark = main[code, COVERED], main[code, MARKED]
        for wager in range(sides.shape[0]):
            code = codes[seat, wager + 1]
            side_counts[seat, wager, code] += 1
            net += sides[wager, code, NET]
            staked += sides[wager, code, STAKED]
            covered += sides[wager, code, COVERED]
            mark |= sides[wager, code, MARKED]
        marked |= mark != 0 or covered > limit
        nets[seat] = net
        shift[WIN] -= net
        shift[HANDLE] += staked
        sums[seat] += net
        for other in range(seat + 1):
            products[seat, other] += net * nets[other]
    if marked:
        kept_rounds[kept] = number
        kept_codes[kept] = codes
        kept += 1
    return kept


@numba.njit(cache=True, nogil=True)
def buy_in(banks: Any, left: Any, begins: bool, buys: Any, stay: Any, need: Any) -> Any:
    """What is bought before a round: by who is new, and by who cannot pay the next round.

    Everybody is new when a shift begins, and after staying for so many rounds.
    """
    bought = 0
    for seat in range(banks.size):
        if begins or left[seat] == 0:
            banks[seat] = buys
            left[seat] = stay
            bought += buys
        while banks[seat] < need:
            banks[seat] += buys
            bought += buys
        left[seat] -= 1
    return bought


@numba.njit(cache=True, nogil=True)
def take_home(banks: Any, nets: Any) -> None:
    """The round's results go to the players' chips."""
    for seat in range(banks.size):
        banks[seat] += nets[seat]


@numba.njit(cache=True, nogil=True)
def bit(bits: Any, place: Any) -> Any:
    """One of many flags packed into bytes."""
    return (bits[place >> 3] >> (place & 7)) & 1 == 1


@numba.njit(cache=True, nogil=True)
def hand_number(one: Any, two: Any) -> Any:
    """The number of a hand of two cards, as in `deals.hands`."""
    if one > two:
        return one * (one - 1) // 2 + two
    return two * (two - 1) // 2 + one


@numba.njit(cache=True, nogil=True)
def none_kept(seats: Any, codes: Any, most: Any) -> Any:
    """Room for rounds that are kept whole."""
    return np.zeros(most, np.int64), np.zeros((most, seats, codes), np.int32)
