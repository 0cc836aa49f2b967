"""The drill: only decks in which the best play meets a close decision."""

from __future__ import annotations

from croupier.coach import Best
from croupier.errors import BadInput
from croupier.games import House
from croupier.table import Shoe, Table
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler
from croupier.terminal.render.bet_slip import smallest

MOST_DECKS = 2000  # looked at before giving up: about one in four has a close decision


def close_deck(best: Best, seat: int, shuffler: Shuffler) -> CommittedDeck:
    """The next deck in which somebody who plays best on that box has a close decision."""
    for _ in range(MOST_DECKS):
        deck = shuffler.deck()
        if is_close(best, seat, deck):
            return deck
    raise BadInput(f"no close decision in {MOST_DECKS} decks of {best.house.game.title}")


def is_close(best: Best, seat: int, deck: CommittedDeck) -> bool:
    """Whether the best play of this deck meets a close decision."""
    table = scratch(best.house, seat)
    shoe = Shoe(deck.cards)
    while shoe.serve(table).kind == "decide":
        if best.close(table.in_progress(), seat):
            return True
        table.do(cmd.Decide(seat, best.word(table.in_progress(), seat)))
    return False


def scratch(house: House, seat: int) -> Table:
    """A table to try a deck on, betting closed."""
    table = Table(house)
    table.do(cmd.PlaceWagers(seat, smallest(house), "you"))
    table.do(cmd.NoMoreBets())
    return table
