"""Fills and credits: requested by the floor, counted, signed and confirmed.

A fill is counted by the cage cashier and signed by security and the dealer. A credit is counted by
the dealer and signed by security before it leaves, and by the cashier when it arrives. The
floorperson confirms that the count matches the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import chip_amount, dollars
from croupier.table.core.messages import Event
from croupier.table.core.roles import CAGE, Account, normalize_id
from croupier.table.core.titles import slip_name
from croupier.table.parts.chips import messages as msg
from croupier.table.parts.chips.buy_in import check_tray
from croupier.table.parts.chips.piles import CountedChips, parse_count
from croupier.table.parts.chips.state import ChipCount, PendingSlip

if TYPE_CHECKING:
    from croupier.table.table import Table

FILLS = "COMAR 36.05.03.04"
CREDITS = "COMAR 36.05.03.05"
LAW: dict[msg.Slip, str] = {"fill": FILLS, "credit": CREDITS}


def check_request(table: Table, slip: str, chips: int | msg.Pile, law: str) -> CountedChips:
    """The chips of a request; refused at a closed table or under a used slip number."""
    if not table.shift.open:
        raise Refusal("the table is not open", law)
    if not slip.strip() or normalize_id(slip) in table.chips.slips:
        raise Refusal(f"slip number {slip!r} is empty or already used", law)
    return positive_count(table, chips, law)


def positive_count(table: Table, chips: int | msg.Pile, law: str) -> CountedChips:
    """A valid count of at least one chip."""
    count = parse_count(table, chips, law)
    if not count.chips:
        raise Refusal("a fill or credit needs at least one chip", law)
    return count


def open_slip(table: Table, number: str, kind: msg.Slip | None = None) -> PendingSlip:
    """The unconfirmed slip with this number; refused if there is none of this kind."""
    slip = table.chips.waiting.get(number)
    if slip is None or kind not in (None, slip.kind):
        raise Refusal(f"there is no open slip {number!r}", LAW[kind or "fill"])
    return slip


def law_of(table: Table, command: msg.SignSlip | msg.RecountSlip | msg.CancelSlip) -> str:
    """The regulation on fills or on credits, by the kind of the slip."""
    slip = table.chips.waiting.get(command.slip) or table.chips.sent.get(command.slip)
    return LAW[slip.kind if slip else "fill"]


def check_uncounted(table: Table, number: str, kind: msg.Slip, by: Account) -> None:
    """Refuse a first count of a counted slip, or by a person already involved."""
    slip = open_slip(table, number, kind)
    if slip.count is not None:
        raise Refusal(f"slip {number!r} is already counted; recount it with a reason", LAW[kind])
    check_another_person(slip, by)


def signed_count(table: Table, number: str, kind: msg.Slip, by: Account) -> ChipCount:
    """The count to confirm; refused unless it matches the request and is fully signed."""
    slip = open_slip(table, number, kind)
    if by.id in slip.people():
        raise Refusal(f"{by.id} counted or signed; another person must confirm", LAW[kind])
    if slip.count is not None and not slip.as_requested():
        requested = f"{describe_chips(slip)} requested, {describe_chips(slip.count)} counted"
        difference = describe_difference(slip.count.chips - slip.chips)
        problem = f"{slip_name(kind, number)} {difference}: {requested}; recount or cancel it"
        raise Refusal(problem, LAW[kind])
    missing = slip.missing()
    if missing:
        roles = " and ".join(missing)
        raise Refusal(f"{roles} must count or sign {slip_name(kind, number)} first", LAW[kind])
    assert slip.count is not None, "a slip is signed but not counted"
    return slip.count


def describe_chips(count: PendingSlip | ChipCount) -> str:
    """The sum, with the denominations if they were counted."""
    pieces = ", ".join(f"{number} of {dollars(int(cents))}" for cents, number in count.pile.items())
    return dollars(count.chips) + (f" ({pieces})" if pieces else "")


def describe_difference(cents: int) -> str:
    """How a count differs from its request, in words."""
    if not cents:
        return "has other denominations"
    return f"is {chip_amount(abs(cents))} {'over' if cents > 0 else 'short'}"


def check_another_person(slip: PendingSlip, by: Account) -> None:
    """Refuse a person who has already requested, counted or signed, in any role."""
    if by.id in (slip.by.id, *slip.people()):
        problem = f"{by.id} requested, counted or signed; another person must do this"
        raise Refusal(problem, LAW[slip.kind])


def request_fill(table: Table, command: msg.RequestFill, by: Account, at: int) -> list[Event]:
    """Request chips from the cage."""
    request = check_request(table, command.slip, command.chips, FILLS)
    return [
        msg.FillRequested(
            slip=command.slip, chips=request.chips, pile=request.pile, by=by, clauses=(FILLS,)
        )
    ]


def count_fill(table: Table, command: msg.CountFill, by: Account, at: int) -> list[Event]:
    """Record the cashier's count of a fill."""
    check_uncounted(table, command.slip, "fill", by)
    count = positive_count(table, command.chips, FILLS)
    return [
        msg.FillCounted(
            slip=command.slip, chips=count.chips, pile=count.pile, by=by, clauses=(FILLS,)
        )
    ]


