"""Commands of one table that are decided one after the other and become durable together.

The table that everybody looks at stays where the record is. Decisions are made at a second one,
ahead of it by what is on its way to the disk; if that does not arrive, the second is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from croupier.errors import CroupierError
from croupier.ledger import entry_codec as ent
from croupier.ledger import linked_tables
from croupier.ledger.aggregates.shared import DutyRosterFollower
from croupier.ledger.append_plan import moves, snapshots_at
from croupier.ledger.log import Entry, IndexTerm, Snapshot
from croupier.table import Envelope, Event, Table

MOST = 64  # commands that become durable together

# What is asked next, of the table as it will be and the entry it will be at; None: nothing more.
Following = Callable[[Table, int], Envelope | None]


class CommittedCommand(msgspec.Struct, frozen=True):
    """A command that is on record, and what it led to."""

    envelope: Envelope
    sequence: int
    events: tuple[Event, ...]


class BatchResult(msgspec.Struct, frozen=True):
    """What became of commands: carried out, or left to be carried out one by one, in order."""

    carried: list[CommittedCommand]
    left: list[Envelope]


class SpeculativeTable:
    """A table as it will be when everything that was decided is durable; nobody looks at it."""

    def __init__(self, table: Table, sequence: int) -> None:
        """Only between rounds."""
        self.table = Table.from_snapshot(table.to_snapshot(), table.find_house)
        self.sequence = sequence

    def decide(
        self, following: Following, stream: str, people: DutyRosterFollower, frozen_at: int
    ) -> PendingBatch:
        """Decide what follows, until nothing does or something has to be decided by itself."""
        found = PendingBatch(stream)
        ids: set[str] = set()
        while len(found.carried) < MOST and not found.left:
            given = following(self.table, self.sequence)
            if given is None:
                break
            events = self._judge(given, people) if given.id not in ids else None
            if events is None:
                found.left.append(given)
                break
            ids.add(given.id)
            if not found.snapshots:
                taken = snapshots_at(stream, self.table, self.sequence, events, frozen_at)
                found.snapshots.extend(taken)
            self.follow(events)
            found.take(CommittedCommand(given, self.sequence, events))
        return found

    def follow(self, events: tuple[Event, ...]) -> None:
        """One more entry."""
        for event in events:
            self.table.evolve(event)
        self.sequence += 1

    def _judge(self, given: Envelope, people: DutyRosterFollower) -> tuple[Event, ...] | None:
        """The events of a command; None where it has to be decided by itself.

        That is what the rules refuse, which is noted where it was refused; a seat or chips for
        somebody, who may have to be turned away; and what moves a stream that others share.
        """
        if linked_tables.asks_to_play(given.command):
            return None
        try:
            events = self.table.decide_checked(ent.accepted(given))
        except CroupierError:
            return None
        if any(True for _ in moves(self.table, None, people, events, self.sequence + 1)):
            return None
        return events


class PendingBatch:
    """Commands on their way to the disk."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.carried: list[CommittedCommand] = []
        self.left: list[Envelope] = []
        self.entries: list[Entry] = []
        self.marks: list[IndexTerm] = []
        self.snapshots: list[Snapshot] = []

    def take(self, one: CommittedCommand) -> None:
        """One more."""
        self.carried.append(one)
        self.entries.append(ent.entry_of(self.stream, one.sequence, one.envelope, one.events))
        self.marks += ent.marks(self.stream, one.sequence, one.events)

    def undone(self) -> BatchResult:
        """Nothing of it became durable: everything is left."""
        return BatchResult([], [*(one.envelope for one in self.carried), *self.left])
