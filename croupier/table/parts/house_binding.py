"""What ties a table to the world: its House, corrections of money, meters read and set right."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import msgspec

from croupier.clock import DAY_STARTS, TIMEZONE, load_timezone, parse_time_of_day
from croupier.errors import BadInput, Refusal
from croupier.money import Cents, meter_text
from croupier.table.core.messages import Audience, Command, Event, MeterText
from croupier.table.core.part import EVERYWHERE, CommandSpec, Part, Service
from croupier.table.core.roles import Account, Role

if TYPE_CHECKING:
    from croupier.table.table import Table

APPROVED = "COMAR 36.05.03.19"  # nothing is offered but what was approved
DAYS = "COMAR 36.03.01.02B"  # a gaming day is of the property
BALANCE = "COMAR 36.05.03.24J"  # a meter is turned back with an approval only
CORRECTORS: tuple[Role, ...] = ("pit_manager", "cage", "audit")
BINDERS: tuple[Role, ...] = ("pit_manager", "system")
MACHINES: tuple[Role, ...] = ("system",)

# The accounts that a correction may touch. A meter is set right by an adjustment, and what lies on
# the layout by its round, which could not be closed with more or less than was wagered.
CORRECTABLE = ("tray", "pocket", "cage", "fills", "credits", "checks", "drop", "cash")

# What may be asked for.


class BindTable(Command, frozen=True, kw_only=True, tag="bind_table"):
    """A table plays under this House from here on; the first command of every table."""

    table: str
    house: str  # the digest
    service: Service
    live: bool  # for money, with a deck that somebody shuffled; practice otherwise
    group: str = ""
    meters: dict[str, MeterText] = {}
    timezone: str = ""  # how the property counts its gaming days; UTC if nobody says so
    day_starts: str = ""


class ReadMeters(Command, frozen=True, kw_only=True, tag="read_meters"):
    """A linked table takes the values of its shared meters as they stand."""

    group: str
    position: int
    meters: dict[str, MeterText]


class Correct(Command, frozen=True, kw_only=True, tag="correct"):
    """Two people move money between two accounts because the record was wrong."""

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
    """What was set right already: who enters the same once more has not seen that."""

    made: list[str] = field(default_factory=list)
    adjusted: list[str] = field(default_factory=list)  # meters, with the approval for it


# What happened.


class TableBound(Event, frozen=True, kw_only=True, tag="table_bound"):
    """A table plays under this House from here on, with these meters, alone or in a group."""

    table: str
    house: str  # the digest
    service: Service
    live: bool
    group: str = ""  # the shared meters, or none
    meters: dict[str, MeterText]
    timezone: str = TIMEZONE
    day_starts: str = DAY_STARTS


class MetersRead(Event, frozen=True, kw_only=True, tag="meters_read"):
    """A linked table took the values of the shared meters as they stood after `position`."""

    group: str
    position: int
    meters: dict[str, MeterText]


class CorrectionMade(Event, frozen=True, kw_only=True, tag="correction_made"):
    """Money moved between two accounts by two people for a reason; what was wrong stays."""

    audience: ClassVar[Audience] = "staff"

    source: str
    target: str
    amount: Cents
    reason: str
    by: Account
    second: Account
    refers_to: int = 0  # the sequence of the entry that was wrong


class MeterAdjusted(Event, frozen=True, kw_only=True, tag="meter_adjusted"):
    """A meter was set right after a malfunction, with an approval, by two people."""

    audience: ClassVar[Audience] = "staff"

    meter: str
    amount: MeterText
    after: MeterText
    reason: str
    approval: str
    by: Account
    second: Account


# The rules.


def bind(table: Table, command: BindTable, by: Account, at: int) -> list[Event]:
    """Once before everything else, and again only where nothing of the old House is in play."""
    bound = table.bound
    timezone, day_starts = days_of(bound, command)
    house = table.find_house(command.house)
    if bound is None:
        meters = first_meters(command, house.opening_meters())
    else:
        check_bound_again(table, bound, command)
        opening = house.opening_meters()
        lost = [name for name, held in table.meters.items() if held and name not in opening]
        if lost:  # a level with a balance is not closed without a destination (R44)
            raise Refusal(f"{house!r} has no meter {', '.join(lost)}, which holds money", APPROVED)
        kept = {name: table.meters.get(name, Fraction(value)) for name, value in opening.items()}
        meters = {name: meter_text(value) for name, value in kept.items()}
    return [
        TableBound(
            table=command.table,
            house=house.digest,
            service=command.service,
            live=command.live,
            group=command.group,
            meters=meters,
            timezone=timezone,
            day_starts=day_starts,
            clauses=(APPROVED,),
        )
    ]


def days_of(bound: TableBound | None, command: BindTable) -> tuple[str, str]:
    """How the property counts its days: as told, as before, or the usual way."""
    before = (bound.timezone, bound.day_starts) if bound else (TIMEZONE, DAY_STARTS)
    told = (command.timezone or before[0], command.day_starts or before[1])
    try:
        load_timezone(told[0])
        parse_time_of_day(told[1])
    except BadInput as error:
        raise Refusal(str(error), DAYS) from None
    if bound is not None and told != before:
        raise Refusal(f"table {bound.table} counts its days by {', '.join(before)}", DAYS)
    return told


def first_meters(command: BindTable, initial: dict[str, Cents]) -> dict[str, MeterText]:
    """The meters a new table starts with: those given, otherwise as submitted."""
    unknown = [name for name in command.meters if name not in initial]
    if unknown:
        known = ", ".join(initial) or "none"
        raise Refusal(f"no meter {unknown[0]!r} was submitted; there: {known}", APPROVED)
    negative = [name for name, value in command.meters.items() if exactly(value) < 0]
    if negative:
        raise Refusal(f"meter {negative[0]} starts below zero", APPROVED)
    return {**initial, **command.meters}


def check_bound_again(table: Table, bound: TableBound, command: BindTable) -> None:
    """Refuse another House while the old one is played, or a table that becomes another."""
    same = (bound.table, bound.service, bound.live, bound.group)
    if same != (command.table, command.service, command.live, command.group):
        raise Refusal(
            f"table {bound.table} stays what it is: {', '.join(map(str, same))}", APPROVED
        )
    if table.dealing is not None or table.layout:
        raise Refusal("a round is played; a House is changed between rounds", APPROVED)
    if table.shift.open:
        raise Refusal("the table is open; close it to play under another House", APPROVED)
    if table.decks.here:
        listed = ", ".join(table.decks.here)
        raise Refusal(f"decks of the old House are at the table: {listed}; remove them", APPROVED)
    if command.meters:
        raise Refusal("the meters stay as they are; another House does not set them", APPROVED)


def read_meters(table: Table, command: ReadMeters, by: Account, at: int) -> list[Event]:
    """What the record of the shared meters says; the audit compares it with that record."""
    if not table.group or command.group != table.group:
        raise Refusal(f"this table shares no meters {command.group!r}", BALANCE)
    if set(command.meters) != set(table.meters):
        raise Refusal(f"these are not the meters of the table: {sorted(command.meters)}", BALANCE)
    if command.position < table.meters_position:
        raise Refusal(f"meters were read up to {table.meters_position} already", BALANCE)
    if any(exactly(value) < 0 for value in command.meters.values()):
        raise Refusal("a meter is never below zero", BALANCE)
    return [
        MetersRead(
            group=command.group,
            position=command.position,
            meters=command.meters,
            clauses=(BALANCE,),
        )
    ]


def correct(table: Table, command: Correct, by: Account, at: int) -> list[Event]:
    """Nothing recorded is changed; what sets it right stands beside it."""
    check_two(by, command.second, command.reason)
    if command.amount <= 0:
        raise Refusal(f"a correction moves some whole cents, got {command.amount}", BALANCE)
    if command.source == command.target:
        raise Refusal(f"a correction moves between two accounts, got {command.source}", BALANCE)
    for account in (command.source, command.target):
        if account not in CORRECTABLE and not account.startswith(("rack:", "held:")):
            known = ", ".join(CORRECTABLE)
            raise Refusal(f"{account!r} is not corrected; expected {known}, rack or held", BALANCE)
    if said(command) in table.corrections.made:
        problem = "this was corrected already; a second correction says why it is another one"
        raise Refusal(f"{problem}, got again {command.reason!r}", BALANCE)
    for account in (command.source,) if table.service != "rounds" else ():
        if account.startswith(("rack:", "held:")) or account == "tray":
            holds = table.book.balance(account)
            if holds < command.amount:
                raise Refusal(f"{account} holds {holds} cents only", BALANCE)
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


def said(correction: Correct | CorrectionMade) -> str:
    """A correction as it is told from others."""
    named = (correction.source, correction.target, correction.reason)
    return msgspec.json.encode((*named, correction.amount, correction.refers_to)).decode()


def adjust_meter(table: Table, command: AdjustMeter, by: Account, at: int) -> list[Event]:
    """At a table with meters of its own; shared ones are set right where they are kept."""
    check_two(by, command.second, command.reason)
    if not command.approval.strip():
        raise Refusal("a meter is adjusted only with an approval; name its reference", BALANCE)
    if table.group:
        raise Refusal(f"the meters are shared; those of {table.group} are adjusted", BALANCE)
    held = table.meters.get(command.meter)
    if held is None:
        known = ", ".join(table.meters) or "none"
        raise Refusal(f"no meter {command.meter!r}; there: {known}", BALANCE)
    if f"{command.meter} {command.approval}" in table.corrections.adjusted:
        problem = f"{command.approval!r} was used for {command.meter} already"
        raise Refusal(f"{problem}; every adjustment has its own approval", BALANCE)
    after = held + exactly(command.amount)
    if after < 0:
        raise Refusal(f"meter {command.meter} would stand below zero", BALANCE)
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


def check_two(first: Account, second: Account, reason: str) -> None:
    """Two different people who may correct, and a reason that says something."""
    if first.id == second.id:
        raise Refusal(f"two different people are needed, got {first.id} twice", BALANCE)
    if second.role not in CORRECTORS:
        raise Refusal(f"{second} may not agree; expected {' or '.join(CORRECTORS)}", BALANCE)
    if not reason.strip():
        raise Refusal("a reason is needed", BALANCE)


def exactly(value: MeterText) -> Fraction:
    """An exact amount as it is written; refused if it is none."""
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise Refusal(f"{value!r} is no exact amount of cents", BALANCE) from None


# What events do.


def bound(table: Table, event: TableBound) -> None:
    """The House, and what follows from it."""
    table.bind_house(event)


def meters_read(table: Table, event: MetersRead) -> None:
    """A void would give back only what this round fed."""
    table.meters_position = event.position
    table.meters = {name: Fraction(value) for name, value in event.meters.items()}
    current = table.open_round
    if current is not None:
        current.meters_before = {
            name: value - current.fed.get(name, 0) for name, value in table.meters.items()
        }


def corrected(table: Table, event: CorrectionMade) -> None:
    """It is not made once more."""
    table.corrections.made.append(said(event))


def meter_adjusted(table: Table, event: MeterAdjusted) -> None:
    """The meter and what a void would set it back to; the approval is used."""
    table.corrections.adjusted.append(f"{event.meter} {event.approval}")
    table.meters[event.meter] = Fraction(event.after)
    if table.open_round is not None:
        table.open_round.meters_before[event.meter] += Fraction(event.amount)


ACTS = (
    CommandSpec(
        command=BindTable,
        roles=BINDERS,
        duty="round",
        law=APPROVED,
        decide=bind,
        strangers=True,
    ),
    CommandSpec(
        command=ReadMeters,
        roles=MACHINES,
        duty="round",
        law=BALANCE,
        decide=read_meters,
        strangers=True,
    ),
    CommandSpec(
        command=Correct,
        roles=CORRECTORS,
        duty="round",
        law=BALANCE,
        decide=correct,
        strangers=True,
    ),
    CommandSpec(
        command=AdjustMeter,
        roles=CORRECTORS,
        duty="round",
        law=BALANCE,
        decide=adjust_meter,
        strangers=True,
    ),
)
PART = Part(
    name="binding",
    services=EVERYWHERE,
    acts=ACTS,
    evolve={
        TableBound: bound,
        MetersRead: meters_read,
        CorrectionMade: corrected,
        MeterAdjusted: meter_adjusted,
    },
)
