"""A decided command on its way into the record: its entry, and those that it moves elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from croupier.errors import Refusal
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import duty_roster
from croupier.ledger.aggregates.linked_meter_messages import MoveMeters
from croupier.ledger.aggregates.linked_meters import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meters_meters import meter_moves
from croupier.ledger.aggregates.shared import DutyRosterFollower, SharedAggregate
from croupier.ledger.errors import RefusedElsewhere
from croupier.ledger.log import Entry, IndexTerm, Snapshot, derived_id
from croupier.table import Command, Envelope, Event, Table
from croupier.table import events as ev
from croupier.table.core.snapshots import SCHEMA

SNAPSHOT_EVERY = 500  # entries between snapshots: opening replays no more than about that

Moves = Iterator[tuple[SharedAggregate[Any], Command]]


class AppendPlan(msgspec.Struct, frozen=True):
    """What is appended together."""

    events: tuple[Event, ...]
    entries: list[Entry]
    marks: list[IndexTerm]
    snapshots: list[Snapshot]
    others: list[SharedAggregate[Any]]  # whose entries stand behind this table's own

    @property
    def own(self) -> int:
        """How many of the entries are this table's."""
        return len(self.entries) - len(self.others)


def build_plan(
    stream: str,
    sequence: int,
    decided: Sequence[tuple[Envelope, tuple[Event, ...]]],
    moves: Moves,
    snapshots: list[Snapshot],
) -> AppendPlan:
    """Commands that were decided, the last the one that was given, as entries behind a sequence."""
    entries: list[Entry] = []
    marks: list[IndexTerm] = []
    for number, (envelope, events) in enumerate(decided, start=sequence + 1):
        entries.append(ent.encode_entry(stream, number, envelope, events))
        marks += ent.index_terms(stream, number, events)
    given, events = decided[-1]
    others: list[SharedAggregate[Any]] = []
    for shared, moved in shared_moves:
        envelope = Envelope(derived_id(stream, given.id), given.by, given.at, moved)
        try:
            entries.append(shared.prepare(envelope))
        except Refusal as refusal:
            after = shared.sequence
            raise RefusedElsewhere(refusal, shared.stream, after, envelope) from None
        snapshots += shared.snapshots()
        others.append(shared)
    return AppendPlan(events, entries, marks, snapshots, others)


def shared_moves(
    table: Table,
    group: LinkedMetersFollower | None,
    people: DutyRosterFollower,
    events: tuple[Event, ...],
    entry: int,
) -> Moves:
    """What the events of a table's entry move in streams that it shares with others."""
    if group is not None and (fed_or_won := meter_moves(table, events)):
        played = table.rounds_played
        moved = MoveMeters(table=table.table_id, entry=entry, round=played, moves=fed_or_won)
        yield group, moved
    if table.attended and (posts := duty_roster.post_moves(table, events)):
        yield people, duty_roster.MovePosts(table=table.table_id, entry=entry, moves=posts)


def due_snapshots(
    stream: str, table: Table, sequence: int, events: tuple[Event, ...], frozen_at: int
) -> list[Snapshot]:
    """A snapshot of a table before these events, where one is due and a round begins."""
    if sequence - frozen_at < SNAPSHOT_EVERY or ev.RoundOpened not in map(type, events):
        return []
    return [Snapshot(stream, sequence, SCHEMA, table.to_snapshot())]
