"""Shared meters as one process knows them, and whether a wager on them can be taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from croupier.ledger.aggregates.linked_meters_meters import LinkedMeters, group_stream
from croupier.ledger.aggregates.shared import SharedAggregate
from croupier.ledger.errors import MeterUnreachable, StoreFailed
from croupier.ledger.log import Store

if TYPE_CHECKING:
    from croupier.ledger.log.write.async_append import AsyncAppender, Queue


class LinkedMetersFollower(SharedAggregate[LinkedMeters]):
    """A group of shared meters."""

    def __init__(self, store: Store, name: str) -> None:
        super().__init__(store, group_stream(name), LinkedMeters)
        self.name = name
        self._queues: WeakKeyDictionary[AsyncAppender, Queue] = WeakKeyDictionary()

    def queue(self, waiting: AsyncAppender) -> Queue:
        """What the tables of one event loop hold in turn, from reading to appending."""
        return self._queues.setdefault(waiting, waiting.queue())

    async def refreshed(self, waiting: AsyncAppender) -> Callable[[], LinkedMeters]:
        """The meters, read on in a thread; a failure is kept for whoever asks for them."""
        failure: StoreFailed | None = None
        try:
            await waiting.aside(self.refresh)
        except StoreFailed as error:
            failure = error

        def known() -> LinkedMeters:
            if failure is not None:
                raise failure
            return self.machine

        return known

    def reach(self, refresh: Callable[[], LinkedMeters]) -> LinkedMeters:
        """The meters, for a wager to be taken: refused when out of reach or halted."""
        try:
            meters = refresh()
        except StoreFailed as error:
            raise MeterUnreachable(self.name, str(error)) from error
        if not meters.terms:
            raise MeterUnreachable(self.name, "nobody has founded them")
        if meters.halted:
            raise MeterUnreachable(self.name, f"halted: {meters.halted}")
        return meters
