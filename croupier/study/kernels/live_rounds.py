"""Rounds of Top Five: seven cards each, and only those that live matter."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.study.kernels import philox, seats
from croupier.study.kernels.live import AHEAD, BEHIND, FEWER, MORE, TIED
from croupier.study.kernels.seats import long

LIVE_COUNT, LIVE_HAND = range(2)
HAND = 7
FIRST_LIVE = 32
FOLDED, STAYED = 0, 1
# A set of live cards: its value among sets of its size, above its class, count and decision.
VALUE_SHIFT, CLASS_SHIFT, COUNT_SHIFT = 9, 4, 1


class Play(NamedTuple):
    """What is looked up while a round is played."""

    sets: NDArray[np.int32]  # by mask of live cards: value, class, count and whether to play
    showdowns: NDArray[np.int64]  # [qualifies, how two hands stand]
    qualifying: int
    folded: int
    size: int


@numba.njit(cache=True, nogil=True)
def live_mask(deck: Any, places: Any, start: Any) -> Any:
    """The live ones of seven cards, a bit each."""
    mask = 0
    for at in range(start, start + HAND):
        card = long(deck[places[at]])
        if card >= FIRST_LIVE:
            mask |= 1 << (card - FIRST_LIVE)
    return mask


@numba.njit(cache=True, nogil=True)
def judge(
    deck: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Every seat's decision and codes on a dealt deck. Naive twin: the table, in tests/study."""
    sets, showdowns, qualifying, folded_code, size = play
    dealer = long(sets[live_mask(deck, places, 0)])
    count, value = dealer >> COUNT_SHIFT & 7, dealer >> VALUE_SHIFT
    qualifies = long(value >= qualifying)
    for seat in range(codes.shape[0]):
        own = long(sets[live_mask(deck, places, HAND * (seat + 1))])
        plays = fixed[seat, 0]
        if plays < 0:
            plays = own & 1
        live, worth = own >> COUNT_SHIFT & 7, own >> VALUE_SHIFT
        code = folded_code
        if plays:
            if live != count:
                standing = MORE if live > count else FEWER
            elif worth == value:
                standing = TIED
            else:
                standing = AHEAD if worth > value else BEHIND
            code = showdowns[qualifies, standing]
        codes[seat, 0] = plays * size + code
        for wager in range(kinds.size):
            named = live if kinds[wager] == LIVE_COUNT else own >> CLASS_SHIFT & 31
            codes[seat, wager + 1] = 2 * named + (plays == 0)


@numba.njit(cache=True, nogil=True)
def play_block(
    first: Any, last: Any, key: Any, least: Any, groups: Any, places: Any, ranks: Any, play: Any,
    fixed: Any, kinds: Any, money: Any, table: Any, kept: Any,
) -> Any:  # fmt: skip
    """Rounds `first` to `last`, or as many as can be kept; as in `play_rounds`."""
    main, sides, limit, buys, stay, need, per_shift = money
    counts, side_counts, sums, products, shifts, banks, left, start = table
    kept_rounds, kept_codes = kept
    count = 0
    deck = np.zeros(52, np.uint8)
    words = np.zeros(8, np.uint64)
    codes = np.zeros((fixed.shape[0], kinds.size + 1), np.int32)
    nets = np.zeros(fixed.shape[0], np.int64)
    number = first
    while number < last and count < kept_rounds.size:
        philox.deal(number, key, least, groups, words, deck)
        judge(deck, places, ranks, play, fixed, kinds, codes)
        at = number // per_shift
        shift = shifts[at - start]
        shift[seats.DROP] += seats.buy_in(banks, left, number == at * per_shift, buys, stay, need)
        count = seats.tally(
            number, codes, main, sides, limit, counts, side_counts, nets, sums, products, shift,
            count, kept_rounds, kept_codes,
        )  # fmt: skip
        seats.take_home(banks, nets)
        number += 1
    return number, count


@numba.njit(cache=True, nogil=True)
def judge_decks(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """The codes of given decks, one a row."""
    for row in range(decks.shape[0]):
        judge(decks[row], places, ranks, play, fixed, kinds, codes[row])
