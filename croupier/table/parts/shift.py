"""Shifts: attesting the equipment, opening the table and closing it."""

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
from croupier.table.parts import tray_count
from croupier.table.parts.chips.messages import Pile
from croupier.table.parts.corrections import CorrectionMade
from croupier.table.parts.decks.state import UNSEEN_STAGES
from croupier.table.parts.house_binding import TableBound
from croupier.table.parts.round import messages as played
from croupier.table.parts.tray_count import (
    TrayCount,
    agreed_count,
    check_reason,
    reason_field,
    suggested_reason,
)
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table

PLACES = "table.places"
EQUIPMENT = "table.equipment"
OPENING = "COMAR 36.05.03.03"
CLOSING = "COMAR 36.05.03.08"
REVENUE = "COMAR 36.05.03.15D"  # table win is derived from opening and closing inventories

# Commands


class AttestEquipment(Command, frozen=True, tag="attest_equipment"):
    """Attest that drop box, tip box, discard rack and positions are as the rules require."""


class OpenTable(Command, frozen=True, tag="open_table"):
    """A floorperson agrees with the count and opens the table for gaming."""

    reason: str = ""  # for a count that differs from the last closing count


class CloseTable(Command, frozen=True, tag="close_table"):
    """A floorperson agrees with the count and closes the table."""

    reason: str = ""  # for a count that differs from the record


# Events


class EquipmentAttested(Event, frozen=True, kw_only=True, tag="equipment_attested"):
    """Drop box, tip box, discard rack and positions are in place."""

    audience: ClassVar[Audience] = "staff"


class TableOpened(Event, frozen=True, kw_only=True, tag="table_opened"):
    """The table is open for gaming, with these chips and meters."""

    table: str
    live: bool
    house: str  # the digest
    inventory: Cents
    pile: Pile = {}
    counted_by: Account
    reason: str = ""
    meters: dict[str, MeterText]


class TableClosed(Event, frozen=True, kw_only=True, tag="table_closed"):
    """The table is closed: the count, the expected inventory and the cash in the drop box."""

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
    """Whether the table is open, and what is done for its opening or closing."""

    open: bool = False
    equipment: bool = False
    count: TrayCount | None = None
    last: TrayCount | None = None  # the last closing count
    drop_before: Cents = 0  # balance of the drop account when the drop box was empty


# Event handlers


def attested(table: Table, event: EquipmentAttested) -> None:
    table.shift.equipment = True


def opened(table: Table, event: TableOpened) -> None:
    table.shift.open = True
    reset(table)


def closed(table: Table, event: TableClosed) -> None:
    table.shift.open = False
    table.shift.equipment = False
    table.shift.last = TrayCount(event.inventory, event.pile, event.counted_by)
    reset(table)


def reset(table: Table) -> None:
    """Reset the count, the drop and the idle timer: the drop box is empty now."""
    table.shift.count = None
    table.shift.drop_before = int(table.book.balance("drop"))
    table.seats.unseen = False
    table.seats.last_bet_at = table.clock


def rebound(table: Table, event: TableBound) -> None:
    # Another House may require other equipment.
    table.shift.equipment = False


def discard_count(table: Table, event: Event) -> None:
    """Discard the pending tray count once chips have moved."""
    table.shift.count = None


def corrected(table: Table, event: CorrectionMade) -> None:
    if "tray" in (event.source, event.target):
        table.shift.count = None


# Rules


def attest(table: Table, command: AttestEquipment, by: Account, at: int) -> list[Event]:
    """Record that the equipment was inspected."""
    if table.shift.equipment:
        raise table.refusal("the equipment is already attested", EQUIPMENT)
    clauses = table.house.cite(EQUIPMENT) + table.house.cite(PLACES)
    if table.house.offers("progressive"):
        clauses += table.house.cite("table.progressive") + table.house.cite("progressive.device")
    return [EquipmentAttested(clauses=clauses)]


