"""Simulated rounds with one Play bet: every seat decides on the same board against one dealer.

Rounds are processed in batches (lots), one simple loop after the other: the processor then has
many table lookups in flight and few mispredicted branches. Seats that still have to decide are
listed, so that later streets visit only those.

Tables are bound to local names before a loop: each access to a tuple field would change a
reference count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.hands.compact_evaluator import order_sums, sum_keys
from croupier.analysis.kernels.hands.isomorphism import flush_board
from croupier.analysis.kernels.simulate.evaluator_keys import (
    equal_ranks,
    flush_suit,
    hand_number,
    long,
    pair_category,
    suit_rank_bit,
)

# The cards of a side wager. A code is twice the hand's index, plus one if the box has folded.
SEVEN, FIRST_FIVE, BOARD, SIX, POCKET, BAD_BEAT = range(6)
ROYAL, ROYAL_DIAMONDS = 21, 22  # hand classes; some wagers distinguish diamonds
SUPER_ROYAL, SUPER_DIAMONDS = 22, 23
DIAMONDS = 1
POCKETS = 9  # names of two own cards; nine more with the dealer's aces
# The decision of a seat on a street: an option number, or one of these.
BY_TABLE, BY_HAND = -1, -2
# States of a box: folded, then the bet on the river, on the flop, and the opening bets.
FOLDED, RIVER, FLOP, OPENING = 0, 1, 2, 3
ACES = 12
ORDER_BITS = 5  # for one of the 24 suit permutations
# Order of `places`: five of the board, two of the dealer, four of the box, then hands.
AT_DEALER, AT_BOX, AT_HANDS = 5, 7, 11
THREE_SUITED = 0x5555 << 32  # added to suit counts, it sets bit 3 for three or more
EIGHTS = 0x8888 << 32


class SingleRaiseTables(NamedTuple):
    """Lookup tables of a round."""

    opening: NDArray[np.uint8]  # [first card or 0, hand]: the option, 0 to check
    threes: NDArray[np.int16]  # number of sets of three cards below a highest card
    flops: NDArray[np.uint16]  # by three cards: the class, and in the low bits the permutation
    renamed: NDArray[np.int16]  # [suit permutation, hand]
    flop_bits: NDArray[np.uint8]  # [flop x hand]: whether to bet
    masks: NDArray[np.int16]
    board_numbers: NDArray[np.int16]  # by order, for boards without a flush
    hand_types: NDArray[np.int16]
    hand_ranks: NDArray[np.int16]
    river_plain: NDArray[np.uint8]
    river_suited: NDArray[np.uint8]
    showdowns: NDArray[np.int64]  # [category, outcome]
    folded: int
    size: int
    qualifying: int  # the order from which the dealer's hand qualifies
    pockets: NDArray[np.uint8]


class BatchShared(NamedTuple):
    """Per-round values shared by all seats of a batch."""

    flops: NDArray[np.int64]  # keys of three cards
    boards: NDArray[np.int64]  # keys of five
    board_orders: NDArray[np.uint16]
    dealers: NDArray[np.uint16]
    aces: NDArray[np.uint8]  # POCKETS where the dealer has two
    pairs: NDArray[np.int64]  # keys of two cards: of turn and river, then of the dealer


class BatchSeat(NamedTuple):
    """Per-round values of one seat in a batch."""

    hands: NDArray[np.int16]
    owns: NDArray[np.uint16]  # orders of all seven cards
    firsts: NDArray[np.uint16]  # of the first five
    sixes: NDArray[np.uint16]  # with the box
    states: NDArray[np.int8]
    pairs: NDArray[np.int64]  # keys of the hand
    boxes: NDArray[np.int64]  # keys of four cards of the box
    chosen: NDArray[np.int64]  # deck positions of up to seven cards


# Buffers are allocated by NumPy: each kind of array takes a kernel a tenth of a second to compile.


def new_shared(count: int) -> BatchShared:
    """Buffers for a batch of rounds."""
    flops, boards, pairs = np.empty((3, count), np.int64)
    orders, dealers = np.empty((2, count), np.uint16)
    return BatchShared(flops, boards, orders, dealers, np.empty(count, np.uint8), pairs)


def new_seat(count: int) -> BatchSeat:
    """Buffers for one seat in a batch of rounds."""
    owns, firsts, sixes = np.empty((3, count), np.uint16)
    pairs, boxes = np.empty((2, count), np.int64)
    hands, states = np.empty(count, np.int16), np.empty(count, np.int8)
    return BatchSeat(hands, owns, firsts, sixes, states, pairs, boxes, np.empty(7, np.int64))


def judge_decks(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Decisions and codes of every seat on dealt decks. Twin: the table, in tests/analysis.

    Decks are [batch, card, round], codes [batch, seat, wager, round]; `places` are the deck
    positions of board, dealer, box and hands.
    """
    count = decks.shape[2]
    shared, seat, waiting = new_shared(count), new_seat(count), np.empty(count, np.int32)
    for lot in range(len(decks)):
        judge_lot(decks[lot], places, tables, play, fixed, kinds, shared, seat, waiting, codes[lot])


