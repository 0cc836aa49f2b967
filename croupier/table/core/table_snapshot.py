"""Snapshots of a table between two rounds: a cache that saves replaying all of its events."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import BadInput
from croupier.money import meter_text
from croupier.table.core.accounting import Book
from croupier.table.core.messages import MeterText
from croupier.table.parts.chips.state import Chips
from croupier.table.parts.corrections import Corrections
from croupier.table.parts.deck_commitment import DeckCommitmentState
from croupier.table.parts.decks.state import Decks
from croupier.table.parts.devices import Devices
from croupier.table.parts.disputes import Disputes
from croupier.table.parts.electronic_credits import Credits
from croupier.table.parts.house_binding import TableBound
from croupier.table.parts.investigations import Investigations
from croupier.table.parts.limit_changes import LimitState
from croupier.table.parts.payouts.state import Payouts
from croupier.table.parts.progressive.state import ProgressiveState
from croupier.table.parts.seats.state import Seats
from croupier.table.parts.shift import Shift
from croupier.table.parts.staffing import StaffAssignments

if TYPE_CHECKING:
    from croupier.table.table import Table

SCHEMA = 8  # a snapshot of another schema is rebuilt from the events, never migrated

PARTS = (
    "corrections",
    "posts",
    "shift",
    "devices",
    "decks",
    "seats",
    "chips",
    "credits",
    "limits",
    "progressive",
    "payouts",
    "fairness",
    "disputes",
    "investigations",
)


class TableSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The serialized state of a table."""

    schema: int
    bound: TableBound
    rounds: int
    meters: dict[str, MeterText]
    position: int
    clock: int
    balances: dict[str, MeterText]
    corrections: Corrections
    posts: StaffAssignments
    shift: Shift
    devices: Devices
    decks: Decks
    seats: Seats
    chips: Chips
    credits: Credits
    limits: LimitState
    progressive: ProgressiveState
    payouts: Payouts
    fairness: DeckCommitmentState
    disputes: Disputes
    investigations: Investigations


def to_snapshot(table: Table) -> str:
    """Serialize a table between rounds; equal event histories give equal text."""
    assert table.bound is not None and table.open_round is None, "a round is in progress"
    record = {
        "schema": SCHEMA,
        "bound": table.bound,
        "rounds": table.rounds_played,
        "meters": {name: meter_text(value) for name, value in table.meters.items()},
        "position": table.meters_position,
        "clock": table.clock,
        "balances": table.book.export(),
        **{part: _plain(getattr(table, part)) for part in PARTS},
    }
    return msgspec.json.encode(record).decode()


def from_snapshot(table: Table, text: str) -> None:
    """Restore a new table from a snapshot; raises BadInput if the text is not a valid one."""
    try:
        snapshot = msgspec.json.decode(text, type=TableSnapshot)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"not a snapshot: {error}") from None
    if snapshot.schema != SCHEMA:
        raise BadInput(f"snapshot schema is {snapshot.schema}, expected {SCHEMA}")
    table.evolve(snapshot.bound)
    linked, counts_chips = table.book.linked, table.book.counts_chips
    table.book = Book(snapshot.balances)
    table.book.linked, table.book.counts_chips = linked, counts_chips
    table.meters = {name: Fraction(value) for name, value in snapshot.meters.items()}
    table.meters_position = snapshot.position
    table.rounds_played = snapshot.rounds
    table.clock = snapshot.clock
    for part in PARTS:
        setattr(table, part, getattr(snapshot, part))
    if snapshot.limits.changed or snapshot.devices.method != table.submitted.dealing_method:
        table.apply_overrides()


def _plain(part: Any) -> dict[str, Any]:
    # Sets are sorted to be deterministic; mappings keep their order, which the table may rely on.
    values = {field.name: getattr(part, field.name) for field in dataclasses.fields(part)}
    return {
        name: sorted(value) if isinstance(value, set) else value for name, value in values.items()
    }