def offer_attest(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer attestation before the opening."""
    if not table.shift.equipment:
        yield ActionTemplate(
            command=AttestEquipment(), due="due", why="the equipment is not attested"
        )


def meter_texts(table: Table) -> dict[str, MeterText]:
    """Return the current values of the meters."""
    return {name: meter_text(value) for name, value in table.meters.items()}


def why_not_open(table: Table) -> tuple[str, str] | None:
    """Return what is still missing for the opening, with the duty."""
    if table.shift.open:
        return "the table is open", PLACES
    missing = outstanding(table.submitted)
    if missing:
        return f"approvals are outstanding: {', '.join(missing)}", PLACES
    if not table.shift.equipment:
        return "the equipment is not attested", EQUIPMENT
    decks = table.decks.usable()
    if len(decks) < table.house.decks:
        problem = f"{counted(table.house.decks, 'deck')} required, {len(decks)} at the table"
        return problem, "deck.inspect"
    if any(deck.stage in UNSEEN_STAGES[:3] for deck in decks):
        return "the cards are not inspected, verified and spread", "deck.spread"
    return None


def open_table(table: Table, command: OpenTable, by: Account, at: int) -> list[Event]:
    """Agree with the count and open the table."""
    problem = why_not_open(table)
    if problem:
        raise table.refusal(*problem)
    count = agreed_count(table, by, OPENING)
    check_reason(table, command.reason, OPENING)
    house = table.house
    return [
        TableOpened(
            table=table.table_id,
            live=table.live,
            house=house.digest,
            inventory=count.chips,
            pile=count.pile,
            counted_by=count.by,
            reason=command.reason,
            meters=meter_texts(table),
            clauses=house.cite("deck.spread") + house.cite(EQUIPMENT) + (OPENING,),
        )
    ]


def offer_open(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer the opening of a closed table."""
    if not table.shift.open:
        yield ActionTemplate(
            command=OpenTable(suggested_reason(table)),
            fields={"reason": reason_field(table)},
            due="due",
            why="everything is ready",
        )


def why_not_close(table: Table) -> str | None:
    """Return why the table may not be closed."""
    if not table.shift.open:
        return "the table is closed"
    if table.dealing is not None or table.layout:
        return "a round is in progress"
    if table.seats.taken:
        return f"players are seated at {', '.join(map(str, sorted(table.seats.taken)))}"
    if any(deck.stage == "pulled" for deck in table.decks.here.values()):
        return "the removal of a pulled deck is not signed"
    if any(deck.failed for deck in table.decks.here.values()):
        return "a deck that does not have 52 cards must be removed first"
    if table.chips.waiting:
        return f"slip {next(iter(table.chips.waiting))!r} is neither confirmed nor canceled"
    return None


def close_table(table: Table, command: CloseTable, by: Account, at: int) -> list[Event]:
    """Agree with the count and close the table; a difference is recorded, not hidden."""
    problem = why_not_close(table)
    if problem:
        raise Refusal(problem, CLOSING)
    count = agreed_count(table, by, CLOSING)
    check_reason(table, command.reason, CLOSING)
    return [
        TableClosed(
            table=table.table_id,
            inventory=count.chips,
            pile=count.pile,
            expected=table.book.tray,
            counted_by=count.by,
            reason=command.reason,
            drop=table.drop,
            decks=tuple(table.decks.here),
            meters=meter_texts(table),
            clauses=(CLOSING, REVENUE),
        )
    ]


def offer_close(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer the closing of an open table once the tray is counted."""
    if table.shift.open and table.shift.count is not None:
        yield ActionTemplate(
            command=CloseTable(suggested_reason(table)),
            fields={"reason": reason_field(table)},
            why="the tray is counted",
        )


COMMANDS = (
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
        per_account=True,
    ),
    CommandSpec(
        command=CloseTable,
        roles=FLOOR,
        duty="deck.verify",
        law=CLOSING,
        decide=close_table,
        offers=offer_close,
        per_account=True,
    ),
)
PART = Part(
    name="shift",
    services=ATTENDED,
    commands=COMMANDS + tray_count.COMMANDS,
    evolve={
        EquipmentAttested: attested,
        tray_count.InventoryCounted: tray_count.counted,
        tray_count.ShiftChanged: tray_count.shift_changed,
        TableOpened: opened,
        TableClosed: closed,
        TableBound: rebound,
        CorrectionMade: corrected,
        played.RoundOpened: discard_count,
    },
)
