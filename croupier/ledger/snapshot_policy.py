"""Snapshot policy: how often a stream's state is stored, so that a long stream opens quickly."""

from __future__ import annotations

from croupier.ledger.log import Snapshot
from croupier.table import Event, Table
from croupier.table import events as ev
from croupier.table.core.table_snapshot import SCHEMA

SNAPSHOT_EVERY = 500  # entries between snapshots, about the most that opening a stream replays


def is_due(sequence: int, snapshot_sequence: int) -> bool:
    """Whether a stream needs a snapshot: enough entries since the last one."""
    return sequence - snapshot_sequence >= SNAPSHOT_EVERY


def due_table_snapshots(
    stream: str, table: Table, sequence: int, events: tuple[Event, ...], snapshot_sequence: int
) -> list[Snapshot]:
    """A snapshot of the table before these events, if one is due and they open a round."""
    if not is_due(sequence, snapshot_sequence) or ev.RoundOpened not in map(type, events):
        return []
    return [Snapshot(stream, sequence, SCHEMA, table.to_snapshot())]
