"""Exceptions of the ledger, a branch of the tree in `croupier.errors`.

CroupierError
├── LedgerError
│   ├── StoreFailed          a read or write failed (disk, lock, connection); nothing was played
│   │   └── ClockJumped      the clock is far ahead of the last commit; nothing was written
│   ├── TableStopped         the table stopped after a failed write; reopen it to continue
│   ├── Conflict             another writer appended first; read the new entries and decide again
│   ├── Stale                the table has changed since the state that the command was based on
│   ├── RepeatedCommand      the command id is already on record
│   ├── IdTaken              the command id is already on record for a different command
│   ├── Damaged              the record does not verify; names the entry
│   └── NotFound             the record has no such table, round, House or day
└── Refusal
    ├── MeterUnreachable     a progressive wager while its linked meters cannot be reached
    ├── RefusedElsewhere     the table accepts the command, but a shared stream refuses its part
    ├── Excluded             a seat or chips for a player on the exclusion list
    └── NotAgreed            a command at a live table without the agreement of its second person
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from croupier.clock import DAY
from croupier.errors import CroupierError, Refusal

if TYPE_CHECKING:
    from croupier.table import Envelope


def printable(text: str) -> str:
    """Untrusted text with control characters escaped, safe to print on a terminal."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape", "replace").decode()
        for letter in text
    )


def place(stream: str, sequence: int) -> str:
    """Label of an entry in messages; sequence 0 stands for the stream as a whole."""
    return f"{printable(stream)} entry {sequence}" if sequence else printable(stream)


class LedgerError(CroupierError):
    """Base class of storage errors."""


class StoreFailed(LedgerError):
    """A read or write failed, or its outcome is unknown."""


class ClockJumped(StoreFailed):
    """The clock is far ahead of the last commit, or of the commands to be committed."""

    def __init__(self, now: int, last: int) -> None:
        days = round((now - last) / DAY)
        super().__init__(
            f"the clock reads {utc_minute(now)}, {days:,} days after the last commit"
            f" ({utc_minute(last)}); nothing was written. Set the clock. If it is right, two people"
            " accept it with croupier audit accept-clock"
        )


def utc_minute(at: int) -> str:
    """A time in milliseconds since the epoch, in messages."""
    try:
        return f"{dt.datetime.fromtimestamp(at // 1000, dt.UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{at} ms"  # out of the calendar's range


class TableStopped(LedgerError):
    """The table accepts no commands because an entry could not be written."""


class Conflict(LedgerError):
    """Optimistic concurrency conflict: another writer appended to the stream first."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(
            f"{printable(stream)}: expected to follow entry {expected}, but the log is at {actual}"
        )
        self.stream = stream


class Stale(LedgerError):
    """The table has changed since the state that the command was based on."""


class RepeatedCommand(LedgerError):
    """The command id is already on record (idempotency key)."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(
            f"{printable(stream)}: command {printable(command_id)!r} is already on record"
        )
        self.stream = stream
        self.command_id = command_id


class IdTaken(LedgerError):
    """The command id is already on record for a different command."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(
            f"{printable(stream)}: id {printable(command_id)!r} belongs to a different command"
        )
        self.stream = stream
        self.command_id = command_id


class Damaged(LedgerError):
    """The record contradicts itself or the rules; `stream` and `sequence` name the entry."""

    def __init__(self, stream: str, sequence: int, problem: str) -> None:
        super().__init__(f"{place(stream, sequence)}: {problem}")
        self.stream = stream
        self.sequence = sequence
        self.problem = problem


class NotFound(LedgerError):
    """The record has nothing under this name."""


class MeterUnreachable(Refusal):
    """A progressive wager is refused, not queued, while its meters cannot be reached."""

    CLAUSE = "9 NYCRR 5321.18"

    def __init__(self, group: str, why: str) -> None:
        super().__init__(
            f"progressive wager refused: meters {group!r} cannot be reached ({why})",
            self.CLAUSE,
        )
        self.group = group


class RefusedElsewhere(Refusal):
    """The table accepts a command, but a shared stream refuses its part of it.

    `stream` is the stream that refused, `envelope` the command it was given and `after` the
    sequence it was at.
    """

    def __init__(self, refusal: Refusal, stream: str, after: int, envelope: Envelope) -> None:
        super().__init__(refusal.problem, refusal.clause, game=refusal.game)
        self.stream = stream
        self.after = after
        self.envelope = envelope


class Excluded(Refusal):
    """The player is on the property's exclusion list."""

    CLAUSE = "COMAR 36.03.10.34C"  # excluded persons are not admitted to play
    EARLIER_CLAUSE = "COMAR 36.01.03"  # cited before 0.2

    def __init__(self, player: str, why: str = "is not admitted to play") -> None:
        super().__init__(f"{player} {why}", self.CLAUSE)


class NotAgreed(Refusal):
    """The second person whom a command names has not agreed to it, or no longer does."""

    CLAUSE = "COMAR 36.05.03.24J"  # two people correct money and meters

    def __init__(self, problem: str) -> None:
        super().__init__(problem, self.CLAUSE)
