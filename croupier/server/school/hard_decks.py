"""Decks whose payouts are hard: of several shuffles, the one that pays the most unusual odds."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from croupier.cards import DECK, names
from croupier.games import House
from croupier.table import Account, Command, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.bots import choose_option

CANDIDATES = 48
SEATS = {1: "first", 4: "second"}
EVEN_MONEY = ("", "1 to 1")
DRIVER = Account("school", "system")


def shuffled(seed: str) -> list[str]:
    """A deck in dealing order; equal seeds give equal decks."""
    cards = list(names(DECK))
    Random(seed).shuffle(cards)
    return cards


@lru_cache(maxsize=64)
def hard_deck(house: House, seed: str) -> tuple[str, ...]:
    """The deck with the hardest payouts among some; equal seeds give equal decks.

    It depends on nothing else, so that it stays the same while a round is played.
    """
    decks = [tuple(shuffled(f"{seed} {number}")) for number in range(CANDIDATES)]
    return max(decks, key=lambda deck: hard_payouts(house, deck))


def hard_payouts(house: House, deck: tuple[str, ...]) -> int:
    """How many wagers win at odds other than even money, if both seats bet on everything."""
    table, left = Table(house), list(deck)
    for seat, player in SEATS.items():
        stakes = {
            wager.name: limits.minimum
            for wager in house.game.wagers
            if wager.role in ("ante", "matching", "optional")
            and (limits := house.limits.get(wager.name) or house.limits[house.game.ante.name])
            and (wager.role != "optional" or house.offers(wager.name))
        }
        table.do(cmd.PlaceWagers(seat, stakes, player), DRIVER)
    table.do(cmd.NoMoreBets(), DRIVER)
    hard = 0
    while (due := table.due()).kind != "wagers":
        command: Command
        match due.kind:
            case "deal":
                command = cmd.DealCards(tuple(left[: due.cards]))
                del left[: due.cards]
            case "decide":
                current = table.round
                assert current is not None and current.street is not None
                word, _ = choose_option(current, current.street, current.boxes[due.seat])
                command = cmd.Decide(due.seat, word)
            case "show":
                command = cmd.ShowStreet()
            case _:
                command = cmd.Settle()
        for event in table.do(command, DRIVER):
            if isinstance(event, ev.WagerSettled) and event.returned > event.stake:
                hard += event.pays not in EVEN_MONEY
        if table.dealing is None:
            break
    return hard
