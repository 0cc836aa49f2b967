"""Rounds of the one-Play-bet games: every seat decides on the same board against one dealer."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.study.kernels.evaluator import COLUMN_MASK, FLUSH_BITS, ROW_SHIFT, rank_all
from croupier.study.kernels.runs import finest_class
from croupier.study.kernels.seats import hand_number, long
from croupier.study.kernels.signatures import flush_board

# What a side wager looks at. A code is twice the hand, and one more where the box has folded.
SEVEN, FIRST_FIVE, BOARD, SIX, POCKET, BAD_BEAT = range(6)
ROYAL, ROYAL_DIAMONDS = 21, 22  # classes of hands, told apart by suit where a wager asks
SUPER_ROYAL, SUPER_DIAMONDS = 22, 23
DIAMONDS = 1
POCKETS = 9  # names of two own cards; with the dealer's aces there are as many more
# How a seat decides on a street: an option's number, or one of these.
BY_TABLE, BY_HAND = -1, -2
# States of a box: folded, then the bet on the river, on the flop, and the opening bets.
FOLDED, RIVER, FLOP, OPENING = 0, 1, 2, 3
ACES = 12
ORDERS = 24  # renamings of suits
# Where the cards lie among those dealt: five of the board, two of the dealer, four of the box.
AT_DEALER, AT_BOX, AT_HANDS = 5, 7, 11


class Play(NamedTuple):
    """What is looked up while a round is played."""

    opening: NDArray[np.uint8]  # [first card or 0, hand]: the option, 0 to check
    flops: NDArray[np.uint16]  # [52, 52, 52]: the number, and the renaming of suits, below ORDERS
    renamed: NDArray[np.int16]  # [renaming of suits, hand]
    flop_bits: NDArray[np.uint8]  # [flop x hand]: whether to bet
    masks: NDArray[np.int64]
    board_numbers: NDArray[np.int16]  # by cell of the evaluator
    hand_types: NDArray[np.int16]
    hand_ranks: NDArray[np.int16]
    river_plain: NDArray[np.uint8]
    river_suited: NDArray[np.uint8]
    showdowns: NDArray[np.int64]  # [category, outcome]
    folded: int
    size: int
    qualifying: int
    pockets: NDArray[np.uint8]


@numba.njit(cache=True, nogil=True)
def value_of(key: Any, suited: Any, rank_values: Any, row_offsets: Any, flush_values: Any) -> Any:
    """The value of a key; `suited` are the ranks in the suit of a flush, if there is one."""
    if key & FLUSH_BITS:
        return flush_values[suited]
    sums = key & 0xFFFFFFFF
    return rank_values[(sums & COLUMN_MASK) + row_offsets[sums >> ROW_SHIFT]]


@numba.njit(cache=True, nogil=True)
def flush_suit(key: Any) -> Any:
    """The suit of which a key has five cards or more; 0 where there is none."""
    suit = 0
    while suit < 3 and not key >> (35 + 4 * suit) & 1:
        suit += 1
    return suit


@numba.njit(cache=True, nogil=True)
def suited_with(key: Any, one: Any, two: Any, masks: Any) -> Any:
    """The ranks of two cards and others in the suit of a flush, or 0 where there is none.

    `masks` are the ranks of the others, sixteen bits a suit.
    """
    if not key & FLUSH_BITS:
        return 0
    suit = flush_suit(key)
    mask = masks >> 16 * suit & 0x1FFF
    if one & 3 == suit:
        mask |= 1 << (one >> 2)
    if two & 3 == suit:
        mask |= 1 << (two >> 2)
    return mask


@numba.njit(cache=True, nogil=True)
def marked(card: Any) -> Any:
    """A card's rank, in the sixteen bits of its suit."""
    return 1 << ((card >> 2) + 16 * (card & 3))


@numba.njit(cache=True, nogil=True)
def royal_class(kind: Any, decks: Any, row: Any, places: Any, seat: Any, shown: Any) -> Any:
    """A class with the royal flush in diamonds told apart; it is made of so much of the board."""
    if kind != ROYAL:
        return kind
    masks = hand_masks(decks, row, places, seat)
    for at in range(shown):
        masks |= marked(long(decks[row, places[at]]))
    return ROYAL_DIAMONDS if (masks >> 16 * DIAMONDS & 0x1FFF) >> 8 == 31 else ROYAL


