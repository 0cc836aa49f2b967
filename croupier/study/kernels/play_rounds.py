"""Rounds of the one-Play-bet games: every seat decides on the same board against one dealer."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.study.kernels import philox, seats
from croupier.study.kernels.evaluator import COLUMN_MASK, FLUSH_BITS, ROW_SHIFT, SUITS_START
from croupier.study.kernels.runs import finest_class
from croupier.study.kernels.seats import bit, hand_number, long
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
# Where the cards lie among those dealt: five of the board, two of the dealer, four of the box.
AT_DEALER, AT_BOX, AT_HANDS = 5, 7, 11


class Play(NamedTuple):
    """What is looked up while a round is played."""

    opening: NDArray[np.uint8]  # [first card or 0, hand]: the option, 0 to check
    flop_numbers: NDArray[np.int16]  # [52, 52, 52]
    flop_orders: NDArray[np.uint8]
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
def royal_class(kind: Any, masks: Any) -> Any:
    """A class with the royal flush in diamonds told apart."""
    if kind == ROYAL and (masks >> 16 * DIAMONDS & 0x1FFF) >> 8 == 31:
        return ROYAL_DIAMONDS
    return kind


@numba.njit(cache=True, nogil=True)
def super_class(kind: Any, masks: Any) -> Any:
    """A class of six cards with ace to nine of one suit told apart."""
    if kind == ROYAL:
        for suit in range(4):
            if (masks >> 16 * suit & 0x1FFF) >> 7 == 63:
                return SUPER_DIAMONDS if suit == DIAMONDS else SUPER_ROYAL
    return kind


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
def judge(
    deck: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, board: Any, codes: Any
) -> None:
    """Every seat's decisions and codes on a dealt deck. Naive twin: the table, in tests/study.

    `places` are those of board, dealer, box and hands; `board` is room for five cards.
    """
    (opening, flop_numbers, flop_orders, renamed, flop_bits, mask_places, board_numbers,
     hand_types, hand_ranks, river_plain, river_suited, showdowns, folded_code, size, qualifying,
     pockets) = play  # fmt: skip
    card_keys, row_offsets, rank_values, flush_values, _ = ranks
    key = flop_key = long(0)
    masks = flop_masks = long(0)
    for at in range(5):
        card = long(deck[places[at]])
        board[at] = card
        key += card_keys[card]
        masks |= marked(card)
        if at == 2:
            flop_key, flop_masks = key, masks
    box_key = box_masks = long(0)
    if places[AT_BOX] >= 0:
        for at in range(AT_BOX, AT_HANDS):
            card = long(deck[places[at]])
            box_key += card_keys[card]
            box_masks |= marked(card)
    one, two = long(deck[places[AT_DEALER]]), long(deck[places[AT_DEALER + 1]])
    whole = SUITS_START + key + card_keys[one] + card_keys[two]
    dealer = value_of(
        whole, suited_with(whole, one, two, masks), rank_values, row_offsets, flush_values
    )
    aces = POCKETS if one >> 2 == ACES and two >> 2 == ACES else 0
    shown = board[0] if opening.shape[0] > 1 else 0
    suit = number = flop = order = -2
    for seat in range(codes.shape[0]):
        one = long(deck[places[AT_HANDS + 2 * seat]])
        two = long(deck[places[AT_HANDS + 2 * seat + 1]])
        held = SUITS_START + card_keys[one] + card_keys[two]
        hand = hand_number(one, two)
        whole = held + key
        own = value_of(
            whole, suited_with(whole, one, two, masks), rank_values, row_offsets, flush_values
        )
        whole = held + flop_key
        first = value_of(
            whole, suited_with(whole, one, two, flop_masks), rank_values, row_offsets, flush_values
        )
        # The opening, then the flop, then the river.
        option = fixed[seat, 0]
        if option < 0:
            option = long(opening[shown, hand])
        if option > 0:
            state = OPENING + option - 1
        else:
            option = fixed[seat, 1]
            if option == BY_TABLE:
                if flop < 0:
                    flop = long(flop_numbers[board[0], board[1], board[2]])
                    order = long(flop_orders[board[0], board[1], board[2]])
                option = long(bit(flop_bits, flop * 1326 + renamed[order, hand]))
            elif option == BY_HAND:
                option = long(first >> 20 > rank_kind(equal_pairs(board, 3)))
            if option:
                state = FLOP
            else:
                option = fixed[seat, 2]
                if option == BY_TABLE:
                    if suit == -2:
                        suit = river_suit(key)
                        number = long(river_number(
                            board, key, masks, suit, mask_places, board_numbers, row_offsets
                        ))  # fmt: skip
                    if suit < 0:
                        option = long(bit(river_plain, number * 91 + hand_ranks[hand]))
                    else:
                        at = number * 351 + hand_types[suit, hand]
                        option = long(bit(river_suited, at))
                elif option == BY_HAND:
                    option = long(own >> 20 > rank_kind(equal_pairs(board, 5)))
                state = RIVER if option else FOLDED
        folded = state == FOLDED
        standing = 1 + (own > dealer) - (own < dealer)
        code = folded_code
        if not folded:
            code = showdowns[own >> 20, 3 * (dealer >= qualifying) + standing]
        codes[seat, 0] = state * size + code
        for wager in range(kinds.size):
            kind = kinds[wager]
            if kind == SEVEN:
                named = royal_class(finest_class(own), masks | marked(one) | marked(two))
            elif kind == FIRST_FIVE:
                named = royal_class(finest_class(first), flop_masks | marked(one) | marked(two))
            elif kind == BOARD:
                whole = SUITS_START + key
                suited = masks >> 16 * flush_suit(whole) & 0x1FFF
                named = finest_class(
                    value_of(whole, suited, rank_values, row_offsets, flush_values)
                )
            elif kind == SIX:
                whole = held + box_key
                suited = suited_with(whole, one, two, box_masks)
                value = value_of(whole, suited, rank_values, row_offsets, flush_values)
                named = super_class(finest_class(value), box_masks | marked(one) | marked(two))
            elif kind == POCKET:
                named = long(pockets[hand]) + aces
            else:
                named = (standing * 10 + (own >> 20)) * 10 + (dealer >> 20)
            codes[seat, wager + 1] = 2 * named + folded


@numba.njit(cache=True, nogil=True)
def play_block(
    first: Any, last: Any, key: Any, least: Any, groups: Any, places: Any, ranks: Any, play: Any,
    fixed: Any, kinds: Any, money: Any, table: Any, kept: Any,
) -> Any:  # fmt: skip
    """Rounds `first` to `last`, or as many as can be kept: the next round, and how many are kept.

    `money` is worth by code, the limit and what players buy; `table` what it adds up to.
    """
    main, sides, limit, buys, stay, need, per_shift = money
    counts, side_counts, sums, products, shifts, banks, left, start = table
    kept_rounds, kept_codes = kept
    count = 0
    deck = np.zeros(52, np.uint8)
    words = np.zeros(8, np.uint64)
    board = np.zeros(5, np.int64)
    codes = np.zeros((fixed.shape[0], kinds.size + 1), np.int32)
    nets = np.zeros(fixed.shape[0], np.int64)
    number = first
    while number < last and count < kept_rounds.size:
        philox.deal(number, key, least, groups, words, deck)
        judge(deck, places, ranks, play, fixed, kinds, board, codes)
        at = number // per_shift
        shift = shifts[at - start]
        shift[seats.DROP] += seats.buy_in(banks, left, number == at * per_shift, buys, stay, need)
        count = seats.tally(
            number, codes, main, sides, limit, counts, side_counts, nets, sums, products, shift,
            count, kept_rounds, kept_codes,
        )  # fmt: skip
        seats.take_home(banks, nets)
        number += 1
    return number, count


@numba.njit(cache=True, nogil=True)
def judge_decks(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """The codes of given decks, one a row."""
    board = np.zeros(5, np.int64)
    for row in range(decks.shape[0]):
        judge(decks[row], places, ranks, play, fixed, kinds, board, codes[row])