@numba.njit(cache=True, nogil=True)
def judge_lot(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, kinds: Any, shared: Any,
    seat: Any, waiting: Any, codes: Any,
) -> None:  # fmt: skip
    """One batch; `shared`, `seat` and `waiting` are buffers."""
    rank_table(decks, places, tables, shared)
    for at in range(codes.shape[0]):
        hand = AT_HANDS + 2 * at
        rank_seat(decks, places, hand, tables, shared, seat)
        left = open_seat(decks[places[0]], play, fixed[at, 0], seat, waiting)
        left = flop_seat(decks, places, tables, play, fixed[at, 1], seat, waiting[:left])
        river_seat(decks, places, tables, play, fixed[at, 2], shared, seat, waiting[:left])
        main_codes(tables, play, shared, seat, codes[at, 0])
        for wager in range(kinds.size):
            side_codes(
                decks, places, hand, tables, play, kinds[wager], shared, seat, codes[at, wager + 1]
            )


@numba.njit(cache=True, nogil=True)
def rank_table(decks: Any, places: Any, tables: Any, shared: Any) -> None:
    """The keys of flop and board, the orders of board and dealer."""
    flops, boards, board_orders, dealers, aces, pairs = shared
    card_keys = tables.card_keys
    sum_keys(decks, places[:3], card_keys, flops)
    sum_keys(decks, places[3:5], card_keys, pairs)
    for row in range(flops.size):
        boards[row] = flops[row] + pairs[row]
    order_sums(decks, places[:5], flops, pairs, tables, board_orders)
    sum_keys(decks, places[AT_DEALER:AT_BOX], card_keys, pairs)
    order_sums(decks, places[:AT_BOX], boards, pairs, tables, dealers)
    one, two = decks[places[AT_DEALER]], decks[places[AT_DEALER + 1]]
    for row in range(aces.size):
        aces[row] = POCKETS * (min(one[row], two[row]) >> 2 == ACES)


@numba.njit(cache=True, nogil=True)
def rank_seat(decks: Any, places: Any, hand: Any, tables: Any, shared: Any, seat: Any) -> None:
    """The number of a seat's hand, and the orders of the cards that wagers use."""
    chosen, card_keys, pairs, boxes = seat.chosen, tables.card_keys, seat.pairs, seat.boxes
    first, second = places[hand], places[hand + 1]
    for at in range(5):
        chosen[at] = places[at]
    chosen[5], chosen[6] = first, second
    sum_keys(decks, chosen[5:], card_keys, pairs)
    order_sums(decks, chosen, shared.boards, pairs, tables, seat.owns)
    chosen[3], chosen[4] = first, second
    order_sums(decks, chosen[:5], shared.flops, pairs, tables, seat.firsts)
    if places[AT_BOX] >= 0:
        for at in range(4):
            chosen[at] = places[AT_BOX + at]
        chosen[4], chosen[5] = first, second
        sum_keys(decks, chosen[:4], card_keys, boxes)
        order_sums(decks, chosen[:6], boxes, pairs, tables, seat.sixes)
    one, two, hands = decks[first], decks[second], seat.hands
    for row in range(hands.size):
        hands[row] = hand_number(long(one[row]), long(two[row]))


@numba.njit(cache=True, nogil=True)
def open_seat(first: Any, play: Any, fixed: Any, seat: Any, waiting: Any) -> Any:
    """The opening bet; lists the rounds in which the seat checks and returns their number."""
    left = 0
    opening, hands, states = play.opening, seat.hands, seat.states
    shown = long(opening.shape[0] > 1)
    for row in range(waiting.size):
        option = fixed
        if fixed < 0:
            option = long(opening[shown * first[row], hands[row]])
        states[row] = OPENING + option - 1
        waiting[left] = row
        left += option == 0
    return left


@numba.njit(cache=True, nogil=True)
def flop_seat(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, seat: Any, waiting: Any
) -> Any:
    """The flop bet; lists the rounds in which the seat checks again and returns their number."""
    hands, firsts, states, categories = seat.hands, seat.firsts, seat.states, tables.categories
    entries, bits = np.empty(waiting.size, np.int32), play.flop_bits
    if fixed == BY_TABLE:
        flop_places(decks, places, play, hands, waiting, entries)
    left = 0
    for at in range(waiting.size):
        row = waiting[at]
        option = fixed
        if fixed == BY_TABLE:
            option = read_bit(bits, entries[at])
        elif fixed == BY_HAND:
            pairs = equal_ranks(decks, row, places[:3])
            option = long(categories[firsts[row]] > pair_category(pairs))
        states[row] = RIVER + option  # FLOP if there is a bet
        waiting[left] = row
        left += option == 0
    return left


