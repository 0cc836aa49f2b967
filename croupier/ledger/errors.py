"""What the ledger refuses, as a branch of the one tree of `croupier.errors`.

CroupierError
├── LedgerError
│   ├── StoreFailed          a read or a write failed: disk, lock, connection; nothing was played
│   ├── TableStopped         this table stopped after a failed write; open it again to go on
│   ├── Conflict             somebody else appended first; the caller reads on and decides anew
│   ├── Fenced               another process has this table now, and nothing was written
│   ├── RepeatedCommand      this command id has been carried out already
│   ├── IdTaken              this command id stands for another command
│   ├── Damaged              the record does not verify; says which entry
│   └── NotFound             no such table, round, House or day in the record
└── Refusal
    ├── MeterUnreachable     a progressive wager while its shared meter cannot be reached
    ├── RefusedElsewhere     the table would do it, but not the people or meters it shares
    └── Excluded             a seat or chips for somebody whom the property must turn away
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.errors import CroupierError, Refusal

if TYPE_CHECKING:
    from croupier.table import Envelope


def printable(text: str) -> str:
    """Text that somebody else wrote, with whatever could act in a terminal made visible."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape", "replace").decode()
        for letter in text
    )


def entry_label(stream: str, sequence: int) -> str:
    """An entry, or with sequence 0 a stream as a whole, as every message names it."""
    return f"{printable(stream)} entry {sequence}" if sequence else printable(stream)


class LedgerError(CroupierError):
    """The root of what storage can refuse."""


class StoreFailed(LedgerError):
    """A read or a write did not happen, or nobody can say whether it did."""


class TableStopped(LedgerError):
    """The table took no further command because its record could not be written."""


class Conflict(LedgerError):
    """Another writer appended to the stream first."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        entry_label = f"expected to follow entry {expected}, the record is at {found}"
        super().__init__(f"{printable(stream)}: {entry_label}")
        self.stream = stream


class Fenced(LedgerError):
    """A table is another process's by now: the record takes nothing more of it from this one."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{printable(stream)}: another process has this table now")
        self.stream = stream


class RepeatedCommand(LedgerError):
    """The command id is in the record already."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(
            f"{printable(stream)}: command {printable(command_id)!r} has been carried out already"
        )
        self.stream = stream
        self.command_id = command_id


class IdTaken(LedgerError):
    """The id of a command is in the record already, and stands for another command."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(f"{printable(stream)}: id {printable(command_id)!r} stands for another command")
        self.stream = stream
        self.command_id = command_id


class Damaged(LedgerError):
    """The record contradicts itself or the rules; `stream` and `sequence` name the entry."""

    def __init__(self, stream: str, sequence: int, problem: str) -> None:
        super().__init__(f"{entry_label(stream, sequence)}: {problem}")
        self.stream = stream
        self.sequence = sequence
        self.problem = problem


class NotFound(LedgerError):
    """Nothing in the record answers to this name."""


class MeterUnreachable(Refusal):
    """A progressive wager is refused, not queued, while its meter cannot be reached."""

    CLAUSE = "9 NYCRR 5321.18"

    def __init__(self, group: str, why: str) -> None:
        super().__init__(
            f"the progressive wager is not taken: meters {group!r} cannot be reached ({why})",
            self.CLAUSE,
        )
        self.group = group


class RefusedElsewhere(Refusal):
    """A table would carry a command out, but a stream that it shares refuses its part of it.

    The refusal belongs to that stream: `envelope` is what it was asked, `after` where it stood.
    """

    def __init__(self, refusal: Refusal, stream: str, after: int, envelope: Envelope) -> None:
        super().__init__(refusal.problem, refusal.clause, game=refusal.game)
        self.stream = stream
        self.after = after
        self.envelope = envelope


class Excluded(Refusal):
    """Somebody whom the property turns away, by a list that is on no record."""

    CLAUSE = "COMAR 36.01.03"

    def __init__(self, player: str, why: str = "is not admitted to play") -> None:
        super().__init__(f"{player} {why}", self.CLAUSE)
