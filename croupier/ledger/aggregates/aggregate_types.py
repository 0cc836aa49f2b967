"""Registry of aggregate types by stream prefix: factory, snapshots, recovery."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger import entry_codec
from croupier.ledger.aggregates import (
    account_register,
    account_state,
    administration,
    approval_state,
    approvals,
    duty_roster,
    linked_meters,
)
from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import Store
from croupier.table import Envelope, Event, FindHouse, Table
from croupier.table.core.table_snapshot import SCHEMA as TABLE_SCHEMA


class Aggregate(Protocol):
    """State folded from the events of one stream. Pure: `decide` may refuse, `evolve` may not."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]: ...

    def evolve(self, event: Event) -> None: ...


@dataclass(frozen=True, kw_only=True)
class AggregateType:
    """How the streams of one prefix become state."""

    create: Callable[[FindHouse], Aggregate]
    snapshot_schema: int = 0  # 0: no snapshots are taken
    take_snapshot: Callable[[Any], str | None] = lambda aggregate: None  # None: not possible now
    restore: Callable[[str, FindHouse], Aggregate] | None = None  # BadInput for other schemas


def _take_table_snapshot(table: Table) -> str | None:
    between_rounds = table.bound is not None and table.open_round is None
    return table.to_snapshot() if between_rounds else None


AGGREGATE_TYPES: dict[str, AggregateType] = {
    entry_codec.TABLE_PREFIX: AggregateType(
        create=lambda find_house: Table(find_house=find_house),
        snapshot_schema=TABLE_SCHEMA,
        take_snapshot=_take_table_snapshot,
        restore=Table.from_snapshot,
    ),
    linked_meters.METERS_PREFIX: AggregateType(
        create=lambda find_house: linked_meters.LinkedMeters(),
        snapshot_schema=linked_meters.SCHEMA,
        take_snapshot=linked_meters.LinkedMeters.to_snapshot,
        restore=lambda text, find_house: linked_meters.LinkedMeters.from_snapshot(text),
    ),
    duty_roster.STREAM: AggregateType(
        create=lambda find_house: duty_roster.DutyRoster(),
        snapshot_schema=duty_roster.SCHEMA,
        take_snapshot=duty_roster.DutyRoster.to_snapshot,
        restore=lambda text, find_house: duty_roster.DutyRoster.from_snapshot(text),
    ),
    approvals.STREAM: AggregateType(
        create=approvals.Approvals,
        snapshot_schema=approval_state.SCHEMA,
        take_snapshot=approvals.Approvals.to_snapshot,
        restore=approvals.Approvals.from_snapshot,
    ),
    account_register.STREAM: AggregateType(
        create=lambda find_house: account_register.AccountRegister(),
        snapshot_schema=account_state.SCHEMA,
        take_snapshot=account_register.AccountRegister.to_snapshot,
        restore=lambda text, find_house: account_register.AccountRegister.from_snapshot(text),
    ),
    administration.STREAM: AggregateType(create=lambda find_house: administration.Administration()),
}


def find_type(stream: str) -> AggregateType | None:
    """The type of a stream by its prefix up to the colon, or by its whole name."""
    return AGGREGATE_TYPES.get(stream[: stream.find(":") + 1] or stream)


def snapshot_schema(stream: str) -> int:
    """The schema of a stream's snapshots; 0 if none are taken."""
    aggregate_type = find_type(stream)
    return aggregate_type.snapshot_schema if aggregate_type is not None else 0


def no_house(digest: str) -> House:
    """`find_house` for streams that need no House."""
    raise AssertionError(f"a stream without a House looked up House {digest}")


def recover(
    store: Store, stream: str, find_house: FindHouse, *, size: int | None = None
) -> tuple[Aggregate, int, int]:
    """Rebuild an aggregate from its newest snapshot and the entries after it.

    Returns the aggregate, its sequence and the sequence of the snapshot. With `size` it is rebuilt
    as of that size of the log. A snapshot that the log does not vouch for is ignored.
    """
    aggregate_type = find_type(stream)
    assert aggregate_type is not None, f"{stream} is not a stream of any aggregate"
    aggregate = aggregate_type.create(find_house)
    sequence = 0
    until = sequence_at(store, stream, size) if size is not None else None
    if aggregate_type.restore is not None and until != 0:
        schema = aggregate_type.snapshot_schema
        snapshot = store.snapshot(stream, schema=schema, until=until)
        if snapshot is not None:
            with suppress(BadInput, LedgerError):  # replay from the start; an audit reports it
                aggregate = aggregate_type.restore(snapshot.text, find_house)
                sequence = snapshot.sequence
    snapshot_sequence = sequence
    for stored in store.read(stream, after=sequence, until=until):
        apply_recorded(aggregate, entry_codec.decode_entry(stored))
        sequence = stored.entry.sequence
    return aggregate, sequence, snapshot_sequence


def apply_recorded(aggregate: Aggregate, recorded: entry_codec.Recorded) -> None:
    """Apply the events of an entry; Damaged if they are impossible in this state."""
    try:
        for event in recorded.events:
            aggregate.evolve(event)
    except LedgerError:
        raise
    except Exception as error:  # a manipulated entry can fail anywhere
        problem = f"does not follow from what came before: {error!r}"
        raise Damaged(recorded.stream, recorded.sequence, problem) from error


def sequence_at(store: Store, stream: str, size: int) -> int:
    """The last sequence of a stream at a size of the log, by binary search."""
    low, high = 0, store.stream_tip(stream)[0]
    statement = (
        "SELECT position FROM entry"
        " WHERE stream = (SELECT number FROM stream WHERE name = ?) AND sequence = ?"
    )
    while low < high:
        middle = (low + high + 1) // 2
        rows = store.query(statement, (stream, middle))
        if not rows:
            raise Damaged(stream, middle, "is missing")
        if rows[0][0] < size:
            low = middle
        else:
            high = middle - 1
    return low
