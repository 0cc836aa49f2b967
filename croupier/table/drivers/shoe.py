"""Shoe: a deck in a known order that drives a round from one player decision to the next."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from croupier.cards import Card, names, parse_deck
from croupier.table.core.messages import Command, Event
from croupier.table.core.roles import Account
from croupier.table.drivers.shuffler import shuffle_deck
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.state import Due
from croupier.table.table import Table


def next_dealer_command(due: Due, draw: Callable[[int], Sequence[Card]]) -> Command | None:
    """Return the dealer's next command, with cards from `draw`; None if a player acts first."""
    match due.kind:
        case "deal":
            return rec.DealCards(tuple(names(draw(due.cards))))
        case "show":
            return rec.ShowStreet()
        case "settle":
            return rec.Settle()
    return None


class Shoe:
    """A deck of 52 cards in a known order, top card first, as text or as cards.

    >>> shoe = Shoe.shuffled()
    >>> len(shoe.draw(5))
    5
    """

    def __init__(self, deck: str | Sequence[Card]) -> None:
        cards = parse_deck(deck if isinstance(deck, str) else names(deck))
        self._cards = list(reversed(cards))  # the next card is the last
        self.events: list[Event] = []

    @classmethod
    def shuffled(cls, below: Callable[[int], int] = secrets.randbelow) -> Shoe:
        """Return a shuffled shoe; `below(n)` must be uniform on 0 to n - 1."""
        return cls(shuffle_deck(below))

    def draw(self, count: int) -> tuple[Card, ...]:
        """Draw the next cards from the top."""
        return tuple(self._cards.pop() for _ in range(count))

    def next_command(self, due: Due) -> Command | None:
        """Return the dealer's next command; None if a player acts first."""
        return next_dealer_command(due, self.draw)

    def advance(
        self, table: Table, by: Account | None = None, at: datetime | int = 0
    ) -> Iterator[Event]:
        """Play up to the next decision or to the end of the round; yields the events."""
        while (command := self.next_command(table.due())) is not None:
            yield from table.do(command, by, at)

    def serve(self, table: Table, by: Account | None = None, at: datetime | int = 0) -> Due:
        """Deal and show until a decision, the settlement or new wagers are due; returns which.

        The events are appended to `events`.
        """
        while (due := table.due()).kind in ("deal", "show"):
            command = self.next_command(due)
            assert command is not None
            self.events += table.do(command, by, at)
        return due

    def __repr__(self) -> str:
        return f"<Shoe with {len(self._cards)} cards>"
