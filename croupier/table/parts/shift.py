"""Shifts: attesting the equipment, opening the table and closing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from croupier.errors import Refusal
from croupier.games.layout_notices import limit_on_sign, notices_on_sign, odds_on_sign
from croupier.money import Cents, meter_text
from croupier.submission import PROPOSED, outstanding
from croupier.table.core.messages import Audience, Command, Event, MeterText
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import FLOOR, STAFF, Account
from croupier.table.parts import tray_count
from croupier.table.parts.chips.messages import Pile
from croupier.table.parts.corrections import CorrectionMade
from croupier.table.parts.decks.lifecycle import REMOVAL, decks_in_use
from croupier.table.parts.decks.state import UNSEEN_STAGES
from croupier.table.parts.devices import DealingSwitched
from croupier.table.parts.disabling import check_enabled
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
LAYOUT, SHOE = "table.layout", "table.shoe"
ODDS, NOTICES, LIMIT = "layout.odds", "layout.sign", "layout.notice.limit"
OPENING = "COMAR 36.05.03.03"
CLOSING = "COMAR 36.05.03.08"
REVENUE = "COMAR 36.05.03.15D"  # table win is derived from opening and closing inventories

# Commands


class AttestEquipment(Command, frozen=True, tag="attest_equipment"):
    """Attest that drop box, tip box, discard rack and positions are as the rules require."""


class AttestLayout(Command, frozen=True, tag="attest_layout"):
    """Attest that the approved layout is on the table."""


class AttestSign(Command, frozen=True, tag="attest_sign"):
    """Attest that the sign with what the layout does not show is posted at the table."""


class AttestShoe(Command, frozen=True, tag="attest_shoe"):
    """Attest that the manual shoe is at its approved location on the table."""


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


class ItemAttested(Event, frozen=True, kw_only=True, tag="item_attested"):
    """A floorperson attested the layout, the sign or the location of the shoe."""

    audience: ClassVar[Audience] = "staff"

    item: str
    by: Account


class TableOpened(Event, frozen=True, kw_only=True, tag="table_opened"):
    """The table is open for gaming, with these chips and meters."""

    table: str
    live: bool
    house: str  # the digest
    inventory: Cents
    pile: Pile = {}
    counted_by: Account
    attested: dict[str, Account]  # layout, sign and shoe, as far as required, by whom
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
    meters: dict[str, MeterText]


@dataclass(slots=True)
class Shift:
    """Whether the table is open, and what is done for its opening or closing."""

    open: bool = False
    equipment: bool = False
    attested: dict[str, Account] = field(default_factory=dict)
    count: TrayCount | None = None
    last: TrayCount | None = None  # the last closing count
    drop_before: Cents = 0  # balance of the drop account when the drop box was empty


# Event handlers


def attested(table: Table, event: EquipmentAttested) -> None:
    table.shift.equipment = True


def item_attested(table: Table, event: ItemAttested) -> None:
    table.shift.attested[event.item] = event.by


def opened(table: Table, event: TableOpened) -> None:
    table.shift.open = True
    reset(table)


def closed(table: Table, event: TableClosed) -> None:
    table.shift.open = False
    forget_attestations(table)
    table.shift.last = TrayCount(event.inventory, event.pile, event.counted_by)
    reset(table)


def reset(table: Table) -> None:
    """Reset the count, the drop and the idle timer: the drop box is empty now."""
    table.shift.count = None
    table.shift.drop_before = int(table.book.balance("drop"))
    table.seats.unseen = False
    table.seats.last_bet_at = table.clock


def switched(table: Table, event: DealingSwitched) -> None:
    # A manual shoe that comes to the table, or comes back, is put at its location.
    table.shift.attested.pop("shoe", None)


def rebound(table: Table, event: TableBound) -> None:
    # Another House may require other equipment and another layout.
    forget_attestations(table)


def forget_attestations(table: Table) -> None:
    table.shift.equipment = False
    table.shift.attested.clear()


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


def layout_duties(table: Table) -> tuple[str, ...]:
    """The layout was approved, so that layout is used."""
    return (LAYOUT,)


def sign_duties(table: Table) -> tuple[str, ...]:
    """A sign is posted for odds, notices or a payout limit that the layout does not show."""
    house = table.house
    posted = {
        ODDS: odds_on_sign(house),
        NOTICES: notices_on_sign(house),
        LIMIT: limit_on_sign(house),
    }
    return tuple(duty for duty, needed in posted.items() if needed)


def shoe_duties(table: Table) -> tuple[str, ...]:
    """A manual shoe has an approved location."""
    return (SHOE,) if table.devices.method == "manual_shoe" else ()


class Attestation(NamedTuple):
    """Something a floorperson attests before the opening, or before a change of method is used."""

    name: str
    duty: str  # the usual one
    duties: Callable[[Table], tuple[str, ...]]
    missing: str


ATTESTATIONS: dict[type[Command], Attestation] = {
    AttestLayout: Attestation(
        "layout",
        LAYOUT,
        layout_duties,
        "it is not attested that the approved layout is on the table",
    ),
    AttestSign: Attestation(
        "sign",
        ODDS,
        sign_duties,
        "it is not attested that the sign is posted",
    ),
    AttestShoe: Attestation(
        "shoe",
        SHOE,
        shoe_duties,
        "it is not attested that the shoe is at its approved location",
    ),
}


def cited(table: Table, duties: tuple[str, ...]) -> tuple[str, ...]:
    """Return the clauses of several duties."""
    return tuple(clause for duty in duties for clause in table.house.cite(duty))


def attest_item(table: Table, command: Command, by: Account, at: int) -> list[Event]:
    """Record the statement of a floorperson."""
    item = ATTESTATIONS[type(command)]
    duties = item.duties(table)
    if not duties:
        raise table.refusal(f"this table needs no {item.name} to be attested", item.duty)
    if item.name in table.shift.attested:
        raise table.refusal(f"the {item.name} is already attested", duties[0])
    return [ItemAttested(item=item.name, by=by, clauses=cited(table, duties))]


def offer_item(kind: type[Command]) -> Callable[[Table, int], Iterator[ActionTemplate]]:
    """Offer a statement that the opening requires and that is missing."""

    def offer(table: Table, at: int) -> Iterator[ActionTemplate]:
        item = ATTESTATIONS[kind]
        if item.duties(table) and item.name not in table.shift.attested:
            yield ActionTemplate(command=kind(), due="due", why=item.missing)

    return offer


def meter_texts(table: Table) -> dict[str, MeterText]:
    """Return the current values of the meters."""
    return {name: meter_text(value) for name, value in table.meters.items()}


def missing_attestation(table: Table) -> tuple[str, str] | None:
    """Return what a floorperson still has to attest, with the duty; None if nothing is missing."""
    for item in ATTESTATIONS.values():
        duties = item.duties(table)
        if duties and item.name not in table.shift.attested:
            return item.missing, duties[0]
    return None


def why_not_open(table: Table) -> tuple[str, str] | None:
    """Return what is still missing at the table for the opening, with the duty."""
    if not table.shift.equipment:
        return "the equipment is not attested", EQUIPMENT
    missing = missing_attestation(table)
    if missing:
        return missing
    decks = table.decks.usable()
    needed = decks_in_use(table)
    if len(decks) < needed:
        problem = f"{counted(needed, 'deck')} required, {len(decks)} at the table"
        return problem, "deck.inspect"
    if any(deck.stage in UNSEEN_STAGES[:3] for deck in decks):
        return "the cards are not inspected, verified and spread", "deck.spread"
    return None


def open_table(table: Table, command: OpenTable, by: Account, at: int) -> list[Event]:
    """Agree with the count and open the table."""
    if table.shift.open:
        raise Refusal("the table is open", OPENING)
    check_enabled(table, staff=True)
    missing = outstanding(table.submitted)
    if missing:
        clause = next(iter(missing.values()))
        listed = ", ".join(missing)
        game = "" if clause == PROPOSED else table.house.game.key
        raise Refusal(f"approvals are outstanding: {listed}", clause, game=game)
    problem = why_not_open(table)
    if problem:
        raise table.refusal(*problem)
    count = agreed_count(table, by, OPENING)
    check_reason(table, command.reason, OPENING)
    house = table.house
    items = {item.name: item.duties(table) for item in ATTESTATIONS.values()}
    required = tuple(duty for duties in items.values() for duty in duties)
    return [
        TableOpened(
            table=table.table_id,
            live=table.live,
            house=house.digest,
            inventory=count.chips,
            pile=count.pile,
            counted_by=count.by,
            attested={name: table.shift.attested[name] for name, duties in items.items() if duties},
            reason=command.reason,
            meters=meter_texts(table),
            clauses=house.cite("deck.spread")
            + house.cite(EQUIPMENT)
            + cited(table, required)
            + (OPENING,),
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


def why_not_close(table: Table) -> tuple[str, str] | None:
    """Return why the table may not be closed, with the regulation."""
    if not table.shift.open:
        return "the table is closed", CLOSING
    if table.dealing is not None or table.layout:
        return "a round is in progress", CLOSING
    if table.seats.taken:
        seats = ", ".join(map(str, sorted(table.seats.taken)))
        return f"players are seated at {seats}", CLOSING
    if table.decks.here:
        decks = ", ".join(table.decks.here)
        return f"decks are at the table: {decks}; pull them and sign for their removal", REMOVAL
    if table.chips.waiting:
        slip = next(iter(table.chips.waiting))
        return f"slip {slip!r} is neither confirmed nor canceled", CLOSING
    return None


def close_table(table: Table, command: CloseTable, by: Account, at: int) -> list[Event]:
    """Agree with the count and close the table; a difference is recorded, not hidden."""
    problem = why_not_close(table)
    if problem:
        raise Refusal(*problem)
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
    *(
        CommandSpec(
            command=kind,
            roles=FLOOR,
            duty=item.duty,
            decide=attest_item,
            offers=offer_item(kind),
        )
        for kind, item in ATTESTATIONS.items()
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
    subject="Staff and shift",
    services=ATTENDED,
    commands=COMMANDS + tray_count.COMMANDS,
    evolve={
        EquipmentAttested: attested,
        ItemAttested: item_attested,
        tray_count.InventoryCounted: tray_count.counted,
        tray_count.ShiftChanged: tray_count.shift_changed,
        TableOpened: opened,
        TableClosed: closed,
        TableBound: rebound,
        DealingSwitched: switched,
        CorrectionMade: corrected,
        played.RoundOpened: discard_count,
    },
)
