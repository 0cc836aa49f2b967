"""Asyncio front of the log: appends of one loop iteration are submitted together.

Waking a thread or an event loop costs more than storing an entry, so the appends of all tasks that
run in one iteration form one group, and all appends of a group are resolved by one wake-up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Unpack

from croupier.ledger.errors import LedgerError
from croupier.ledger.log.append import Append, AppendOptions
from croupier.ledger.log.entry import Entry, StoredEntry
from croupier.ledger.log.store import Store


class AsyncAppender:
    """Appends of all tables of one event loop; create it inside that loop."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._loop = asyncio.get_running_loop()
        self._batch: list[Append] = []
        self._futures: dict[Append, asyncio.Future[list[StoredEntry]]] = {}

    async def append(
        self, entries: Sequence[Entry], **options: Unpack[AppendOptions]
    ) -> list[StoredEntry]:
        """Append entries and return them once they are durable; see `Append` for the options."""
        future: asyncio.Future[list[StoredEntry]] = self._loop.create_future()
        append = Append(entries, callback=self._resolved, **options)
        self._futures[append] = future
        if not self._batch:  # runs after every task that is ready now
            self._loop.call_soon(self._submit_batch)
        self._batch.append(append)
        return await future

    def _submit_batch(self) -> None:
        batch, self._batch = self._batch, []
        try:
            self.store.submit(batch)
        except LedgerError as error:  # closed, or opened read-only
            for append in batch:
                append.resolve(error)
            self._wake(batch)

    def _resolved(self, appends: list[Append]) -> None:
        """Callback in the writer's thread."""
        self._loop.call_soon_threadsafe(self._wake, appends)

    def _wake(self, appends: list[Append]) -> None:
        for append in appends:
            future = self._futures.pop(append)
            if future.cancelled():
                continue
            if append.failure is None:
                future.set_result(append.stored)
            else:
                future.set_exception(append.failure)
