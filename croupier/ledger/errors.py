"""What the ledger refuses, as a branch of the one tree of `croupier.errors`.

CroupierError
├── LedgerError
│   ├── StoreFailed          a read or a write failed: disk, lock, connection; nothing was played
│   ├── TableStopped         this table stopped after a failed write; open it again to go on
│   ├── Conflict             somebody else appended first; the caller reads on and decides anew
│   ├── RepeatedCommand      this command id has been carried out already
│   ├── IdTaken              this command id stands for another command
│   ├── Damaged              the record does not verify; says which event
│   └── NotFound             no such table, round, House or day in the record
└── Refusal
    └── MeterUnreachable     a progressive wager while its shared meter cannot be reached
"""

from __future__ import annotations

from croupier.errors import CroupierError, Refusal


def shown(text: str) -> str:
    """Text that somebody else wrote, with whatever could act in a terminal made visible."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape", "replace").decode()
        for letter in text
    )


class LedgerError(CroupierError):
    """The root of what storage can refuse."""


class StoreFailed(LedgerError):
    """A read or a write did not happen, or nobody can say whether it did."""


class TableStopped(LedgerError):
    """The table took no further command because its record could not be written."""


class Conflict(LedgerError):
    """Another writer appended to the stream first."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        place = f"expected to follow entry {expected}, the record is at {found}"
        super().__init__(f"{shown(stream)}: {place}")
        self.stream = stream


class RepeatedCommand(LedgerError):
    """The command id is in the record already."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(
            f"{shown(stream)}: command {shown(command_id)!r} has been carried out already"
        )
        self.stream = stream
        self.command_id = command_id


class IdTaken(LedgerError):
    """The id of a command is in the record already, and stands for another command."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(f"{shown(stream)}: id {shown(command_id)!r} stands for another command")
        self.stream = stream
        self.command_id = command_id


class Damaged(LedgerError):
    """The record contradicts itself or the rules; `stream` and `sequence` name the event."""

    def __init__(self, stream: str, sequence: int, problem: str) -> None:
        super().__init__(f"{shown(stream)} event {sequence}: {problem}")
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
