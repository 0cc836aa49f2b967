"""Simulated rounds with one Play bet: every seat decides on the same board against one dealer.

Rounds are processed in batches (lots), one simple loop after the other: the processor then has
many table lookups in flight and few mispredicted branches. Seats that still have to decide are
listed, so that later streets visit only those.

Only the loops over rounds are compiled, and only those that a House needs: a function that calls
them all, and buffers of many kinds, would take seconds to compile and gain nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.hands.compact_evaluator import Orders, order_sums, sum_keys
from croupier.analysis.kernels.hands.isomorphism import flush_board
from croupier.analysis.kernels.simulate.evaluator_keys import (
    equal_ranks,
    flush_suit,
    hand_number,
    long,
    pair_category,
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
    return BatchSeat(hands, owns, firsts, sixes, states, pairs, boxes)


def judge_decks(
    decks: Any, places: Any, tables: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Decisions and codes of every seat on dealt decks. Twin: the table, in tests/analysis.

    Decks are [batch, card, round], codes [batch, seat, wager, round]; `places` are the deck
    positions of board, dealer, box and hands.
    """
    count = decks.shape[2]
    shared, seat, waiting = new_shared(count), new_seat(count), np.empty(count, np.int32)
    for lot, cards in enumerate(decks):
        rank_table(cards, places, tables, shared)
        for at, (opening, flop, river) in enumerate(fixed.tolist()):
            hand = places[AT_HANDS + 2 * at : AT_HANDS + 2 * at + 2]
            rank_seat(cards, places, hand, tables, shared, seat)
            left = open_seat(
                cards[places[0]], play.opening, opening, seat.hands, seat.states, waiting
            )
            rows = flop_seat(cards, places, tables, play, flop, seat, waiting[:left])
            river_seat(cards, places, tables, play, river, shared, seat, rows)
            main_codes(
                tables.categories, play.showdowns, play.size, play.folded, play.qualifying,
                seat.owns, shared.dealers, seat.states, codes[lot, at, 0],
            )  # fmt: skip
            for wager, kind in enumerate(kinds.tolist(), start=1):
                side_codes(
                    cards, places, hand, tables, play, kind, shared, seat, codes[lot, at, wager]
                )


def rank_table(decks: Any, places: Any, tables: Orders, shared: BatchShared) -> None:
    """The keys of flop and board, the orders of board and dealer."""
    flops, boards, board_orders, dealers, aces, pairs = shared
    lookups = tables.row_offsets, tables.orders, tables.flush_orders
    sum_keys(decks, places[:3], tables.card_keys, flops)
    sum_keys(decks, places[3:5], tables.card_keys, pairs)
    np.add(flops, pairs, out=boards)
    order_sums(decks, places[:5], flops, pairs, *lookups, board_orders)
    sum_keys(decks, places[AT_DEALER:AT_BOX], tables.card_keys, pairs)
    order_sums(decks, places[:AT_BOX], boards, pairs, *lookups, dealers)
    one, two = decks[places[AT_DEALER:AT_BOX]]
    aces[:] = POCKETS * (np.minimum(one, two) >> 2 == ACES)


def rank_seat(
    decks: Any, places: Any, hand: Any, tables: Orders, shared: BatchShared, seat: BatchSeat
) -> None:
    """The number of a seat's hand, and the orders of the cards that wagers use."""
    lookups = tables.row_offsets, tables.orders, tables.flush_orders
    pairs, boxes = seat.pairs, seat.boxes
    sum_keys(decks, hand, tables.card_keys, pairs)
    seven, five = np.concatenate([places[:5], hand]), np.concatenate([places[:3], hand])
    order_sums(decks, seven, shared.boards, pairs, *lookups, seat.owns)
    order_sums(decks, five, shared.flops, pairs, *lookups, seat.firsts)
    if places[AT_BOX] >= 0:
        box = places[AT_BOX:AT_HANDS]
        sum_keys(decks, box, tables.card_keys, boxes)
        order_sums(decks, np.concatenate([box, hand]), boxes, pairs, *lookups, seat.sixes)
    number_hands(decks[hand[0]], decks[hand[1]], seat.hands)


