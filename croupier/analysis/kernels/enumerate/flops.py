"""Two-card hands and early boards under suit isomorphism, and decisions on the flop."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain, combinations, permutations
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.hands.isomorphism import (
    NO_RANK,
    partial_board,
    suit_view_number,
)

Longs = NDArray[np.int64]
HANDS = 1326


@cache
def hands() -> Longs:
    """All two-card hands, numbered `high * (high - 1) / 2 + low`."""
    return np.array([(low, high) for high in range(52) for low in range(high)], np.int64)


def hand_number(cards: Any) -> int:
    """The number of a two-card hand, in either order."""
    low, high = sorted(cards)
    return int(high * (high - 1) // 2 + low)


@cache
def hand_types() -> Longs:
    """4 x 1326: the hand type of each hand relative to each suit."""
    cards = hands()
    kinds = np.stack([(cards >> 2) + 13 * (cards & 3 == suit) for suit in range(4)])
    kinds.sort(axis=2)
    types: Longs = kinds[:, :, 1] * (kinds[:, :, 1] + 1) // 2 + kinds[:, :, 0]
    return types


@cache
def hand_ranks() -> Longs:
    """The pair of ranks of each hand."""
    ranks = hands() >> 2
    pairs: Longs = ranks[:, 1] * (ranks[:, 1] + 1) // 2 + ranks[:, 0]
    return pairs


@cache
def suit_orders() -> Longs:
    """24 x 4: every permutation of the suits."""
    return np.array(list(permutations(range(4))), np.int64)


@cache
def renamed_hands() -> Longs:
    """24 x 1326: each hand under each permutation of the suits."""
    cards = hands()
    new = np.sort(cards >> 2 << 2 | suit_orders()[:, cards & 3], axis=2)
    numbers: Longs = new[:, :, 1] * (new[:, :, 1] - 1) // 2 + new[:, :, 0]
    return numbers


class Boards(NamedTuple):
    """Suit isomorphism classes of boards of one size."""

    cards: Longs  # boards x size, the representatives
    sizes: Longs  # boards per class


@cache
def early_boards(size: int) -> Boards:
    """Classes of flops (1,755), turns (16,432) or full boards (134,459)."""
    cards = chain.from_iterable(combinations(range(52), size))
    boards = np.fromiter(cards, np.int64).reshape(-1, size)
    return representatives(boards, suit_orders())


def representatives(boards: Longs, orders: Longs) -> Boards:
    """One board of each class under these suit permutations."""
    mine, least = _board_masks(boards, np.arange(4)), _board_masks(boards, orders[0])
    for order in orders[1:]:
        np.minimum(least, _board_masks(boards, order), out=least)
    at = np.flatnonzero(mine == least)
    at = at[np.argsort(mine[at])]
    _, sizes = np.unique(least, return_counts=True)
    return Boards(boards[at], sizes.astype(np.int64))


def _board_masks(boards: Longs, order: Longs) -> Longs:
    """The bit mask of each board's cards after a suit permutation."""
    cards = np.arange(52)
    bits = np.int64(1) << (cards >> 2 << 2 | order[cards & 3])
    masks: Longs = bits[boards[:, 0]]
    for column in range(1, boards.shape[1]):
        masks |= bits[boards[:, column]]
    return masks


@cache
def flop_places() -> tuple[Longs, Longs]:
    """52 x 52 x 52: each flop's class in `early_boards(3)`, and the permutation to it."""
    flops = early_boards(3)
    numbers = np.full((52, 52, 52), -1, np.int64)
    orders = np.zeros((52, 52, 52), np.int64)
    for at in range(23, -1, -1):
        order = suit_orders()[at]
        # The inverse leads from the permuted cards back to the representative.
        inverse = int(np.flatnonzero((suit_orders() == np.argsort(order)).all(axis=1))[0])
        cards = flops.cards >> 2 << 2 | order[flops.cards & 3]
        for a, b, c in permutations(range(3)):
            place = cards[:, a], cards[:, b], cards[:, c]
            numbers[place] = np.arange(len(flops.cards))
            orders[place] = inverse
    return numbers, orders


@numba.njit(cache=True, nogil=True)
def suit_view(cards: Any, suit: int, masks: Any, starts: Any) -> int:
    """The partial board number of an early board relative to a suit, -1 if no flush is possible."""
    mask = 0
    missing = 0
    one = two = NO_RANK
    for card in cards:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
        else:
            missing += 1
            two = one
            one = card >> 2
    if missing > 2:
        return -1
    if missing == 2:
        one, two = min(one, two), max(one, two)
    return partial_board(masks, starts, mask, missing, one, two)


