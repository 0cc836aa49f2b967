"""Cards that nobody should see, up to suits: the dealer's, another seat's, some of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.solvers import starting_hands
from croupier.cards import RANKS, Card

Longs = NDArray[np.int64]
Worths = tuple[Fraction, dict[str, Fraction], dict[str, Fraction]]


class KnownCards(NamedTuple):
    """Known cards of the dealer or of another seat, in suits from clubs on, and how often."""

    name: str
    share: Fraction
    dealer: tuple[Card, ...] = ()
    dead: tuple[Card, ...] = ()  # in nobody's hand that counts

    @property
    def cards(self) -> tuple[Card, ...]:
        """All of them: no player and no board has any."""
        return self.dealer + self.dead

    @property
    def suits(self) -> list[int]:
        """The suits that are known."""
        return sorted({card & 3 for card in self.cards})

    @property
    def views(self) -> Longs:
        """By suit, which of the views below it has; suits that hold nothing known share one."""
        return np.array([self.suits.index(suit) if suit in self.suits else len(self.suits)
                         for suit in range(4)])  # fmt: skip

    def types(self, view: int) -> tuple[Longs, Longs]:
        """The dealer's cards and the dead ones as types, as a view sees them."""
        suit = self.suits[view] if view < len(self.suits) else -1
        dealer, dead = (
            np.array([(card >> 2) + 13 * (card & 3 == suit) for card in cards], np.int64)
            for cards in (self.dealer, self.dead)
        )
        return dealer, dead

    def outside(self, view: int) -> Longs:
        """The known cards outside a view's suit, by rank."""
        kinds = np.concatenate(self.types(view))
        return np.bincount(kinds[kinds < 13], minlength=13)

    @property
    def ranks(self) -> tuple[Longs, Longs]:
        """The dealer's cards and the dead ones by rank."""
        dealer, dead = (np.array(cards, np.int64) >> 2 for cards in (self.dealer, self.dead))
        return dealer, dead

    @property
    def opponents(self) -> int:
        """Hands of the dealer beside a board and a hand of the player."""
        return comb(45 - len(self.cards), 2 - len(self.dealer))

    def left(self, taken: int, drawn: int) -> int:
        """Ways to draw so many cards when others are taken besides those that are known."""
        return comb(52 - len(self.cards) - taken, drawn)


def every_known(dealer: int = 0, seat: int = 0) -> Iterator[KnownCards]:
    """Cards of the dealer or of a seat: one by rank, or both as a starting hand.

    Without any, the one way to know nothing.
    """
    assert not (dealer and seat), "cards of two hands are not told apart up to suits"
    place = "dead" if seat else "dealer"
    for name, share, cards in _up_to_suits(dealer + seat):
        yield KnownCards(name, share, **{place: cards})


def _up_to_suits(count: int) -> Iterator[tuple[str, Fraction, tuple[Card, ...]]]:
    if count == 0:
        yield "", Fraction(1), ()
    elif count == 1:
        for rank in range(13):
            yield RANKS[rank], Fraction(1, 13), (rank << 2,)
    else:
        hands = starting_hands.hand_classes()
        for name, size in zip(hands.names, hands.sizes.tolist(), strict=True):
            high, low = (RANKS.index(rank) for rank in name[:2])
            suit = 0 if name.endswith("s") else 1
            yield name, Fraction(size, 1326), (high << 2, low << 2 | suit)


def suit_orders_fixing(suits: Sequence[int]) -> NDArray[np.bool_]:
    """Which renamings of suits leave these alone."""
    every = flops.suit_orders()
    kept: NDArray[np.bool_] = (every[:, list(suits)] == list(suits)).all(axis=1)
    return kept


@cache
def every_board(size: int) -> Longs:
    """All flops or turns: listed once, as there are many ways to know something."""
    return np.array(list(combinations(range(52), size)), np.int64)


@lru_cache(maxsize=2)
def boards_beside(cards: tuple[Card, ...], size: int) -> flops.Boards:
    """Flops or turns without the known cards, up to a renaming of the other suits."""
    boards = every_board(size)
    left = ~np.isin(boards, cards).any(axis=1)
    suits = sorted({card & 3 for card in cards})
    return flops.representatives(boards[left], flops.suit_orders()[suit_orders_fixing(suits)])


class KnownOpenings(NamedTuple):
    """What is seen at the first decision up to the suits that are not known, numbered.

    `ids[place, hand]`; see `known.list_shown` for the place of up to two cards of the board.
    """

    ids: Longs
    size: int
    first: Longs  # by number: the place and the hand of one of them


@lru_cache(maxsize=4)
def openings(suits: tuple[int, ...], shown: int) -> KnownOpenings:
    """Starting hands with so many cards of the board."""
    places = (1, 52, flops.HANDS)[shown]
    least = np.full((places, flops.HANDS), np.iinfo(np.int64).max)
    kept = suit_orders_fixing(suits)
    for order, hands in zip(flops.suit_orders()[kept], flops.renamed_hands()[kept], strict=True):
        cards = np.arange(52)
        renamed = (np.zeros(1, np.int64), cards >> 2 << 2 | order[cards & 3], hands)[shown]
        np.minimum(least, renamed[:, None] * flops.HANDS + hands[None, :], out=least)
    names, ids = np.unique(least, return_inverse=True)
    first = np.column_stack(np.divmod(names, flops.HANDS))
    return KnownOpenings(ids.reshape(least.shape).astype(np.int64), len(names), first)


def shown_cards(shown: int) -> Longs:
    """The cards of each place: [place, card]."""
    return (np.zeros((1, 0), np.int64), np.arange(52)[:, None], flops.hands())[shown]


def count_openings(what: KnownCards, shown: int) -> Longs:
    """How many hands beside cards of the board are behind each number."""
    found = openings(tuple(what.suits), shown)
    hands = flops.hands()
    apart = ~np.isin(hands, what.cards).any(axis=1)
    times = np.zeros(found.size, np.int64)
    for ids, cards in zip(found.ids, shown_cards(shown), strict=True):
        if not np.isin(cards, what.cards).any():
            free = apart & ~np.isin(hands, cards).any(axis=1)
            times += np.bincount(ids[free], minlength=found.size)
    return times


def by_shown(best: Longs, shown: int, known: int) -> dict[str, Fraction]:
    """What openings add up to by the cards of the board that should not be seen.

    One is told by its rank; where another lies open beside it, each of the two may be the known
    one. Two are told as a starting hand. Sums are over how often that name comes.
    """
    places = openings((), shown).first[:, 0]
    if known == 2:
        hands = starting_hands.hand_classes()
        names, share = hands.names, [Fraction(int(size), 1326) for size in hands.sizes]
        told = hands.ids[0][places][:, None]
    else:
        names, share = tuple(RANKS), [Fraction(1, 13)] * 13
        told = shown_cards(shown)[places] >> 2
    sums = [0] * len(names)
    for row, worth in zip(told.tolist(), best.tolist(), strict=True):
        for name in row:
            sums[name] += worth
    ways = told.shape[1]
    return {
        name: Fraction(total, ways) / often
        for name, total, often in zip(names, sums, share, strict=True)
    }
