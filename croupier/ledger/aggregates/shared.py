"""A stream that many tables write to, as one process knows it, read on from the record."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from croupier.games import House
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import aggregate_types, duty_roster
from croupier.ledger.log import Entry, Snapshot, Store, Stored
from croupier.table import Envelope, Event, FindHouse

SNAPSHOT_EVERY = 500  # entries between snapshots, so that a long stream is opened quickly


class SnapshotAggregate(Protocol):
    """A machine that tables share; between any two entries it can be frozen."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]: ...

    def evolve(self, event: Event) -> None: ...

    def to_snapshot(self) -> str: ...


M = TypeVar("M", bound=SnapshotAggregate)


def no_house(digest: str) -> House:
    """Meters and people are folded without a House."""
    raise AssertionError(f"a shared stream asked for House {digest}")


class SharedAggregate(Generic[M]):
    """One shared stream; `refresh` reads on.

    Whoever holds `lock` from reading to appending keeps the tables of this process from running
    into each other; between processes the order of the stream does.
    """

    def __init__(
        self, store: Store, stream: str, new: Callable[[], M], find_house: FindHouse = no_house
    ) -> None:
        self.store = store
        self.stream = stream
        self.find_house = find_house
        self.lock = threading.RLock()
        self.machine = new()
        self.sequence = 0
        self._kind: type[M] = type(self.machine)
        self._frozen_at = 0

    def refresh(self) -> M:
        """The machine as the record has it."""
        with self.lock:
            if not self.sequence:
                self._open()
            for stored in self.store.read(self.stream, after=self.sequence):
                self._follow(stored)
            return self.machine

    def _open(self) -> None:
        found, sequence, frozen_at = aggregate_types.recover(
            self.store, self.stream, self.find_house
        )
        assert isinstance(found, self._kind)
        self.machine, self.sequence, self._frozen_at = found, sequence, frozen_at

    def prepare(self, envelope: Envelope) -> Entry:
        """A decided command as an entry that follows what this process has read."""
        with self.lock:
            events = self.machine.decide(envelope)
            return ent.encode_entry(self.stream, self.sequence + 1, envelope, events)

    def snapshots(self) -> list[Snapshot]:
        """A snapshot of the state that is known, if one is due."""
        with self.lock:
            if self.sequence - self._frozen_at < SNAPSHOT_EVERY:
                return []
            self._frozen_at = self.sequence
            schema = aggregate_types.schema_of(self.stream)
            return [Snapshot(self.stream, self.sequence, schema, self.machine.to_snapshot())]

    def take_over(self, stored: Stored) -> None:
        """Take over an entry that this process has appended."""
        with self.lock:
            if stored.entry.sequence == self.sequence + 1:
                self._follow(stored)
            else:  # somebody read on, or wrote, in the meantime
                self.refresh()

    def _follow(self, stored: Stored) -> None:
        aggregate_types.apply_recorded(self.machine, ent.decode_entry(stored))
        self.sequence = stored.entry.sequence


class DutyRosterFollower(SharedAggregate[duty_roster.DutyRoster]):
    """Who is on duty at the tables of the property."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, duty_roster.STREAM, duty_roster.DutyRoster)
