"""What is walked in an audit, and what a walk brings back for the streams to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from croupier.ledger import entry_codec as ent
from croupier.ledger.errors import printable
from croupier.ledger.log import Stored
from croupier.table import Account, Event
from croupier.table import events as ev

Place = tuple[str, int, str]  # stream, sequence, what is wrong


class SnapshotRecord(msgspec.Struct, frozen=True):
    """A snapshot that the log says was taken."""

    stream: str
    sequence: int
    schema: int
    digest: str
    number: int  # the sequence of the entry that says so
    at: int
    position: int


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch from a snapshot (or the beginning) to another (or the end)."""

    stream: str
    number: int  # among the segments of its stream
    start: int
    start_digest: str  # of the snapshot it starts from
    end: int | None
    size: int  # of the log that is audited
    cuts: tuple[int, ...]  # sizes at which a day was closed
    taken: tuple[SnapshotRecord, ...]  # snapshots inside and at the end
    refused: tuple[ent.RecordedRefusal, ...]


class SharedMove(msgspec.Struct, frozen=True):
    """A command that moved what tables share, as the table or as the shared stream tells it."""

    table: str
    entry: int  # the sequence in the table's stream
    position: int  # of the table's entry; of the shared stream's less one
    id: str
    by: Account
    at: int
    round: int
    moves: Any
    before: dict[str, Any]  # the meters it was decided under
    sequence: int = 0  # in the shared stream


class MeterReading(msgspec.Struct, frozen=True):
    """A reading of shared meters by a table."""

    sequence: int
    position: int  # of the entry
    group: str
    upto: int  # the entry of the group that was read last
    meters: dict[str, Any]


class TableBinding(msgspec.Struct, frozen=True):
    """A table bound to a House."""

    sequence: int
    position: int
    event: ev.TableBound


class SegmentResult(msgspec.Struct, kw_only=True):
    """What came of it, and what other streams must agree with."""

    stream: str
    number: int
    entries: int = 0
    events: int = 0
    rounds: int = 0
    marks: int = 0
    layout: int = 0
    problems: list[Place] = []
    cuts: dict[int, tuple[int, int]] = {}  # size: rounds of this segment before it, layout there
    bound: list[TableBinding] = []
    moves: list[SharedMove] = []  # of shared meters
    posts: list[SharedMove] = []  # of people
    reads: list[MeterReading] = []
    values: list[tuple[int, dict[str, Any]]] = []  # of a group: position, meters after it
    sent: list[int] = []  # positions of submissions
    opened: list[tuple[int, str, str]] = []  # under submissions: position, table, House
    tests: list[tuple[int, str, str, int]] = []  # signed: sequence, table, trainee, rounds
    linked: dict[str, tuple[int, str]] = {}  # of a group: sequence of the link, House
    group: str = ""
    terms: str = ""


def difference(stored: Stored, events: tuple[Event, ...]) -> str:
    """How an entry differs from what its command leads to."""
    recorded = ent.decode_entry(stored)
    for is_there, right in _side_by_side(recorded.events, events):
        if is_there != right:
            return printable(f"the rules lead to {right!r}, not to {is_there!r}")
    return "is not written as an entry is"


def _side_by_side(
    first: tuple[Event, ...], second: tuple[Event, ...]
) -> Iterator[tuple[Event | None, Event | None]]:
    for index in range(max(len(first), len(second))):
        yield (
            first[index] if index < len(first) else None,
            second[index] if index < len(second) else None,
        )
