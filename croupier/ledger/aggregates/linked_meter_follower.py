"""Linked meters of a group as one process sees them; wagers are refused while unreachable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from croupier.ledger.aggregates.linked_meters import LinkedMeters, group_stream
from croupier.ledger.aggregates.shared_aggregates import SharedAggregate
from croupier.ledger.errors import MeterUnreachable, StoreFailed
from croupier.ledger.log import Store

if TYPE_CHECKING:
    from croupier.ledger.log.write.async_append import AsyncAppender


class LinkedMetersFollower(SharedAggregate[LinkedMeters]):
    """The linked meters of one group."""

    def __init__(self, store: Store, name: str) -> None:
        super().__init__(store, group_stream(name), LinkedMeters)
        self.name = name
        self._queues: WeakKeyDictionary[AsyncAppender, asyncio.Lock] = WeakKeyDictionary()

    def queue(self, appender: AsyncAppender) -> asyncio.Lock:
        """Held by one task of an event loop at a time, from reading to appending."""
        return self._queues.setdefault(appender, asyncio.Lock())

    async def refresh_async(self, appender: AsyncAppender) -> Callable[[], LinkedMeters]:
        """Refresh in a thread; returns a getter that raises the failure, if there was one."""
        failure: StoreFailed | None = None
        try:
            await asyncio.to_thread(self.refresh)
        except StoreFailed as error:
            failure = error

        def current() -> LinkedMeters:
            if failure is not None:
                raise failure
            return self.aggregate

        return current

    def require_running(self, refresh: Callable[[], LinkedMeters]) -> int:
        """The entry up to which meters accept wagers; MeterUnreachable if unread or halted."""
        with self.lock:
            try:
                meters = refresh()
            except StoreFailed as error:
                raise MeterUnreachable(self.name, str(error)) from error
            if not meters.terms:
                raise MeterUnreachable(self.name, "they have not been founded")
            if meters.halted:
                raise MeterUnreachable(self.name, f"halted: {meters.halted}")
            return self.sequence
