"""Two-card hands and early boards of real cards, up to a renaming of suits."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, permutations
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.hands.isomorphism import NO_RANK, partial_board

Longs = NDArray[np.int64]
HANDS = 1326


@cache
def hands() -> Longs:
    """All two-card hands, numbered `high * (high - 1) / 2 + low`."""
    return np.array([(low, high) for high in range(52) for low in range(high)], np.int64)


def hand_number(cards: Any) -> int:
    """The number of a hand of two cards in either order."""
    low, high = sorted(cards)
    return int(high * (high - 1) // 2 + low)


@cache
def hand_types() -> Longs:
    """4 x 1326: what each hand is as each suit sees it."""
    cards = hands()
    seen = np.stack([(cards >> 2) + 13 * (cards & 3 == suit) for suit in range(4)])
    seen.sort(axis=2)
    types: Longs = seen[:, :, 1] * (seen[:, :, 1] + 1) // 2 + seen[:, :, 0]
    return types


@cache
def hand_ranks() -> Longs:
    """The pair of ranks of each hand."""
    ranks = hands() >> 2
    pairs: Longs = ranks[:, 1] * (ranks[:, 1] + 1) // 2 + ranks[:, 0]
    return pairs


@cache
def suit_orders() -> Longs:
    """24 x 4: every renaming of the suits."""
    return np.array(list(permutations(range(4))), np.int64)


@cache
def renamed_hands() -> Longs:
    """24 x 1326: each hand under each renaming of the suits."""
    cards = hands()
    new = np.sort(cards >> 2 << 2 | suit_orders()[:, cards & 3], axis=2)
    numbers: Longs = new[:, :, 1] * (new[:, :, 1] - 1) // 2 + new[:, :, 0]
    return numbers


class Boards(NamedTuple):
    """Early boards of one size up to a renaming of suits."""

    cards: Longs  # boards x size, the representative
    sizes: Longs  # how many boards each stands for


@cache
def early_boards(size: int) -> Boards:
    """Flops (1,755 of them), turns (16,432) or full boards (134,459)."""
    cards = chain.from_iterable(combinations(range(52), size))
    every = np.fromiter(cards, np.int64).reshape(-1, size)
    return representatives(every, suit_orders())


def representatives(every: Longs, orders: Longs) -> Boards:
    """One board of each class under these renamings of suits."""
    mine, least = _names(every, np.arange(4)), _names(every, orders[0])
    for order in orders[1:]:
        np.minimum(least, _names(every, order), out=least)
    at = np.flatnonzero(mine == least)
    at = at[np.argsort(mine[at])]
    _, sizes = np.unique(least, return_counts=True)
    return Boards(every[at], sizes.astype(np.int64))


def _names(boards: Longs, order: Longs) -> Longs:
    """A number for each board, its suits renamed in this order: one bit for every card."""
    cards = np.arange(52)
    bits = np.int64(1) << (cards >> 2 << 2 | order[cards & 3])
    found: Longs = bits[boards[:, 0]]
    for column in range(1, boards.shape[1]):
        found |= bits[boards[:, column]]
    return found


@cache
def flop_places() -> tuple[Longs, Longs]:
    """52 x 52 x 52: each flop's number in `early_boards(3)`, and the renaming that leads there."""
    flops = early_boards(3)
    numbers = np.full((52, 52, 52), -1, np.int64)
    orders = np.zeros((52, 52, 52), np.int64)
    for at in range(23, -1, -1):
        order = suit_orders()[at]
        # A renaming of the representative is undone by its inverse.
        inverse = int(np.flatnonzero((suit_orders() == np.argsort(order)).all(axis=1))[0])
        cards = flops.cards >> 2 << 2 | order[flops.cards & 3]
        for a, b, c in permutations(range(3)):
            place = cards[:, a], cards[:, b], cards[:, c]
            numbers[place] = np.arange(len(flops.cards))
            orders[place] = inverse
    return numbers, orders


@numba.njit(cache=True, nogil=True)
def view(cards: Any, suit: int, masks: Any, starts: Any) -> int:
    """The number of an early board as a suit sees it, or -1 when it is three cards short."""
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
        seen = view(cards, suit, masks, starts)
        if seen >= 0:
            for hand in range(HANDS):
                out[hand] += suited[seen, row, hand_types[suit, hand]]


@numba.njit(cache=True, nogil=True)
def mark_clashes(cards: Any, hands: Any, clash: Any) -> None:
    """Which hands hold one of the board's cards."""
    for hand in range(HANDS):
        clash[hand] = False
        for card in cards:
            if hands[hand, 0] == card or hands[hand, 1] == card:
                clash[hand] = True


@numba.njit(cache=True, nogil=True)
def decide_flops(
    first: int, last: int, flops: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, opening_ids: Any, gains: Any, totals: Any,
) -> None:  # fmt: skip
    """Bet or check on every flop, and the sums that the opening decision compares.

    Payoff rows are: checking on, betting on the flop, then others. `opening_ids[card, hand]`
    numbers what a player has seen before, one card of the flop or (one row) none of them.
    Fills gains[flop, hand], the bet over the check, and totals[opening, row], where row 0 goes on
    with the better of the two.
    """
    hands, hand_types, hand_ranks = deals
    rows = plain.shape[1]
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros((rows, HANDS), np.int64)
    for flop in range(first, last):
        cards = flops[flop]
        for row in range(rows):
            value_early(
                cards, rank_boards[flop], row, hand_types, hand_ranks, masks, starts, plain,
                suited, values[row],
            )  # fmt: skip
        mark_clashes(cards, hands, clash)
        for hand in range(HANDS):
            if clash[hand]:
                continue
            gains[flop, hand] = values[1, hand] - values[0, hand]
            for card in cards[: 3 if opening_ids.shape[0] > 1 else 1]:
                seen = opening_ids[card % opening_ids.shape[0], hand]
                totals[seen, 0] += sizes[flop] * max(values[0, hand], values[1, hand])
                for row in range(1, rows):
                    totals[seen, row] += sizes[flop] * values[row, hand]


@numba.njit(cache=True, nogil=True)
def weigh_flops(
    flops: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any, starts: Any,
    opening_ids: Any, opening: Any, gains: Any, plain: Any, suited: Any, frequency: Any,
) -> None:  # fmt: skip
    """How often each action is taken, as weights on flops for `spread_ranks` and `spread_flops`.

    Actions are the opening bets, the bet on the flop, and going on; `opening[id]` is the option
    taken before the flop, 0 to check. `frequency[action]` sums them.
    """
    hands, hand_types, hand_ranks = deals
    going_on = plain.shape[1] - 1
    clash = np.zeros(HANDS, np.bool_)
    seen = np.zeros(4, np.int64)
    for flop in range(flops.shape[0]):
        cards = flops[flop]
        for suit in range(4):
            seen[suit] = view(cards, suit, masks, starts)
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
    kept = np.ones((len(flops), HANDS), np.bool_)
    names = _names(flops, np.arange(4))
    for at, order in enumerate(suit_orders()):
        fixed = _names(flops, order) == names
        kept[fixed] &= renamed[at] >= np.arange(HANDS)
    cards = hands()
    for column in range(3):
        for place in range(2):
            kept &= flops[:, column, None] != cards[None, :, place]
    return kept
