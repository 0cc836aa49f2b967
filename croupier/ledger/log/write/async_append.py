"""Appends awaited in an event loop: handed over together, and told together.

Waking a thread or a loop costs more than storing an entry. What the tasks of one turn of the loop
append goes into one group; those that became durable together are told together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ParamSpec, TypeVar

from croupier.ledger.errors import LedgerError
from croupier.ledger.log.append import Append, Fence
from croupier.ledger.log.entry import Entry, IndexTerm, Snapshot, StoredEntry
from croupier.ledger.log.failpoints import NO_FAULTS
from croupier.ledger.log.store import Store
from croupier.ledger.log.write.process import POSSIBLE, WriterProcess, database_of

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
TaskLock = asyncio.Lock  # held by one task of a loop at a time, in the order they came


class AsyncAppender:
    """The appends of many tables that run in one event loop; made inside that loop."""

    def __init__(self, store: Store, *, apart: bool = False) -> None:
        """`apart`: written by a process of its own, where that can be; to be closed then."""
        self.store = store
        self._loop = asyncio.get_running_loop()
        self._gathered: list[Append] = []
        self._futures: dict[Append, asyncio.Future[list[StoredEntry]]] = {}
        # What is to fail on purpose fails in this process.
        may = POSSIBLE and not store.readonly and store.faults is NO_FAULTS
        self._apart = WriterProcess(database_of(store), self._wake) if apart and may else None

    async def close(self) -> None:
        """Return when nothing is on its way any more; where it wrote apart, nothing can be then."""
        if self._apart is not None:
            await self._apart.close()

    async def __aenter__(self) -> AsyncAppender:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    @property
    def process(self) -> int:
        """The number of the process that writes; 0 while none does."""
        return self._apart.process if self._apart is not None else 0

    def queue(self) -> TaskLock:
        """A new queue for tasks of this loop."""
        return TaskLock()

    def run_in_thread(
        self, call: Callable[Given, Answer], *args: Given.args, **named: Given.kwargs
    ) -> Coroutine[Any, Any, Answer]:
        """Something that takes a while, in a thread, while the loop goes on."""
        return asyncio.to_thread(call, *args, **named)

    def pause(self, seconds: float) -> Coroutine[Any, Any, None]:
        """Let the loop go on with others."""
        return asyncio.sleep(seconds)

    async def append(
        self,
        entries: Sequence[Entry],
        *,
        marks: Sequence[IndexTerm] = (),
        snapshots: Sequence[Snapshot] = (),
        reserved: bool = False,
        fence: Fence | None = None,
    ) -> list[StoredEntry]:
        """Return when the entries are durable, or raise why they are not."""
        future: asyncio.Future[list[StoredEntry]] = self._loop.create_future()
        append = Append(
            entries,
            marks=marks,
            snapshots=snapshots,
            then=self._decided if self._apart is None else None,
            reserved=reserved,
            fence=fence,
        )
        self._futures[append] = future
        if not self._gathered:  # behind every task that can go on now
            self._loop.call_soon(self._hand_over)
        self._gathered.append(append)
        return await future

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        try:
            if self._apart is not None:
                self._apart.submit(gathered)
            else:
                self.store.submit_together(gathered)
        except LedgerError as error:  # closed, or opened to be read only
            for append in gathered:
                append.decide(error)
            self._wake(gathered)

    def _decided(self, decided: list[Append]) -> None:
        """In the writer's thread."""
        self._loop.call_soon_threadsafe(self._wake, decided)

    def _wake(self, decided: list[Append]) -> None:
        for append in decided:
            future = self._futures.pop(append)
            if future.cancelled():
                continue
            if append.failure is None:
                future.set_result(append.stored)
            else:
                future.set_exception(append.failure)
