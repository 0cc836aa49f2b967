"""Chip tray counts by two people: for the opening, the closing and a change of shift.

Counts are blind: staff do not see the expected amount. The dealer counts by denomination and a
floorperson agrees; if the count differs from the record, the floorperson gives a reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.money import Cents
from croupier.table.core.fields import TextField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, Account
from croupier.table.parts.chips.messages import Pile
from croupier.table.parts.chips.piles import count_field, parse_count

if TYPE_CHECKING:
    from croupier.table.table import Table

COUNTS = "COMAR 36.05.03.02F"  # the contents of a table inventory count
SHIFTS = "COMAR 36.05.03.10B"  # a count for each shift

# Commands


class CountInventory(Command, frozen=True, tag="count_inventory"):
    """The dealer counts the chip tray for the opening, the closing or the next shift."""

    chips: Cents | Pile


class ChangeShift(Command, frozen=True, tag="change_shift"):
    """A floorperson agrees with the tray count that starts the next shift."""

    reason: str = ""


# Events


class InventoryCounted(Event, frozen=True, kw_only=True, tag="inventory_counted"):
    """The dealer's tray count; it has no effect until a second person agrees."""

    audience: ClassVar[Audience] = "staff"

    chips: Cents
    pile: Pile = {}
    by: Account


class ShiftChanged(Event, frozen=True, kw_only=True, tag="shift_changed"):
    """The tray as counted between two shifts; a difference is recorded, not hidden."""

    audience: ClassVar[Audience] = "staff"

    inventory: Cents
    pile: Pile = {}
    expected: Cents
    counted_by: Account
    reason: str = ""


@dataclass(slots=True)
class TrayCount:
    """A dealer's tray count that a second person has to agree with."""

    chips: Cents
    pile: Pile
    by: Account
    recount: bool = False  # the count before it differed from the record, too


# Event handlers


def counted(table: Table, event: InventoryCounted) -> None:
    recount = differs(table)
    table.shift.count = TrayCount(event.chips, event.pile, event.by, recount)


def shift_changed(table: Table, event: ShiftChanged) -> None:
    table.shift.count = None


# Rules


def count_inventory(table: Table, command: CountInventory, by: Account, at: int) -> list[Event]:
    """Record the dealer's count between rounds."""
    if table.shift.open and (table.dealing is not None or table.layout):
        raise Refusal("a round is in progress; count the tray between rounds", COUNTS)
    count = parse_count(table, command.chips, COUNTS)
    return [InventoryCounted(chips=count.chips, pile=count.pile, by=by, clauses=(COUNTS,))]


def agreed_count(table: Table, by: Account, law: str) -> TrayCount:
    """Return the dealer's count; raises Refusal for the person who made it."""
    count = table.shift.count
    if count is None:
        raise Refusal("the dealer has not counted the tray", law)
    if count.by.id == by.id:
        raise Refusal(f"{by.id} counted the tray; another person must agree", law)
    return count


def differs(table: Table) -> bool:
    """Whether the pending count differs from the record."""
    count = table.shift.count
    if count is None:
        return False
    if table.shift.open:
        return count.chips != table.book.tray
    last = table.shift.last
    if last is None:
        return False
    by_denomination = bool(count.pile and last.pile)
    return count.pile != last.pile if by_denomination else count.chips != last.chips


def recount_due(table: Table) -> bool:
    """Whether an opening count differs and was not repeated yet (COMAR 36.05.03.03F(2))."""
    count = table.shift.count
    opening = count is not None and not table.shift.open and not count.recount
    return opening and differs(table)


def check_reason(table: Table, reason: str, law: str) -> None:
    """Require a recount and a reason for a difference, without revealing how large it is."""
    if recount_due(table):
        raise Refusal("the count differs from the last closing count; recount the tray", law)
    if differs(table) and not reason.strip():
        expected = "the record" if table.shift.open else "the last closing count"
        raise Refusal(f"the count differs from {expected}; recount, or give a reason", law)


def reason_field(table: Table) -> TextField:
    """Return the input field for the reason of a difference."""
    return TextField("recounted with the same result", may_be_empty=not differs(table))


def suggested_reason(table: Table) -> str:
    """Return a suggestion if a reason is required, otherwise ""."""
    return reason_field(table).suggestion if differs(table) else ""


def change_shift(table: Table, command: ChangeShift, by: Account, at: int) -> list[Event]:
    """Set the tray to the count; the table stays open."""
    if not table.shift.open:
        raise Refusal("the table is closed", SHIFTS)
    count = agreed_count(table, by, SHIFTS)
    check_reason(table, command.reason, SHIFTS)
    return [
        ShiftChanged(
            inventory=count.chips,
            pile=count.pile,
            expected=table.book.tray,
            counted_by=count.by,
            reason=command.reason,
            clauses=(SHIFTS,),
        )
    ]


def offer_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a count between rounds; due before the opening, again if it differs."""
    field = count_field(table, 0)
    missing = not table.shift.open and table.shift.count is None
    required = missing or recount_due(table)
    yield ActionTemplate(
        command=CountInventory(field.example()),
        fields={"chips": field},
        due="due" if required else "may",
        why="the tray is not counted" if missing else "the count differs" if required else "",
    )


def offer_change(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a change of shift after a count."""
    if table.shift.open and table.shift.count is not None:
        yield ActionTemplate(
            command=ChangeShift(suggested_reason(table)),
            fields={"reason": reason_field(table)},
            why="the tray is counted",
        )


COMMANDS = (
    CommandSpec(
        command=CountInventory,
        roles=DEALER,
        duty="table.places",
        law=COUNTS,
        decide=count_inventory,
        offers=offer_count,
    ),
    CommandSpec(
        command=ChangeShift,
        roles=FLOOR,
        duty="table.places",
        law=SHIFTS,
        decide=change_shift,
        offers=offer_change,
        per_account=True,
    ),
)
