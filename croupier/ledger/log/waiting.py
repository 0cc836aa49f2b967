"""Appends awaited in an event loop: one wake-up for all that a transaction decided.

Waking a loop from another thread costs more than storing an entry, so those that became durable
together are told together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from croupier.ledger.log.appends import Append, Fence
from croupier.ledger.log.entry import Entry, Mark, Snapshot, Stored
from croupier.ledger.log.store import Store


class Waiting:
    """The appends of many tables that run in one event loop; made inside that loop."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._loop = asyncio.get_running_loop()
        self._decided: list[tuple[Append, asyncio.Future[list[Stored]]]] = []
        self._called = False

    async def append(
        self,
        entries: Sequence[Entry],
        *,
        marks: Sequence[Mark] = (),
        snapshots: Sequence[Snapshot] = (),
        reserved: bool = False,
        fence: Fence | None = None,
    ) -> list[Stored]:
        """Return when the entries are durable, or raise why they are not."""
        future: asyncio.Future[list[Stored]] = self._loop.create_future()
        self.store.submit(
            entries,
            marks=marks,
            snapshots=snapshots,
            then=partial(self._tell, future),
            reserved=reserved,
            fence=fence,
        )
        return await future

    def _tell(self, future: asyncio.Future[list[Stored]], append: Append) -> None:
        """In the writer's thread: note it, and call the loop unless it has been called."""
        self._decided.append((append, future))
        if not self._called:
            self._called = True
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        # Cleared before the list is taken: what is noted in between causes one call too many,
        # never one too few.
        self._called = False
        decided, self._decided = self._decided, []
        for append, future in decided:
            if future.cancelled():
                continue
            if append.failure is None:
                future.set_result(append.stored)
            else:
                future.set_exception(append.failure)
