"""A shift: equipment attested, the tray counted by two, the table opened and closed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.money import Cents, meter_text
from croupier.submission import outstanding
from croupier.table.core.messages import Audience, Command, Event, MeterText
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import FLOOR, STAFF, Account
from croupier.table.parts import tray_count as inventory
from croupier.table.parts.chips.messages import Pile
from croupier.table.parts.decks.state import UNSEEN_STAGES
from croupier.table.parts.house_binding import CorrectionMade, TableBound
from croupier.table.parts.round import messages as played
from croupier.table.parts.tray_count import (
    Counted,
    agreed_count,
    check_reason,
    proposed_reason,
    reason_form,
)

if TYPE_CHECKING:
    from croupier.table.table import Table

PLACES = "table.places"
EQUIPMENT = "table.equipment"
OPENING = "COMAR 36.05.03.03"
CLOSING = "COMAR 36.05.03.08"
REVENUE = "COMAR 36.05.03.15D"  # opening and closing inventories make the table's win

# What may be asked for.


class AttestEquipment(Command, frozen=True, tag="attest_equipment"):
    """The boxes, the rack and the places are as the document wants them."""


class OpenTable(Command, frozen=True, tag="open_table"):
    """A floorperson agrees with the count and opens the table for gaming."""

    reason: str = ""  # for a count that is not what the last closing left


class CloseTable(Command, frozen=True, tag="close_table"):
    """A floorperson agrees with the count and closes the table."""

    reason: str = ""  # for a count that is not what the record expects


# What happened.


class EquipmentAttested(Event, frozen=True, kw_only=True, tag="equipment_attested"):
    """Drop box, tip box, discard rack and places are there."""

    audience: ClassVar[Audience] = "staff"


class TableOpened(Event, frozen=True, kw_only=True, tag="table_opened"):
    """Open for gaming, under this House, with these chips and meters."""

    table: str
    live: bool
    house: str  # the digest
    inventory: Cents
    pile: Pile = {}
    counted_by: Account
    reason: str = ""
    meters: dict[str, MeterText]


class TableClosed(Event, frozen=True, kw_only=True, tag="table_closed"):
    """Closed; what was counted, what the record expects, and the cash of the drop box."""

    table: str
    inventory: Cents
    pile: Pile = {}
    expected: Cents
    counted_by: Account
    reason: str = ""
    drop: Cents
    decks: tuple[str, ...]
    meters: dict[str, MeterText]


@dataclass(slots=True)
class Shift:
    """Whether the table is open, and what its opening or closing waits for."""

    open: bool = False
    equipment: bool = False
    count: Counted | None = None
    last: Counted | None = None  # what the last closing left
    drop_before: Cents = 0  # what the record's drop account held when the box was empty


def attested(table: Table, event: EquipmentAttested) -> None:
    """Everything is in its place."""
    table.shift.equipment = True


def opened(table: Table, event: TableOpened) -> None:
    """A shift begins with an empty drop box."""
    table.shift.open = True
    begin(table)


def closed(table: Table, event: TableClosed) -> None:
    """The drop box is taken away."""
    table.shift.open = False
    table.shift.equipment = False
    table.shift.last = Counted(event.inventory, event.pile, event.counted_by)
    begin(table)


def begin(table: Table) -> None:
    """Nothing is counted, the box is empty, and nobody has bet since now."""
    table.shift.count = None
    table.shift.drop_before = int(table.book.balance("drop"))
    table.seats.unseen = False
    table.seats.last_bet_at = table.clock


def rebound(table: Table, event: TableBound) -> None:
    """Another House may want other equipment: it is looked at anew."""
    table.shift.equipment = False


def recount(table: Table, event: Event) -> None:
    """Chips moved: a count of the tray is worth nothing any more."""
    table.shift.count = None


def corrected(table: Table, event: CorrectionMade) -> None:
    """A count of the tray was taken against another figure."""
    if "tray" in (event.source, event.target):
        table.shift.count = None


# The rules.


def attest(table: Table, command: AttestEquipment, by: Account, at: int) -> list[Event]:
    """Boxes, rack, places and the progressive system were looked at."""
    if table.shift.equipment:
        raise table.refusal("the equipment was attested already", EQUIPMENT)
    clauses = table.house.cite(EQUIPMENT) + table.house.cite(PLACES)
    if table.house.offers("progressive"):
        clauses += table.house.cite("table.progressive") + table.house.cite("progressive.device")
    return [EquipmentAttested(clauses=clauses)]


def offer_attest(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Before the opening."""
    if not table.shift.equipment:
        yield ActionTemplate(command=AttestEquipment(), due="due", why="not attested yet")


