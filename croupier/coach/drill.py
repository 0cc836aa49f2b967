"""The drill: deals only decks in which optimal play has a close decision."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.coach.solved_game import SolvedGame
from croupier.errors import BadInput
from croupier.games import House
from croupier.money import Cents
from croupier.table import Shoe, Table
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler

MAX_DECKS = 2000  # about one deck in four has a close decision


def find_close_deck(
    solved: SolvedGame, seat: int, stakes: Mapping[str, Cents], shuffler: Shuffler
) -> CommittedDeck:
    """The next deck with a close decision for an optimal player with these bets at this seat.

    Raises BadInput if there is none in MAX_DECKS decks.
    """
    for _ in range(MAX_DECKS):
        deck = shuffler.deck()
        if deck_is_close(solved, seat, stakes, deck):
            return deck
    raise BadInput(f"no close decision in {MAX_DECKS} decks of {solved.house.game.title}")


def deck_is_close(
    solved: SolvedGame, seat: int, stakes: Mapping[str, Cents], deck: CommittedDeck
) -> bool:
    """Whether optimal play has a close decision with this deck."""
    table = trial_table(solved.house, seat, stakes)
    shoe = Shoe(deck.cards)
    while shoe.serve(table).kind == "decide":
        current = table.in_progress()
        if solved.is_close(current, seat):
            return True
        table.do(cmd.Decide(seat, solved.best_word(current, seat)))
    return False


def trial_table(house: House, seat: int, stakes: Mapping[str, Cents]) -> Table:
    """A table for trying a deck, after the bets."""
    table = Table(house)
    table.do(cmd.PlaceWagers(seat, dict(stakes), "you"))
    table.do(cmd.NoMoreBets())
    return table
