"""A known deck that serves a table: cards go out as they fall due, streets are shown."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards import Card, parse_deck
from croupier.table.commands import DealCards, ShowStreet
from croupier.table.events import Event
from croupier.table.round import Due
from croupier.table.table import Table


class Shoe:
    """Fifty-two cards in a known order, top first, written as text or given as cards."""

    def __init__(self, deck: str | Sequence[Card]) -> None:
        cards = parse_deck(deck) if isinstance(deck, str) else tuple(deck)
        self._cards = list(reversed(cards))  # the next card is the last
        self.events: list[Event] = []

    def draw(self, count: int) -> tuple[Card, ...]:
        """The next cards, in the order they leave."""
        return tuple(self._cards.pop() for _ in range(count))

    def serve(self, table: Table) -> Due:
        """Deal and show until a decision, the settlement or new wagers are due; says which."""
        while True:
            due = table.due()
            if due.kind == "deal":
                self.events += table.do(DealCards(self.draw(due.cards)))
            elif due.kind == "show":
                self.events += table.do(ShowStreet())
            else:
                return due
