"""Suit isomorphism classes of exposed cards, and of boards and openings given them."""

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
    """A class of known cards of the dealer or another seat; `share` is its probability.

    Suits of the representative start at clubs.
    """

    name: str
    share: Fraction
    dealer: tuple[Card, ...] = ()
    dead: tuple[Card, ...] = ()  # held by another seat

    @property
    def cards(self) -> tuple[Card, ...]:
        """All known cards; neither the player nor the board has any of them."""
        return self.dealer + self.dead

    @property
    def suits(self) -> list[int]:
        """The suits of the known cards."""
        return sorted({card & 3 for card in self.cards})

    @property
    def views(self) -> Longs:
        """The view number of each suit; suits without known cards share the last one."""
        return np.array([self.suits.index(suit) if suit in self.suits else len(self.suits)
                         for suit in range(4)])  # fmt: skip

    def types(self, view: int) -> tuple[Longs, Longs]:
        """The dealer's cards and the dead cards as card types of a view."""
        suit = self.suits[view] if view < len(self.suits) else -1
        dealer, dead = (
            np.array([(card >> 2) + 13 * (card & 3 == suit) for card in cards], np.int64)
            for cards in (self.dealer, self.dead)
        )
        return dealer, dead

    def outside(self, view: int) -> Longs:
        """Counts of the known cards outside a view's suit, by rank."""
        kinds = np.concatenate(self.types(view))
        return np.bincount(kinds[kinds < 13], minlength=13)

    @property
    def ranks(self) -> tuple[Longs, Longs]:
        """The ranks of the dealer's cards and of the dead cards."""
        dealer, dead = (np.array(cards, np.int64) >> 2 for cards in (self.dealer, self.dead))
        return dealer, dead

    @property
    def opponents(self) -> int:
        """The number of dealer hands, given a board and a player's hand."""
        return comb(45 - len(self.cards), 2 - len(self.dealer))

    def left(self, taken: int, drawn: int) -> int:
        """Ways to draw `drawn` cards after `taken` others and the known ones are removed."""
        return comb(52 - len(self.cards) - taken, drawn)


def every_known(dealer: int = 0, seat: int = 0) -> Iterator[KnownCards]:
    """All classes of known cards of the dealer or a seat: one card by rank, two as a hand.

    Without known cards, a single empty class.
    """
    assert not (dealer and seat), "known cards of two hands are not supported"
    place = "dead" if seat else "dealer"
    for name, share, cards in _card_classes(dealer + seat):
        yield KnownCards(name, share, **{place: cards})


def _card_classes(count: int) -> Iterator[tuple[str, Fraction, tuple[Card, ...]]]:
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
    """Flags of the suit permutations that fix these suits."""
    permutations = flops.suit_orders()
    fixing: NDArray[np.bool_] = (permutations[:, list(suits)] == list(suits)).all(axis=1)
    return fixing


@cache
def every_board(size: int) -> Longs:
    """All flops or turns."""
    return np.array(list(combinations(range(52), size)), np.int64)


@lru_cache(maxsize=2)
def boards_beside(cards: tuple[Card, ...], size: int) -> flops.Boards:
    """Classes of flops or turns without the known cards, whose suits are fixed."""
    boards = every_board(size)
    left = ~np.isin(boards, cards).any(axis=1)
    suits = sorted({card & 3 for card in cards})
    return flops.representatives(boards[left], flops.suit_orders()[suit_orders_fixing(suits)])


class KnownOpenings(NamedTuple):
    """Numbered isomorphism classes of the information at the first decision.

    `ids[place, hand]`; `known_card_sums.list_shown` defines the place of up to two board cards.
    """

    ids: Longs
    size: int
    first: Longs  # by class: the place and the hand of a representative


@lru_cache(maxsize=4)
def openings(suits: tuple[int, ...], shown: int) -> KnownOpenings:
    """Classes of starting hands with `shown` board cards; the given suits are fixed."""
    places = (1, 52, flops.HANDS)[shown]
    least = np.full((places, flops.HANDS), np.iinfo(np.int64).max)
    fixing = suit_orders_fixing(suits)
    for order, hands in zip(
        flops.suit_orders()[fixing], flops.renamed_hands()[fixing], strict=True
    ):
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
    """The number of hands and board cards in each opening class."""
    classes = openings(tuple(what.suits), shown)
    hands = flops.hands()
    possible = ~np.isin(hands, what.cards).any(axis=1)
    times = np.zeros(classes.size, np.int64)
    for ids, cards in zip(classes.ids, shown_cards(shown), strict=True):
        if not np.isin(cards, what.cards).any():
            free = possible & ~np.isin(hands, cards).any(axis=1)
            times += np.bincount(ids[free], minlength=classes.size)
    return times


def by_shown(best: Longs, shown: int, known: int) -> dict[str, Fraction]:
    """Sums over openings by the name of the exposed board cards, per occurrence of the name.

    One card is named by its rank; if another one is open, either may be the exposed one. Two cards
    are named as a starting hand.
    """
    places = openings((), shown).first[:, 0]
    if known == 2:
        hands = starting_hands.hand_classes()
        labels, share = hands.names, [Fraction(int(size), 1326) for size in hands.sizes]
        named = hands.ids[0][places][:, None]
    else:
        labels, share = tuple(RANKS), [Fraction(1, 13)] * 13
        named = shown_cards(shown)[places] >> 2
    sums = [0] * len(labels)
    for row, worth in zip(named.tolist(), best.tolist(), strict=True):
        for label in row:
            sums[label] += worth
    ways = named.shape[1]
    return {
        label: Fraction(total, ways) / probability
        for label, total, probability in zip(labels, sums, share, strict=True)
    }