@numba.njit(cache=True, nogil=True)
def flop_places(decks: Any, places: Any, play: Any, hands: Any, rows: Any, out: Any) -> None:
    """The index into `flop_bits` of each hand and flop."""
    a, b, c = decks[places[0]], decks[places[1]], decks[places[2]]
    threes, flops, renamed = play.threes, play.flops, play.renamed
    for at in range(rows.size):
        row = rows[at]
        flop = long(flops[three_cards(threes, long(a[row]), long(b[row]), long(c[row]))])
        hand = renamed[flop & (1 << ORDER_BITS) - 1, hands[row]]
        out[at] = (flop >> ORDER_BITS) * 1326 + hand


@numba.njit(cache=True, nogil=True)
def river_seat(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, shared: Any, seat: Any,
    waiting: Any,
) -> None:  # fmt: skip
    """The river bet, or the fold."""
    hands, owns, states, categories = seat.hands, seat.owns, seat.states, tables.categories
    if fixed == BY_TABLE:
        sorted_rows = np.empty(waiting.size, np.int32)
        plain = flushes_last(shared.boards, waiting, sorted_rows)
        river_by_ranks(play, shared.board_orders, hands, sorted_rows[:plain], states)
        river_by_suit(decks, places, play, shared.boards, hands, sorted_rows[plain:], states)
        return
    for at in range(waiting.size):
        row = waiting[at]
        option = fixed
        if fixed == BY_HAND:
            pairs = equal_ranks(decks, row, places[:5])
            option = long(categories[owns[row]] > pair_category(pairs))
        states[row] = FOLDED + option  # RIVER if there is a bet


@numba.njit(cache=True, nogil=True)
def flushes_last(boards: Any, waiting: Any, out: Any) -> Any:
    """Partition rounds: boards with three of a suit last; returns the number of the others."""
    plain, flush = 0, waiting.size
    for at in range(waiting.size):
        row = waiting[at]
        suited = boards[row] + THREE_SUITED & EIGHTS != 0
        out[plain] = row
        out[flush - 1] = row  # one of the two is overwritten by the next
        flush -= suited
        plain += not suited
    return plain


@numba.njit(cache=True, nogil=True)
def river_by_ranks(play: Any, board_orders: Any, hands: Any, rows: Any, states: Any) -> None:
    """The river on boards without a flush."""
    numbers, ranks, bets = play.board_numbers, play.hand_ranks, play.river_plain
    for at in range(rows.size):
        row = rows[at]
        number = long(numbers[board_orders[row]])
        states[row] = FOLDED + read_bit(bets, number * 91 + ranks[hands[row]])


@numba.njit(cache=True, nogil=True)
def river_by_suit(
    decks: Any, places: Any, play: Any, boards: Any, hands: Any, rows: Any, states: Any
) -> None:
    """The river on boards with three or more cards of a suit."""
    masks, types, bets = play.masks, play.hand_types, play.river_suited
    entries = np.empty(rows.size, np.int32)
    a, b, c = decks[places[0]], decks[places[1]], decks[places[2]]
    d, e = decks[places[3]], decks[places[4]]
    for at in range(rows.size):
        row = rows[at]
        suit = flush_suit(boards[row] + THREE_SUITED & EIGHTS)
        board = a[row], b[row], c[row], d[row], e[row]
        entries[at] = flush_number(board, suit, masks) * 351 + types[suit, hands[row]]
    for at in range(rows.size):  # a separate loop keeps many table lookups in flight
        states[rows[at]] = FOLDED + read_bit(bets, entries[at])


@numba.njit(cache=True, nogil=True)
def three_cards(threes: Any, a: Any, b: Any, c: Any) -> Any:
    """The number of three different cards in any order."""
    high, low = max(a, b, c), min(a, b, c)
    middle = a + b + c - high - low
    return threes[high] + (middle * (middle - 1) >> 1) + low


@numba.njit(cache=True, nogil=True)
def read_bit(bits: Any, place: Any) -> Any:
    """One of many flags, packed eight to a byte."""
    return long(bits[place >> 3]) >> (place & 7) & 1


@numba.njit(cache=True, nogil=True)
def flush_number(board: Any, suit: Any, masks: Any) -> Any:
    """The number of a board with three or more cards of a suit."""
    one = two = long(13)
    mask = suited = long(0)
    for short in board:
        card = long(short)
        inside = card & 3 == suit
        mask |= long(inside) << (card >> 2)
        suited += inside
        two = two if inside else one
        one = one if inside else card >> 2
    return flush_board(masks, mask, suited, one, two)


