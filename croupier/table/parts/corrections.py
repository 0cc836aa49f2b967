"""Corrections: two people move money between accounts, or set a meter right with an approval.

Recorded events are never changed; a correction is a new event beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents, meter_text
from croupier.table.core.messages import Audience, Command, Event, MeterText
from croupier.table.core.part import EVERYWHERE, CommandSpec, Part
from croupier.table.core.roles import Account, Role
from croupier.table.parts.house_binding import BALANCE, parse_amount

if TYPE_CHECKING:
    from croupier.table.table import Table

CORRECTORS: tuple[Role, ...] = ("pit_manager", "cage", "audit")

# The accounts that a correction may touch. A meter is adjusted instead. The layout belongs to its
# round, which could not be closed with more or less than was wagered.
CORRECTABLE = ("tray", "pocket", "cage", "fills", "credits", "checks", "drop", "cash")

# Commands


class Correct(Command, frozen=True, kw_only=True, tag="correct"):
    """Two people move money between two accounts because the record is wrong."""

    source: str
    target: str
    amount: Cents
    reason: str
    second: Account
    refers_to: int = 0


class AdjustMeter(Command, frozen=True, kw_only=True, tag="adjust_meter"):
    """Two people set a meter right after a malfunction, with an approval."""

    meter: str
    amount: MeterText
    reason: str
    approval: str
    second: Account


@dataclass(slots=True)
class Corrections:
    """The corrections already made, so that none is entered twice by mistake."""

    made: list[str] = field(default_factory=list)
    adjusted: list[str] = field(default_factory=list)  # "METER APPROVAL"


# Events


class CorrectionMade(Event, frozen=True, kw_only=True, tag="correction_made"):
    """Two people moved money between two accounts; the wrong entry stays in the record."""

    audience: ClassVar[Audience] = "staff"

    source: str
    target: str
    amount: Cents
    reason: str
    by: Account
    second: Account
    refers_to: int = 0  # the sequence of the entry that was wrong


class MeterAdjusted(Event, frozen=True, kw_only=True, tag="meter_adjusted"):
    """Two people set a meter right after a malfunction, with an approval."""

    audience: ClassVar[Audience] = "staff"

    meter: str
    amount: MeterText
    after: MeterText
    reason: str
    approval: str
    by: Account
    second: Account


# Rules


def correct(table: Table, command: Correct, by: Account, at: int) -> list[Event]:
    """Move money between two accounts, once, without overdrawing the source."""
    check_two_people(by, command.second, command.reason)
    source, target = command.source, command.target
    if command.amount <= 0:
        raise Refusal(f"a correction moves at least one cent, got {command.amount}", BALANCE)
    if source == target:
        raise Refusal(f"a correction moves between two accounts, got {source} twice", BALANCE)
    for account in (source, target):
        if account not in CORRECTABLE and not account.startswith(("rack:", "held:")):
            known = ", ".join(CORRECTABLE)
            problem = f"{account!r} cannot be corrected; expected {known}, rack or held"
            raise Refusal(problem, BALANCE)
    if correction_key(command) in table.corrections.made:
        problem = "this correction was already made; for another one, give a different reason"
        raise Refusal(f"{problem}, got {command.reason!r} again", BALANCE)
    if table.service != "rounds" and (source == "tray" or source.startswith(("rack:", "held:"))):
        balance = table.book.balance(source)
        if balance < command.amount:
            raise Refusal(f"{source} holds {balance} cents only", BALANCE)
    return [
        CorrectionMade(
            source=command.source,
            target=command.target,
            amount=command.amount,
            reason=command.reason,
            by=by,
            second=command.second,
            refers_to=command.refers_to,
            clauses=(BALANCE,),
        )
    ]


def correction_key(correction: Correct | CorrectionMade) -> str:
    """Return a text that is equal for the same correction entered twice."""
    accounts_and_reason = (correction.source, correction.target, correction.reason)
    key = (*accounts_and_reason, correction.amount, correction.refers_to)
    return msgspec.json.encode(key).decode()


def adjust_meter(table: Table, command: AdjustMeter, by: Account, at: int) -> list[Event]:
    """Adjust a meter of this table; linked meters are adjusted in their own stream."""
    check_two_people(by, command.second, command.reason)
    if not command.approval.strip():
        raise Refusal("a meter is adjusted only with an approval; give its reference", BALANCE)
    if table.group:
        raise Refusal(f"the meters are linked; adjust those of {table.group} instead", BALANCE)
    value = table.meters.get(command.meter)
    if value is None:
        known = ", ".join(table.meters) or "none"
        raise Refusal(f"no meter {command.meter!r}; expected {known}", BALANCE)
    if f"{command.meter} {command.approval}" in table.corrections.adjusted:
        problem = f"{command.approval!r} was already used for {command.meter}"
        raise Refusal(f"{problem}; every adjustment needs its own approval", BALANCE)
    after = value + parse_amount(command.amount)
    if after < 0:
        raise Refusal(f"meter {command.meter} would fall below zero", BALANCE)
    return [
        MeterAdjusted(
            meter=command.meter,
            amount=command.amount,
            after=meter_text(after),
            reason=command.reason,
            approval=command.approval,
            by=by,
            second=command.second,
            clauses=(BALANCE,),
        )
    ]


def check_two_people(first: Account, second: Account, reason: str) -> None:
    """Require two different people who may correct, and a reason."""
    if first.id == second.id:
        raise Refusal(f"two different people are required, got {first.id} twice", BALANCE)
    if second.role not in CORRECTORS:
        raise Refusal(f"{second} may not agree; expected {' or '.join(CORRECTORS)}", BALANCE)
    if not reason.strip():
        raise Refusal("a reason is required", BALANCE)


# Event handlers


def corrected(table: Table, event: CorrectionMade) -> None:
    table.corrections.made.append(correction_key(event))


def meter_adjusted(table: Table, event: MeterAdjusted) -> None:
    table.corrections.adjusted.append(f"{event.meter} {event.approval}")
    table.meters[event.meter] = Fraction(event.after)
    if table.open_round is not None:  # a void restores the adjusted value
        table.open_round.meters_before[event.meter] += Fraction(event.amount)


COMMANDS = (
    CommandSpec(
        command=Correct,
        roles=CORRECTORS,
        duty="round",
        law=BALANCE,
        decide=correct,
        needs_no_post=True,
    ),
    CommandSpec(
        command=AdjustMeter,
        roles=CORRECTORS,
        duty="round",
        law=BALANCE,
        decide=adjust_meter,
        needs_no_post=True,
    ),
)
PART = Part(
    name="corrections",
    services=EVERYWHERE,
    commands=COMMANDS,
    evolve={CorrectionMade: corrected, MeterAdjusted: meter_adjusted},
)
