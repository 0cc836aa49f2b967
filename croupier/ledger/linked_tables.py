"""How a table linked to shared meters reads them before it decides.

A command whose outcome depends on the meters is preceded by a reading (`ReadMeters`) of their
current values. Readings are applied tentatively and undone unless the command is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from croupier.errors import Refusal
from croupier.ledger.aggregates.linked_meter_follower import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meters import LinkedMeters, group_stream
from croupier.ledger.log import derived_id
from croupier.table import Account, Command, Envelope, Event, Table
from croupier.table import commands as cmd
from croupier.table import events as ev

READER = Account("meters", "system")  # the account of readings

MeterReadings = list[tuple[Envelope, tuple[Event, ...]]]


def changes_meters(events: Sequence[Event]) -> bool:
    """Whether a table's events change meters or state their values."""
    # By type: isinstance is slow for events.
    for event in events:
        kind = type(event)
        if kind is ev.MeterPaid or kind is ev.RoundVoided:
            return True
        contributes = kind is ev.ProgressiveLocked or kind is ev.PlayerSatOut
        if contributes and event.contributions:  # type: ignore[attr-defined]
            return True
    return False


def places_progressive_wager(command: Command) -> bool:
    """Whether a command places a progressive wager, which needs reachable meters."""
    return isinstance(command, cmd.PlaceWagers) and bool(command.wagers.get("progressive"))


def depends_on_meters(table: Table, group: LinkedMetersFollower | None, envelope: Envelope) -> bool:
    """Whether the outcome of a command may depend on linked meters."""
    if group is None:
        return False
    if places_progressive_wager(envelope.command) or table.due().kind == "settle":
        return True
    try:
        return changes_meters(table.decide_checked(envelope))
    except Refusal:
        return False


def admits_player(command: Command) -> bool:
    """Whether a command gives a player a seat or chips, which excluded players may not get."""
    return isinstance(command, cmd.SitDown | cmd.BuyIn)


def admitted_player(table: Table, envelope: Envelope) -> str:
    """The player who gets a seat or chips by a command; "" if none does."""
    match envelope.command:
        case cmd.SitDown():
            return envelope.by.id
        case cmd.BuyIn(seat=seat):
            return table.seats.taken.get(seat, "")
    return ""


def reading_envelope(group: str, cause: Envelope, command: Command) -> Envelope:
    """The envelope of a reading, under an id derived from the command that causes it."""
    return Envelope(derived_id(group_stream(group), cause.id), READER, cause.at, command)


def read_meters(
    table: Table,
    group: LinkedMetersFollower,
    meters: LinkedMeters,
    cause: Envelope,
    readings: MeterReadings,
) -> None:
    """Bring the table's copy of the meters up to date, if it is not."""
    if meters.values == table.meters:
        return
    command = cmd.ReadMeters(group=group.name, position=group.sequence, meters=meters.value_texts())
    apply_reading(table, reading_envelope(group.name, cause, command), readings)


def apply_reading(table: Table, envelope: Envelope, readings: MeterReadings) -> None:
    """Decide and apply a reading, within `tentative_readings`."""
    events = table.decide(envelope)
    readings.append((envelope, events))
    for event in events:
        table.evolve(event)


@contextmanager
def tentative_readings(table: Table) -> Iterator[MeterReadings]:
    """Undo the readings at the end of the block, unless the list was cleared by then."""
    readings: MeterReadings = []
    current = table.open_round
    before = (dict(table.meters), table.meters_position, table.clock)
    meters_before = dict(current.meters_before) if current is not None else {}
    try:
        yield readings
    finally:
        if readings:
            table.meters, table.meters_position, table.clock = before
            if current is not None:
                current.meters_before = meters_before
            table.invalidate_resolution()
