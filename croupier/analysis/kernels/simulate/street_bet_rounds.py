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
    flop = play.flop_ids, play.flop_plain, play.flop_suited, play.flop_starts
    turn = play.turn_ids, play.turn_plain, play.turn_suited, play.turn_starts
    showdowns = play.showdowns, play.size, play.folded
    for lot, cards in enumerate(decks):
        rank_table(cards, places, tables, shared)
        for at, fixed_at in enumerate(fixed.tolist()):
            hand = places[AT_HANDS + 2 * at : AT_HANDS + 2 * at + 2]
            rank_seat(cards, places, hand, tables, shared, seat)
            hands, states = seat.hands, seat.states
            open_seat(play.opening, fixed_at[0], hands, states)
            for size, street, option, step in (
                (3, flop, fixed_at[1], 2),
                (4, turn, fixed_at[2], 1),
            ):
                shown = places[:size]
                if option == BY_TABLE:
                    bet_by_table(
                        cards, shown, *street, play.masks, play.hand_types, play.hand_ranks, step,
                        hands, states,
                    )  # fmt: skip
                elif option == BY_HAND:
                    bet_by_hand(
                        cards, shown, np.concatenate([shown, hand]), tables.card_keys,
                        tables.row_offsets, tables.orders, tables.flush_orders, tables.categories,
                        step, states,
                    )  # fmt: skip
                else:
                    states[states != FOLDED] += step * option
            main_codes(
                tables.categories, *showdowns, seat.owns, shared.dealers, states, codes[lot, at, 0]
            )
            for wager in range(1, len(kinds) + 1):
                pocket_codes(play.pockets, hands, shared.aces, states, codes[lot, at, wager])


@numba.njit(cache=True, nogil=True)
def open_seat(opening: Any, fixed: Any, hands: Any, states: Any) -> None:
    """The first decision: play or fold."""
    for row in range(states.size):
        option = fixed
        if fixed < 0:
            option = long(opening[hands[row]])
        states[row] = STAYED if option else FOLDED


@numba.njit(cache=True, nogil=True)
def bet_by_table(
    decks: Any, shown: Any, ids: Any, plain: Any, suited: Any, starts: Any, masks: Any,
    hand_types: Any, hand_ranks: Any, step: Any, hands: Any, states: Any,
) -> None:  # fmt: skip
    """The bet with the board cards at `shown`; a bet adds `step` to the state."""
    for row in range(states.size):
        if states[row] != FOLDED:
            more = gain(
                decks, row, shown, ids, plain, suited, starts, hands[row], masks, hand_types,
                hand_ranks,
            )  # fmt: skip
            states[row] += step * long(more > 0)


@numba.njit(cache=True, nogil=True)
def bet_by_hand(
    decks: Any, shown: Any, chosen: Any, card_keys: Any, row_offsets: Any, orders: Any,
    flush_orders: Any, categories: Any, step: Any, states: Any,
) -> None:  # fmt: skip
    """Bet if the cards at `chosen` are of a higher category than those at `shown`."""
    for row in range(states.size):
        if states[row] != FOLDED:
            own = one_order(decks, row, chosen, card_keys, row_offsets, orders, flush_orders)
            more = categories[own] > pair_category(equal_ranks(decks, row, shown))
            states[row] += step * long(more)


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
    categories: Any, showdowns: Any, size: Any, folded: Any, owns: Any, dealers: Any, states: Any,
    codes: Any,
) -> None:  # fmt: skip
    """The codes of the main game: the state, and the facts of the showdown or the fold."""
    for row in range(codes.size):
        own, dealer = long(owns[row]), long(dealers[row])
        showdown = showdowns[categories[own], 4 + (own > dealer) - (own < dealer)]
        state = long(states[row])
        codes[row] = state * size + (folded if state == FOLDED else showdown)
