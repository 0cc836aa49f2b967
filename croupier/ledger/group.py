"""Shared meters as one process knows them, read on from the record."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from weakref import WeakKeyDictionary

from croupier.games import House
from croupier.ledger import entries as ent
from croupier.ledger import machines
from croupier.ledger.errors import MeterUnreachable, StoreFailed
from croupier.ledger.log import Entry, Snapshot, Store, Stored, Waiting
from croupier.ledger.meters import SCHEMA, Meters, stream_of
from croupier.table import Envelope

SNAPSHOT_EVERY = 500  # entries between snapshots, so that a long stream is opened quickly


def no_house(digest: str) -> House:
    """Meters are folded without a House."""
    raise AssertionError(f"shared meters asked for House {digest}")


class Group:
    """A group; `refresh` reads on. Hold `lock` from reading to appending.

    The lock keeps the tables of one process from running into each other; between processes the
    order of the stream does.
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self.stream = stream_of(name)
        self.lock = threading.RLock()
        self.meters = Meters()
        self.sequence = 0
        self._frozen_at = 0
        self._queues: WeakKeyDictionary[Waiting, asyncio.Lock] = WeakKeyDictionary()

    def queue(self, waiting: Waiting) -> asyncio.Lock:
        """What the tables of one event loop hold in turn, from reading to appending."""
        return self._queues.setdefault(waiting, asyncio.Lock())

    def refresh(self) -> Meters:
        """The meters as they stand in the record."""
        with self.lock:
            if not self.sequence:
                self._open()
            for stored in self.store.read(self.stream, after=self.sequence):
                self._follow(stored)
            return self.meters

    def _open(self) -> None:
        found, sequence, frozen_at = machines.recover(self.store, self.stream, no_house)
        assert isinstance(found, Meters)
        self.meters, self.sequence, self._frozen_at = found, sequence, frozen_at

    def reach(self, refresh: Callable[[], Meters]) -> Meters:
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

    def prepare(self, envelope: Envelope) -> Entry:
        """A decided command as an entry that follows what this process has read."""
        events = self.meters.decide(envelope)
        return ent.entry_of(self.stream, self.sequence + 1, envelope, events)

    def snapshots(self) -> list[Snapshot]:
        """A snapshot of the state that is known, if one is due."""
        if self.sequence - self._frozen_at < SNAPSHOT_EVERY:
            return []
        self._frozen_at = self.sequence
        return [Snapshot(self.stream, self.sequence, SCHEMA, self.meters.freeze())]

    def take_over(self, stored: Stored) -> None:
        """Take over an entry that this process has appended."""
        with self.lock:
            if stored.entry.sequence == self.sequence + 1:
                self._follow(stored)
            else:  # somebody read on, or wrote, in the meantime
                self.refresh()

    def _follow(self, stored: Stored) -> None:
        machines.follow(self.meters, ent.read(stored))
        self.sequence = stored.entry.sequence
