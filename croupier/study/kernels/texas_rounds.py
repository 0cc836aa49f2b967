"""Rounds of Texas Hold 'Em Bonus: every seat decides on the same board against one dealer."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.study.kernels.evaluator import SUITS_START
from croupier.study.kernels.play_rounds import (
    ACES,
    AT_DEALER,
    AT_HANDS,
    BY_HAND,
    BY_TABLE,
    POCKETS,
    equal_pairs,
    marked,
    rank_kind,
    suited_with,
    value_of,
)
from croupier.study.kernels.seats import hand_number, long
from croupier.study.kernels.signatures import NO_RANK, partial_board

# States of a box: folded, then by bet on the flop and bet on the turn.
FOLDED, STAYED = 0, 1


class Play(NamedTuple):
    """What is looked up while a round is played; gains are of a bet, over runouts and dealers."""

    opening: NDArray[np.uint8]  # by hand: whether to play
    flop_ids: NDArray[np.int16]  # the number of three ranks
    turn_ids: NDArray[np.int16]  # the number of four ranks
    flop_plain: NDArray[np.int64]
    flop_suited: NDArray[np.int64]
    turn_plain: NDArray[np.int64]
    turn_suited: NDArray[np.int64]
    masks: NDArray[np.int64]
    flop_starts: NDArray[np.int64]
    turn_starts: NDArray[np.int64]
    hand_types: NDArray[np.int16]
    hand_ranks: NDArray[np.int16]
    showdowns: NDArray[np.int64]
    folded: int
    size: int
    pockets: NDArray[np.uint8]


@numba.njit(cache=True, nogil=True)
def gain(
    board: Any, size: Any, ids: Any, plain: Any, suited: Any, starts: Any, hand: Any,
    masks: Any, hand_types: Any, hand_ranks: Any,
) -> Any:  # fmt: skip
    """What a bet adds on a flop or a turn, summed; only its sign is looked at."""
    if size == 3:
        number = ids[board[0] >> 2, board[1] >> 2, board[2] >> 2, 0]
    else:
        number = ids[board[0] >> 2, board[1] >> 2, board[2] >> 2, board[3] >> 2]
    total = plain[number, hand_ranks[hand]]
    for suit in range(4):
        mask = missing = 0
        one = two = NO_RANK
        for at in range(size):
            card = board[at]
            if card & 3 == suit:
                mask |= 1 << (card >> 2)
            else:
                missing += 1
                two = one
                one = card >> 2
        if missing <= 2:
            seen = partial_board(masks, starts, mask, missing, one, two)
            total += suited[seen, hand_types[suit, hand]]
    return total


@numba.njit(cache=True, nogil=True)
def judge_decks(
    decks: Any, places: Any, ranks: Any, play: Any, fixed: Any, kinds: Any, codes: Any
) -> None:
    """Every seat's decisions and codes on dealt decks, one a row. Twin: the table, in tests."""
    (opening, flop_ids, turn_ids, flop_plain, flop_suited, turn_plain, turn_suited, mask_places,
     flop_starts, turn_starts, hand_types, hand_ranks, showdowns, folded_code, size,
     pockets) = play  # fmt: skip
    card_keys, row_offsets, rank_values, flush_values, _ = ranks
    board = np.zeros(5, np.int64)
    for row in range(decks.shape[0]):
        key, masks = long(SUITS_START), long(0)
        flop_key, flop_masks, turn_key, turn_masks = key, masks, key, masks
        for at in range(5):
            card = long(decks[row, places[at]])
            board[at] = card
            key += card_keys[card]
            masks |= marked(card)
            if at == 2:
                flop_key, flop_masks = key, masks
            elif at == 3:
                turn_key, turn_masks = key, masks
        one, two = long(decks[row, places[AT_DEALER]]), long(decks[row, places[AT_DEALER + 1]])
        aces = POCKETS if one >> 2 == ACES and two >> 2 == ACES else 0
        whole = key + card_keys[one] + card_keys[two]
        suited = suited_with(whole, one, two, masks)
        dealer = value_of(whole, suited, rank_values, row_offsets, flush_values)
        for seat in range(codes.shape[1]):
            one = long(decks[row, places[AT_HANDS + 2 * seat]])
            two = long(decks[row, places[AT_HANDS + 2 * seat + 1]])
            held, hand = card_keys[one] + card_keys[two], hand_number(one, two)
            plays = fixed[seat, 0]
            if plays < 0:
                plays = long(opening[hand])
            state, code = FOLDED, folded_code
            if plays:
                flop, turn = fixed[seat, 1], fixed[seat, 2]
                if flop == BY_TABLE:
                    flop = long(gain(
                        board, 3, flop_ids, flop_plain, flop_suited, flop_starts, hand, mask_places,
                        hand_types, hand_ranks,
                    ) > 0)  # fmt: skip
                elif flop == BY_HAND:
                    whole = held + flop_key
                    suited = suited_with(whole, one, two, flop_masks)
                    value = value_of(whole, suited, rank_values, row_offsets, flush_values)
                    flop = long(value >> 20 > rank_kind(equal_pairs(board, 3)))
                if turn == BY_TABLE:
                    turn = long(gain(
                        board, 4, turn_ids, turn_plain, turn_suited, turn_starts, hand, mask_places,
                        hand_types, hand_ranks,
                    ) > 0)  # fmt: skip
                elif turn == BY_HAND:
                    whole = held + turn_key
                    suited = suited_with(whole, one, two, turn_masks)
                    value = value_of(whole, suited, rank_values, row_offsets, flush_values)
                    turn = long(value >> 20 > rank_kind(equal_pairs(board, 4)))
                whole = held + key
                suited = suited_with(whole, one, two, masks)
                own = value_of(whole, suited, rank_values, row_offsets, flush_values)
                state = STAYED + 2 * flop + turn
                code = showdowns[own >> 20, 4 + (own > dealer) - (own < dealer)]
            codes[row, seat, 0] = state * size + code
            for wager in range(kinds.size):
                codes[row, seat, wager + 1] = 2 * (long(pockets[hand]) + aces) + (state == FOLDED)
