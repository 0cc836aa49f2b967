"""Awards: every one is verified by the dealer and validated by somebody above (R43)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.money import Cents, dollars
from croupier.table.core.fields import OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, Account
from croupier.table.parts.payouts import ready
from croupier.table.parts.progressive import messages as rec
from croupier.table.parts.progressive.coin_count import check_offered
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table

VERIFY, VALIDATE = "award.hand", "award.validate"


class Payable(msgspec.Struct, frozen=True):
    """What settling now would pay on a progressive wager; no meter at fixed odds."""

    seat: int
    meter: str
    amount: Cents


def awards(table: Table) -> dict[int, Payable]:
    """Every progressive payout that settling now would make, by seat; envy follows from these."""
    if not table.house.offers("progressive"):
        return {}
    meters: dict[int, str] = {}
    paid: dict[int, Cents] = {}
    for event in table.settlement():
        match event:
            case played.MeterPaid():
                meters[event.seat] = event.meter
            case played.WagerSettled(wager="progressive", outcome="win"):
                paid[event.seat] = event.returned
    return {seat: Payable(seat, meters.get(seat, ""), amount) for seat, amount in paid.items()}


def source(meter: str) -> str:
    """What an award is paid by, in words."""
    return meter or "fixed odds"


def waiting(table: Table, seat: int) -> Payable:
    """The award of a seat; refused when there is none."""
    check_offered(table)
    found = awards(table).get(seat) if ready(table) else None
    if found is None:
        raise table.refusal(f"no award waits at seat {seat!r}", VERIFY)
    return found


def verify(table: Table, command: rec.VerifyAward, by: Account, at: int) -> list[Event]:
    """The dealer looks at the hand and at the light."""
    award = waiting(table, command.seat)
    if command.seat in table.progressive.awards:
        raise table.refusal(f"the award of seat {command.seat} was verified", VERIFY)
    verified = rec.AwardVerified(
        seat=award.seat,
        meter=award.meter,
        amount=award.amount,
        light=command.light,
        by=by,
        clauses=table.house.cite(VERIFY) + table.house.cite("award.light"),
    )
    return [verified]


def validate(table: Table, command: rec.ValidateAward, by: Account, at: int) -> list[Event]:
    """A floorperson or above, never the dealer who verified; with a reason if no light shone."""
    award = waiting(table, command.seat)
    known = table.progressive.awards.get(command.seat)
    if known is None:
        raise table.refusal("the dealer has not verified the hand and the light", VERIFY)
    if known.validated:
        raise table.refusal(f"the award of seat {command.seat} was validated", VALIDATE)
    if known.verified_by.id == by.id:
        raise table.refusal(f"{by.id} verified the award; another person validates", VALIDATE)
    if not known.light and not command.reason.strip():
        raise table.refusal("the light was off; a reason is needed", "award.light")
    validated = rec.AwardValidated(
        seat=award.seat,
        meter=award.meter,
        amount=award.amount,
        verified_by=known.verified_by,
        reason=command.reason,
        clauses=table.house.cite(VALIDATE),
    )
    return [validated]


def unvalidated(table: Table) -> int | None:
    """A seat whose award may not be paid yet."""
    for seat in awards(table):
        award = table.progressive.awards.get(seat)
        if award is None or not award.validated:
            return seat
    return None


def offer_verify(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Awards that nobody has looked at, once the hands lie face up."""
    for seat, award in awards(table).items() if ready(table) else ():
        if seat not in table.progressive.awards:
            yield ActionTemplate(
                command=rec.VerifyAward(seat, True),
                fields={"light": OneOfField((True, False))},
                due="due",
                why=f"{dollars(award.amount)} of {source(award.meter)}",
            )


def offer_validate(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Awards that the dealer has verified."""
    for seat, award in table.progressive.awards.items():
        if not award.validated:
            needed = not award.light
            yield ActionTemplate(
                command=rec.ValidateAward(seat, "light repaired" if needed else ""),
                fields={"reason": TextField("light repaired", may_be_empty=not needed)},
                due="due",
                why=f"{dollars(award.amount)} of {source(award.meter)}",
            )


COMMANDS = (
    CommandSpec(
        command=rec.VerifyAward, roles=DEALER, duty=VERIFY, decide=verify, offers=offer_verify
    ),
    CommandSpec(
        command=rec.ValidateAward,
        roles=FLOOR,
        duty=VALIDATE,
        decide=validate,
        offers=offer_validate,
        per_account=True,
    ),
)
