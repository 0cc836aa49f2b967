"""A shift: equipment attested, the tray counted by two, the table opened and closed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.money import Cents, meter_text
from croupier.table.binding import TableBound
from croupier.table.decks.state import UNSEEN_STAGES
from croupier.table.forms import Count
from croupier.table.parts import ATTENDED, Act, Offer, Part
from croupier.table.people import DEALER, FLOOR, STAFF, Account
from croupier.table.record import Audience, Command, Event, MeterText
from croupier.table.round import record as played

if TYPE_CHECKING:
    from croupier.table.table import Table

PLACES = "table.places"
EQUIPMENT = "table.equipment"
REVENUE = "COMAR 36.05.03.15D"  # opening and closing inventories

# What may be asked for.


class AttestEquipment(Command, frozen=True, tag="attest_equipment"):
    """The boxes, the rack and the places are as the document wants them."""


class CountInventory(Command, frozen=True, tag="count_inventory"):
    """The dealer counts the chips of the tray, before the opening or for the closing."""

    chips: Cents


class OpenTable(Command, frozen=True, tag="open_table"):
    """A floorperson agrees with the count and opens the table for gaming."""


class CloseTable(Command, frozen=True, tag="close_table"):
    """A floorperson agrees with the count and closes the table."""


# What happened.


class EquipmentAttested(Event, frozen=True, kw_only=True, tag="equipment_attested"):
    """Drop box, tip box, discard rack and places are there."""

    audience: ClassVar[Audience] = "staff"


class InventoryCounted(Event, frozen=True, kw_only=True, tag="inventory_counted"):
    """The dealer's count of the tray; it moves nothing until somebody else agrees."""

    audience: ClassVar[Audience] = "staff"

    chips: Cents
    by: Account


class TableOpened(Event, frozen=True, kw_only=True, tag="table_opened"):
    """Open for gaming, under this House, with these chips and meters."""

    table: str
    live: bool
    house: str  # the digest
    inventory: Cents
    counted_by: Account
    meters: dict[str, MeterText]


class TableClosed(Event, frozen=True, kw_only=True, tag="table_closed"):
    """Closed; what was counted, what the record expects, and the cash of the drop box."""

    table: str
    inventory: Cents
    expected: Cents
    counted_by: Account
    drop: Cents
    decks: tuple[str, ...]
    meters: dict[str, MeterText]


@dataclass(slots=True)
class Counted:
    """A dealer's count that a second person has to agree with."""

    chips: Cents
    by: Account


@dataclass(slots=True)
class Shift:
    """Whether the table is open, and what its opening or closing waits for."""

    open: bool = False
    equipment: bool = False
    count: Counted | None = None
    drop_before: Cents = 0  # what the record's drop account held when the box was empty


def attested(table: Table, event: EquipmentAttested) -> None:
    """Everything is in its place."""
    table.shift.equipment = True


def counted(table: Table, event: InventoryCounted) -> None:
    """One of two has counted."""
    table.shift.count = Counted(event.chips, event.by)


def opened(table: Table, event: TableOpened) -> None:
    """A shift begins with an empty drop box."""
    table.shift.open = True
    begin(table)


def closed(table: Table, event: TableClosed) -> None:
    """The drop box is taken away."""
    table.shift.open = False
    table.shift.equipment = False
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


# The rules.


def attest(table: Table, command: AttestEquipment, by: Account, at: int) -> list[Event]:
    """Boxes, rack, places and the progressive system were looked at."""
    if table.shift.equipment:
        raise table.refusal("the equipment was attested already", EQUIPMENT)
    clauses = table.house.cite(EQUIPMENT) + table.house.cite(PLACES)
    if table.house.offers("progressive"):
        clauses += table.house.cite("table.progressive") + table.house.cite("progressive.device")
    return [EquipmentAttested(clauses=clauses)]


def offer_attest(table: Table, at: int) -> Iterator[Offer]:
    """Before the opening."""
    if not table.shift.equipment:
        yield Offer(command=AttestEquipment(), due="due", why="not attested yet")


