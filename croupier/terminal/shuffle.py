"""Decks: an unbiased shuffle, committed to before the bets close and revealed after the round."""

from __future__ import annotations

import hashlib
import random
import secrets

import msgspec

from croupier.cards import Card, names
from croupier.table import shuffled


class Committed(msgspec.Struct, frozen=True):
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
        return hashlib.sha256(self.revealed.encode("ascii")).hexdigest()


class Shuffler:
    """Decks one after the other: the operating system's randomness, or a seed for rehearsals."""

    def __init__(self, seed: int | None = None) -> None:
        # A seeded shuffle can be repeated by anybody; it is for scripts and demonstrations only.
        source = random.Random(seed) if seed is not None else secrets.SystemRandom()
        self._source: random.Random = source

    def deck(self) -> Committed:
        """The next deck."""
        cards = shuffled(self._source.randrange)
        return Committed(cards, f"{self._source.getrandbits(128):032x}")
