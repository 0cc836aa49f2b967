"""Decks: an unbiased shuffle, committed to before the bets close and revealed after the round."""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Callable

import msgspec

from croupier.cards import DECK, Card, names, parse_deck
from croupier.errors import BadInput

VIRTUAL = "COMAR 36.05.01.02B(9)"  # where money is played for, no machine decides the game


class CommittedDeck(msgspec.Struct, frozen=True):
    """A shuffled deck, top card first, and the salt that hides it in its commitment."""

    cards: tuple[Card, ...]
    salt: str

    @property
    def revealed(self) -> str:
        """The text whose SHA-256 is the commitment."""
        return f"{self.salt} {' '.join(names(self.cards))}"

    @property
    def commitment(self) -> str:
        """What is shown before the bets close: it fixes the deck and tells nothing about it."""
        return commitment_of(self.revealed)

    @classmethod
    def of(cls, revealed: str) -> CommittedDeck:
        """The deck of a text that was revealed; BadInput if it is none."""
        salt, _, cards = revealed.partition(" ")
        found = cls(tuple(parse_deck(cards)), salt)
        if found.revealed != revealed:
            raise BadInput(f"a salt and 52 cards are expected, got {revealed[:80]!r}")
        return found


def commitment_of(revealed: str) -> str:
    """The SHA-256 of what is revealed later."""
    return hashlib.sha256(revealed.encode()).hexdigest()


class Shuffler:
    """Decks one after the other: the operating system's randomness, or a seed for rehearsals."""

    def __init__(self, seed: int | None = None) -> None:
        # A seeded shuffle can be repeated by anybody; it is for scripts and demonstrations only.
        source = random.Random(seed) if seed is not None else secrets.SystemRandom()
        self._source: random.Random = source

    def deck(self) -> CommittedDeck:
        """The next deck."""
        cards = shuffle_deck(self._source.randrange)
        return CommittedDeck(cards, f"{self._source.getrandbits(128):032x}")


def shuffle_deck(below: Callable[[int], int]) -> tuple[Card, ...]:
    """Fisher and Yates: every order equally likely if `below(n)` is uniform on 0 to n - 1."""
    cards = list(DECK)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)
