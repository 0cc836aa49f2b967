"""The ledger's own stream: what the record is for, and the days that were closed.

Pure, like a table: `decide` may refuse, `evolve` may not.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents
from croupier.table import Account, Command, Envelope, Event, Role, validate_envelope, epoch_ms

STREAM = "office"
Purpose: TypeAlias = Literal["live", "practice"]
RECORDS = "COMAR 36.03.10.08"  # records are kept, and stay readable
CLOSERS: tuple[Role, ...] = ("cage", "audit", "pit_manager", "system")
TIMEZONE, DAY_STARTS = "America/New_York", "06:00"


class FoundLedger(Command, frozen=True, kw_only=True, tag="found_ledger"):
    """The first command of a database: what it is for, and how its property counts days."""

    purpose: Purpose
    timezone: str = TIMEZONE
    day_starts: str = DAY_STARTS


class CloseDay(Command, frozen=True, kw_only=True, tag="close_day"):
    """A gaming day ended: the record up to here, and what was still in play."""

    day: str
    size: int  # entries of the log when the day ended
    root: str  # of the Merkle tree over them
    rounds: int
    in_play: dict[str, Cents] = {}


class KeepCheckpoint(Command, frozen=True, tag="keep_checkpoint"):
    """A signed note about a day's head, as it was handed out."""

    day: str
    note: str


class LedgerFounded(Event, frozen=True, kw_only=True, tag="ledger_founded"):
    """A practice ledger never holds a live table."""

    purpose: Purpose
    timezone: str
    day_starts: str


class DayClosed(Event, frozen=True, kw_only=True, tag="day_closed"):
    """A gaming day ended: how far the record went, and what was still in play."""

    day: str
    size: int
    root: str
    rounds: int
    in_play: dict[str, Cents] = {}


class CheckpointKept(Event, frozen=True, kw_only=True, tag="checkpoint_kept"):
    """The signature under a day."""

    day: str
    note: str


COMMANDS: tuple[type[Command], ...] = (FoundLedger, CloseDay, KeepCheckpoint)
EVENTS: tuple[type[Event], ...] = (LedgerFounded, DayClosed, CheckpointKept)


class Administration:
    """What the ledger's own stream has come to."""

    def __init__(self) -> None:
        self.founded: LedgerFounded | None = None
        self.days: dict[str, DayClosed] = {}
        self.notes: dict[str, list[str]] = {}

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events a command leads to, or a refusal."""
        given = validate_envelope(envelope)
        decide = _DECIDE.get(type(given.command))
        if decide is None:
            raise Refusal(f"{type(given.command).__name__} is no command of a ledger", RECORDS)
        if given.by.role not in CLOSERS:
            expected = " or ".join(CLOSERS)
            raise Refusal(f"{given.by} may not do this; expected {expected}", RECORDS)
        event = decide(self, given.command, given.at)
        return (msgspec.structs.replace(event, at=given.at),)

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
        match event:
            case LedgerFounded():
                self.founded = event
            case DayClosed():
                self.days[event.day] = event
            case CheckpointKept():
                self.notes.setdefault(event.day, []).append(event.note)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the property."""
        return ZoneInfo(self.founded.timezone if self.founded else TIMEZONE)

    def gaming_day(self, day: str) -> tuple[int, int]:
        """When a gaming day of the property begins and ends, in milliseconds since the epoch."""
        date = check_day(day)
        starts = _time_of(self.founded.day_starts if self.founded else DAY_STARTS)
        try:
            begins = dt.datetime.combine(date, starts, self.zone)
            ends = dt.datetime.combine(date + dt.timedelta(days=1), starts, self.zone)
            return epoch_ms(begins), epoch_ms(ends)
        except (OverflowError, ValueError):
            raise Refusal(f"day {day} is beyond what a calendar knows", RECORDS) from None


def _found(office: Administration, command: FoundLedger, at: int) -> Event:
    if office.founded is not None:
        raise Refusal("this ledger was founded before", RECORDS)
    try:
        ZoneInfo(command.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        told = f"{command.timezone!r} is no time zone; expected such as {TIMEZONE}"
        raise Refusal(told, RECORDS) from None
    _time_of(command.day_starts)
    return LedgerFounded(
        purpose=command.purpose,
        timezone=command.timezone,
        day_starts=command.day_starts,
        clauses=(RECORDS,),
    )


def _close(office: Administration, command: CloseDay, at: int) -> Event:
    check_closing(office, command.day, at)
    before = max((day.size for day in office.days.values()), default=0)
    if command.size < max(before, 1):
        raise Refusal(f"day {command.day} ends at {command.size}, before a closed day", RECORDS)
    return DayClosed(
        day=command.day,
        size=command.size,
        root=command.root,
        rounds=command.rounds,
        in_play=command.in_play,
        clauses=(RECORDS,),
    )


def check_closing(office: Administration, day: str, at: int) -> None:
    """Refuse a day that cannot be closed at this moment."""
    if office.founded is None:
        raise Refusal("this ledger has not been founded", RECORDS)
    _, ends = office.gaming_day(day)
    if day in office.days:
        raise Refusal(f"day {day} was closed before", RECORDS)
    if at < ends:
        moment = dt.datetime.fromtimestamp(ends // 1000, office.zone)
        raise Refusal(f"day {day} has not ended; it ends {moment:%Y-%m-%d %H:%M %Z}", RECORDS)
    last = max(office.days, default="")
    if last and day < last:
        raise Refusal(f"day {day} is before {last}, which is closed", RECORDS)


def _keep(office: Administration, command: KeepCheckpoint, at: int) -> Event:
    if command.day not in office.days:
        raise Refusal(f"day {command.day} has not been closed", RECORDS)
    return CheckpointKept(day=command.day, note=command.note, clauses=(RECORDS,))


def check_day(day: str) -> dt.date:
    """The date of a day; refused if it is none."""
    try:
        found = dt.date.fromisoformat(day)
    except ValueError:
        found = None
    if found is None or found.isoformat() != day:
        raise Refusal(f"{day!r} is not a day; expected such as 2026-01-31", RECORDS)
    return found


def _time_of(text: str) -> dt.time:
    try:
        found = dt.time.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or f"{found:%H:%M}" != text:
        raise Refusal(f"{text!r} is no time of day; expected such as {DAY_STARTS}", RECORDS)
    return found


_DECIDE: dict[type[Command], Callable[[Administration, Any, int], Event]] = {
    FoundLedger: _found,
    CloseDay: _close,
    KeepCheckpoint: _keep,
}
FOUNDER = Account("croupier", "system")
