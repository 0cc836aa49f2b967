"""A recorded table at which one of two players sees the hidden cards."""

from __future__ import annotations

import random
from collections.abc import Callable

from croupier.cards import DECK, names
from croupier.games import House
from croupier.ledger import Ledger
from croupier.table import Table
from croupier.table import commands as cmd
from tests.support.recorded_rounds import ANN, MAX

Answer = Callable[[Table, int, random.Random], str]


def played(ledger: Ledger, name: str, house: House, rounds: int, answer: Answer) -> None:
    """Record rounds of Rex at seat 1 and Una at seat 2, who decide by `answer`."""
    rng = random.Random(4)
    table = ledger.open_table(name, house, by=MAX)
    stakes = {w.name: 5_00 for w in house.game.wagers if w.role in ("ante", "matching")}
    for _ in range(rounds):
        for seat, player in ((1, "rex"), (2, "una")):
            table.do(cmd.PlaceWagers(seat, stakes, player), ANN)
        table.do(cmd.NoMoreBets(), ANN)
        deck = names(rng.sample(DECK, 52))
        while (due := table.table.due()).kind != "settle":
            match due.kind:
                case "deal":
                    table.do(cmd.DealCards(tuple(deck.pop() for _ in range(due.cards))), ANN)
                case "show":
                    table.do(cmd.ShowStreet(), ANN)
                case "decide":
                    table.do(cmd.Decide(due.seat, answer(table.table, due.seat, rng)), ANN)
        table.do(cmd.Settle(), ANN)
