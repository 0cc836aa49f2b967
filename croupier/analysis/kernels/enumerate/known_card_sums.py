"""Sums over flops and turns when exposed cards are known.

A known card is inside or outside a suit, so flush boards are valued once for each view of the
known cards (`ranked_boards`); the rest is as in `flops`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.enumerate.flops import HANDS, mark_clashes, suit_view
from croupier.analysis.kernels.enumerate.flops import value_early as early_value


@numba.njit(cache=True, nogil=True)
def value_early(
    cards: Any, rank_board: int, row: int, hand_types: Any, hand_ranks: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, views: Any, out: Any,
) -> None:  # fmt: skip
    """The sum over runouts of one payoff row for every hand beside an early board.

    `suited[views[suit]]` are the corrections for a suit with this view of the known cards.
    """
    for hand in range(HANDS):
        out[hand] = plain[rank_board, row, hand_ranks[hand]]
    for suit in range(4):
        seen = suit_view(cards, suit, masks, starts)
        if seen >= 0:
            corrections = suited[views[suit]]
            for hand in range(HANDS):
                out[hand] += corrections[seen, row, hand_types[suit, hand]]


@numba.njit(cache=True, nogil=True)
def list_shown(cards: Any, shown: int, places: Any) -> int:
    """List the cards of a board that may have been shown first; returns the number of ways.

    No card is place 0, one card its number, two cards the number of the hand that holds them.
    """
    if shown == 0:
        places[0] = 0
        return 1
    count = 0
    for at in range(cards.size):
        if shown == 1:
            places[count] = cards[at]
            count += 1
        else:
            for other in range(at):
                high, low = max(cards[at], cards[other]), min(cards[at], cards[other])
                places[count] = high * (high - 1) // 2 + low
                count += 1
    return count


@numba.njit(cache=True, nogil=True)
def decide_flops(
    first: int, last: int, held: Any, flops: Any, sizes: Any, rank_boards: Any, deals: Any,
    masks: Any, starts: Any, plain: Any, suited: Any, views: Any, shown: int, opening_ids: Any,
    totals: Any,
) -> None:  # fmt: skip
    """Bet or check on every flop, and the sums that the opening decision compares.

    As `flops.decide_flops`, without the known cards `held` in hands and on boards;
    totals[opening, 0] continues with the better of checking and betting, the other rows are each
    bet, the flop bet first. Any of a board's cards may be the `shown` ones. If one of the two
    cards to come is known, boards have four cards.
    """
    hands, hand_types, hand_ranks = deals
    rows = plain.shape[1]
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((rows, HANDS), np.int64)
    size = flops.shape[1]
    places = np.zeros(size * size, np.int64)
    gone = np.zeros(size + held.size, np.int64)
    gone[size:] = held
    for flop in range(first, last):
        cards = flops[flop]
        gone[:size] = cards
        for row in range(rows):
            value_early(
                cards, rank_boards[flop], row, hand_types, hand_ranks, masks, starts, plain,
                suited, views, values[row],
            )  # fmt: skip
        mark_clashes(gone, hands, clash)
        ways = list_shown(cards, shown, places)
        for hand in range(HANDS):
            if clash[hand]:
                continue
            for place in places[:ways]:
                seen = opening_ids[place, hand]
                totals[seen, 0] += sizes[flop] * max(values[0, hand], values[1, hand])
                for row in range(1, rows):
                    totals[seen, row] += sizes[flop] * values[row, hand]


@numba.njit(cache=True, nogil=True)
def sum_early(
    first: int, last: int, held: Any, boards: Any, sizes: Any, rank_boards: Any, deals: Any,
    masks: Any, starts: Any, plain: Any, suited: Any, views: Any, shown: int, opening_ids: Any,
    bet: int, totals: Any,
) -> None:  # fmt: skip
    """Payoff rows summed over flops or turns by opening; row `bet` only where it is positive."""
    hands, hand_types, hand_ranks = deals
    rows = plain.shape[1]
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((rows, HANDS), np.int64)
    size = boards.shape[1]
    places = np.zeros(size * size, np.int64)
    gone = np.zeros(size + held.size, np.int64)
    gone[size:] = held
    for board in range(first, last):
        gone[:size] = boards[board]
        for row in range(rows):
            value_early(
                boards[board], rank_boards[board], row, hand_types, hand_ranks, masks, starts,
                plain, suited, views, values[row],
            )  # fmt: skip
        mark_clashes(gone, hands, clash)
        ways = list_shown(boards[board], shown, places)
        for hand in range(HANDS):
            if clash[hand]:
                continue
            for place in places[:ways]:
                seen = opening_ids[place, hand]
                for row in range(rows):
                    worth = values[row, hand]
                    totals[seen, row] += sizes[board] * (max(worth, 0) if row == bet else worth)


@numba.njit(cache=True, nogil=True)
def decide_known_boards(
    first: int, last: int, boards: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, leading: int, mixes: Any, best: Any, times: Any,
) -> None:  # fmt: skip
    """The first decision with a whole early board known: its sum, and the frequency of options.

    Option 0 is the best of the `leading` rows; the others are weighted means of rows (`mixes`).
    """
    hands, hand_types, hand_ranks = deals
    rows = plain.shape[1]
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((rows, HANDS), np.int64)
    for board in range(first, last):
        for row in range(rows):
            early_value(
                boards[board], rank_boards[board], row, hand_types, hand_ranks, masks, starts,
                plain, suited, values[row],
            )  # fmt: skip
        mark_clashes(boards[board], hands, clash)
        for hand in range(HANDS):
            if clash[hand]:
                continue
            most = values[:leading, hand].max()
            taken = 0
            for option in range(mixes.shape[0]):
                total = (mixes[option] * values[:, hand]).sum() // mixes[option].sum()
                if total > most:
                    most = total
                    taken = option + 1
            best[0] += sizes[board] * most
            times[taken] += sizes[board]


@numba.njit(cache=True, nogil=True)
def decide_street_bet_flops(
    first: int, last: int, flops: Any, sizes: Any, rank_flops: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, turn_starts: Any, rank_turns: Any, turn_plain: Any,
    turn_suited: Any, fold: int, best: Any, times: Any,
) -> None:  # fmt: skip
    """Fold or play with the flop known, with a bet on the flop and on each turn where it gains.

    Rows are the stakes of a played hand, and one later bet; runouts count in both orders.
    """
    hands, hand_types, hand_ranks = deals
    clash = np.zeros(HANDS, np.bool_)
    staked = np.zeros(HANDS, np.int64)
    bet = np.zeros(HANDS, np.int64)
    later = np.zeros(HANDS, np.int64)
    turn = np.zeros(4, np.int64)
    for flop in range(first, last):
        cards = flops[flop]
        early_value(
            cards, rank_flops[flop], 0, hand_types, hand_ranks, masks, starts, plain, suited, staked
        )
        early_value(
            cards, rank_flops[flop], 1, hand_types, hand_ranks, masks, starts, plain, suited, bet
        )
        total = 2 * (staked + np.maximum(bet, 0))
        turn[:3] = cards
        for card in range(52):
            if card == cards[0] or card == cards[1] or card == cards[2]:
                continue
            turn[3] = card
            rank = rank_turns[turn[0] >> 2, turn[1] >> 2, turn[2] >> 2, turn[3] >> 2]
            early_value(
                turn, rank, 1, hand_types, hand_ranks, masks, turn_starts, turn_plain, turn_suited,
                later,
            )  # fmt: skip
            for hand in range(HANDS):
                if later[hand] > 0 and hands[hand, 0] != card and hands[hand, 1] != card:
                    total[hand] += later[hand]
        mark_clashes(cards, hands, clash)
        for hand in range(HANDS):
            if not clash[hand]:
                best[0] += sizes[flop] * max(total[hand], fold)
                times[int(total[hand] > fold)] += sizes[flop]
