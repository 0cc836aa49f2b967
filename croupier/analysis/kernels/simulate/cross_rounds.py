"""Simulated rounds over a cross: every seat decides three times on the same two runs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.cross.cross_runs import CENTERS, side_number
from croupier.analysis.kernels.hands.compact_evaluator import one_order, plain_order
from croupier.analysis.kernels.hands.evaluator import FLUSH_BITS, SUITS_START
from croupier.analysis.kernels.simulate.evaluator_keys import (
    hand_number,
    long,
    suit_rank_bit,
    suited_with,
)

FIVE, POCKET, FIRST_RUN, HIGHER_RUN, ALL_SEVEN = range(5)
LEFT, RIGHT, TOP, BOTTOM, CENTER = range(5)
AT_HANDS = 5
BY_TABLE = -1
# A state encodes the bets made, numbered from 1: first + 4 x second + 16 x center.
SECOND, LAST = 4, 16


class CrossTables(NamedTuple):
    """Lookup tables of a round; bets are numbered from 1, 0 is a fold."""

    hand_class: NDArray[np.int16]
    hand_order: NDArray[np.uint8]  # the suit permutation to the class's representative
    orders: NDArray[np.int64]  # [permutation, suit]
    others: NDArray[np.int16]  # [class, card]: its number among the fifty
    side_class: NDArray[np.int32]  # [class, side]: the row of `second`
    first: NDArray[np.int8]  # by class
    second: NDArray[np.int8]  # [row, first bet]
    paid: NDArray[np.int64]  # [first, second, center, class, class]
    folds: NDArray[np.int64]  # [first, second]: cost of folding the center
    showdowns: NDArray[np.int64]  # [class, class]
    folded: NDArray[np.int64]  # by street
    size: int
    pockets: NDArray[np.uint8]


@numba.njit(cache=True, nogil=True)
def judge_decks(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Decisions and codes of every seat, as in `single_raise_rounds`. Twin: the table."""
    count = decks.shape[2]
    hands = np.empty(count, np.int16)
    states, streets = np.empty((2, count), np.int64)  # street 3: not folded
    runs = np.empty((2, count), np.uint8)
    for lot in range(decks.shape[0]):
        for at in range(codes.shape[1]):
            judge_seat(
                decks[lot], places, AT_HANDS + 2 * at, tables, play, fixed[at], kinds, hands,
                states, streets, runs, codes[lot, at],
            )  # fmt: skip


@numba.njit(cache=True, nogil=True, inline="always")
def judge_seat(
    decks: Any, places: Any, hand: Any, tables: Any, play: Any, fixed: Any, kinds: Any, hands: Any,
    states: Any, streets: Any, runs: Any, codes: Any,
) -> None:  # fmt: skip
    """One seat in one batch; `hands`, `states`, `streets` and `runs` are buffers."""
    one, two = decks[places[hand]], decks[places[hand + 1]]
    for row in range(hands.size):
        hands[row] = hand_number(long(one[row]), long(two[row]))
    name_cards(decks, run_places(places, hand, LEFT, RIGHT), tables, runs[0])
    name_cards(decks, run_places(places, hand, TOP, BOTTOM), tables, runs[1])
    first_bet(play, fixed[0], hands, states, streets)
    second_bet(decks, places, play, fixed[1], hands, states, streets)
    last_bet(decks, places, hand, tables, play, fixed[2], states, streets)
    main_codes(play, states, streets, runs, codes[0])
    for wager in range(kinds.size):
        side_codes(
            decks, places, hand, tables, play, kinds[wager], hands, streets, runs, codes[wager + 1]
        )


@numba.njit(cache=True, nogil=True)
def run_places(places: Any, hand: Any, one: Any, two: Any) -> Any:
    """The deck positions of a run: own cards, two of the cross, and the center."""
    positions = np.empty(5, np.int64)
    positions[:2] = places[hand : hand + 2]
    positions[2], positions[3], positions[4] = places[one], places[two], places[CENTER]
    return positions


@numba.njit(cache=True, nogil=True)
def name_cards(decks: Any, places: Any, tables: Any, out: Any) -> None:
    """The hand class of the cards at `places` of every deck."""
    card_keys, row_offsets, orders, flush_orders, _, classes, _ = tables
    for row in range(out.size):
        out[row] = classes[
            one_order(decks, row, places, card_keys, row_offsets, orders, flush_orders)
        ]


@numba.njit(cache=True, nogil=True)
def first_bet(play: Any, fixed: Any, hands: Any, states: Any, streets: Any) -> None:
    """The first bet, by hand class."""
    kinds, bets = play.hand_class, play.first
    for row in range(states.size):
        bet = fixed
        if fixed < 0:
            bet = long(bets[kinds[hands[row]]])
        states[row] = bet
        streets[row] = 3 if bet else 0


