"""Hold'em dealt card by card, for the twins of the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.hands import isomorphism
from croupier.ranking import rank_hands

Pair = tuple[int, int]
Longs = NDArray[np.int64]


def flush_suit(board: list[int]) -> int:
    """The suit of three or more cards of a board, or -1."""
    suit, most = Counter(card & 3 for card in board).most_common(1)[0]
    return suit if most >= 3 else -1


@cache
def pair_places() -> dict[tuple[int, ...], int]:
    """Where each pair of card types is listed."""
    return {tuple(row): at for at, row in enumerate(isomorphism.numbering().type_pairs.tolist())}


def seen_by(cards: list[int] | Pair, suit: int) -> int:
    """Two cards as a suit sees them, or by ranks alone."""
    kinds = sorted((card >> 2) + 13 * (card & 3 == suit) for card in cards)
    return pair_places()[tuple(kinds)]


def hands_beside(board: list[int]) -> list[Pair]:
    """Every hand that holds none of the board's cards."""
    return list(combinations([card for card in range(52) if card not in board], 2))


def met(board: list[int]) -> Iterator[tuple[Pair, int, Longs]]:
    """Every hand beside a full board with its value and the values of its 990 opponents."""
    pairs = hands_beside(board)
    values = rank_hands([[*pair, *board] for pair in pairs]).astype(np.int64)
    cards = np.array(pairs)
    for pair, value in zip(pairs, values.tolist(), strict=True):
        apart = ~np.isin(cards, pair).any(axis=1)
        yield pair, value, values[apart]


def outcomes(value: int, dealers: Longs, qualifying: int) -> Longs:
    """Opponents unqualified, then qualified; each behind, tied, ahead as the player sees it."""
    column = 3 * (dealers >= qualifying) + np.sign(value - dealers) + 1
    return np.bincount(column, minlength=6)


@cache
def partial_places(size: int) -> dict[tuple[tuple[int, ...], tuple[int, ...]], int]:
    """Ranks in a suit and ranks outside it, as `partial_boards` lists them."""
    masks, outside = isomorphism.partial_boards(size)
    return {
        (
            tuple(rank for rank in range(13) if mask >> rank & 1),
            tuple(rank for rank in others if rank < 13),
        ): at
        for at, (mask, others) in enumerate(zip(masks.tolist(), outside.tolist(), strict=True))
    }


def place_of(board: list[int], suit: int) -> int:
    """Where an early board is listed as a suit sees it, or -1."""
    inside = tuple(sorted(card >> 2 for card in board if card & 3 == suit))
    outside = tuple(sorted(card >> 2 for card in board if card & 3 != suit))
    return partial_places(len(board)).get((inside, outside), -1)


@cache
def rank_places(size: int) -> dict[tuple[int, ...], int]:
    """Where each multiset of ranks is listed."""
    return {tuple(row): at for at, row in enumerate(isomorphism.multisets(size).tolist())}


def cells(board: list[int], pair: list[int] | Pair) -> tuple[Pair, list[Pair]]:
    """Where an early board and a hand stand in the sums by rank and in those by suit."""
    ranks = tuple(sorted(card >> 2 for card in board))
    plain = rank_places(len(board))[ranks], seen_by(pair, -1)
    places = [(place_of(board, suit), seen_by(pair, suit)) for suit in range(4)]
    return plain, [(place, kind) for place, kind in places if place >= 0]


def value(plain: Longs, suited: Longs, row: int, board: list[int], pair: list[int] | Pair) -> int:
    """One payoff row of a hand beside an early board: by rank, and corrected by suit."""
    by_rank, by_suit = cells(board, pair)
    total = int(plain[by_rank[0], row, by_rank[1]])
    return total + sum(int(suited[place, row, kind]) for place, kind in by_suit)
