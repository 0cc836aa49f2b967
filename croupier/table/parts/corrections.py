"""Corrections: two people move money between accounts, or set a meter right with an approval.

Recorded events are never changed; a correction is a new event beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents, dollars, down_to_cent, meter_text
from croupier.table.core.messages import Audience, Command, Event, MeterText
from croupier.table.core.part import EVERYWHERE, CommandSpec, Part
from croupier.table.core.roles import TWO_PEOPLE, Account, Role, normalize_id
from croupier.table.parts.chips.buy_in import check_whole
from croupier.table.parts.house_binding import BALANCE, parse_amount
from croupier.table.parts.seats.state import was_here

if TYPE_CHECKING:
    from croupier.table.table import Table

CORRECTORS: tuple[Role, ...] = ("pit_manager", "cage")  # audit looks, but corrects nothing

# The accounts that a correction may touch. A meter is adjusted instead. The layout belongs to its
# round, which could not be closed with more or less than was wagered.
CORRECTABLE = ("tray", "pocket", "cage", "fills", "credits", "checks", "drop", "cash")
NEVER_NEGATIVE = ("tray", "credits", "drop")  # and what a player has, or is owed
NEVER_POSITIVE = ("fills", "checks")
CHIPS = ("tray", "fills", "credits")  # whole chips, except at a table with credits
OWNED = ("rack:", "held:")
PAID = ("cash", "checks")  # less than nothing together: what players paid in

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
    adjusted: list[str] = field(default_factory=list)  # "METER APPROVAL", canonical


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
    """Move money between two accounts, once, so that both balances stay possible."""
    check_two_people(by, command.second, command.reason)
    check_own_money(command, by)
    source, target = command.source, command.target
    if command.amount <= 0:
        raise Refusal(f"a correction moves at least one cent, got {command.amount}", BALANCE)
    if source == target:
        raise Refusal(f"a correction moves between two accounts, got {source} twice", BALANCE)
    for account in (source, target):
        check_account(table, account, at)
        if is_chips(account) and not table.house.game.procedure.credits(table.house):
            check_whole(table, command.amount)
    if correction_key(command) in table.corrections.made:
        problem = "this correction was already made; for another one, give a different reason"
        raise Refusal(f"{problem}, got {command.reason!r} again", BALANCE)
    if table.service != "rounds":  # whose tray and racks are net results
        check_balances(table, source, target, command.amount)
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


def check_account(table: Table, account: str, at: int) -> None:
    """Refuse an account that no correction may touch, or that belongs to nobody here."""
    kind, _, player = account.partition(":")
    match kind:
        case "rack" if table.service == "rounds":
            known = table.book.balance(account) != 0 or bool(table.boxes_of(player))
        case "rack":
            known = player in table.seats.taken.values()
        case "held":
            known = table.book.balance(account) != 0 or was_here(table, player, at)
        case _:
            if account in CORRECTABLE:
                return
            problem = f"{account!r} cannot be corrected; expected {', '.join(CORRECTABLE)}"
            raise Refusal(f"{problem}, rack:PLAYER or held:PLAYER", BALANCE)
    if not known:
        raise Refusal(f"{account!r} is not the account of a player at this table", BALANCE)


def is_chips(account: str) -> bool:
    """Whether an account holds or moved chips of this table, or is paid out in them."""
    return account in CHIPS or account.startswith(OWNED)


def check_own_money(command: Correct, by: Account) -> None:
    """Refuse a correction of money that belongs to one of the two people who make it."""
    for account in (command.source, command.target):
        owner = account.partition(":")[2]
        if owner in (by.id, command.second.id):
            raise Refusal(f"{account} is the money of {owner}; others must correct it", TWO_PEOPLE)


def check_balances(table: Table, source: str, target: str, amount: Cents) -> None:
    """Refuse a balance that cannot be, without disclosing the one that there is."""
    balance = table.drop if source == "drop" else table.book.balance(source)
    if (source.startswith(OWNED) or source in NEVER_NEGATIVE) and balance < amount:
        raise Refusal(f"{source} does not hold {dollars(amount)}", BALANCE)
    if target in NEVER_POSITIVE and table.book.balance(target) + amount > 0:
        raise Refusal(f"{target} do not come to {dollars(amount)}", BALANCE)
    # A player who gets cash for chips gets it at the cage, or from the table as a check.
    paid = sum(table.book.balance(account) for account in PAID)
    paid += amount * ((target in PAID) - (source in PAID))
    if paid > 0:
        raise Refusal("a table pays out no cash, except by check", BALANCE)


def correction_key(correction: Correct | CorrectionMade) -> str:
    """Return a text that is equal for the same correction entered twice."""
    accounts, reason = (correction.source, correction.target), normalize_id(correction.reason)
    key = (*accounts, reason, correction.amount, correction.refers_to)
    return msgspec.json.encode(key).decode()


def approval_key(meter: str, approval: str) -> str:
    """Return a text that is equal for the same approval, however it is spelled."""
    return f"{meter} {normalize_id(approval)}"


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
    if approval_key(command.meter, command.approval) in table.corrections.adjusted:
        problem = f"{command.approval!r} was already used for {command.meter}"
        raise Refusal(f"{problem}; every adjustment needs its own approval", BALANCE)
    amount, current = parse_amount(command.amount), table.open_round
    after = value + amount
    # A void takes this round's contributions out of the meter again.
    least = after if current is None else min(after, current.meters_before[command.meter] + amount)
    if least < 0:
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


# Consequences, shown to both people


def corrected_money(table: Table, events: Sequence[Event]) -> str:
    """Return what a correction moves, in words."""
    moved = next(event for event in events if isinstance(event, CorrectionMade))
    source, target = account_name(moved.source), account_name(moved.target)
    return f"Move {dollars(moved.amount)} from {source} to {target}{place(table)}"


def adjusted_amounts(table: Table, events: Sequence[Event]) -> str:
    """Return what an adjustment does to its meter, in words."""
    adjusted = next(event for event in events if isinstance(event, MeterAdjusted))
    amount, after = Fraction(adjusted.amount), Fraction(adjusted.after)
    verb = "Raise" if amount > 0 else "Lower"
    change = f"by {meter_dollars(abs(amount))}"
    amounts = f"from {meter_dollars(after - amount)} to {meter_dollars(after)}"
    return f"{verb} the {adjusted.meter} meter{place(table)} {change}, {amounts}"


def place(table: Table) -> str:
    """Return " at Harbor 1"; "" for a table without a name."""
    return f" at {table.table_id}" if table.table_id else ""


def account_name(account: str) -> str:
    """Return an account of the book in words: "the tray", "Ann's chips"."""
    kind, _, player = account.partition(":")
    if kind == "rack":
        return f"{player.capitalize()}'s chips"
    if kind == "held":
        return f"the money held for {player.capitalize()}"
    return {"pocket": "the chips that players took away", "cash": "cash"}.get(kind, f"the {kind}")


def meter_dollars(cents: Fraction) -> str:
    """Return a meter's amount in dollars, with fractions of a cent if it has any."""
    whole = down_to_cent(cents)
    rest = f"{float(cents - whole):g}".removeprefix("0.")
    return dollars(whole) + (rest if cents != whole else "")


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
    table.corrections.adjusted.append(approval_key(event.meter, event.approval))
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
        consequence=corrected_money,
    ),
    CommandSpec(
        command=AdjustMeter,
        roles=CORRECTORS,
        duty="round",
        law=BALANCE,
        decide=adjust_meter,
        needs_no_post=True,
        consequence=adjusted_amounts,
    ),
)
PART = Part(
    subject="Corrections",
    services=EVERYWHERE,
    commands=COMMANDS,
    evolve={CorrectionMade: corrected, MeterAdjusted: meter_adjusted},
)
