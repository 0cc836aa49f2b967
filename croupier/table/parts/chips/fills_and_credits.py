"""Fills and credits: requested by the floor, counted, signed on their way, found as requested.

A fill is counted out by the cashier of the chip bank and signed by security who carries it and by
the dealer who gets it; a credit is counted by the dealer, signed by security before it leaves and
by the cashier when it has arrived. The floorperson compares the count with the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import dollars
from croupier.table.core.messages import Event
from croupier.table.core.roles import CAGE, Account
from croupier.table.parts.chips import messages as rec
from croupier.table.parts.chips.buy_in import check_tray
from croupier.table.parts.chips.piles import CountedChips, parse_count
from croupier.table.parts.chips.state import ChipCount, PendingSlip

if TYPE_CHECKING:
    from croupier.table.table import Table

FILLS = "COMAR 36.05.03.04"
CREDITS = "COMAR 36.05.03.05"
LAW: dict[rec.Slip, str] = {"fill": FILLS, "credit": CREDITS}


def requested(table: Table, slip: str, chips: int | rec.Pile, law: str) -> CountedChips:
    """Some chips under a slip that was never used, at an open table."""
    if not table.shift.open:
        raise Refusal("the table is not open", law)
    if not slip.strip() or slip in table.chips.slips:
        raise Refusal(f"{slip!r} is not the number of a new slip", law)
    return some_chips(table, chips, law)


def some_chips(table: Table, given: int | rec.Pile, law: str) -> CountedChips:
    """A count of more than nothing."""
    count = parse_count(table, given, law)
    if not count.chips:
        raise Refusal("a fill or a credit is of some chips, got none", law)
    return count


def waiting(table: Table, slip: str, kind: rec.Slip | None = None) -> PendingSlip:
    """What was requested under a slip and is not confirmed yet."""
    found = table.chips.waiting.get(slip)
    if found is None or kind not in (None, found.kind):
        raise Refusal(f"nothing is requested under slip {slip!r}", LAW[kind or "fill"])
    return found


def law_of(table: Table, command: rec.SignSlip | rec.RecountSlip | rec.CancelSlip) -> str:
    """The paragraph on fills or the one on credits: whichever the slip is."""
    found = table.chips.waiting.get(command.slip) or table.chips.sent.get(command.slip)
    return LAW[found.kind if found else "fill"]


def uncounted(table: Table, slip: str, kind: rec.Slip, by: Account) -> PendingSlip:
    """A request that nobody has counted for."""
    found = waiting(table, slip, kind)
    if found.count is not None:
        raise Refusal(f"slip {slip!r} is counted; a recount says why", LAW[kind])
    check_another(found, by)
    return found


def agreed(table: Table, slip: str, kind: rec.Slip, by: Account) -> ChipCount:
    """A count that everybody else has signed and that is what the floor asked for."""
    found = waiting(table, slip, kind)
    if by.id in found.people():
        raise Refusal(f"{by.id} counted or signed; another person is needed", LAW[kind])
    missing = found.missing()
    if missing:
        raise Refusal(f"{' and '.join(missing)} must count or sign slip {slip!r} first", LAW[kind])
    assert found.count is not None, "everybody has signed and nobody has counted"
    if not found.as_requested():
        problem = f"{describe_chips(found)} was requested, {describe_chips(found.count)} counted"
        raise Refusal(f"{problem}; recount slip {slip!r} or cancel it", LAW[kind])
    return found.count


def describe_chips(count: PendingSlip | ChipCount) -> str:
    """A sum, with the pieces where they were told."""
    pieces = ", ".join(f"{number} of {dollars(int(cents))}" for cents, number in count.pile.items())
    return dollars(count.chips) + (f" ({pieces})" if pieces else "")


def check_another(found: PendingSlip, by: Account) -> None:
    """Nobody requests, counts or signs the same chips twice, whatever hat they wear."""
    if by.id in (found.by.id, *found.people()):
        problem = f"{by.id} requested, counted or signed; another person is needed"
        raise Refusal(problem, LAW[found.kind])


def request_fill(table: Table, command: rec.RequestFill, by: Account, at: int) -> list[Event]:
    """What the floor wants from the cage."""
    asked = requested(table, command.slip, command.chips, FILLS)
    return [
        rec.FillRequested(
            slip=command.slip, chips=asked.chips, pile=asked.pile, by=by, clauses=(FILLS,)
        )
    ]


def count_fill(table: Table, command: rec.CountFill, by: Account, at: int) -> list[Event]:
    """The cashier's part of a fill."""
    uncounted(table, command.slip, "fill", by)
    count = some_chips(table, command.chips, FILLS)
    return [
        rec.FillCounted(
            slip=command.slip, chips=count.chips, pile=count.pile, by=by, clauses=(FILLS,)
        )
    ]