@numba.njit(cache=True, nogil=True)
def number_hands(one: Any, two: Any, hands: Any) -> None:
    """The numbers of the hands of two cards."""
    for row in range(hands.size):
        hands[row] = hand_number(long(one[row]), long(two[row]))


@numba.njit(cache=True, nogil=True)
def open_seat(first: Any, opening: Any, fixed: Any, hands: Any, states: Any, waiting: Any) -> Any:
    """The opening bet; lists the rounds in which the seat checks and returns their number."""
    left = 0
    shown = long(opening.shape[0] > 1)
    for row in range(waiting.size):
        option = fixed
        if fixed < 0:
            option = long(opening[shown * first[row], hands[row]])
        states[row] = OPENING + option - 1
        waiting[left] = row
        left += option == 0
    return left


def flop_seat(
    decks: Any, places: Any, tables: Orders, play: SingleRaiseTables, fixed: int, seat: BatchSeat,
    waiting: Any,
) -> Any:  # fmt: skip
    """The flop bet; returns the rounds in which the seat checks again."""
    if fixed == BY_TABLE:
        left = flop_by_table(
            decks[places[0]], decks[places[1]], decks[places[2]], play.threes, play.flops,
            play.renamed, play.flop_bits, seat.hands, seat.states, waiting,
        )  # fmt: skip
        return waiting[:left]
    bet_otherwise(
        decks, places[:3], tables.categories, seat.firsts, fixed, RIVER, seat.states, waiting
    )
    return waiting[seat.states[waiting] == RIVER]


def bet_otherwise(
    decks: Any, shown: Any, categories: Any, orders: Any, fixed: int, checked: int, states: Any,
    rows: Any,
) -> None:  # fmt: skip
    """A bet by the hand alone, or the same bet with every hand; the state is one more if made."""
    if fixed == BY_HAND:
        bet_by_hand(decks, shown, categories, orders, checked, states, rows)
    else:
        states[rows] = checked + fixed


@numba.njit(cache=True, nogil=True)
def bet_by_hand(
    decks: Any, shown: Any, categories: Any, orders: Any, checked: Any, states: Any, rows: Any
) -> None:
    """Bet if the hand is of a higher category than the cards shown."""
    for at in range(rows.size):
        row = rows[at]
        pairs = equal_ranks(decks, row, shown)
        states[row] = checked + long(categories[orders[row]] > pair_category(pairs))


@numba.njit(cache=True, nogil=True)
def flop_by_table(
    a: Any, b: Any, c: Any, threes: Any, flops: Any, renamed: Any, bits: Any, hands: Any,
    states: Any, waiting: Any,
) -> Any:  # fmt: skip
    """The flop bet by `flop_bits`; lists the rounds without one and returns their number."""
    entries = np.empty(waiting.size, np.int32)
    for at in range(waiting.size):
        row = waiting[at]
        flop = long(flops[three_cards(threes, long(a[row]), long(b[row]), long(c[row]))])
        hand = renamed[flop & (1 << ORDER_BITS) - 1, hands[row]]
        entries[at] = (flop >> ORDER_BITS) * 1326 + hand
    left = 0
    for at in range(waiting.size):  # a separate loop keeps many table lookups in flight
        row = waiting[at]
        option = read_bit(bits, long(entries[at]))
        states[row] = RIVER + option  # FLOP if there is a bet
        waiting[left] = row
        left += option == 0
    return left


def river_seat(
    decks: Any, places: Any, tables: Orders, play: SingleRaiseTables, fixed: int,
    shared: BatchShared, seat: BatchSeat, waiting: Any,
) -> None:  # fmt: skip
    """The river bet, or the fold."""
    if fixed != BY_TABLE:
        bet_otherwise(
            decks, places[:5], tables.categories, seat.owns, fixed, FOLDED, seat.states, waiting
        )
        return
    rows = np.empty_like(waiting)
    plain = flushes_last(shared.boards, waiting, rows)
    river_by_ranks(
        play.board_numbers, play.hand_ranks, play.river_plain, shared.board_orders, seat.hands,
        rows[:plain], seat.states,
    )  # fmt: skip
    river_by_suit(
        decks, places, play.masks, play.hand_types, play.river_suited, shared.boards, seat.hands,
        rows[plain:], seat.states,
    )  # fmt: skip


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
def river_by_ranks(
    numbers: Any, ranks: Any, bets: Any, board_orders: Any, hands: Any, rows: Any, states: Any
) -> None:
    """The river on boards without a flush."""
    for at in range(rows.size):
        row = rows[at]
        number = long(numbers[board_orders[row]])
        states[row] = FOLDED + read_bit(bets, number * 91 + ranks[hands[row]])


