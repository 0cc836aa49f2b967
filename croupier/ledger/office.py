"""The ledger's own stream: what the record is for, and the days that were closed.

Pure, like a table: `decide` may refuse, `evolve` may not.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents
from croupier.table import Account, Command, Envelope, Event, Role

STREAM = "office"
Purpose: TypeAlias = Literal["live", "practice"]
RECORDS = "COMAR 36.03.10.08"  # records are kept, and stay readable
CLOSERS: tuple[Role, ...] = ("cage", "audit", "pit_manager", "system")


class FoundLedger(Command, frozen=True, kw_only=True, tag="found_ledger"):
    """The first command of a database: what it is for, and how its property counts days."""

    purpose: Purpose
    timezone: str = "America/New_York"
    day_starts: str = "06:00"


class CloseDay(Command, frozen=True, kw_only=True, tag="close_day"):
    """A gaming day ended: the record up to here, and what was still in play."""

    day: str
    size: int  # entries of the log at its head
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


class Office:
    """What the ledger's own stream has come to."""

    def __init__(self) -> None:
        self.founded: LedgerFounded | None = None
        self.days: dict[str, DayClosed] = {}
        self.notes: dict[str, list[str]] = {}

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events a command leads to, or a refusal."""
        decide = _DECIDE.get(type(envelope.command))
        if decide is None:
            raise Refusal(f"{type(envelope.command).__name__} is no command of a ledger", RECORDS)
        if envelope.by.role not in CLOSERS:
            raise Refusal(f"{envelope.by} may not do this; expected {CLOSERS}", RECORDS)
        event = decide(self, envelope.command)
        return (msgspec.structs.replace(event, at=envelope.at),)

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
        match event:
            case LedgerFounded():
                self.founded = event
            case DayClosed():
                self.days[event.day] = event
            case CheckpointKept():
                self.notes.setdefault(event.day, []).append(event.note)


def _found(office: Office, command: FoundLedger) -> Event:
    if office.founded is not None:
        raise Refusal("this ledger was founded before", RECORDS)
    return LedgerFounded(
        purpose=command.purpose,
        timezone=command.timezone,
        day_starts=command.day_starts,
        clauses=(RECORDS,),
    )


def _close(office: Office, command: CloseDay) -> Event:
    if office.founded is None:
        raise Refusal("this ledger has not been founded", RECORDS)
    check_day(command.day)
    if command.day in office.days:
        raise Refusal(f"day {command.day} was closed before", RECORDS)
    last = max(office.days, default="")
    if last and command.day < last:
        raise Refusal(f"day {command.day} is before {last}, which is closed", RECORDS)
    before = max((day.size for day in office.days.values()), default=0)
    if command.size < before:
        raise Refusal(f"day {command.day} ends at {command.size}, before a closed day", RECORDS)
    return DayClosed(
        day=command.day,
        size=command.size,
        root=command.root,
        rounds=command.rounds,
        in_play=command.in_play,
        clauses=(RECORDS,),
    )


def _keep(office: Office, command: KeepCheckpoint) -> Event:
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


_DECIDE: dict[type[Command], Callable[[Office, Any], Event]] = {
    FoundLedger: _found,
    CloseDay: _close,
    KeepCheckpoint: _keep,
}
FOUNDER = Account("croupier", "system")