@numba.njit(cache=True, nogil=True)
def super_class(kind: Any, decks: Any, row: Any, places: Any, seat: Any) -> Any:
    """A class of six cards with ace to nine of one suit told apart."""
    if kind != ROYAL:
        return kind
    masks = hand_masks(decks, row, places, seat)
    for at in range(AT_BOX, AT_HANDS):
        masks |= marked(long(decks[row, places[at]]))
    for suit in range(4):
        if (masks >> 16 * suit & 0x1FFF) >> 7 == 63:
            return SUPER_DIAMONDS if suit == DIAMONDS else SUPER_ROYAL
    return ROYAL


@numba.njit(cache=True, nogil=True)
def hand_masks(decks: Any, row: Any, places: Any, seat: Any) -> Any:
    """A seat's own cards, in sixteen bits a suit."""
    one = long(decks[row, places[AT_HANDS + 2 * seat]])
    two = long(decks[row, places[AT_HANDS + 2 * seat + 1]])
    return marked(one) | marked(two)


@numba.njit(cache=True, nogil=True)
def rank_kind(pairs: Any) -> Any:
    """The category of cards by equal ranks alone, from the number of equal pairs among them."""
    # 1 pair, 2 two pair, 3 trips, 4 full house, 6 quads: as categories of `croupier.ranking`.
    return (0, 1, 2, 3, 6, 6, 7)[pairs]


@numba.njit(cache=True, nogil=True)
def equal_pairs(board: Any, size: Any) -> Any:
    """How many pairs of equal rank there are among the first cards of a board."""
    pairs = 0
    for one in range(size):
        for two in range(one):
            pairs += board[one] >> 2 == board[two] >> 2
    return pairs


@numba.njit(cache=True, nogil=True)
def river_suit(key: Any) -> Any:
    """The suit of which a board has three cards or more, or -1."""
    for suit in range(4):
        if key >> (32 + 4 * suit) & 15 >= 3:
            return suit
    return -1


@numba.njit(cache=True, nogil=True)
def river_number(
    board: Any, key: Any, masks: Any, suit: Any, places: Any, board_numbers: Any, row_offsets: Any
) -> Any:
    """The number of a board, with a possible flush in a suit or without one."""
    if suit >= 0:
        one = two = 13
        for at in range(5):
            card = board[at]
            if card & 3 != suit:
                two = one
                one = card >> 2
        suited = key >> (32 + 4 * suit) & 15
        return flush_board(places, masks >> 16 * suit & 0x1FFF, suited, one, two)
    sums = key & 0xFFFFFFFF
    return board_numbers[(sums & COLUMN_MASK) + row_offsets[sums >> ROW_SHIFT]]


@numba.njit(cache=True, nogil=True)
def rank_places(decks: Any, places: Any, ranks: Any, values: Any) -> None:
    """The values of the cards that lie at some places of every deck."""
    card_keys, row_offsets, rank_values, flush_values, _ = ranks
    hands = np.empty((decks.shape[0], places.size), np.uint8)
    for row in range(decks.shape[0]):
        for at in range(places.size):
            hands[row, at] = decks[row, places[at]]
    rank_all(hands, card_keys, row_offsets, rank_values, flush_values, values)


@numba.njit(cache=True, nogil=True)
def rank_seats(decks: Any, places: Any, others: Any, ranks: Any, values: Any) -> None:
    """The values of every seat's cards with others, [seat, deck]."""
    chosen = np.empty(2 + others.size, np.int64)
    chosen[2:] = others
    for seat in range(values.shape[0]):
        chosen[0] = places[AT_HANDS + 2 * seat]
        chosen[1] = places[AT_HANDS + 2 * seat + 1]
        rank_places(decks, chosen, ranks, values[seat])