def meters_of(table: Table) -> dict[str, MeterText]:
    """The meters as they stand."""
    return {name: meter_text(value) for name, value in table.meters.items()}


def why_not_open(table: Table) -> tuple[str, str] | None:
    """What an opening still needs, with the duty."""
    if table.shift.open:
        return "the table is open", PLACES
    missing = outstanding(table.submitted)
    if missing:
        return f"approvals are outstanding: {', '.join(missing)}", PLACES
    if not table.shift.equipment:
        return "the equipment is not attested", EQUIPMENT
    decks = table.decks.usable()
    if len(decks) < table.house.decks:
        return f"{table.house.decks} deck(s) are needed, {len(decks)} are here", "deck.inspect"
    if any(deck.stage in UNSEEN_STAGES[:3] for deck in decks):
        return "the cards are not inspected, verified and spread", "deck.spread"
    return None


def open_table(table: Table, command: OpenTable, by: Account, at: int) -> list[Event]:
    """The floorperson's half: agree with the count and open."""
    problem = why_not_open(table)
    if problem:
        raise table.refusal(*problem)
    count = agreed_count(table, by, OPENING)
    check_reason(table, command.reason, OPENING)
    house = table.house
    opened = TableOpened(
        table=table.table_id,
        live=table.live,
        house=house.digest,
        inventory=count.chips,
        pile=count.pile,
        counted_by=count.by,
        reason=command.reason,
        meters=meters_of(table),
        clauses=house.cite("deck.spread") + house.cite(EQUIPMENT) + (OPENING,),
    )
    return [opened]


def offer_open(table: Table, at: int) -> Iterator[ActionTemplate]:
    """When everything is there."""
    if not table.shift.open:
        yield ActionTemplate(
            command=OpenTable(proposed_reason(table)),
            forms={"reason": reason_form(table)},
            due="due",
            why="everything is ready",
        )


def why_not_close(table: Table) -> str | None:
    """What still keeps the table open."""
    if not table.shift.open:
        return "the table is closed"
    if table.dealing is not None or table.layout:
        return "a round is open"
    if table.seats.taken:
        return f"players are seated at {', '.join(map(str, sorted(table.seats.taken)))}"
    if any(deck.stage == "pulled" for deck in table.decks.here.values()):
        return "a pulled deck waits for a signature"
    if any(deck.failed for deck in table.decks.here.values()):
        return "a deck without its 52 cards must leave the table first"
    if table.chips.waiting:
        return f"slip {next(iter(table.chips.waiting))!r} is neither confirmed nor cancelled"
    return None


def close_table(table: Table, command: CloseTable, by: Account, at: int) -> list[Event]:
    """Agree with the count, take decks and drop box away; a difference is shown, not hidden."""
    problem = why_not_close(table)
    if problem:
        raise Refusal(problem, CLOSING)
    count = agreed_count(table, by, CLOSING)
    check_reason(table, command.reason, CLOSING)
    closed = TableClosed(
        table=table.table_id,
        inventory=count.chips,
        pile=count.pile,
        expected=table.book.tray,
        counted_by=count.by,
        reason=command.reason,
        drop=table.drop,
        decks=tuple(table.decks.here),
        meters=meters_of(table),
        clauses=(CLOSING, REVENUE),
    )
    return [closed]


def offer_close(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Between rounds, with nobody seated and the tray counted."""
    if table.shift.open and table.shift.count is not None:
        yield ActionTemplate(
            command=CloseTable(proposed_reason(table)),
            forms={"reason": reason_form(table)},
            why="the tray is counted",
        )


ACTS = (
    CommandSpec(
        command=AttestEquipment,
        roles=STAFF,
        duty=EQUIPMENT,
        decide=attest,
        offers=offer_attest,
    ),
    CommandSpec(
        command=OpenTable,
        roles=FLOOR,
        duty="deck.verify",
        law=OPENING,
        decide=open_table,
        offers=offer_open,
        personal=True,
    ),
    CommandSpec(
        command=CloseTable,
        roles=FLOOR,
        duty="deck.verify",
        law=CLOSING,
        decide=close_table,
        offers=offer_close,
        personal=True,
    ),
)
PART = Part(
    name="shift",
    services=ATTENDED,
    acts=ACTS + inventory.ACTS,
    evolve={
        EquipmentAttested: attested,
        inventory.InventoryCounted: inventory.counted,
        inventory.ShiftChanged: inventory.shift_changed,
        TableOpened: opened,
        TableClosed: closed,
        TableBound: rebound,
        CorrectionMade: corrected,
        played.RoundOpened: recount,
    },
)
