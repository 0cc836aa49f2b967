"""Multi-stream append of a decided command: the table's entries and those of shared streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from croupier.errors import Refusal
from croupier.ledger import entry_codec, round_index
from croupier.ledger.aggregates import duty_roster
from croupier.ledger.aggregates.linked_meter_follower import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meter_messages import MoveMeters
from croupier.ledger.aggregates.linked_meters import meter_moves
from croupier.ledger.aggregates.shared_aggregates import DutyRosterFollower, SharedAggregate
from croupier.ledger.errors import RefusedElsewhere
from croupier.ledger.log import Entry, IndexTerm, Snapshot, derived_id
from croupier.ledger.log.append import StreamEnd
from croupier.table import Command, Envelope, Event, Table

SharedMoves = Iterator[tuple[SharedAggregate[Any], Command]]


class AppendPlan(msgspec.Struct, frozen=True):
    """Everything one command appends, in one transaction."""

    events: tuple[Event, ...]
    entries: list[Entry]  # of the table, followed by one for each of `shared`
    index_terms: list[IndexTerm]
    snapshots: list[Snapshot]
    shared: list[SharedAggregate[Any]]
    unchanged: Sequence[StreamEnd]  # meters that must not be halted meanwhile

    @property
    def table_entries(self) -> int:
        """How many of the entries belong to the table."""
        return len(self.entries) - len(self.shared)


def build_plan(
    stream: str,
    sequence: int,
    decided: Sequence[tuple[Envelope, tuple[Event, ...]]],
    commands: SharedMoves,
    snapshots: list[Snapshot],
    unchanged: Sequence[StreamEnd] = (),
) -> AppendPlan:
    """Plan the append of decided commands after entry `sequence`.

    The last of `decided` is the command itself, preceded by readings of linked meters. Each of
    `commands` is decided by its shared aggregate; RefusedElsewhere if that refuses.
    """
    entries: list[Entry] = []
    index_terms: list[IndexTerm] = []
    for number, (envelope, events) in enumerate(decided, start=sequence + 1):
        entries.append(entry_codec.encode_entry(stream, number, envelope, events))
        index_terms += round_index.index_terms(stream, number, envelope.by, events)
    cause, events = decided[-1]
    shared: list[SharedAggregate[Any]] = []
    for follower, command in commands:
        envelope = Envelope(derived_id(stream, cause.id), cause.by, cause.at, command)
        try:
            entries.append(follower.decide_entry(envelope))
        except Refusal as refusal:
            after = follower.sequence
            raise RefusedElsewhere(refusal, follower.stream, after, envelope) from None
        snapshots += follower.due_snapshots()
        shared.append(follower)
    return AppendPlan(events, entries, index_terms, snapshots, shared, unchanged)


def shared_moves(
    table: Table,
    group: LinkedMetersFollower | None,
    roster: DutyRosterFollower,
    events: tuple[Event, ...],
    entry: int,
) -> SharedMoves:
    """The commands to shared aggregates that follow from the events of a table's entry."""
    if group is not None and (meters := meter_moves(table, events)):
        number = table.rounds_played
        yield group, MoveMeters(table=table.table_id, entry=entry, round=number, moves=meters)
    if table.attended and (posts := duty_roster.post_moves(table, events)):
        yield roster, duty_roster.MovePosts(table=table.table_id, entry=entry, moves=posts)
