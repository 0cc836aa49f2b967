"""A table between two rounds as text, and back: a cache that saves replaying its whole life."""

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
from croupier.table.parts.deck_commitment import Fairness
from croupier.table.parts.decks.state import Decks
from croupier.table.parts.devices import Devices
from croupier.table.parts.disputes import Disputes
from croupier.table.parts.electronic_credits import Credits
from croupier.table.parts.house_binding import Corrections, TableBound
from croupier.table.parts.investigations import Investigations
from croupier.table.parts.limit_changes import MovedLimits
from croupier.table.parts.payouts.state import Payouts
from croupier.table.parts.progressive.state import ProgressiveState
from croupier.table.parts.seats.state import Seats
from croupier.table.parts.shift import Shift
from croupier.table.parts.staffing import Posts

if TYPE_CHECKING:
    from croupier.table.table import Table

SCHEMA = 5  # a snapshot of another schema is made anew from the record, never guessed at

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
    """What a snapshot holds."""

    schema: int
    bound: TableBound
    rounds: int
    meters: dict[str, MeterText]
    position: int
    clock: int
    balances: dict[str, MeterText]
    corrections: Corrections
    posts: Posts
    shift: Shift
    devices: Devices
    decks: Decks
    seats: Seats
    chips: Chips
    credits: Credits
    limits: MovedLimits
    progressive: ProgressiveState
    payouts: Payouts
    fairness: Fairness
    disputes: Disputes
    investigations: Investigations


def to_snapshot(table: Table) -> str:
    """The table as text, the same for the same events; only between rounds."""
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
    """Bring a new table to the state that a snapshot holds; BadInput if it holds none."""
    try:
        frozen = msgspec.json.decode(text, type=TableSnapshot)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"not a snapshot: {error}") from None
    if frozen.schema != SCHEMA:
        raise BadInput(f"a snapshot of schema {frozen.schema}, expected {SCHEMA}")
    table.evolve(frozen.bound)
    linked, counts_chips = table.book.linked, table.book.counts_chips
    table.book = Book(frozen.balances)
    table.book.linked, table.book.counts_chips = linked, counts_chips
    table.meters = {name: Fraction(value) for name, value in frozen.meters.items()}
    table.meters_position = frozen.position
    table.rounds_played = frozen.rounds
    table.clock = frozen.clock
    for part in PARTS:
        setattr(table, part, getattr(frozen, part))
    if frozen.limits.changed or frozen.devices.method != table.submitted.dealing_method:
        table.apply_overrides()


def _plain(part: Any) -> dict[str, Any]:
    """Mappings keep their order, in which a table may look things up; sets have none."""
    values = {field.name: getattr(part, field.name) for field in dataclasses.fields(part)}
    return {
        name: sorted(value) if isinstance(value, set) else value for name, value in values.items()
    }
