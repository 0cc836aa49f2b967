"""What follows when a card that nobody should see is known.

In hold'em a known card of the dealer lies inside a suit or outside it, as that suit sees it, so
flush boards are valued once for each way the suits may see what is known; the rest is as in
`showdown` and `deals`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.study.kernels.deals import HANDS, mark_clashes, view
from croupier.study.kernels.evaluator import COLUMN_MASK, ROW_SHIFT
from croupier.study.kernels.live import AHEAD, BEHIND, FEWER, MORE, TIED
from croupier.study.kernels.runs import CLASSES, NONE, OTHERS, SIDES
from croupier.study.kernels.showdown import (
    CATEGORY_SHIFT,
    OUTCOMES,
    TYPE_BITS,
    TYPE_MASK,
    flush_board_cards,
    list_hands,
    rank_board_cards,
)
from croupier.study.kernels.signatures import CARD_TYPES, HAND_TYPES

OPPONENTS = 44  # second cards of a dealer beside a board, a hand and the known card


@numba.njit(cache=True, nogil=True)
def dealer_values(
    known: int, suited: int, key: int, weights: Any, row_offsets: Any, rank_values: Any,
    flush_values: Any, values: Any,
) -> None:  # fmt: skip
    """The dealer's value with each type of second card."""
    for other in range(CARD_TYPES):
        mask = suited
        ranks = key
        for card in (known, other):
            rank = card
            if card >= 13:
                rank = card - 13
                mask |= 1 << rank
            ranks += weights[rank]
        value = flush_values[mask]
        if value == 0:
            value = rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]]
        values[other] = value


@numba.njit(cache=True, nogil=True)
def count_seconds(
    codes: Any, count: int, available: Any, type_pairs: Any, values: Any, qualifying: int,
    counts: Any,
) -> None:  # fmt: skip
    """For each hand, the dealer's second cards by outcome.

    Second cards are few, so each hand is looked up among their values; hands need no order.
    """
    order = np.argsort(values)
    known, less = np.zeros(CARD_TYPES, np.int64), np.zeros(CARD_TYPES + 1, np.int64)
    all_low = 0
    for place in range(CARD_TYPES):
        other = order[place]
        known[place] = values[other]
        less[place + 1] = less[place] + available[other]
        if values[other] < qualifying:
            all_low += available[other]
    for at in range(count):
        value = codes[at] >> TYPE_BITS
        first, size = 0, CARD_TYPES
        while size > 0:
            half = size >> 1
            if known[first + half] < value:
                first += half + 1
                size -= half + 1
            else:
                size = half
        ahead = first
        while ahead < CARD_TYPES and known[ahead] == value:
            ahead += 1
        below, tied, low = less[first], less[ahead] - less[first], all_low
        for card in type_pairs[codes[at] & TYPE_MASK]:
            below -= values[card] < value
            tied -= values[card] == value
            low -= values[card] < qualifying
        counts[at] = 0
        if value >= qualifying:
            counts[at, 2] = low
            counts[at, 3] = OPPONENTS - below - tied
            counts[at, 4] = tied
            counts[at, 5] = below - low
        else:
            counts[at, 0] = low - below - tied
            counts[at, 1] = tied
            counts[at, 2] = below
            counts[at, 3] = OPPONENTS - low


@numba.njit(cache=True, nogil=True)
def count_known(
    codes: Any, count: int, available: Any, type_pairs: Any, held: Any, values: Any,
    qualifying: int, counts: Any,
) -> None:  # fmt: skip
    """Dealers by outcome: all second cards, or the one known too. Naive twin: tests/twins."""
    if held.size == 1:
        count_seconds(codes, count, available, type_pairs, values, qualifying, counts)
        return
    dealer = values[held[1]]
    for at in range(count):
        value = codes[at] >> TYPE_BITS
        counts[at] = 0
        standing = 1 + (value > dealer) - (value < dealer)
        counts[at, 3 * (dealer >= qualifying) + standing] = 1


@numba.njit(cache=True, nogil=True)
def take(available: Any, held: Any) -> bool:
    """Take what is known out of the cards left; whether all of it was there."""
    for card in held:
        available[card] -= 1
    return available.min() >= 0  # type: ignore[no-any-return]


