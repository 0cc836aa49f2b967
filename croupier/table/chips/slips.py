"""Fills and credits: counted by the dealer, signed by those who carry and keep the chips, agreed.

A fill is signed by the cashier of the chip bank and by security before the floorperson attests
to it; a credit by security before it leaves, and by the cashier when it has arrived.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.chips import record as rec
from croupier.table.chips.piles import Told, count_form, told
from croupier.table.chips.players import check_tray
from croupier.table.chips.rounds import too_short
from croupier.table.chips.state import Waiting
from croupier.table.forms import Text
from croupier.table.parts import Act, Offer
from croupier.table.people import CAGE, DEALER, FLOOR, SECURITY, Account
from croupier.table.record import Event

if TYPE_CHECKING:
    from croupier.table.table import Table

FILLS = "COMAR 36.05.03.04"
CREDITS = "COMAR 36.05.03.05"
LAW: dict[rec.Slip, str] = {"fill": FILLS, "credit": CREDITS}


def check_new(table: Table, slip: str, law: str) -> None:
    """A slip that was never used, at an open table."""
    if not table.shift.open:
        raise Refusal("the table is not open", law)
    if not slip.strip() or slip in table.chips.slips:
        raise Refusal(f"{slip!r} is not the number of a new slip", law)


def some_chips(table: Table, given: int | rec.Pile, law: str) -> Told:
    """A count of more than nothing."""
    count = told(table, given, law)
    if not count.chips:
        raise Refusal("a fill or a credit is of some chips, got none", law)
    return count


def waiting(table: Table, slip: str, kind: rec.Slip | None = None) -> Waiting:
    """The count under a slip that is not confirmed yet."""
    found = table.chips.waiting.get(slip)
    if found is None or kind not in (None, found.kind):
        raise Refusal(f"no count waits under slip {slip!r}", LAW[kind or "fill"])
    return found


def agreed(table: Table, slip: str, kind: rec.Slip, by: Account) -> Waiting:
    """A count that everybody else has signed, for one more person."""
    found = waiting(table, slip, kind)
    check_another(found, by)
    missing = found.missing()
    if missing:
        raise Refusal(f"{' and '.join(missing)} must sign slip {slip!r} first", LAW[kind])
    return found


def check_another(found: Waiting, by: Account) -> None:
    """Nobody signs twice, whatever hat they wear."""
    if by.id in found.people():
        problem = f"{by.id} counted or signed; another person is needed"
        raise Refusal(problem, LAW[found.kind])


def count_fill(table: Table, command: rec.CountFill, by: Account, at: int) -> list[Event]:
    """The dealer's part of a fill."""
    check_new(table, command.slip, FILLS)
    count = some_chips(table, command.chips, FILLS)
    return [
        rec.FillCounted(
            slip=command.slip, chips=count.chips, pile=count.pile, by=by, clauses=(FILLS,)
        )
    ]


def confirm_fill(table: Table, command: rec.ConfirmFill, by: Account, at: int) -> list[Event]:
    """The floorperson attests to it: chips into the tray."""
    found = agreed(table, command.slip, "fill", by)
    return [
        rec.FillReceived(
            slip=command.slip,
            chips=found.chips,
            pile=found.pile,
            counted_by=found.by,
            clauses=(FILLS,),
        )
    ]


def count_credit(table: Table, command: rec.CountCredit, by: Account, at: int) -> list[Event]:
    """The dealer's part of a credit."""
    check_new(table, command.slip, CREDITS)
    count = some_chips(table, command.chips, CREDITS)
    check_tray(table, count.chips)
    return [
        rec.CreditCounted(
            slip=command.slip, chips=count.chips, pile=count.pile, by=by, clauses=(CREDITS,)
        )
    ]


def confirm_credit(table: Table, command: rec.ConfirmCredit, by: Account, at: int) -> list[Event]:
    """The floorperson attests to it: chips out of the tray, if they are still there."""
    found = agreed(table, command.slip, "credit", by)
    check_tray(table, found.chips)
    return [
        rec.CreditSent(
            slip=command.slip,
            chips=found.chips,
            pile=found.pile,
            counted_by=found.by,
            clauses=(CREDITS,),
        )
    ]


def sign(table: Table, command: rec.SignSlip, by: Account, at: int) -> list[Event]:
    """Each role once, each by another person, at its moment."""
    found = table.chips.sent.get(command.slip)
    if found is not None:
        expected = list(CAGE)
    else:
        found = waiting(table, command.slip)
        expected = found.missing()
    law = LAW[found.kind]
    if by.role not in expected:
        said = " or ".join(expected) or "the floorperson"
        raise Refusal(f"slip {command.slip!r} does not wait for {by.role}; expected {said}", law)
    check_another(found, by)
    return [rec.SlipSigned(slip=command.slip, by=by, clauses=(law,))]