def count_inventory(table: Table, command: CountInventory, by: Account, at: int) -> list[Event]:
    """The dealer's half of an opening or a closing."""
    if type(command.chips) is not int or command.chips < 0:
        raise Refusal(f"{command.chips!r} is no amount of chips", REVENUE)
    if table.shift.open and (table.dealing is not None or table.layout):
        raise Refusal("a round is open; the tray is counted between rounds", REVENUE)
    return [InventoryCounted(chips=command.chips, by=by, clauses=(REVENUE,))]


def offer_count(table: Table, at: int) -> Iterator[Offer]:
    """Due before the opening, allowed between rounds."""
    yield Offer(
        command=CountInventory(0),
        forms={"chips": Count(0)},
        due="may" if table.shift.open or table.shift.count else "due",
        why="" if table.shift.open or table.shift.count else "the tray is not counted",
    )


def meters_of(table: Table) -> dict[str, MeterText]:
    """The meters as they stand."""
    return {name: meter_text(value) for name, value in table.meters.items()}


def why_not_open(table: Table) -> tuple[str, str] | None:
    """What an opening still needs, with the duty."""
    if table.shift.open:
        return "the table is open", PLACES
    owed = table.submitted.outstanding
    if owed:
        return f"approvals are outstanding: {', '.join(owed)}", PLACES
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
    count = agreed_count(table, by)
    house = table.house
    opened = TableOpened(
        table=table.table_id,
        live=table.live,
        house=house.digest,
        inventory=count.chips,
        counted_by=count.by,
        meters=meters_of(table),
        clauses=house.cite("deck.spread") + house.cite(EQUIPMENT) + (REVENUE,),
    )
    return [opened]


def agreed_count(table: Table, by: Account) -> Counted:
    """The dealer's count, if another person than its maker looks at it."""
    count = table.shift.count
    if count is None:
        raise Refusal("the dealer has not counted the tray", REVENUE)
    if count.by.id == by.id:
        raise Refusal(f"{by.id} counted the tray; another person agrees", REVENUE)
    return count


def offer_open(table: Table, at: int) -> Iterator[Offer]:
    """When everything is there."""
    if not table.shift.open:
        yield Offer(command=OpenTable(), due="due", why="everything is ready")


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
    if table.chips.fills or table.chips.credits:
        return "a fill or a credit waits for a second person"
    return None


def close_table(table: Table, command: CloseTable, by: Account, at: int) -> list[Event]:
    """Agree with the count, take decks and drop box away; a difference is shown, not hidden."""
    problem = why_not_close(table)
    if problem:
        raise Refusal(problem, REVENUE)
    count = agreed_count(table, by)
    closed = TableClosed(
        table=table.table_id,
        inventory=count.chips,
        expected=table.book.tray,
        counted_by=count.by,
        drop=table.drop,
        decks=tuple(table.decks.here),
        meters=meters_of(table),
        clauses=(REVENUE,),
    )
    return [closed]


def offer_close(table: Table, at: int) -> Iterator[Offer]:
    """Between rounds, with nobody seated and the tray counted."""
    if table.shift.open and table.shift.count is not None:
        yield Offer(command=CloseTable(), why="the tray is counted")


ACTS = (
    Act(
        command=AttestEquipment,
        roles=STAFF,
        duty=EQUIPMENT,
        decide=attest,
        offers=offer_attest,
    ),
    Act(
        command=CountInventory,
        roles=DEALER,
        duty=PLACES,
        decide=count_inventory,
        offers=offer_count,
    ),
    Act(
        command=OpenTable,
        roles=FLOOR,
        duty="deck.verify",
        decide=open_table,
        offers=offer_open,
        personal=True,
    ),
    Act(
        command=CloseTable,
        roles=FLOOR,
        duty="deck.verify",
        decide=close_table,
        offers=offer_close,
        personal=True,
    ),
)
PART = Part(
    name="shift",
    services=ATTENDED,
    acts=ACTS,
    evolve={
        EquipmentAttested: attested,
        InventoryCounted: counted,
        TableOpened: opened,
        TableClosed: closed,
        TableBound: rebound,
        played.RoundOpened: recount,
    },
)
