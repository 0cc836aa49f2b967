"""Simulated rounds with live cards: seven cards each, of which only live cards count."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.live_cards.live_card_counts import AHEAD, BEHIND, FEWER, MORE, TIED
from croupier.analysis.kernels.simulate.evaluator_keys import long

LIVE_COUNT, LIVE_HAND = range(2)
HAND = 7
FIRST_LIVE = 32
FOLDED, STAYED = 0, 1
# Packed set of live cards: value among sets of its size, then class, count and decision.
VALUE_SHIFT, CLASS_SHIFT, COUNT_SHIFT = 9, 4, 1


class LiveCardTables(NamedTuple):
    """Lookup tables of a round."""

    sets: NDArray[np.int32]  # by mask of live cards: value, class, count and decision, packed
    showdowns: NDArray[np.int64]  # [qualifies, standing]
    qualifying: int
    folded: int
    size: int


@numba.njit(cache=True, nogil=True)
def live_mask(decks: Any, row: Any, places: Any, start: Any) -> Any:
    """The live cards of seven, as a bit mask."""
    mask = 0
    for at in range(start, start + HAND):
        card = long(decks[places[at], row])
        if card >= FIRST_LIVE:
            mask |= 1 << (card - FIRST_LIVE)
    return mask


@numba.njit(cache=True, nogil=True)
def judge_decks(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Decisions and codes of every seat, as in `single_raise_rounds`. Twin: the table."""
    for lot in range(decks.shape[0]):
        judge_lot(decks[lot], places, ranks, play, fixed, kinds, codes[lot])


@numba.njit(cache=True, nogil=True, inline="always")
def judge_lot(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """One batch, round by round."""
    sets, showdowns, qualifying, folded_code, size = play
    for row in range(decks.shape[1]):
        dealer = long(sets[live_mask(decks, row, places, 0)])
        count, value = dealer >> COUNT_SHIFT & 7, dealer >> VALUE_SHIFT
        qualifies = long(value >= qualifying)
        for seat in range(codes.shape[0]):
            own = long(sets[live_mask(decks, row, places, HAND * (seat + 1))])
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
            codes[seat, 0, row] = plays * size + code
            for wager in range(kinds.size):
                named = live if kinds[wager] == LIVE_COUNT else own >> CLASS_SHIFT & 31
                codes[seat, wager + 1, row] = 2 * named + (plays == 0)