@numba.njit(cache=True, nogil=True)
def judge_decks(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Every seat's decisions and codes on dealt decks, one a row. Twin: the table, in tests/study.

    `places` are those of board, dealer, box and hands. Rounds come in lots: hands are ranked one
    kind after the other, so that the processor looks up many at once, and tables are counted as
    used once a lot and not in every round.
    """
    count, seats = codes.shape[0], codes.shape[1]
    dealers, boards = np.empty(count, np.int32), np.empty(count, np.int32)
    owns, firsts, sixes = np.empty((3, seats, count), np.int32)
    rank_places(decks, places[:AT_BOX], ranks, dealers)
    rank_places(decks, places[:5], ranks, boards)
    rank_seats(decks, places, places[:5], ranks, owns)
    rank_seats(decks, places, places[:3], ranks, firsts)
    if places[AT_BOX] >= 0:
        rank_seats(decks, places, places[AT_BOX:AT_HANDS], ranks, sixes)
    states = np.empty((seats, count), np.int64)
    decide(decks, places, ranks, play, fixed, owns, firsts, states)
    showdowns, pockets = play.showdowns, play.pockets
    for row in range(count):
        dealer = long(dealers[row])
        one, two = decks[row, places[AT_DEALER]], decks[row, places[AT_DEALER + 1]]
        aces = POCKETS if one >> 2 == ACES and two >> 2 == ACES else 0
        for seat in range(seats):
            one = long(decks[row, places[AT_HANDS + 2 * seat]])
            two = long(decks[row, places[AT_HANDS + 2 * seat + 1]])
            own, state = long(owns[seat, row]), states[seat, row]
            standing = 1 + (own > dealer) - (own < dealer)
            code = long(play.folded)
            if state != FOLDED:
                code = showdowns[own >> 20, 3 * (dealer >= play.qualifying) + standing]
            codes[row, seat, 0] = state * play.size + code
            for wager in range(kinds.size):
                kind = kinds[wager]
                if kind == SEVEN:
                    named = royal_class(finest_class(own), decks, row, places, seat, 5)
                elif kind == FIRST_FIVE:
                    value = long(firsts[seat, row])
                    named = royal_class(finest_class(value), decks, row, places, seat, 3)
                elif kind == BOARD:
                    named = finest_class(long(boards[row]))
                elif kind == SIX:
                    value = long(sixes[seat, row])
                    named = super_class(finest_class(value), decks, row, places, seat)
                elif kind == POCKET:
                    named = long(pockets[hand_number(one, two)]) + aces
                else:
                    named = (standing * 10 + (own >> 20)) * 10 + (dealer >> 20)
                codes[row, seat, wager + 1] = 2 * named + (state == FOLDED)


@numba.njit(cache=True, nogil=True)
def decide(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, owns: Any, firsts: Any, states: Any
) -> None:
    """The state in which every box ends: the opening, then the flop, then the river."""
    (opening, flops, renamed, flop_bits, mask_places, board_numbers,
     hand_types, hand_ranks, river_plain, river_suited, _, _, _, _, _) = play  # fmt: skip
    card_keys, row_offsets, _, _, _ = ranks
    board = np.zeros(5, np.int64)
    shown = opening.shape[0] > 1
    for row in range(decks.shape[0]):
        key, masks = long(0), long(0)
        for at in range(5):
            board[at] = decks[row, places[at]]
            key += card_keys[board[at]]
            masks |= marked(board[at])
        suit = number = flop = order = long(-2)
        for seat in range(states.shape[0]):
            one = long(decks[row, places[AT_HANDS + 2 * seat]])
            two = long(decks[row, places[AT_HANDS + 2 * seat + 1]])
            hand = hand_number(one, two)
            option = fixed[seat, 0]
            if option < 0:
                option = long(opening[board[0] if shown else 0, hand])
            states[seat, row] = OPENING + option - 1
            if option:
                continue
            option = fixed[seat, 1]
            if option == BY_TABLE:
                if flop < 0:
                    flop = long(flops[board[0], board[1], board[2]])
                    flop, order = flop // ORDERS, flop % ORDERS
                place = flop * 1326 + renamed[order, hand]
                option = long(flop_bits[place >> 3]) >> (place & 7) & 1
            elif option == BY_HAND:
                option = long(firsts[seat, row] >> 20 > rank_kind(equal_pairs(board, 3)))
            states[seat, row] = FLOP
            if option:
                continue
            option = fixed[seat, 2]
            if option == BY_TABLE:
                if suit == -2:
                    suit = river_suit(key)
                    number = long(
                        river_number(
                            board, key, masks, suit, mask_places, board_numbers, row_offsets
                        )
                    )
                if suit < 0:
                    place = number * 91 + hand_ranks[hand]
                    option = long(river_plain[place >> 3]) >> (place & 7) & 1
                else:
                    place = number * 351 + hand_types[suit, hand]
                    option = long(river_suited[place >> 3]) >> (place & 7) & 1
            elif option == BY_HAND:
                option = long(owns[seat, row] >> 20 > rank_kind(equal_pairs(board, 5)))
            states[seat, row] = RIVER if option else FOLDED
