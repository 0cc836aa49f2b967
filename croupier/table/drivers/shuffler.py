"""Shuffler: unbiased shuffles of virtual decks, with a commitment to each deck."""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Callable

import msgspec

from croupier.cards import DECK, Card, names, parse_deck
from croupier.errors import BadInput

VIRTUAL = "COMAR 36.05.01.02B(9)"  # in play for money no machine determines the outcome


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
        """The digest published before the bets close; it fixes the deck without revealing it."""
        return commitment_of(self.revealed)

    @classmethod
    def of(cls, revealed: str) -> CommittedDeck:
        """Parse a revealed deck; raises BadInput if the text is not one."""
        salt, _, cards = revealed.partition(" ")
        deck = cls(tuple(parse_deck(cards)), salt)
        if deck.revealed != revealed:
            raise BadInput(f"expected a salt and 52 cards, got {revealed[:80]!r}")
        return deck


def commitment_of(revealed: str) -> str:
    """Return the commitment of a revealed text: its SHA-256."""
    return hashlib.sha256(revealed.encode()).hexdigest()


class Shuffler:
    """A source of shuffled decks: the operating system's CSPRNG, or a seed for reproducible play.

    A seeded shuffle can be predicted; use it for scripts and demonstrations only.
    """

    def __init__(self, seed: int | None = None) -> None:
        source = random.Random(seed) if seed is not None else secrets.SystemRandom()
        self._source: random.Random = source

    def deck(self) -> CommittedDeck:
        """Shuffle the next deck."""
        cards = shuffle_deck(self._source.randrange)
        return CommittedDeck(cards, f"{self._source.getrandbits(128):032x}")


def shuffle_deck(below: Callable[[int], int]) -> tuple[Card, ...]:
    """Fisher-Yates shuffle: all orders are equally likely if `below(n)` is uniform below n."""
    cards = list(DECK)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)
