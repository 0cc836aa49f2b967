"""Progressive awards: verified by the dealer, validated by a floorperson (R43)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.money import Cents, dollars
from croupier.table.core.fields import OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, Account
from croupier.table.parts.progressive import messages as msg
from croupier.table.parts.progressive.coin_count import check_offered
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.staffing import check_did_not_deal

if TYPE_CHECKING:
    from croupier.table.table import Table

VERIFY, VALIDATE = "award.hand", "award.validate"
ENVY_ALONE = "A152"  # others are paid for a hand that wins no progressive


class Payable(msgspec.Struct, frozen=True):
    """A progressive payout that is due; `meter` is "" at fixed odds.

    With `envy`, nobody wins the progressive, but others are paid for the hand (A152).
    """

    seat: int
    meter: str
    amount: Cents
    envy: bool = False

    @property
    def why(self) -> str:
        """The amount and its source, in words."""
        if self.envy:
            return f"Envy bonuses {dollars(self.amount)}"
        return award_in_words(self.amount, self.meter)

    @property
    def clauses(self) -> tuple[str, ...]:
        """What applies beside the game's clauses on awards."""
        return (ENVY_ALONE,) if self.envy else ()


def pending_awards(table: Table) -> dict[int, Payable]:
    """The progressive payouts of the current turn and those delayed, by seat."""
    current = table.dealing
    if current is None or not table.house.offers("progressive"):
        return {}
    events = table.payments_due()
    meters = {event.seat: event.meter for event in events if isinstance(event, round_msg.MeterPaid)}
    meters |= {d.seat: d.meter for d in current.delayed.values() if d.wager == "progressive"}
    awards: dict[int, Payable] = {}
    envied: dict[int, Cents] = {}
    for event in events:
        match event:
            case round_msg.WagerSettled(wager="progressive", outcome="win", seat=seat):
                awards[seat] = Payable(seat, meters.get(seat, ""), event.returned)
            case round_msg.EnvyPaid(holder=seat):
                envied[seat] = envied.get(seat, 0) + event.paid
    return {seat: Payable(seat, "", paid, True) for seat, paid in envied.items()} | awards


def award_in_words(amount: Cents, meter: str) -> str:
    """The amount of an award, and its meter if there is one."""
    return f"Progressive award {dollars(amount)}" + (f" ({meter})" if meter else "")


def pending_award(table: Table, seat: int) -> Payable:
    """The award of a seat; refused if there is none."""
    check_offered(table)
    award = pending_awards(table).get(seat)
    if award is None:
        raise table.refusal(f"seat {seat!r} has no award", VERIFY)
    return award


def verify(table: Table, command: msg.VerifyAward, by: Account, at: int) -> list[Event]:
    """The dealer verifies the hand and the light."""
    award = pending_award(table, command.seat)
    if command.seat in table.progressive.awards:
        raise table.refusal(f"the award of seat {command.seat} is already verified", VERIFY)
    verified = msg.AwardVerified(
        seat=award.seat,
        meter=award.meter,
        amount=award.amount,
        light=command.light,
        by=by,
        clauses=table.house.cite(VERIFY) + table.house.cite("award.light") + award.clauses,
    )
    return [verified]


def validate(table: Table, command: msg.ValidateAward, by: Account, at: int) -> list[Event]:
    """A person other than the verifier validates; a reason is required if the light was off."""
    award = pending_award(table, command.seat)
    verified = table.progressive.awards.get(command.seat)
    if verified is None:
        raise table.refusal("the dealer must verify the hand and the light first", VERIFY)
    if verified.validated:
        raise table.refusal(f"the award of seat {command.seat} is already validated", VALIDATE)
    if verified.verified_by.id == by.id:
        raise table.refusal(f"{by.id} verified the award; another person must validate", VALIDATE)
    check_did_not_deal(table, by)
    if not verified.light and not command.reason.strip():
        raise table.refusal("the light was off; a reason is required", "award.light")
    validated = msg.AwardValidated(
        seat=award.seat,
        meter=award.meter,
        amount=award.amount,
        verified_by=verified.verified_by,
        reason=command.reason,
        clauses=table.house.cite(VALIDATE) + award.clauses,
    )
    return [validated]


def offer_verify(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for unverified awards, once the hands are turned up."""
    for seat, award in pending_awards(table).items():
        if seat not in table.progressive.awards:
            yield ActionTemplate(
                command=msg.VerifyAward(seat, True),
                fields={"light": OneOfField((True, False))},
                due="due",
                why=award.why,
            )


def offer_validate(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for verified awards that are not validated."""
    for seat, award in table.progressive.awards.items():
        if not award.validated:
            needs_reason = not award.light
            yield ActionTemplate(
                command=msg.ValidateAward(seat, "light repaired" if needs_reason else ""),
                fields={"reason": TextField("light repaired", may_be_empty=not needs_reason)},
                due="due",
                why=award_in_words(award.amount, award.meter),
            )


COMMAND_SPECS = (
    CommandSpec(
        command=msg.VerifyAward, roles=DEALER, duty=VERIFY, decide=verify, offers=offer_verify
    ),
    CommandSpec(
        command=msg.ValidateAward,
        roles=FLOOR,
        duty=VALIDATE,
        decide=validate,
        offers=offer_validate,
        per_account=True,
    ),
)
