"""Rounds of Run 'Em Twice: every seat decides three times on the same cross."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.study.kernels.evaluator import SUITS_START
from croupier.study.kernels.play_rounds import marked, suited_with, value_of
from croupier.study.kernels.runs import finest_class, side_number
from croupier.study.kernels.seats import hand_number, long

FIVE, POCKET, FIRST_RUN, HIGHER_RUN, ALL_SEVEN = range(5)
LEFT, RIGHT, TOP, BOTTOM, CENTER = range(5)
AT_HANDS = 5
BY_TABLE = -1
# A state is the bets made, by their places from 1 on: first + 4 x second + 16 x center.
SECOND, LAST = 4, 16


class Play(NamedTuple):
    """What is looked up while a round is played; bets are by their places, 0 is to fold."""

    hand_class: NDArray[np.int16]
    hand_order: NDArray[np.uint8]  # the renaming of suits that leads to the class's hand
    orders: NDArray[np.int64]  # [renaming, suit]
    others: NDArray[np.int16]  # [class, card]: its number among the fifty
    side_class: NDArray[np.int32]  # [class, side]: the row of `second`
    first: NDArray[np.int8]  # by class
    second: NDArray[np.int8]  # [row, first bet]
    paid: NDArray[np.int64]  # [first, second, center, class, class]
    folds: NDArray[np.int64]  # [first, second]: what folding the center costs
    showdowns: NDArray[np.int64]  # [class, class]
    folded: NDArray[np.int64]  # by street
    size: int
    pockets: NDArray[np.uint8]


@numba.njit(cache=True, nogil=True)
def run_class(
    key: Any, masks: Any, card: Any, rank_values: Any, row_offsets: Any, flush_values: Any
) -> Any:
    """The class of a run whose last card is `card`."""
    suited = suited_with(key, card, card, masks)
    return finest_class(value_of(key, suited, rank_values, row_offsets, flush_values))


@numba.njit(cache=True, nogil=True)
def center_bet(
    first: Any, second: Any, sides: Any, gone: Any, ranks: Any, paid: Any, fold: Any
) -> Any:
    """The best bet on the center by its place, 0 to fold: all 46 centers one by one."""
    card_keys, row_offsets, rank_values, flush_values, _ = ranks
    totals = np.zeros(paid.shape[2], np.int64)
    for card in range(52):
        if gone >> card & 1:
            continue
        one = run_class(
            sides[0] + card_keys[card], sides[1], card, rank_values, row_offsets, flush_values
        )
        two = run_class(
            sides[2] + card_keys[card], sides[3], card, rank_values, row_offsets, flush_values
        )
        for bet in range(totals.size):
            totals[bet] += paid[first, second, bet, one, two]
    best, most = 0, fold * 46
    for bet in range(totals.size):
        if totals[bet] > most:
            best, most = bet + 1, totals[bet]
    return best


@numba.njit(cache=True, nogil=True)
def judge_decks(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Every seat's decisions and codes on dealt decks, one a row. Twin: the table, in tests."""
    (hand_class, hand_order, orders, others, side_class, first_bets, second_bets, paid, folds,
     showdowns, folded_codes, size, pockets) = play  # fmt: skip
    card_keys, row_offsets, rank_values, flush_values, _ = ranks
    cross = np.zeros(5, np.int64)
    sides = np.zeros(4, np.int64)
    for row in range(decks.shape[0]):
        for at in range(5):
            cross[at] = decks[row, places[at]]
        center = cross[CENTER]
        for seat in range(codes.shape[1]):
            one = long(decks[row, places[AT_HANDS + 2 * seat]])
            two = long(decks[row, places[AT_HANDS + 2 * seat + 1]])
            hand = hand_number(one, two)
            kind = long(hand_class[hand])
            held = SUITS_START + card_keys[one] + card_keys[two]
            masks = marked(one) | marked(two)
            sides[0] = held + card_keys[cross[LEFT]] + card_keys[cross[RIGHT]]
            sides[1] = masks | marked(cross[LEFT]) | marked(cross[RIGHT])
            sides[2] = held + card_keys[cross[TOP]] + card_keys[cross[BOTTOM]]
            sides[3] = masks | marked(cross[TOP]) | marked(cross[BOTTOM])
            across = run_class(
                sides[0] + card_keys[center],
                sides[1],
                center,
                rank_values,
                row_offsets,
                flush_values,
            )
            down = run_class(
                sides[2] + card_keys[center],
                sides[3],
                center,
                rank_values,
                row_offsets,
                flush_values,
            )
            first = fixed[seat, 0]
            if first < 0:
                first = long(first_bets[kind])
            state, code = first, folded_codes[0]
            folded = first == 0
            if not folded:
                second = fixed[seat, 1]
                if second < 0:
                    order = hand_order[hand]
                    a, b = cross[LEFT], cross[RIGHT]
                    a = others[kind, a >> 2 << 2 | orders[order, a & 3]]
                    b = others[kind, b >> 2 << 2 | orders[order, b & 3]]
                    place = side_class[kind, side_number(a, b)]
                    second = long(second_bets[place, first - 1])
                state += SECOND * second
                code = folded_codes[1]
                folded = second == 0
                if not folded:
                    last = fixed[seat, 2]
                    if last < 0:
                        gone = long(1) << one | long(1) << two
                        for at in range(CENTER):
                            gone |= long(1) << cross[at]
                        last = long(center_bet(
                            first - 1, second - 1, sides, gone, ranks, paid,
                            folds[first - 1, second - 1],
                        ))  # fmt: skip
                    state += LAST * last
                    code = folded_codes[2]
                    folded = last == 0
                    if not folded:
                        code = showdowns[across, down]
            codes[row, seat, 0] = state * size + code
            for wager in range(kinds.size):
                what = kinds[wager]
                if what == POCKET:
                    named = long(pockets[hand])
                elif what == FIRST_RUN:
                    named = across
                elif what == HIGHER_RUN:
                    named = max(across, down)
                else:
                    whole, seen = long(SUITS_START), long(0)
                    if what == ALL_SEVEN:
                        whole, seen = held, masks
                    for at in range(5):
                        whole += card_keys[cross[at]]
                        seen |= marked(cross[at])
                    named = run_class(whole, seen, cross[0], rank_values, row_offsets, flush_values)
                codes[row, seat, wager + 1] = 2 * named + folded
