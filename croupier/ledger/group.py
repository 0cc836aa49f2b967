"""Shared meters as one process knows them, read on from the record."""

from __future__ import annotations

import threading

from croupier.ledger import entries as ent
from croupier.ledger.errors import MeterUnreachable, StoreFailed
from croupier.ledger.log import Entry, Store, Stored
from croupier.ledger.meters import Meters, stream_of
from croupier.table import Envelope


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

    def refresh(self) -> Meters:
        """The meters as they stand in the record."""
        for stored in self.store.read(self.stream, after=self.sequence):
            self.take_over(stored)
        return self.meters

    def reach(self) -> Meters:
        """The meters, for a wager to be taken: refused when out of reach or halted."""
        try:
            meters = self.refresh()
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
        body = ent.body_of(envelope, events)
        return Entry(self.stream, self.sequence + 1, envelope.id, envelope.at, body)

    def take_over(self, stored: Stored) -> None:
        """Take over an entry that is in the record."""
        for event in ent.read(stored).events:
            self.meters.evolve(event)
        self.sequence = stored.entry.sequence
