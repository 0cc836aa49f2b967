"""What follows when a card that nobody should see is known.

In hold'em a known card of the dealer lies inside a suit or outside it, as that suit sees it, so
flush boards are valued once for each way the suits may see what is known (`levels`); the rest is as
in `deals`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.study.kernels.deals import HANDS, mark_clashes, view
from croupier.study.kernels.live import AHEAD, BEHIND, FEWER, MORE, TIED
from croupier.study.kernels.runs import CLASSES, NONE, OTHERS, SIDES


@numba.njit(cache=True, nogil=True)
def value_early(
    cards: Any, rank_board: int, row: int, hand_types: Any, hand_ranks: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, views: Any, out: Any,
) -> None:  # fmt: skip
    """The sum over runouts of one payoff row for every hand beside an early board.

    `suited[views[suit]]` are the corrections for a suit that sees the known cards that way.
    """
    for hand in range(HANDS):
        out[hand] = plain[rank_board, row, hand_ranks[hand]]
    for suit in range(4):
        seen = view(cards, suit, masks, starts)
        if seen >= 0:
            corrections = suited[views[suit]]
            for hand in range(HANDS):
                out[hand] += corrections[seen, row, hand_types[suit, hand]]


@numba.njit(cache=True, nogil=True)
def decide_flops(
    first: int, last: int, held: Any, flops: Any, sizes: Any, rank_boards: Any, deals: Any,
    masks: Any, starts: Any, plain: Any, suited: Any, views: Any, opening_ids: Any, totals: Any,
) -> None:  # fmt: skip
    """Bet or check on every flop, and the sums that the opening decision compares.

    As in `deals.decide_flops`, with the known cards `held` in nobody's hand and on no board;
    totals[opening, 0] go on with the better of checking and betting, the others are of each bet,
    that on the flop first. Whoever knows one of the two cards to come decides on boards of four,
    any of which may be the known one.
    """
    hands, hand_types, hand_ranks = deals
    rows = plain.shape[1]
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((rows, HANDS), np.int64)
    size = flops.shape[1]
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
        for hand in range(HANDS):
            if clash[hand]:
                continue
            for shown in cards[: size if opening_ids.shape[0] > 1 else 1]:
                seen = opening_ids[shown % opening_ids.shape[0], hand]
                totals[seen, 0] += sizes[flop] * max(values[0, hand], values[1, hand])
                for row in range(1, rows):
                    totals[seen, row] += sizes[flop] * values[row, hand]


@numba.njit(cache=True, nogil=True)
def sum_early(
    first: int, last: int, held: Any, boards: Any, sizes: Any, rank_boards: Any, deals: Any,
    masks: Any, starts: Any, plain: Any, suited: Any, views: Any, hand_ids: Any, totals: Any,
) -> None:  # fmt: skip
    """Row 0 summed over flops or turns, and row 1 where it gains, by starting hand."""
    hands, hand_types, hand_ranks = deals
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((2, HANDS), np.int64)
    shown = boards.shape[1]
    gone = np.zeros(shown + held.size, np.int64)
    gone[shown:] = held
    for board in range(first, last):
        gone[:shown] = boards[board]
        for row in range(2):
            value_early(
                boards[board], rank_boards[board], row, hand_types, hand_ranks, masks, starts,
                plain, suited, views, values[row],
            )  # fmt: skip
        mark_clashes(gone, hands, clash)
        for hand in range(HANDS):
            if not clash[hand]:
                totals[hand_ids[hand], 0] += sizes[board] * values[0, hand]
                totals[hand_ids[hand], 1] += sizes[board] * max(values[1, hand], 0)


@numba.njit(cache=True, nogil=True)
def value_center(classes: Any, cards: Any, last: Any, folds: Any, out: Any) -> None:
    """Sums over both sides of a cross whose center is known, by first bet: out[m1].

    `classes[side]` are the runs with that center, `last[1st, 2nd class, m1, m2]` what the box is
    worth when all lies open, `folds[m1]` what folding on the second street costs.
    """
    bets = out.size
    in_all = np.zeros(CLASSES, np.int64)
    with_card = np.zeros((OTHERS, CLASSES), np.int64)
    for side in range(SIDES):
        if classes[side] != NONE:
            in_all[classes[side]] += 1
            for card in cards[side]:
                with_card[card, classes[side]] += 1
    left = np.zeros(CLASSES, np.int64)
    sums = np.zeros((bets, bets), np.int64)
    for side in range(SIDES):
        mine = classes[side]
        if mine == NONE:
            continue
        left[:] = in_all - with_card[cards[side, 0]] - with_card[cards[side, 1]]
        left[mine] += 1  # the side itself was taken out twice
        sums[:] = 0
        for kind in range(CLASSES):
            if left[kind]:
                for one in range(bets):
                    for two in range(bets):
                        sums[one, two] += left[kind] * last[mine, kind, one, two]
        seconds = left.sum()
        for one in range(bets):
            out[one] += max(sums[one].max(), folds[one] * seconds)


@numba.njit(cache=True, nogil=True)
def count_with_card(
    own: int, size: int, value: int, masks: Any, sizes: Any, values: Any, qualifying: int,
    live_ways: Any, dead_ways: Any, facts: Any, counts: Any,
) -> None:  # fmt: skip
    """Top Five: dealer hands that hold each live card, and (last) one dead card, by code.

    `live_ways[size]` sets of dead cards fill up a dealer's hand; `dead_ways[size]` hold the card.
    """
    for at in range(masks.size):
        mask = masks[at]
        if mask & own:
            continue
        other = sizes[at]
        if other > size:
            stands = FEWER
        elif other < size:
            stands = MORE
        elif values[at] > value:
            stands = BEHIND
        elif values[at] == value:
            stands = TIED
        else:
            stands = AHEAD
        code = facts[np.int64(values[at] >= qualifying), stands]
        counts[counts.shape[0] - 1, code] += dead_ways[other]
        card = 0
        while mask:
            if mask & 1:
                counts[card, code] += live_ways[other]
            mask >>= 1
            card += 1
