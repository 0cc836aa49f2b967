"""What each stream is folded into, and how its snapshots are read."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from croupier.errors import BadInput
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import (
    administration,
    approval_state,
    approvals,
    duty_roster,
    linked_meters_meters,
)
from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import Store
from croupier.table import Envelope, Event, FindHouse, Table
from croupier.table.core.snapshots import SCHEMA as TABLE_SCHEMA


class Aggregate(Protocol):
    """Pure: `decide` may refuse, `evolve` may not."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]: ...

    def evolve(self, event: Event) -> None: ...


def new(stream: str, find_house: FindHouse) -> Aggregate | None:
    """The machine of a stream at its beginning; None for a stream that has none."""
    if stream.startswith(ent.TABLE_PREFIX):
        return Table(find_house=find_house)
    if stream.startswith(linked_meters_meters.METERS_PREFIX):
        return linked_meters_meters.LinkedMeters()
    if stream == duty_roster.STREAM:
        return duty_roster.DutyRoster()
    if stream == approvals.STREAM:
        return approvals.Approvals(find_house)
    return administration.Administration() if stream == administration.STREAM else None


def schema_of(stream: str) -> int:
    """The schema of this stream's snapshots; 0 where none are taken."""
    if stream.startswith(ent.TABLE_PREFIX):
        return TABLE_SCHEMA
    if stream.startswith(linked_meters_meters.METERS_PREFIX):
        return linked_meters_meters.SCHEMA
    if stream == approvals.STREAM:
        return approval_state.SCHEMA
    return duty_roster.SCHEMA if stream == duty_roster.STREAM else 0


def frozen(machine: Aggregate) -> str | None:
    """The text of a snapshot; None where none can be taken now."""
    match machine:
        case Table() if machine.bound is not None and machine.open_round is None:
            return machine.to_snapshot()
        case linked_meters_meters.LinkedMeters() | duty_roster.DutyRoster() | approvals.Approvals():
            return machine.to_snapshot()
    return None


def thawed(stream: str, text: str, find_house: FindHouse) -> Aggregate:
    """The machine of a snapshot; BadInput for a text that is none."""
    if stream.startswith(linked_meters_meters.METERS_PREFIX):
        return linked_meters_meters.LinkedMeters.from_snapshot(text)
    if stream == duty_roster.STREAM:
        return duty_roster.DutyRoster.from_snapshot(text)
    if stream == approvals.STREAM:
        return approvals.Approvals.from_snapshot(text, find_house)
    return Table.from_snapshot(text, find_house)


def recover(
    store: Store, stream: str, find_house: FindHouse, *, size: int | None = None
) -> tuple[Aggregate, int, int]:
    """Snapshot and tail, as the log had them at this size: machine, sequence, that of the snapshot.

    Whatever a snapshot says is vouched for by the log, or left aside.
    """
    machine = new(stream, find_house)
    assert machine is not None, f"{stream} is no stream of a machine"
    sequence = 0
    until = sequence_at(store, stream, size) if size is not None else None
    kept = None
    if schema_of(stream) and until != 0:
        kept = store.snapshot(stream, schema=schema_of(stream), until=until)
    if kept is not None:
        with suppress(BadInput, LedgerError):  # as good as none; an audit says so
            machine, sequence = thawed(stream, kept.text, find_house), kept.sequence
    frozen_at = sequence
    for stored in store.read(stream, after=sequence, until=until):
        apply_recorded(machine, ent.decode_entry(stored))
        sequence = stored.entry.sequence
    return machine, sequence, frozen_at


def apply_recorded(machine: Aggregate, recorded: ent.Recorded) -> None:
    """Apply what is on record; Damaged if it cannot have happened."""
    try:
        for event in recorded.events:
            machine.evolve(event)
    except LedgerError:
        raise
    except Exception as error:  # whatever somebody wrote there, it is not what a machine writes
        told = f"does not follow from what came before: {error!r}"
        raise Damaged(recorded.stream, recorded.sequence, told) from error


def sequence_at(store: Store, stream: str, size: int) -> int:
    """The last sequence of a stream when the log had so many entries, by halving."""
    low, high = 0, store.tip(stream)[0]
    statement = (
        "SELECT position FROM entry"
        " WHERE stream = (SELECT number FROM stream WHERE name = ?) AND sequence = ?"
    )
    while low < high:
        middle = (low + high + 1) // 2
        found = store.ask(statement, (stream, middle))
        if not found:
            raise Damaged(stream, middle, "is missing")
        if found[0][0] < size:
            low = middle
        else:
            high = middle - 1
    return low