def confirm_fill(table: Table, command: rec.ConfirmFill, by: Account, at: int) -> list[Event]:
    """The floorperson attests to it: chips into the tray."""
    count = agreed(table, command.slip, "fill", by)
    return [
        rec.FillReceived(
            slip=command.slip,
            chips=count.chips,
            pile=count.pile,
            counted_by=count.by,
            clauses=(FILLS,),
        )
    ]


def request_credit(table: Table, command: rec.RequestCredit, by: Account, at: int) -> list[Event]:
    """What the floor wants to leave the table; whether it is there, the dealer's count tells."""
    asked = requested(table, command.slip, command.chips, CREDITS)
    return [
        rec.CreditRequested(
            slip=command.slip, chips=asked.chips, pile=asked.pile, by=by, clauses=(CREDITS,)
        )
    ]


def count_credit(table: Table, command: rec.CountCredit, by: Account, at: int) -> list[Event]:
    """The dealer's part of a credit."""
    uncounted(table, command.slip, "credit", by)
    count = some_chips(table, command.chips, CREDITS)
    check_tray(table, count.chips)
    return [
        rec.CreditCounted(
            slip=command.slip, chips=count.chips, pile=count.pile, by=by, clauses=(CREDITS,)
        )
    ]


def confirm_credit(table: Table, command: rec.ConfirmCredit, by: Account, at: int) -> list[Event]:
    """The floorperson attests to it: chips out of the tray, if they are still there."""
    count = agreed(table, command.slip, "credit", by)
    check_tray(table, count.chips)
    return [
        rec.CreditSent(
            slip=command.slip,
            chips=count.chips,
            pile=count.pile,
            counted_by=count.by,
            clauses=(CREDITS,),
        )
    ]


def sign(table: Table, command: rec.SignSlip, by: Account, at: int) -> list[Event]:
    """Each role once and in its turn, each by another person."""
    found = table.chips.sent.get(command.slip)
    expected: list[str] = [*CAGE]
    if found is None:
        found = waiting(table, command.slip)
        expected = [*found.missing()[:1]] if found.count is not None else []
    law = LAW[found.kind]
    if by.role not in expected:
        said = "".join(expected) or ("the floorperson" if found.count else "a count")
        raise Refusal(f"slip {command.slip!r} does not wait for {by.role}; expected {said}", law)
    check_another(found, by)
    return [rec.SlipSigned(slip=command.slip, by=by, clauses=(law,))]


def recount(table: Table, command: rec.RecountSlip, by: Account, at: int) -> list[Event]:
    """Another count under the same slip, with a reason; the first one stays on record."""
    found = waiting(table, command.slip)
    law = LAW[found.kind]
    if found.count is None:
        raise Refusal(f"nobody has counted for slip {command.slip!r}", law)
    if by.id == found.by.id or (found.kind == "credit" and by.role in CAGE):
        raise Refusal(f"{by} does not count the {found.kind} {command.slip!r}", law)
    count = some_chips(table, command.chips, law)
    check_reason(command.reason, law)
    if found.kind == "credit":
        check_tray(table, count.chips)
    return [
        rec.SlipRecounted(
            slip=command.slip,
            chips=count.chips,
            pile=count.pile,
            reason=command.reason,
            by=by,
            clauses=(law,),
        )
    ]


def cancel(table: Table, command: rec.CancelSlip, by: Account, at: int) -> list[Event]:
    """The chips go back where they came from, and the slip is void."""
    law = LAW[waiting(table, command.slip).kind]
    check_reason(command.reason, law)
    return [rec.SlipCancelled(slip=command.slip, reason=command.reason, clauses=(law,))]


def check_reason(reason: str, law: str) -> None:
    """A reason that says something."""
    if not reason.strip():
        raise Refusal("a reason is needed", law)
