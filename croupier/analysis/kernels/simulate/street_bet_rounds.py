"""Simulated rounds with a bet per street: every seat decides on the same board.

Batches and buffers are those of `single_raise_rounds`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.hands.compact_evaluator import one_order
from croupier.analysis.kernels.hands.isomorphism import NO_RANK, partial_board
from croupier.analysis.kernels.simulate.evaluator_keys import equal_ranks, long, pair_category
from croupier.analysis.kernels.simulate.single_raise_rounds import (
    AT_HANDS,
    BY_HAND,
    BY_TABLE,
    new_seat,
    new_shared,
    pocket_codes,
    rank_seat,
    rank_table,
)

# States of a box: folded, then by bet on the flop and bet on the turn.
FOLDED, STAYED = 0, 1


class StreetBetTables(NamedTuple):
    """Lookup tables of a round; gains of a bet are summed over runouts and dealer hands."""

    opening: NDArray[np.uint8]  # by hand: whether to play
    flop_ids: NDArray[np.int16]  # the number of three ranks
    turn_ids: NDArray[np.int16]  # the number of four ranks
    flop_plain: NDArray[np.int64]
    flop_suited: NDArray[np.int64]
    turn_plain: NDArray[np.int64]
    turn_suited: NDArray[np.int64]
    masks: NDArray[np.int64]
    flop_starts: NDArray[np.int64]
    turn_starts: NDArray[np.int64]
    hand_types: NDArray[np.int16]
    hand_ranks: NDArray[np.int16]
    showdowns: NDArray[np.int64]
    folded: int
    size: int
    pockets: NDArray[np.uint8]


def judge_decks(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Decisions and codes of every seat, as in `single_raise_rounds`. Twin: the table."""
    shared, seat = new_shared(decks.shape[2]), new_seat(decks.shape[2])
    for lot in range(len(decks)):
        judge_lot(decks[lot], places, tables, play, fixed, kinds, shared, seat, codes[lot])


@numba.njit(cache=True, nogil=True)
def judge_lot(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, kinds: Any, shared: Any,
    seat: Any, codes: Any,
) -> None:  # fmt: skip
    """One batch; `shared` and `seat` are buffers."""
    rank_table(decks, places, tables, shared)
    flop = play.flop_ids, play.flop_plain, play.flop_suited, play.flop_starts
    turn = play.turn_ids, play.turn_plain, play.turn_suited, play.turn_starts
    for at in range(codes.shape[0]):
        hand = AT_HANDS + 2 * at
        rank_seat(decks, places, hand, tables, shared, seat)
        open_seat(play.opening, fixed[at, 0], seat.hands, seat.states)
        # Typed, because Numba compiles a separate version for a literal argument.
        bet_seat(decks, places, long(3), hand, tables, play, flop, fixed[at, 1], long(2), seat)
        bet_seat(decks, places, long(4), hand, tables, play, turn, fixed[at, 2], long(1), seat)
        main_codes(tables.categories, play, seat.owns, shared.dealers, seat.states, codes[at, 0])
        for wager in range(kinds.size):
            pocket_codes(play.pockets, seat.hands, shared.aces, seat.states, codes[at, wager + 1])


@numba.njit(cache=True, nogil=True)
def open_seat(opening: Any, fixed: Any, hands: Any, states: Any) -> None:
    """The first decision: play or fold."""
    for row in range(states.size):
        option = fixed
        if fixed < 0:
            option = long(opening[hands[row]])
        states[row] = STAYED if option else FOLDED


@numba.njit(cache=True, nogil=True)
def bet_seat(
    decks: Any, places: Any, size: Any, hand: Any, tables: Any, play: Any, street: Any, fixed: Any,
    step: Any, seat: Any,
) -> None:  # fmt: skip
    """The bet of a seat with `size` board cards shown; a bet adds `step` to its state.

    `street` are the tables of the gain of a bet.
    """
    ids, plain, suited, starts = street
    masks, types, ranks = play.masks, play.hand_types, play.hand_ranks
    card_keys, row_offsets, orders, flush_orders, _, _, categories = tables
    hands, states = seat.hands, seat.states
    shown = places[:size]
    chosen = np.empty(size + 2, np.int64)
    chosen[:size], chosen[size:] = shown, places[hand : hand + 2]
    for row in range(states.size):
        if states[row] == FOLDED:
            continue
        option = fixed
        if fixed == BY_TABLE:
            more = gain(
                decks, row, shown, ids, plain, suited, starts, hands[row], masks, types, ranks
            )
            option = long(more > 0)
        elif fixed == BY_HAND:
            own = one_order(decks, row, chosen, card_keys, row_offsets, orders, flush_orders)
            option = long(categories[own] > pair_category(equal_ranks(decks, row, shown)))
        states[row] += step * option


@numba.njit(cache=True, nogil=True)
def gain(
    decks: Any, row: Any, shown: Any, ids: Any, plain: Any, suited: Any, starts: Any, hand: Any,
    masks: Any, hand_types: Any, hand_ranks: Any,
) -> Any:  # fmt: skip
    """The gain of a bet on a flop or turn, as a sum; only its sign is used."""
    last = long(0)
    if shown.size == 4:
        last = long(decks[shown[3], row] >> 2)
    number = ids[
        decks[shown[0], row] >> 2, decks[shown[1], row] >> 2, decks[shown[2], row] >> 2, last
    ]
    total = long(plain[number, hand_ranks[hand]])
    for suit in range(4):
        mask = missing = 0
        one = two = NO_RANK
        for at in range(shown.size):
            card = long(decks[shown[at], row])
            if card & 3 == suit:
                mask |= 1 << (card >> 2)
            else:
                missing += 1
                two = one
                one = card >> 2
        if missing <= 2:
            seen = partial_board(masks, starts, mask, missing, one, two)
            total += suited[seen, hand_types[suit, hand]]
    return total


@numba.njit(cache=True, nogil=True)
def main_codes(
    categories: Any, play: Any, owns: Any, dealers: Any, states: Any, codes: Any
) -> None:
    """The codes of the main game: the state, and the facts of the showdown or the fold."""
    showdowns, size, folded = play.showdowns, play.size, play.folded
    for row in range(codes.size):
        own, dealer = long(owns[row]), long(dealers[row])
        showdown = showdowns[categories[own], 4 + (own > dealer) - (own < dealer)]
        state = long(states[row])
        codes[row] = state * size + (folded if state == FOLDED else showdown)
