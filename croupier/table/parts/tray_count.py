"""The tray counted by two: before the opening, for the closing, and at a change of shift.

Nobody who counts is told what the tray should hold. The dealer counts by denomination, a
floorperson agrees; where the count differs from what is on record, the floorperson says why.
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

COUNTS = "COMAR 36.05.03.02F"  # what a count of the table inventory records
SHIFTS = "COMAR 36.05.03.10B"  # a count for each shift

# What may be asked for.


class CountInventory(Command, frozen=True, tag="count_inventory"):
    """The dealer counts the chips of the tray: for the opening, the closing or the next shift."""

    chips: Cents | Pile


class ChangeShift(Command, frozen=True, tag="change_shift"):
    """A floorperson agrees with the count of the tray, with which the next shift begins."""

    reason: str = ""


# What happened.


class InventoryCounted(Event, frozen=True, kw_only=True, tag="inventory_counted"):
    """The dealer's count of the tray; it moves nothing until somebody else agrees."""

    audience: ClassVar[Audience] = "staff"

    chips: Cents
    pile: Pile = {}
    by: Account


class ShiftChanged(Event, frozen=True, kw_only=True, tag="shift_changed"):
    """The tray as one shift left it to the next; a difference is shown, not hidden."""

    audience: ClassVar[Audience] = "staff"

    inventory: Cents
    pile: Pile = {}
    expected: Cents
    counted_by: Account
    reason: str = ""


@dataclass(slots=True)
class Counted:
    """A dealer's count that a second person has to agree with."""

    chips: Cents
    pile: Pile
    by: Account


def counted(table: Table, event: InventoryCounted) -> None:
    """One of two has counted."""
    table.shift.count = Counted(event.chips, event.pile, event.by)


def shift_changed(table: Table, event: ShiftChanged) -> None:
    """The next count is another one."""
    table.shift.count = None


# The rules.


def count_inventory(table: Table, command: CountInventory, by: Account, at: int) -> list[Event]:
    """The dealer's half of an opening, a closing or a change of shift."""
    if table.shift.open and (table.dealing is not None or table.layout):
        raise Refusal("a round is open; the tray is counted between rounds", COUNTS)
    count = parse_count(table, command.chips, COUNTS)
    return [InventoryCounted(chips=count.chips, pile=count.pile, by=by, clauses=(COUNTS,))]


def agreed_count(table: Table, by: Account, law: str) -> Counted:
    """The dealer's count, if another person than its maker looks at it."""
    count = table.shift.count
    if count is None:
        raise Refusal("the dealer has not counted the tray", law)
    if count.by.id == by.id:
        raise Refusal(f"{by.id} counted the tray; another person agrees", law)
    return count


def differs(table: Table) -> bool:
    """Whether the count that waits is not what the record has."""
    count = table.shift.count
    if count is None:
        return False
    if table.shift.open:
        return count.chips != table.book.tray
    last = table.shift.last
    if last is None:
        return False
    both = bool(count.pile and last.pile)
    return count.pile != last.pile if both else count.chips != last.chips


def check_reason(table: Table, reason: str, law: str) -> None:
    """A difference needs an explanation; how large it is, is not said."""
    if differs(table) and not reason.strip():
        record = "the record expects" if table.shift.open else "the last closing left"
        raise Refusal(f"the count is not what {record}; recount, or give a reason", law)


def reason_form(table: Table) -> TextField:
    """What is filled in as a reason, if one is needed."""
    return TextField("recounted with the same result", may_be_empty=not differs(table))


def proposed_reason(table: Table) -> str:
    """A reason where one is needed."""
    return reason_form(table).suggestion if differs(table) else ""


def change_shift(table: Table, command: ChangeShift, by: Account, at: int) -> list[Event]:
    """The tray is what was counted from here on; the table stays open."""
    if not table.shift.open:
        raise Refusal("the table is closed", SHIFTS)
    count = agreed_count(table, by, SHIFTS)
    check_reason(table, command.reason, SHIFTS)
    changed = ShiftChanged(
        inventory=count.chips,
        pile=count.pile,
        expected=table.book.tray,
        counted_by=count.by,
        reason=command.reason,
        clauses=(SHIFTS,),
    )
    return [changed]


def offer_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Due before the opening, allowed between rounds."""
    form = count_field(table, 0)
    yield ActionTemplate(
        command=CountInventory(form.example()),
        forms={"chips": form},
        due="may" if table.shift.open or table.shift.count else "due",
        why="" if table.shift.open or table.shift.count else "the tray is not counted",
    )


def offer_change(table: Table, at: int) -> Iterator[ActionTemplate]:
    """After a count."""
    if table.shift.open and table.shift.count is not None:
        yield ActionTemplate(
            command=ChangeShift(proposed_reason(table)),
            forms={"reason": reason_form(table)},
            why="the tray is counted",
        )


ACTS = (
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
        personal=True,
    ),
)
