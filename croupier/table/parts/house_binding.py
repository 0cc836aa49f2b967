"""House binding: the House a table plays under, and the values of its linked meters."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.clock import DAY_STARTS, TIMEZONE, load_timezone, parse_time_of_day
from croupier.errors import BadInput, Refusal
from croupier.money import Cents, meter_text
from croupier.table.core.messages import Command, Event, MeterText
from croupier.table.core.part import EVERYWHERE, CommandSpec, Part, Service
from croupier.table.core.roles import SYSTEM, Account, Role

if TYPE_CHECKING:
    from croupier.table.table import Table

APPROVED = "COMAR 36.05.03.19"  # only approved games are offered
DAYS = "COMAR 36.03.01.02B"  # the property defines its gaming day
BALANCE = "COMAR 36.05.03.24J"  # a meter is reduced only with an approval
BINDERS: tuple[Role, ...] = ("pit_manager", "system")

# Commands


class BindTable(Command, frozen=True, kw_only=True, tag="bind_table"):
    """Play under this House from now on; the first command of every table."""

    table: str
    house: str  # the digest
    service: Service
    live: bool  # for money, with a physically shuffled deck; practice otherwise
    group: str = ""
    meters: dict[str, MeterText] = {}
    timezone: str = ""  # of the property's gaming day; UTC by default
    day_starts: str = ""


class ReadMeters(Command, frozen=True, kw_only=True, tag="read_meters"):
    """A linked table takes over the current values of its linked meters."""

    group: str
    position: int
    meters: dict[str, MeterText]


# Events


class TableBound(Event, frozen=True, kw_only=True, tag="table_bound"):
    """The table plays under this House from now on, with its own or linked meters."""

    table: str
    house: str  # the digest
    service: Service
    live: bool
    group: str = ""  # the group of linked meters, if any
    meters: dict[str, MeterText]
    timezone: str = TIMEZONE
    day_starts: str = DAY_STARTS


class MetersRead(Event, frozen=True, kw_only=True, tag="meters_read"):
    """A linked table took over the values of the linked meters as of `position`."""

    group: str
    position: int
    meters: dict[str, MeterText]


# Rules


def bind(table: Table, command: BindTable, by: Account, at: int) -> list[Event]:
    """Bind a new table, or rebind one while nothing of the old House is in play."""
    check_service(command)
    bound = table.bound
    timezone, day_starts = gaming_day_of(bound, command)
    house = table.find_house(command.house)
    if bound is None:
        meters = opening_meters(command, house.opening_meters())
    else:
        check_rebinding(table, bound, command)
        opening = house.opening_meters()
        lost = [name for name, value in table.meters.items() if value and name not in opening]
        if lost:  # a meter with a balance must not disappear (R44)
            problem = f"{house!r} has no meter {', '.join(lost)}, which still has a balance"
            raise Refusal(problem, APPROVED)
        values = {name: table.meters.get(name, Fraction(value)) for name, value in opening.items()}
        meters = {name: meter_text(value) for name, value in values.items()}
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


def binds_live(command: Command) -> bool:
    """Whether a command binds a table that is played for money."""
    return isinstance(command, BindTable) and command.live


def check_service(command: BindTable) -> None:
    """Refuse to play for money without staff, equipment and chips on record."""
    if command.live and command.service != "attended":
        problem = f"a live table must be attended, got service {command.service!r}"
        raise Refusal(f"{problem}; other tables need a practice ledger", APPROVED)


def gaming_day_of(bound: TableBound | None, command: BindTable) -> tuple[str, str]:
    """Return the time zone and start of the gaming day: as requested, as before, or the default."""
    before = (bound.timezone, bound.day_starts) if bound else (TIMEZONE, DAY_STARTS)
    timezone, day_starts = command.timezone or before[0], command.day_starts or before[1]
    try:
        load_timezone(timezone)
        parse_time_of_day(day_starts)
    except BadInput as error:
        raise Refusal(str(error), DAYS) from None
    if bound is not None and (timezone, day_starts) != before:
        problem = f"the gaming day of table {bound.table} stays {', '.join(before)}"
        raise Refusal(problem, DAYS)
    return timezone, day_starts


def opening_meters(command: BindTable, initial: dict[str, Cents]) -> dict[str, MeterText]:
    """Return the meters of a new table: as given in the command, otherwise as submitted."""
    unknown = [name for name in command.meters if name not in initial]
    if unknown:
        known = ", ".join(initial) or "none"
        raise Refusal(f"meter {unknown[0]!r} was not submitted; expected {known}", APPROVED)
    negative = [name for name, value in command.meters.items() if parse_amount(value) < 0]
    if negative:
        raise Refusal(f"meter {negative[0]} starts below zero", APPROVED)
    return {**initial, **command.meters}


def check_rebinding(table: Table, bound: TableBound, command: BindTable) -> None:
    """Refuse to change the House of a table in use, or anything else that a binding fixes."""
    fixed = (bound.table, bound.service, bound.live, bound.group)
    if fixed != (command.table, command.service, command.live, command.group):
        raise Refusal(
            f"only the House of table {bound.table} may change; it stays "
            f"{', '.join(map(str, fixed))}",
            APPROVED,
        )
    if table.dealing is not None or table.layout:
        raise Refusal("a round is in progress; the House changes between rounds", APPROVED)
    if table.shift.open:
        raise Refusal("the table is open; close it to play under another House", APPROVED)
    if table.decks.here:
        listed = ", ".join(table.decks.here)
        raise Refusal(f"decks of the old House are at the table: {listed}; remove them", APPROVED)
    if command.meters:
        raise Refusal("the meters keep their values; do not state meters when rebinding", APPROVED)


def read_meters(table: Table, command: ReadMeters, by: Account, at: int) -> list[Event]:
    """Take over meter values; the audit compares them with the record of the linked meters."""
    if not table.group or command.group != table.group:
        raise Refusal(f"this table is not linked to the meters {command.group!r}", BALANCE)
    if set(command.meters) != set(table.meters):
        raise Refusal(f"these are not the meters of the table: {sorted(command.meters)}", BALANCE)
    if command.position < table.meters_position:
        raise Refusal(f"the meters were already read up to {table.meters_position}", BALANCE)
    if any(parse_amount(value) < 0 for value in command.meters.values()):
        raise Refusal("a meter is never below zero", BALANCE)
    return [
        MetersRead(
            group=command.group,
            position=command.position,
            meters=command.meters,
            clauses=(BALANCE,),
        )
    ]


def parse_amount(value: MeterText) -> Fraction:
    """Return the exact amount of cents of a text; raises Refusal if it is not one."""
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise Refusal(f"{value!r} is not an exact amount of cents", BALANCE) from None


# Event handlers


def bound(table: Table, event: TableBound) -> None:
    table.bind_house(event)


def meters_read(table: Table, event: MetersRead) -> None:
    table.meters_position = event.position
    table.meters = {name: Fraction(value) for name, value in event.meters.items()}
    current = table.open_round
    if current is not None:  # a void gives back only what this round contributed
        current.meters_before = {
            name: value - current.fed.get(name, 0) for name, value in table.meters.items()
        }


COMMANDS = (
    CommandSpec(
        command=BindTable,
        roles=BINDERS,
        duty="round",
        law=APPROVED,
        decide=bind,
        needs_no_post=True,
    ),
    CommandSpec(
        command=ReadMeters,
        roles=SYSTEM,
        duty="round",
        law=BALANCE,
        decide=read_meters,
        needs_no_post=True,
    ),
)
PART = Part(
    subject="House",
    services=EVERYWHERE,
    commands=COMMANDS,
    evolve={
        TableBound: bound,
        MetersRead: meters_read,
    },
)
