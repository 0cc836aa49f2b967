"""One round carried forward: cards from a committed deck, everything else as the table asks."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.table import Due, Event
from croupier.table import commands as cmd
from croupier.terminal.record import Played
from croupier.terminal.shuffle import Committed


class Dealer:
    """Deals and shows what is due, and stops where a person must decide."""

    def __init__(self, table: Played, deck: Committed) -> None:
        self.table = table
        self.deck = deck
        self._dealt = 0

    def advance(self) -> Iterator[Event]:
        """Everything that happens up to the next decision, or to the end of the round."""
        while (command := self._next(self.table.due())) is not None:
            yield from self.table.do(command)

    def _next(self, due: Due) -> cmd.Command | None:
        match due.kind:
            case "deal":
                cards = self.deck.cards[self._dealt : self._dealt + due.cards]
                self._dealt += due.cards
                return cmd.DealCards(cards)
            case "show":
                return cmd.ShowStreet()
            case "settle":
                return cmd.Settle()
        return None