def confirm_fill(table: Table, command: msg.ConfirmFill, by: Account, at: int) -> list[Event]:
    """Confirm a signed fill: its chips go into the tray."""
    count = signed_count(table, command.slip, "fill", by)
    return [
        msg.FillReceived(
            slip=command.slip,
            chips=count.chips,
            pile=count.pile,
            counted_by=count.by,
            clauses=(FILLS,),
        )
    ]


def request_credit(table: Table, command: msg.RequestCredit, by: Account, at: int) -> list[Event]:
    """Request chips from the tray; the tray is checked when the dealer counts."""
    request = check_request(table, command.slip, command.chips, CREDITS)
    return [
        msg.CreditRequested(
            slip=command.slip, chips=request.chips, pile=request.pile, by=by, clauses=(CREDITS,)
        )
    ]


def count_credit(table: Table, command: msg.CountCredit, by: Account, at: int) -> list[Event]:
    """Record the dealer's count of a credit."""
    check_uncounted(table, command.slip, "credit", by)
    count = positive_count(table, command.chips, CREDITS)
    check_tray(table, count.chips)
    return [
        msg.CreditCounted(
            slip=command.slip, chips=count.chips, pile=count.pile, by=by, clauses=(CREDITS,)
        )
    ]


def confirm_credit(table: Table, command: msg.ConfirmCredit, by: Account, at: int) -> list[Event]:
    """Confirm a signed credit: its chips leave the tray, if they are still there."""
    count = signed_count(table, command.slip, "credit", by)
    check_tray(table, count.chips)
    return [
        msg.CreditSent(
            slip=command.slip,
            chips=count.chips,
            pile=count.pile,
            counted_by=count.by,
            clauses=(CREDITS,),
        )
    ]


def sign(table: Table, command: msg.SignSlip, by: Account, at: int) -> list[Event]:
    """Sign a slip; each role signs once, in order, each a different person."""
    slip = table.chips.sent.get(command.slip)
    signers: list[str] = [*CAGE]
    if slip is None:
        slip = open_slip(table, command.slip)
        signers = [*slip.missing()[:1]] if slip.count is not None else []
    law = LAW[slip.kind]
    if by.role not in signers:
        expected = "".join(signers) or ("the floorperson" if slip.count else "a count")
        raise Refusal(f"{by.role} cannot sign slip {command.slip!r} now; expected {expected}", law)
    check_another_person(slip, by)
    return [msg.SlipSigned(slip=command.slip, by=by, clauses=(law,))]


def recount(table: Table, command: msg.RecountSlip, by: Account, at: int) -> list[Event]:
    """Record a new count under the same slip, with a reason; the first one stays on record."""
    slip = open_slip(table, command.slip)
    law = LAW[slip.kind]
    if slip.count is None:
        raise Refusal(f"slip {command.slip!r} is not counted yet", law)
    if by.id == slip.by.id or (slip.kind == "credit" and by.role in CAGE):
        raise Refusal(f"{by} may not count the {slip.kind} {command.slip!r}", law)
    count = positive_count(table, command.chips, law)
    check_reason(command.reason, law)
    if slip.kind == "credit":
        check_tray(table, count.chips)
    return [
        msg.SlipRecounted(
            slip=command.slip,
            chips=count.chips,
            pile=count.pile,
            reason=command.reason,
            by=by,
            clauses=(law,),
        )
    ]


def cancel(table: Table, command: msg.CancelSlip, by: Account, at: int) -> list[Event]:
    """Cancel an unconfirmed slip; its chips go back."""
    law = LAW[open_slip(table, command.slip).kind]
    check_reason(command.reason, law)
    return [msg.SlipCancelled(slip=command.slip, reason=command.reason, clauses=(law,))]


def check_reason(reason: str, law: str) -> None:
    """Refuse an empty reason."""
    if not reason.strip():
        raise Refusal("a reason is required", law)