@numba.njit(cache=True, nogil=True)
def add_values(codes: Any, count: int, counts: Any, pay: Any, floors: Any, out: Any) -> None:
    """Sums over second cards of every payoff row, each no lower than its floor, by hand type."""
    for row in range(pay.shape[0]):
        for at in range(count):
            paid = pay[row, codes[at] >> (TYPE_BITS + CATEGORY_SHIFT)]
            total = 0
            for outcome in range(OUTCOMES):
                total += counts[at, outcome] * paid[outcome]
            out[row, codes[at] & TYPE_MASK] = max(total, floors[row])


@numba.njit(cache=True, nogil=True)
def value_rank_boards(
    first: int, last: int, boards: Any, tables: Any, type_pairs: Any, held: Any,
    qualifying: int, pay: Any, floors: Any, out: Any,
) -> None:  # fmt: skip
    """Values on boards told by their ranks alone, known cards by their ranks too."""
    _, row_offsets, rank_values, flush_values, weights = tables
    available = np.zeros(CARD_TYPES, np.int64)
    codes = np.zeros(HAND_TYPES, np.int64)
    values = np.zeros(CARD_TYPES, np.int64)
    counts = np.zeros((HAND_TYPES, OUTCOMES), np.int64)
    for board in range(first, last):
        key = rank_board_cards(boards[board], available, weights)
        if not take(available, held):
            continue  # more than four of a rank with what is known
        count = list_hands(
            available, 0, key, weights, row_offsets, rank_values, flush_values, codes
        )
        dealer_values(held[0], 0, key, weights, row_offsets, rank_values, flush_values, values)
        count_known(codes, count, available, type_pairs, held, values, qualifying, counts)
        add_values(codes, count, counts, pay, floors, out[board])


@numba.njit(cache=True, nogil=True)
def value_flush_boards(
    first: int, last: int, masks: Any, outside: Any, tables: Any, type_pairs: Any,
    rank_pairs: Any, rank_boards: Any, held: Any, qualifying: int, pay: Any, floors: Any,
    plain: Any, out: Any,
) -> None:  # fmt: skip
    """What the suit changes; known cards are types inside the suit or outside it."""
    _, row_offsets, rank_values, flush_values, weights = tables
    available = np.zeros(CARD_TYPES, np.int64)
    codes = np.zeros(HAND_TYPES, np.int64)
    values = np.zeros(CARD_TYPES, np.int64)
    counts = np.zeros((HAND_TYPES, OUTCOMES), np.int64)
    for board in range(first, last):
        key = flush_board_cards(masks[board], outside[board], available, weights)
        if not take(available, held):
            continue  # a known card lies on this board
        mask = masks[board]
        count = list_hands(
            available, mask, key, weights, row_offsets, rank_values, flush_values, codes
        )
        dealer_values(held[0], mask, key, weights, row_offsets, rank_values, flush_values, values)
        count_known(codes, count, available, type_pairs, held, values, qualifying, counts)
        add_values(codes, count, counts, pay, floors, out[board])
        for row in range(pay.shape[0]):
            same_ranks = plain[rank_boards[board], row]
            for at in range(count):
                number = codes[at] & TYPE_MASK
                out[board, row, number] -= same_ranks[rank_pairs[number]]


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

    As in `deals.decide_flops`, with the known cards `held` in nobody's hand and on no board.
    """
    hands, hand_types, hand_ranks = deals
    rows = plain.shape[1]
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((rows, HANDS), np.int64)
    gone = np.zeros(3 + held.size, np.int64)
    gone[3:] = held
    for flop in range(first, last):
        cards = flops[flop]
        gone[:3] = cards
        for row in range(rows):
            value_early(
                cards, rank_boards[flop], row, hand_types, hand_ranks, masks, starts, plain,
                suited, views, values[row],
            )  # fmt: skip
        mark_clashes(gone, hands, clash)
        for hand in range(HANDS):
            if clash[hand]:
                continue
            for shown in cards[: 3 if opening_ids.shape[0] > 1 else 1]:
                seen = opening_ids[shown % opening_ids.shape[0], hand]
                totals[seen, 0] += sizes[flop] * max(values[0, hand], values[1, hand])
                for row in range(2, rows):
                    totals[seen, row - 1] += sizes[flop] * values[row, hand]


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
