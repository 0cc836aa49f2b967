"""How a linked table comes to decide under the shared meters of the moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from croupier.errors import Refusal
from croupier.ledger.aggregates.linked_meters import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meters_meters import Meters
from croupier.ledger.aggregates.linked_meters_meters import stream_of as group_stream
from croupier.ledger.log import derived_id
from croupier.table import Account, Command, Envelope, Event, Table
from croupier.table import commands as cmd
from croupier.table import events as ev

READER = Account("meters", "system")  # who reads shared meters for a table

Reads = list[tuple[Envelope, tuple[Event, ...]]]


def touches(events: Sequence[Event]) -> bool:
    """Whether a table's events move meters, or state their values."""
    # Types, not isinstance, which is slow for events.
    for event in events:
        kind = type(event)
        if kind is ev.MeterPaid or kind is ev.RoundVoided:
            return True
        feeds = kind is ev.ProgressiveLocked or kind is ev.PlayerSatOut
        if feeds and event.contributions:  # type: ignore[attr-defined]
            return True
    return False


def wagers_progressive(command: Command) -> bool:
    """Whether a command puts chips on the progressive: the meters must be reached for it."""
    return isinstance(command, cmd.PlaceWagers) and bool(command.wagers.get("progressive"))


def looks_at_meters(table: Table, group: LinkedMetersFollower | None, given: Envelope) -> bool:
    """Whether what becomes of a command may depend on shared meters."""
    if group is None:
        return False
    if wagers_progressive(given.command) or table.due().kind == "settle":
        return True
    try:
        return touches(table.decide_checked(given))
    except Refusal:
        return False


def asks_to_play(command: Command) -> bool:
    """Whether a command gives somebody a seat or chips: excluded persons get neither."""
    return isinstance(command, cmd.SitDown | cmd.BuyIn)


def who_would_play(table: Table, given: Envelope) -> str:
    """Who gets a seat or chips by a command; "" if nobody does."""
    match given.command:
        case cmd.SitDown():
            return given.by.id
        case cmd.BuyIn(seat=seat):
            return table.seats.taken.get(seat, "")
    return ""


def reading_for(group: str, given: Envelope, command: Command) -> Envelope:
    """The envelope that reads shared meters for another command, under an id that says so."""
    return Envelope(derived_id(group_stream(group), given.id), READER, given.at, command)


def read_meters(
    table: Table, group: LinkedMetersFollower, shared: Meters, given: Envelope, reads: Reads
) -> None:
    """Let the table take over the shared meters, unless it knows them already."""
    if shared.values == table.meters:
        return
    command = cmd.ReadMeters(group=group.name, position=group.sequence, meters=shared.shown())
    take_reading(table, reading_for(group.name, given, command), reads)


def take_reading(table: Table, envelope: Envelope, reads: Reads) -> None:
    """Decide and apply a reading, within `tentatively`."""
    events = table.decide(envelope)
    reads.append((envelope, events))
    for event in events:
        table.evolve(event)


@contextmanager
def tentatively(table: Table) -> Iterator[Reads]:
    """Meters may be read to decide under them; undone at the end unless the list was emptied."""
    reads: Reads = []
    current = table.open_round
    before = (dict(table.meters), table.meters_position, table.clock)
    held = dict(current.meters_before) if current is not None else {}
    try:
        yield reads
    finally:
        if reads:
            table.meters, table.meters_position, table.clock = before
            if current is not None:
                current.meters_before = held
            table.invalidate_settlement()