@numba.njit(cache=True, nogil=True)
def river_by_suit(
    decks: Any, places: Any, masks: Any, types: Any, bets: Any, boards: Any, hands: Any, rows: Any,
    states: Any,
) -> None:  # fmt: skip
    """The river on boards with three or more cards of a suit."""
    entries = np.empty(rows.size, np.int32)
    a, b, c = decks[places[0]], decks[places[1]], decks[places[2]]
    d, e = decks[places[3]], decks[places[4]]
    for at in range(rows.size):
        row = rows[at]
        suit = flush_suit(boards[row] + THREE_SUITED & EIGHTS)
        board = a[row], b[row], c[row], d[row], e[row]
        entries[at] = flush_number(board, suit, masks) * 351 + types[suit, hands[row]]
    for at in range(rows.size):  # as in `flop_by_table`
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
def main_codes(
    categories: Any, showdowns: Any, size: Any, folded: Any, qualifying: Any, owns: Any,
    dealers: Any, states: Any, codes: Any,
) -> None:  # fmt: skip
    """The codes of the main game: the state, and the facts of the showdown or the fold."""
    for row in range(codes.size):
        own, dealer = long(owns[row]), long(dealers[row])
        standing = 1 + (own > dealer) - (own < dealer)
        state = long(states[row])
        showdown = showdowns[categories[own], 3 * (dealer >= qualifying) + standing]
        codes[row] = state * size + (folded if state == FOLDED else showdown)


def side_codes(
    decks: Any, places: Any, hand: Any, tables: Orders, play: SingleRaiseTables, kind: int,
    shared: BatchShared, seat: BatchSeat, codes: Any,
) -> None:  # fmt: skip
    """The codes of one side wager."""
    if kind == POCKET:
        pocket_codes(play.pockets, seat.hands, shared.aces, seat.states, codes)
        return
    if kind == BAD_BEAT:
        beat_codes(tables.categories, seat.owns, shared.dealers, seat.states, codes)
        return
    orders = {SEVEN: seat.owns, FIRST_FIVE: seat.firsts, SIX: seat.sixes}
    class_codes(tables.classes, orders.get(kind, shared.board_orders), seat.states, codes)
    if kind in (SEVEN, FIRST_FIVE):
        shown = places[: 5 if kind == SEVEN else 3]
        split_royals(decks, np.concatenate([hand, shown]), codes)
    elif kind == SIX:
        split_super_royals(decks, np.concatenate([hand, places[AT_BOX:AT_HANDS]]), codes)


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


def split_royals(decks: Any, places: Any, codes: Any) -> None:
    """Give royal flushes in diamonds among the cards at `places` their own code.

    Royal flushes are rare: these rows and those of `split_super_royals` need no kernel.
    """
    rows = np.flatnonzero(codes >> 1 == ROYAL)
    diamonds = held_ranks(decks, places, rows)[DIAMONDS] >> 8 == 31
    codes[rows[diamonds]] += 2 * (ROYAL_DIAMONDS - ROYAL)


def split_super_royals(decks: Any, places: Any, codes: Any) -> None:
    """Give ace to nine of one suit among the cards at `places` its own code."""
    rows = np.flatnonzero(codes >> 1 == ROYAL)
    for suit, ranks in enumerate(held_ranks(decks, places, rows)):
        kind = SUPER_DIAMONDS if suit == DIAMONDS else SUPER_ROYAL
        codes[rows[ranks >> 7 == 63]] += 2 * (kind - ROYAL)


def held_ranks(decks: Any, places: Any, rows: Any) -> NDArray[np.int64]:
    """The ranks held in each suit among the cards at `places`, as bits: [suit, row]."""
    cards = decks[places][:, rows].astype(np.int64) if rows.size else np.empty((1, 0), np.int64)
    suited = cards & 3 == np.arange(4)[:, None, None]
    ranks: NDArray[np.int64] = (suited << (cards >> 2)).sum(axis=1)
    return ranks
