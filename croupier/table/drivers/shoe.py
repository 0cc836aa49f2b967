"""A known deck that carries a round forward: all that a dealer does until a person decides."""

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
    """What a dealer does next, with cards from `draw`; None where a person has to act first."""
    match due.kind:
        case "deal":
            return rec.DealCards(tuple(names(draw(due.cards))))
        case "show":
            return rec.ShowStreet()
        case "settle":
            return rec.Settle()
    return None


class Shoe:
    """Fifty-two cards in a known order, top first, written as text or given as cards."""

    def __init__(self, deck: str | Sequence[Card]) -> None:
        cards = parse_deck(deck if isinstance(deck, str) else names(deck))
        self._cards = list(reversed(cards))  # the next card is the last
        self.events: list[Event] = []

    @classmethod
    def shuffled(cls, below: Callable[[int], int] = secrets.randbelow) -> Shoe:
        """A deck in an order that nobody knows; `below(n)` is uniform on 0 to n - 1."""
        return cls(shuffle_deck(below))

    def draw(self, count: int) -> tuple[Card, ...]:
        """The next cards, in the order they leave."""
        return tuple(self._cards.pop() for _ in range(count))

    def next_command(self, due: Due) -> Command | None:
        """What the dealer does next; None where a person has to act first."""
        return next_dealer_command(due, self.draw)

    def advance(
        self, table: Table, by: Account | None = None, at: datetime | int = 0
    ) -> Iterator[Event]:
        """Everything that happens up to the next decision, or to the end of the round."""
        while (command := self.next_command(table.due())) is not None:
            yield from table.do(command, by, at)

    def serve(self, table: Table, by: Account | None = None, at: datetime | int = 0) -> Due:
        """Deal and show until a decision, the settlement or new wagers are due; says which."""
        while (due := table.due()).kind in ("deal", "show"):
            command = self.next_command(due)
            assert command is not None
            self.events += table.do(command, by, at)
        return due

    def __repr__(self) -> str:
        return f"<Shoe with {len(self._cards)} cards>"
