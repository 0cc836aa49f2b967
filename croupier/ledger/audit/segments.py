"""Segments of an audit, and the facts they report for comparison across streams."""

from __future__ import annotations

from fractions import Fraction
from itertools import zip_longest
from typing import Any

import msgspec

from croupier.ledger import entry_codec
from croupier.ledger.aggregates import approval_messages, duty_roster
from croupier.ledger.aggregates.linked_meter_messages import MoveMeters
from croupier.ledger.errors import printable
from croupier.ledger.log import StoredEntry
from croupier.ledger.log.transparency.check import LogProblem
from croupier.table import Account, Envelope, Event
from croupier.table import events as ev


class SnapshotRecord(msgspec.Struct, frozen=True):
    """A snapshot as the log records that it was taken."""

    stream: str
    sequence: int
    schema: int
    digest: str
    number: int  # sequence of the entry that records it
    at: int
    position: int


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """Part of a stream, from a snapshot (or the beginning) to another one (or the end)."""

    stream: str
    number: int  # among the segments of its stream
    start: int
    start_digest: str  # of the snapshot it starts from
    end: int | None
    size: int  # of the log that is audited
    cuts: tuple[int, ...]  # sizes of the log at which a day was closed
    snapshots: tuple[SnapshotRecord, ...]  # taken inside the segment or at its end
    refused: tuple[entry_codec.RecordedRefusal, ...]


class SharedMove(msgspec.Struct, frozen=True):
    """A change of a shared aggregate, as recorded by the table or by the shared stream."""

    table: str
    entry: int  # sequence in the table's stream
    position: int  # of the table's entry; that of the shared stream's entry less one
    id: str
    by: Account
    at: int
    round: int
    moves: Any
    before: dict[str, Any]  # the meters it was decided under
    sequence: int = 0  # in the shared stream


class MeterReading(msgspec.Struct, frozen=True):
    """A reading of linked meters by a table, for a command or a refused attempt."""

    stream: str
    sequence: int
    position: int
    upto: int  # the last entry of the group that was read
    meters: dict[str, Any]


class TwoPersonCommand(msgspec.Struct, frozen=True):
    """A command that names a second person."""

    sequence: int
    position: int
    id: str
    at: int
    second: Account
    key: str  # of the agreement it needs


class SignedTableTest(msgspec.Struct, frozen=True):
    """A signed table test."""

    sequence: int
    position: int
    test: approval_messages.SignTest


class TableBinding(msgspec.Struct, frozen=True):
    """The binding of a table to a House."""

    sequence: int
    position: int
    event: ev.TableBound


class SegmentResult(msgspec.Struct, kw_only=True):
    """The problems of a segment, and what other streams must agree with."""

    stream: str
    number: int
    entries: int = 0
    events: int = 0
    rounds: int = 0
    index_terms: int = 0
    layout: int = 0
    problems: list[LogProblem] = []
    cuts: dict[int, tuple[int, int]] = {}  # size: rounds of this segment before it, layout there
    bindings: list[TableBinding] = []
    meter_moves: list[SharedMove] = []
    post_moves: list[SharedMove] = []
    readings: list[MeterReading] = []
    two_person: list[TwoPersonCommand] = []
    answers: list[tuple[int, approval_messages.SecondAnswered]] = []  # position, event
    values: list[tuple[int, dict[str, Any]]] = []  # of a group: position, meters after the entry
    sent: list[int] = []  # positions of submissions
    opened: list[tuple[int, str, str]] = []  # under submissions: position, table, House
    tests: list[SignedTableTest] = []
    enabled_alone: list[int] = []  # sequences at which one person enabled gaming
    halts: list[tuple[int, str]] = []  # of a group: position, reason, empty at a resumption
    wagers: list[tuple[int, int]] = []  # on linked meters: sequence, position
    linked: dict[str, tuple[int, str]] = {}  # of a group: table: sequence of the link, House
    group: str = ""
    terms: str = ""


def received_move(
    stored: StoredEntry,
    envelope: Envelope,
    command: MoveMeters | duty_roster.MovePosts,
    round: int,
    before: dict[str, Fraction],
) -> SharedMove:
    """A move as the shared stream records it."""
    return SharedMove(
        entry_codec.TABLE_PREFIX + command.table,
        command.entry,
        stored.position - 1,
        envelope.id,
        envelope.by,
        envelope.at,
        round,
        command.moves,
        dict(before),
        stored.entry.sequence,
    )


def describe_difference(stored: StoredEntry, events: tuple[Event, ...]) -> str:
    """How an entry differs from the events its command leads to."""
    recorded = entry_codec.decode_entry(stored)
    for actual, expected in zip_longest(recorded.events, events):
        if actual != expected:
            return printable(f"the rules lead to {expected!r}, not to {actual!r}")
    return "is not in the canonical form of an entry"