@numba.njit(cache=True, nogil=True)
def main_codes(tables: Any, play: Any, shared: Any, seat: Any, codes: Any) -> None:
    """The codes of the main game: the state, and the facts of the showdown or the fold."""
    owns, states, dealers, categories = seat.owns, seat.states, shared.dealers, tables.categories
    showdowns, size, folded, qualifying = play.showdowns, play.size, play.folded, play.qualifying
    for row in range(codes.size):
        own, dealer = long(owns[row]), long(dealers[row])
        standing = 1 + (own > dealer) - (own < dealer)
        state = long(states[row])
        showdown = showdowns[categories[own], 3 * (dealer >= qualifying) + standing]
        codes[row] = state * size + (folded if state == FOLDED else showdown)


@numba.njit(cache=True, nogil=True)
def side_codes(
    decks: Any, places: Any, hand: Any, tables: Any, play: Any, kind: Any, shared: Any, seat: Any,
    codes: Any,
) -> None:  # fmt: skip
    """The codes of one side wager."""
    if kind == SEVEN:
        class_codes(tables.classes, seat.owns, seat.states, codes)
        split_royals(decks, places, hand, places[:5], codes)
    elif kind == FIRST_FIVE:
        class_codes(tables.classes, seat.firsts, seat.states, codes)
        split_royals(decks, places, hand, places[:3], codes)
    elif kind == BOARD:
        class_codes(tables.classes, shared.board_orders, seat.states, codes)
    elif kind == SIX:
        class_codes(tables.classes, seat.sixes, seat.states, codes)
        split_super_royals(decks, places, hand, codes)
    elif kind == POCKET:
        pocket_codes(play.pockets, seat.hands, shared.aces, seat.states, codes)
    else:
        beat_codes(tables.categories, seat.owns, shared.dealers, seat.states, codes)


@numba.njit(cache=True, nogil=True)
def pocket_codes(pockets: Any, hands: Any, aces: Any, states: Any, codes: Any) -> None:
    """The codes of two own cards, with or without two aces of the dealer."""
    for row in range(codes.size):
        named = long(pockets[hands[row]]) + long(aces[row])
        codes[row] = 2 * named + (states[row] == FOLDED)


@numba.njit(cache=True, nogil=True)
def beat_codes(categories: Any, owns: Any, dealers: Any, states: Any, codes: Any) -> None:
    """The codes of the categories of player and dealer and of who is ahead."""
    for row in range(codes.size):
        own, dealer = owns[row], dealers[row]
        standing = 1 + (own > dealer) - (own < dealer)
        both = 10 * long(categories[own]) + long(categories[dealer])
        codes[row] = 2 * (100 * standing + both) + (states[row] == FOLDED)


@numba.njit(cache=True, nogil=True)
def class_codes(classes: Any, orders: Any, states: Any, codes: Any) -> None:
    """The codes of hands by their classes."""
    for row in range(codes.size):
        codes[row] = 2 * long(classes[orders[row]]) + (states[row] == FOLDED)


@numba.njit(cache=True, nogil=True)
def split_royals(decks: Any, places: Any, hand: Any, others: Any, codes: Any) -> None:
    """Give royal flushes in diamonds their own code; cards are the own ones and `others`."""
    for row in range(codes.size):
        if codes[row] >> 1 == ROYAL:
            masks = masks_of(decks, places[hand : hand + 2], row) | masks_of(decks, others, row)
            if (masks >> 16 * DIAMONDS & 0x1FFF) >> 8 == 31:
                codes[row] += 2 * (ROYAL_DIAMONDS - ROYAL)


@numba.njit(cache=True, nogil=True)
def split_super_royals(decks: Any, places: Any, hand: Any, codes: Any) -> None:
    """Give ace to nine of one suit its own code."""
    for row in range(codes.size):
        if codes[row] >> 1 != ROYAL:
            continue
        masks = masks_of(decks, places[hand : hand + 2], row)
        masks |= masks_of(decks, places[AT_BOX:AT_HANDS], row)
        for suit in range(4):
            if (masks >> 16 * suit & 0x1FFF) >> 7 == 63:
                kind = SUPER_DIAMONDS if suit == DIAMONDS else SUPER_ROYAL
                codes[row] += 2 * (kind - ROYAL)


@numba.njit(cache=True, nogil=True)
def masks_of(decks: Any, places: Any, row: Any) -> Any:
    """The ranks of the cards at `places`, in sixteen bits per suit."""
    masks = long(0)
    for at in range(places.size):
        masks |= suit_rank_bit(long(decks[places[at], row]))
    return masks
