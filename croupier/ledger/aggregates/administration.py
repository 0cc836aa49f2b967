"""Administration aggregate: the purpose of the ledger, closed gaming days, signed checkpoints."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents
from croupier.table import Account, Command, Envelope, Event, Role, epoch_ms, validate_envelope

STREAM = "office"
Purpose: TypeAlias = Literal["live", "practice"]
RECORDS_CLAUSE = "COMAR 36.03.10.08"  # records are retained and stay readable
ADMINISTRATORS: tuple[Role, ...] = ("cage", "audit", "pit_manager", "system")
WITNESSES: tuple[Role, ...] = ("cage", "audit", "pit_manager")  # of the clock
GAP_DAYS_MAX: dict[Purpose, int] = {"live": 31, "practice": 3_653}  # between two commits
TIMEZONE, DAY_STARTS = "America/New_York", "06:00"
FOUNDER = Account("croupier", "system")


class FoundLedger(Command, frozen=True, kw_only=True, tag="found_ledger"):
    """The first command of a ledger: its purpose, and how the property counts gaming days."""

    purpose: Purpose
    timezone: str = TIMEZONE
    day_starts: str = DAY_STARTS


class CloseDay(Command, frozen=True, kw_only=True, tag="close_day"):
    """Close a gaming day: the log up to its end, and the wagers still in play."""

    day: str
    size: int  # entries of the log when the day ended
    root: str  # of the Merkle tree over them
    rounds: int
    in_play: dict[str, Cents] = {}


class KeepCheckpoint(Command, frozen=True, tag="keep_checkpoint"):
    """Record the signed checkpoint of a closed day."""

    day: str
    note: str


class RestoreLedger(Command, frozen=True, kw_only=True, tag="restore_ledger"):
    """Record that the ledger was restored from a backup; the first entry after those of it."""

    backup: str  # name of the file
    size: int  # entries of the backup
    root: str  # of the Merkle tree over them
    sealed: int = 0  # entries that the replaced ledger had, by its seal; 0 if there was none


class AcceptClock(Command, frozen=True, kw_only=True, tag="accept_clock"):
    """Accept a clock that is far ahead of the last commit: it is right, and nobody played."""

    last: int  # time of the last commit, in milliseconds since the epoch
    time: int  # that the clock reads
    second: Account
    reason: str


class NoteSelfCheck(Command, frozen=True, kw_only=True, tag="note_self_check"):
    """Record that the server compared its software with the manifest of the release."""

    version: str
    digest: str  # of the installed files
    verified: bool
    problems: tuple[str, ...] = ()


class NoteClock(Command, frozen=True, kw_only=True, tag="note_clock"):
    """Record whether the clock of the server is synchronized, and by how much it may be off."""

    synchronized: bool | None  # null where the system does not tell
    offset_ms: int | None = None


class LedgerFounded(Event, frozen=True, kw_only=True, tag="ledger_founded"):
    """The ledger was founded. A practice ledger never holds a live table."""

    purpose: Purpose
    timezone: str
    day_starts: str


class DayClosed(Event, frozen=True, kw_only=True, tag="day_closed"):
    """A gaming day was closed: the log up to its end, and the wagers still in play."""

    day: str
    size: int
    root: str
    rounds: int
    in_play: dict[str, Cents] = {}


class CheckpointKept(Event, frozen=True, kw_only=True, tag="checkpoint_kept"):
    """The signed checkpoint of a day was recorded."""

    day: str
    note: str


class LedgerRestored(Event, frozen=True, kw_only=True, tag="ledger_restored"):
    """The ledger was restored from a backup; later entries of the replaced one are not in it."""

    backup: str
    size: int
    root: str
    sealed: int = 0


class ClockAccepted(Event, frozen=True, kw_only=True, tag="clock_accepted"):
    """Two people accepted the clock."""

    last: int
    time: int
    by: Account
    second: Account
    reason: str


class SelfCheckNoted(Event, frozen=True, kw_only=True, tag="self_check_noted"):
    """The server compared its software with the manifest of the release."""

    version: str
    digest: str
    verified: bool
    problems: tuple[str, ...] = ()


class ClockNoted(Event, frozen=True, kw_only=True, tag="clock_noted"):
    """Whether the clock of the server is synchronized, and by how much it may be off."""

    synchronized: bool | None
    offset_ms: int | None = None


COMMANDS: tuple[type[Command], ...] = (
    FoundLedger,
    CloseDay,
    KeepCheckpoint,
    RestoreLedger,
    AcceptClock,
    NoteSelfCheck,
    NoteClock,
)
EVENTS: tuple[type[Event], ...] = (
    LedgerFounded,
    DayClosed,
    CheckpointKept,
    LedgerRestored,
    ClockAccepted,
    SelfCheckNoted,
    ClockNoted,
)


class Administration:
    """The founding of the ledger, its closed days and their checkpoints."""

    def __init__(self) -> None:
        self.founded: LedgerFounded | None = None
        self.days: dict[str, DayClosed] = {}
        self.notes: dict[str, list[str]] = {}  # signed checkpoints by day
        self.restores: list[LedgerRestored] = []

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The event of a command, or a Refusal."""
        envelope = validate_envelope(envelope)
        command, by = envelope.command, envelope.by
        decide = _DECIDERS.get(type(command))
        if decide is None:
            raise Refusal(
                f"{type(command).__name__} is not an administration command", RECORDS_CLAUSE
            )
        if by.role not in ADMINISTRATORS:
            expected = " or ".join(ADMINISTRATORS)
            raise Refusal(f"{by} may not do this; expected {expected}", RECORDS_CLAUSE)
        event = decide(self, command, envelope)
        return (msgspec.structs.replace(event, at=envelope.at),)

    def evolve(self, event: Event) -> None:
        """Apply an event."""
        match event:
            case LedgerFounded():
                self.founded = event
            case DayClosed():
                self.days[event.day] = event
            case CheckpointKept():
                self.notes.setdefault(event.day, []).append(event.note)
            case LedgerRestored():
                self.restores.append(event)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the property."""
        return ZoneInfo(self.founded.timezone if self.founded else TIMEZONE)

    def gaming_day(self, day: str) -> tuple[int, int]:
        """Start and end of a gaming day, in milliseconds since the epoch."""
        date = parse_day(day)
        starts = _parse_time(self.founded.day_starts if self.founded else DAY_STARTS)
        try:
            start = dt.datetime.combine(date, starts, self.zone)
            end = dt.datetime.combine(date + dt.timedelta(days=1), starts, self.zone)
            return epoch_ms(start), epoch_ms(end)
        except (OverflowError, ValueError):
            raise Refusal(f"day {day} is out of the calendar's range", RECORDS_CLAUSE) from None


def _found(state: Administration, command: FoundLedger, envelope: Envelope) -> Event:
    if state.founded is not None:
        raise Refusal("this ledger is already founded", RECORDS_CLAUSE)
    check_founding(command.timezone, command.day_starts)
    return LedgerFounded(
        purpose=command.purpose,
        timezone=command.timezone,
        day_starts=command.day_starts,
        clauses=(RECORDS_CLAUSE,),
    )


def check_founding(timezone: str, day_starts: str) -> None:
    """Refuse an unknown time zone or a malformed start of the gaming day."""
    try:
        ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        problem = f"{timezone!r} is not a time zone; expected a name like {TIMEZONE}"
        raise Refusal(problem, RECORDS_CLAUSE) from None
    _parse_time(day_starts)


def _close_day(state: Administration, command: CloseDay, envelope: Envelope) -> Event:
    check_closing(state, command.day, envelope.at)
    earlier = max((day.size for day in state.days.values()), default=0)
    if command.size < max(earlier, 1):
        problem = f"day {command.day} ends at entry {command.size}, before a closed day"
        raise Refusal(problem, RECORDS_CLAUSE)
    return DayClosed(
        day=command.day,
        size=command.size,
        root=command.root,
        rounds=command.rounds,
        in_play=command.in_play,
        clauses=(RECORDS_CLAUSE,),
    )


def check_closing(state: Administration, day: str, at: int) -> None:
    """Refuse a day that cannot be closed at this time."""
    if state.founded is None:
        raise Refusal("this ledger has not been founded", RECORDS_CLAUSE)
    _, end = state.gaming_day(day)
    if day in state.days:
        raise Refusal(f"day {day} is already closed", RECORDS_CLAUSE)
    if at < end:
        ends = dt.datetime.fromtimestamp(end // 1000, state.zone)
        raise Refusal(f"day {day} has not ended; it ends {ends:%Y-%m-%d %H:%M %Z}", RECORDS_CLAUSE)
    last = max(state.days, default="")
    if last and day < last:
        raise Refusal(f"day {day} is before {last}, which is already closed", RECORDS_CLAUSE)


def _accept_clock(state: Administration, command: AcceptClock, envelope: Envelope) -> Event:
    by, second = envelope.by, command.second
    for person in (by, second):
        if person.role not in WITNESSES:
            expected = " or ".join(WITNESSES)
            raise Refusal(f"{person} may not accept the clock; expected {expected}", RECORDS_CLAUSE)
    if by.id == second.id:
        raise Refusal(f"two different people accept the clock, got {by.id} twice", RECORDS_CLAUSE)
    if not command.reason.strip():
        raise Refusal("accepting the clock needs a reason", RECORDS_CLAUSE)
    if command.time != envelope.at or command.time <= command.last:
        problem = f"the accepted time {command.time} is not that of the command"
        raise Refusal(f"{problem}, or not after the last commit", RECORDS_CLAUSE)
    return ClockAccepted(
        last=command.last,
        time=command.time,
        by=by,
        second=second,
        reason=command.reason,
        clauses=(RECORDS_CLAUSE,),
    )


def _note_self_check(state: Administration, command: NoteSelfCheck, envelope: Envelope) -> Event:
    if envelope.by.role != "system":
        raise Refusal(f"{envelope.by} cannot check the software; expected system", RECORDS_CLAUSE)
    return SelfCheckNoted(
        version=command.version,
        digest=command.digest,
        verified=command.verified,
        problems=command.problems,
        clauses=(RECORDS_CLAUSE,),
    )


def _note_clock(state: Administration, command: NoteClock, envelope: Envelope) -> Event:
    if envelope.by.role != "system":
        raise Refusal(f"{envelope.by} cannot read the clock; expected system", RECORDS_CLAUSE)
    return ClockNoted(
        synchronized=command.synchronized, offset_ms=command.offset_ms, clauses=(RECORDS_CLAUSE,)
    )


def _keep_checkpoint(state: Administration, command: KeepCheckpoint, envelope: Envelope) -> Event:
    if command.day not in state.days:
        raise Refusal(f"day {command.day} has not been closed", RECORDS_CLAUSE)
    return CheckpointKept(day=command.day, note=command.note, clauses=(RECORDS_CLAUSE,))


def _restore(state: Administration, command: RestoreLedger, envelope: Envelope) -> Event:
    if state.founded is None:
        raise Refusal("this ledger has not been founded", RECORDS_CLAUSE)
    if command.size < 1 or command.sealed < 0:
        problem = f"a backup of {command.size} entries, for a ledger of {command.sealed}"
        raise Refusal(f"{problem}; expected at least one entry", RECORDS_CLAUSE)
    return LedgerRestored(
        backup=command.backup,
        size=command.size,
        root=command.root,
        sealed=command.sealed,
        clauses=(RECORDS_CLAUSE,),
    )


def parse_day(day: str) -> dt.date:
    """Parse a gaming day in ISO form; anything else is refused."""
    try:
        date = dt.date.fromisoformat(day)
    except ValueError:
        date = None
    if date is None or date.isoformat() != day:
        raise Refusal(f"{day!r} is not a day; expected a date like 2026-01-31", RECORDS_CLAUSE)
    return date


def _parse_time(text: str) -> dt.time:
    try:
        time = dt.time.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or f"{time:%H:%M}" != text:
        problem = f"{text!r} is not a time of day; expected a time like {DAY_STARTS}"
        raise Refusal(problem, RECORDS_CLAUSE)
    return time


_DECIDERS: dict[type[Command], Callable[[Administration, Any, Envelope], Event]] = {
    FoundLedger: _found,
    CloseDay: _close_day,
    KeepCheckpoint: _keep_checkpoint,
    RestoreLedger: _restore,
    AcceptClock: _accept_clock,
    NoteSelfCheck: _note_self_check,
    NoteClock: _note_clock,
}