@numba.njit(cache=True, nogil=True)
def second_bet(
    decks: Any, places: Any, play: Any, fixed: Any, hands: Any, states: Any, streets: Any
) -> None:
    """The second bet, with left and right of the cross shown."""
    kinds, renamings, orders, others = play.hand_class, play.hand_order, play.orders, play.others
    rows, bets = play.side_class, play.second
    left, right = decks[places[LEFT]], decks[places[RIGHT]]
    for row in range(states.size):
        if streets[row] != 3:
            continue
        bet = fixed
        if fixed < 0:
            kind, order = long(kinds[hands[row]]), renamings[hands[row]]
            a, b = long(left[row]), long(right[row])
            a = long(others[kind, a >> 2 << 2 | orders[order, a & 3]])
            b = long(others[kind, b >> 2 << 2 | orders[order, b & 3]])
            bet = long(bets[rows[kind, side_number(a, b)], states[row] - 1])
        states[row] += SECOND * bet
        streets[row] = 3 if bet else 1


@numba.njit(cache=True, nogil=True)
def last_bet(
    decks: Any, places: Any, hand: Any, tables: Any, play: Any, fixed: Any, states: Any,
    streets: Any,
) -> None:  # fmt: skip
    """The last bet, with all but the center shown."""
    paid, folds = play.paid, play.folds
    known = np.empty(6, np.int64)
    totals = np.empty(paid.shape[2], np.int64)
    card_keys, row_offsets, orders, flush_orders, _, classes, _ = tables
    for row in range(states.size):
        if streets[row] != 3:
            continue
        bet = fixed
        if fixed < 0:
            for at in range(CENTER):
                known[at] = decks[places[at], row]
            known[4], known[5] = decks[places[hand], row], decks[places[hand + 1], row]
            first, second = (states[row] & 3) - 1, (states[row] >> 2 & 3) - 1
            sum_lines(
                known, card_keys, row_offsets, orders, flush_orders, classes, paid[first, second],
                totals,
            )  # fmt: skip
            bet = best_line(totals, folds[first, second] * CENTERS)
        states[row] += LAST * bet
        streets[row] = 3 if bet else 2


@numba.njit(cache=True, nogil=True)
def sum_lines(
    known: Any, card_keys: Any, row_offsets: Any, orders: Any, flush_orders: Any, classes: Any,
    paid: Any, totals: Any,
) -> None:  # fmt: skip
    """Sum the payoff of each center bet over all 46 centers.

    `known` are left, right, top, bottom, and the two own cards.
    """
    held = SUITS_START + card_keys[known[4]] + card_keys[known[5]]
    own = suit_rank_bit(known[4]) | suit_rank_bit(known[5])
    across = held + card_keys[known[LEFT]] + card_keys[known[RIGHT]]
    down = held + card_keys[known[TOP]] + card_keys[known[BOTTOM]]
    across_masks = own | suit_rank_bit(known[LEFT]) | suit_rank_bit(known[RIGHT])
    down_masks = own | suit_rank_bit(known[TOP]) | suit_rank_bit(known[BOTTOM])
    gone = long(0)
    for at in range(known.size):
        gone |= long(1) << known[at]
    totals[:] = 0
    for card in range(52):
        if gone >> card & 1:
            continue
        one, two = across + card_keys[card], down + card_keys[card]
        first = flush_orders[suited_with(one, card, card, across_masks)]
        if not one & FLUSH_BITS:
            first = plain_order(one, row_offsets, orders)
        second = flush_orders[suited_with(two, card, card, down_masks)]
        if not two & FLUSH_BITS:
            second = plain_order(two, row_offsets, orders)
        for bet in range(totals.size):
            totals[bet] += paid[bet, classes[first], classes[second]]


@numba.njit(cache=True, nogil=True)
def best_line(totals: Any, fold: Any) -> Any:
    """The best bet, numbered from 1; 0 to fold."""
    best, most = 0, fold
    for bet in range(totals.size):
        if totals[bet] > most:
            best, most = bet + 1, totals[bet]
    return best


@numba.njit(cache=True, nogil=True)
def main_codes(play: Any, states: Any, streets: Any, runs: Any, codes: Any) -> None:
    """The codes of the main game: the bets made, and the facts of both runs or of the fold."""
    showdowns, folded, size = play.showdowns, play.folded, play.size
    for row in range(codes.size):
        if streets[row] == 3:
            code = showdowns[runs[0, row], runs[1, row]]
        else:
            code = folded[streets[row]]
        codes[row] = states[row] * size + code


@numba.njit(cache=True, nogil=True)
def side_codes(
    decks: Any, places: Any, hand: Any, tables: Any, play: Any, kind: Any, hands: Any,
    streets: Any, runs: Any, codes: Any,
) -> None:  # fmt: skip
    """The codes of one side wager."""
    if kind == POCKET:
        pockets = play.pockets
        for row in range(codes.size):
            codes[row] = pockets[hands[row]]
    elif kind == FIRST_RUN:
        codes[:] = runs[0]
    elif kind == HIGHER_RUN:
        for row in range(codes.size):
            codes[row] = max(runs[0, row], runs[1, row])
    elif kind == ALL_SEVEN:
        chosen = np.empty(7, np.int64)
        chosen[:5], chosen[5:] = places[:5], places[hand : hand + 2]
        name_cards(decks, chosen, tables, codes)
    else:
        name_cards(decks, places[:5], tables, codes)
    for row in range(codes.size):
        codes[row] = 2 * codes[row] + (streets[row] != 3)
