"""Solved games: each House is solved once per server, in a thread."""

from __future__ import annotations

import asyncio

from croupier.coach import SolvedGame, solve_game
from croupier.games import House


class SolvedGames:
    """Solutions by the digest of their House, and those being computed."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[SolvedGame]] = {}

    def solve(self, house: House) -> asyncio.Task[SolvedGame]:
        """The task that solves a House; solving may take minutes. A failure is tried again."""
        task = self._tasks.get(house.digest)
        failed = task is not None and task.done() and (task.cancelled() or task.exception())
        if task is None or failed:
            task = asyncio.ensure_future(asyncio.to_thread(solve_game, house))
            self._tasks[house.digest] = task
        return task
