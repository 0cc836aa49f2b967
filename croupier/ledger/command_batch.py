"""Group commit: decide several commands of one table and commit them in one transaction.

Deciding command n+1 needs the state after command n, but no reader may see that state before it
is durable. The commands are therefore decided on a private copy of the table:

    speculative copy   7 --decide--> 8 --decide--> 9 --decide--> 10
                                                                  |
                                             append 8, 9, 10 in one transaction
                                                                  |
    public table       7 -----------------------------------------+--apply--> 10

If the append conflicts, the copy is discarded and the commands are executed one at a time. A copy
is made from a snapshot, which is possible only between rounds. It is then reused from batch to
batch, as long as its sequence is that of the public table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from croupier.errors import CroupierError
from croupier.ledger import entry_codec, linked_tables, round_index
from croupier.ledger.aggregates.approvals import find_second_person
from croupier.ledger.aggregates.shared_aggregates import DutyRosterFollower
from croupier.ledger.append_plan import shared_moves
from croupier.ledger.log import Entry, IndexTerm, Snapshot
from croupier.ledger.log.append import StreamEnd
from croupier.ledger.snapshot_policy import due_table_snapshots
from croupier.table import Command, Envelope, Event, Table

BATCH_MAX = 64  # commands in one transaction

# Returns the next command for the speculative state and its sequence; None ends the batch.
NextCommand = Callable[[Table, int], Envelope | None]


def needs_permission(command: Command) -> bool:
    """Whether the exclusion list or the approvals are consulted before a command is decided."""
    return linked_tables.admits_player(command) or find_second_person(command) is not None


class CommittedCommand(msgspec.Struct, frozen=True):
    """A durable command with its events."""

    envelope: Envelope
    sequence: int
    events: tuple[Event, ...]


class BatchResult(msgspec.Struct, frozen=True):
    """Result of a batch: the committed commands, and those to execute one at a time, in order."""

    committed: list[CommittedCommand]
    remaining: list[Envelope]


class SpeculativeTable:
    """Private copy of a table, ahead of it by the commands that are not durable yet."""

    def __init__(self, table: Table, sequence: int) -> None:
        """Copy a table between two rounds."""
        self.table = Table.from_snapshot(table.to_snapshot(), table.find_house)
        self.sequence = sequence

    def decide(
        self,
        next_command: NextCommand,
        stream: str,
        duty_roster: DutyRosterFollower,
        snapshot_sequence: int,
    ) -> PendingBatch:
        """Decide commands until none is left or one has to be executed alone."""
        batch = PendingBatch(stream)
        ids: set[str] = set()
        while len(batch.committed) < BATCH_MAX:
            envelope = next_command(self.table, self.sequence)
            if envelope is None:
                break
            events = self._decide(envelope, duty_roster) if envelope.id not in ids else None
            if events is None:
                batch.remaining.append(envelope)
                break
            ids.add(envelope.id)
            if not batch.snapshots:
                batch.snapshots.extend(
                    due_table_snapshots(
                        stream, self.table, self.sequence, events, snapshot_sequence
                    )
                )
            self.apply(events)
            batch.add(CommittedCommand(envelope, self.sequence, events))
        return batch

    def apply(self, events: tuple[Event, ...]) -> None:
        """Apply the events of the next entry."""
        for event in events:
            self.table.evolve(event)
        self.sequence += 1

    def _decide(
        self, envelope: Envelope, duty_roster: DutyRosterFollower
    ) -> tuple[Event, ...] | None:
        """The events of a command; None if it has to be executed alone.

        That is: a refused command (the refusal is recorded), one that needs permission, and one
        that also appends to a shared stream.
        """
        if needs_permission(envelope.command):
            return None
        try:
            events = self.table.decide_checked(entry_codec.validate_external_envelope(envelope))
        except CroupierError:
            return None
        if any(
            True for _ in shared_moves(self.table, None, duty_roster, events, self.sequence + 1)
        ):
            return None
        return events


class PendingBatch:
    """Decided commands that are being appended."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.committed: list[CommittedCommand] = []
        self.remaining: list[Envelope] = []
        self.entries: list[Entry] = []
        self.index_terms: list[IndexTerm] = []
        self.snapshots: list[Snapshot] = []
        self.unchanged: Sequence[StreamEnd] = ()  # no table with linked meters has batches

    def add(self, command: CommittedCommand) -> None:
        """Add a decided command."""
        envelope, sequence, events = command.envelope, command.sequence, command.events
        self.committed.append(command)
        self.entries.append(entry_codec.encode_entry(self.stream, sequence, envelope, events))
        self.index_terms += round_index.index_terms(self.stream, sequence, envelope.by, events)

    def discard(self) -> BatchResult:
        """The result when nothing was committed: every command remains."""
        return BatchResult([], [*(command.envelope for command in self.committed), *self.remaining])