@numba.njit(cache=True, nogil=True)
def value_early(
    cards: Any, rank_board: int, row: int, hand_types: Any, hand_ranks: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, out: Any,
) -> None:  # fmt: skip
    """The sum over runouts of one payoff row for every hand beside an early board."""
    for hand in range(HANDS):
        out[hand] = plain[rank_board, row, hand_ranks[hand]]
    for suit in range(4):
        seen = suit_view(cards, suit, masks, starts)
        if seen >= 0:
            for hand in range(HANDS):
                out[hand] += suited[seen, row, hand_types[suit, hand]]


@numba.njit(cache=True, nogil=True)
def mark_clashes(cards: Any, hands: Any, clash: Any) -> None:
    """Mark the hands that hold one of the board's cards."""
    for hand in range(HANDS):
        clash[hand] = False
        for card in cards:
            if hands[hand, 0] == card or hands[hand, 1] == card:
                clash[hand] = True


@cache
def suit_views() -> Longs:
    """1755 x 4: `suit_view` of each flop relative to each suit."""
    flops = early_boards(3).cards.tolist()
    return np.array([[suit_view_number(flop, suit) for suit in range(4)] for flop in flops])


@cache
def held_cards() -> NDArray[np.bool_]:
    """52 x 1326: whether a hand holds a card."""
    held: NDArray[np.bool_] = (hands() == np.arange(52)[:, None, None]).any(axis=2)
    return held


def flop_values(flop: int, plain: Longs, suited: NDArray[Any]) -> Longs:
    """`value_early` of all payoff rows beside one of `early_boards(3)`: [row, hand].

    `plain` are the sums on the ranks of the flop. NumPy is as fast as a kernel here.
    """
    values: Longs = plain.take(hand_ranks(), axis=1)
    for types, seen in zip(hand_types(), suit_views()[flop].tolist(), strict=True):
        if seen >= 0:
            values += suited[seen].take(types, axis=1)
    return values


def decide_flops(
    numbers: Iterable[int], rank_boards: Longs, plain: Longs, suited: NDArray[Any], shown: int,
    gains: Longs, totals: Longs,
) -> None:  # fmt: skip
    """Bet or check on these flops of `early_boards(3)`, and the sums that the opening compares.

    Payoff rows are: checking, betting on the flop, then others. Fills gains[flop, hand], the bet
    over the check, and totals[card, row, hand], where row 0 continues with the better of the two.
    The first `shown` cards of the flop may have been shown first; with one, none was.
    """
    flops = early_boards(3)
    for flop in numbers:
        cards = flops.cards[flop]
        values = flop_values(flop, plain[rank_boards[flop]], suited)
        values[:, held_cards()[cards].any(axis=0)] = 0
        gains[flop] = values[1] - values[0]
        np.maximum(values[0], values[1], out=values[0])
        values *= flops.sizes[flop]
        for card in cards[:shown].tolist():
            totals[card % len(totals)] += values


@numba.njit(cache=True, nogil=True)
def weigh_flops(
    flops: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any, starts: Any,
    opening_ids: Any, opening: Any, gains: Any, plain: Any, suited: Any, frequency: Any,
) -> None:  # fmt: skip
    """Frequencies of actions, as weights on flops for `spread_ranks` and `spread_flops`.

    Actions are the opening bets, the bet on the flop, and checking twice; `opening[id]` is the
    option taken before the flop, 0 to check. `frequency[action]` sums them.
    """
    hands, hand_types, hand_ranks = deals
    going_on = plain.shape[1] - 1
    clash = np.zeros(HANDS, np.bool_)
    seen = np.zeros(4, np.int64)
    for flop in range(flops.shape[0]):
        cards = flops[flop]
        for suit in range(4):
            seen[suit] = suit_view(cards, suit, masks, starts)
        mark_clashes(cards, hands, clash)
        for hand in range(HANDS):
            if clash[hand]:
                continue
            for card in cards[: 3 if opening_ids.shape[0] > 1 else 1]:
                option = opening[opening_ids[card % opening_ids.shape[0], hand]]
                if option > 0:
                    action = option - 1
                elif gains[flop, hand] > 0:
                    action = going_on - 1
                else:
                    action = going_on
                frequency[action] += sizes[flop]
                plain[rank_boards[flop], action, hand_ranks[hand]] += sizes[flop]
                for suit in range(4):
                    if seen[suit] >= 0:
                        suited[seen[suit], action, hand_types[suit, hand]] += sizes[flop]


@cache
def flop_classes() -> NDArray[np.bool_]:
    """1755 x 1326: one hand of each of the 1,286,792 classes of a flop and a hand."""
    flops = early_boards(3).cards
    renamed = renamed_hands()
    representative = np.ones((len(flops), HANDS), np.bool_)
    masks = _board_masks(flops, np.arange(4))
    for at, order in enumerate(suit_orders()):
        fixed = _board_masks(flops, order) == masks
        representative[fixed] &= renamed[at] >= np.arange(HANDS)
    cards = hands()
    for column in range(3):
        for place in range(2):
            representative &= flops[:, column, None] != cards[None, :, place]
    return representative
