"""Turn decisions of games with a bet per street, and totals of flop and turn bets."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.enumerate.closest_decisions import keep_closest
from croupier.analysis.kernels.enumerate.flops import HANDS, mark_clashes, suit_view, value_early


@numba.njit(cache=True, nogil=True)
def decide_turns(
    first: int, last: int, turns: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, row: int, hand_ids: Any, bet: Any, totals: Any,
    closest: Any,
) -> None:  # fmt: skip
    """Mark where a turn bet gains, bet[turn, hand], and total the gains by starting hand.

    The closest decision of each is numbered `turn * HANDS + hand`.
    """
    hands, hand_types, hand_ranks = deals
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros(HANDS, np.int64)
    for turn in range(first, last):
        value_early(
            turns[turn], rank_boards[turn], row, hand_types, hand_ranks, masks, starts, plain,
            suited, values,
        )  # fmt: skip
        mark_clashes(turns[turn], hands, clash)
        for hand in range(HANDS):
            if clash[hand]:
                continue
            keep_closest(values[hand], turn * HANDS + hand, closest, hand_ids[hand])
            if values[hand] > 0:
                bet[turn, hand] = True
                totals[hand_ids[hand]] += sizes[turn] * values[hand]


@numba.njit(cache=True, nogil=True)
def sum_flops(
    first: int, last: int, flops: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, hand_ids: Any, gains: Any, totals: Any,
) -> None:  # fmt: skip
    """Sum row 0 over flops, and row 1 where positive, by starting hand; fills gains[flop, hand]."""
    hands, hand_types, hand_ranks = deals
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((2, HANDS), np.int64)
    for flop in range(first, last):
        for row in range(2):
            value_early(
                flops[flop], rank_boards[flop], row, hand_types, hand_ranks, masks, starts,
                plain, suited, values[row],
            )  # fmt: skip
        mark_clashes(flops[flop], hands, clash)
        for hand in range(HANDS):
            if not clash[hand]:
                gains[flop, hand] = values[1, hand]
                totals[hand_ids[hand], 0] += sizes[flop] * values[0, hand]
                totals[hand_ids[hand], 1] += sizes[flop] * max(values[1, hand], 0)


@numba.njit(cache=True, nogil=True)
def weigh_turns(
    first: int, last: int, turns: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, places: Any, renamed: Any, gains: Any, bet: Any, playing: Any, plain: Any,
    suited: Any,
) -> None:  # fmt: skip
    """Count the later bets of played hands, as weights on turns for `spread_turns`.

    Actions are numbered 2 * (bet on the flop) + (bet on the turn). The flop is any three of the
    four cards, so every turn counts four times.
    """
    hands, hand_types, hand_ranks = deals
    numbers, orders = places
    clash = np.zeros(HANDS, np.bool_)
    seen = np.zeros(4, np.int64)
    flops = np.zeros((4, 2), np.int64)
    for turn in range(first, last):
        cards = turns[turn]
        for suit in range(4):
            seen[suit] = suit_view(cards, suit, masks, starts)
        for left_out in range(4):
            a, b, c = cards[left_out - 3], cards[left_out - 2], cards[left_out - 1]
            flops[left_out, 0] = numbers[a, b, c]
            flops[left_out, 1] = orders[a, b, c]
        mark_clashes(cards, hands, clash)
        for hand in range(HANDS):
            if clash[hand] or not playing[hand]:
                continue
            on_flop = 0
            for left_out in range(4):
                flop, order = flops[left_out]
                on_flop += gains[flop, renamed[order, hand]] > 0
            on_turn = np.int64(bet[turn, hand])
            for flop_bet in range(2):
                weight = sizes[turn] * (on_flop if flop_bet else 4 - on_flop)
                action = 2 * flop_bet + on_turn
                plain[rank_boards[turn], action, hand_ranks[hand]] += weight
                for suit in range(4):
                    if seen[suit] >= 0:
                        suited[seen[suit], action, hand_types[suit, hand]] += weight