def recount(table: Table, command: rec.RecountSlip, by: Account, at: int) -> list[Event]:
    """Another count under the same slip, with a reason; the first one stays on record."""
    found = waiting(table, command.slip)
    law = LAW[found.kind]
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


# When each of these is offered.


def offer_fill(table: Table, at: int) -> Iterator[Offer]:
    """At any time of an open table; due where the tray cannot pay the round that waits."""
    if not table.shift.open:
        return
    slip, chips = Text("fill", taken=tuple(sorted(table.chips.slips))), count_form(table, 1)
    coming = any(found.kind == "fill" for found in table.chips.waiting.values())
    due = not coming and too_short(table, at)
    yield Offer(
        command=rec.CountFill(slip.example(), chips.example()),
        forms={"slip": slip, "chips": chips},
        due="due" if due else "may",
        why="the tray cannot pay the round, which waits" if due else "",
    )


def offer_credit(table: Table, at: int) -> Iterator[Offer]:
    """While the tray of an open table holds something."""
    if table.shift.open and table.book.tray > 0:
        slip, chips = Text("credit", taken=tuple(sorted(table.chips.slips))), count_form(table, 1)
        yield Offer(
            command=rec.CountCredit(slip.example(), chips.example()),
            forms={"slip": slip, "chips": chips},
        )


def offer_fills(table: Table, at: int) -> Iterator[Offer]:
    """Every fill that waits for the floorperson."""
    for slip, found in table.chips.waiting.items():
        if found.kind == "fill":
            yield Offer(command=rec.ConfirmFill(slip), due="due", why="the dealer has counted")


def offer_credits(table: Table, at: int) -> Iterator[Offer]:
    """Every credit that waits for the floorperson."""
    for slip, found in table.chips.waiting.items():
        if found.kind == "credit":
            yield Offer(command=rec.ConfirmCredit(slip), due="due", why="the dealer has counted")


def offer_signatures(table: Table, at: int) -> Iterator[Offer]:
    """Whoever still has to sign, each for every slip."""
    for slip, found in table.chips.waiting.items():
        for role in found.missing():
            yield Offer(
                command=rec.SignSlip(slip),
                due="due",
                why=f"{role} has not signed for the {found.kind}",
                open_to=(role,),
                except_for=found.people(),
            )
    for slip, found in table.chips.sent.items():
        yield Offer(
            command=rec.SignSlip(slip),
            due="due",
            why="the credit was sent to the chip bank",
            open_to=CAGE,
            except_for=found.people(),
        )


def offer_recounts(table: Table, at: int) -> Iterator[Offer]:
    """Every count that is not confirmed."""
    reason = Text("counted again")
    for slip in table.chips.waiting:
        chips = count_form(table, 1)
        yield Offer(
            command=rec.RecountSlip(slip, chips.example(), reason.example()),
            forms={"chips": chips, "reason": reason},
        )


def offer_cancels(table: Table, at: int) -> Iterator[Offer]:
    """Every count that is not confirmed."""
    reason = Text("not needed any more")
    for slip in table.chips.waiting:
        yield Offer(command=rec.CancelSlip(slip, reason.example()), forms={"reason": reason})


ACTS = (
    Act(
        command=rec.CountFill,
        roles=DEALER,
        duty="chips",
        law=FILLS,
        decide=count_fill,
        offers=offer_fill,
    ),
    Act(
        command=rec.CountCredit,
        roles=DEALER,
        duty="chips",
        law=CREDITS,
        decide=count_credit,
        offers=offer_credit,
    ),
    Act(
        command=rec.SignSlip,
        roles=(*CAGE, *SECURITY),
        duty="chips",
        law=FILLS,
        decide=sign,
        offers=offer_signatures,
    ),
    Act(
        command=rec.ConfirmFill,
        roles=FLOOR,
        duty="chips",
        law=FILLS,
        decide=confirm_fill,
        offers=offer_fills,
        personal=True,
    ),
    Act(
        command=rec.ConfirmCredit,
        roles=FLOOR,
        duty="chips",
        law=CREDITS,
        decide=confirm_credit,
        offers=offer_credits,
        personal=True,
    ),
    Act(
        command=rec.RecountSlip,
        roles=DEALER,
        duty="chips",
        law=FILLS,
        decide=recount,
        offers=offer_recounts,
    ),
    Act(
        command=rec.CancelSlip,
        roles=FLOOR,
        duty="chips",
        law=FILLS,
        decide=cancel,
        offers=offer_cancels,
    ),
)
