"""The drill of a private table: decks in which the player has a close decision."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Literal

from croupier.clock import now_ms
from croupier.coach import find_close_deck
from croupier.money import Cents
from croupier.server.practice.solved_games import SolvedGames
from croupier.server.tables.host import TableHost
from croupier.table import commands as cmd
from croupier.table.core.fields import StakesField
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler

DECKS_AHEAD = 2  # each takes several tries


class PracticeDrill:
    """Whether a table deals only close decisions, and its decks."""

    def __init__(self, host: TableHost, solved_games: SolvedGames) -> None:
        self.host = host
        self.solved_games = solved_games
        self.is_on = False

    @property
    def state(self) -> Literal["off", "solving", "on"]:
        """Whether it is on; decks are ordinary while the game is being solved."""
        if not self.is_on:
            return "off"
        task = self.solved_games.solve(self.host.table.house)
        return "on" if task.done() and not task.exception() else "solving"

    def switch(self, on: bool, when_solved: Callable[[], None]) -> None:
        """Turn it on or off; calls back when decks can be chosen."""
        self.is_on = on
        if self.state == "solving":
            task = self.solved_games.solve(self.host.table.house)
            task.add_done_callback(lambda _: when_solved())

    async def decks(self, shuffler: Shuffler) -> list[CommittedDeck]:
        """The next decks; none while it is off or the game is not solved."""
        seats, stakes = self.host.table.seats.taken, self._minimum_bets()
        if self.state != "on" or not stakes or not seats:
            return []
        solved = self.solved_games.solve(self.host.table.house).result()
        find = partial(find_close_deck, solved, min(seats), stakes, shuffler)
        return await asyncio.to_thread(lambda: [find() for _ in range(DECKS_AHEAD)])

    def _minimum_bets(self) -> dict[str, Cents]:
        table = self.host.table
        act = table.command_spec(cmd.PlaceWagers)
        assert act is not None
        for offer in act.offers(table, now_ms()):
            form = offer.fields["wagers"]
            if isinstance(form, StakesField) and not form.lies:
                return form.example()
        return {}
