"""What people decide beside the tables, and what came of it: approvals, tests, agreements.

Attempts that a floor did not let through stand beside them.
"""

from __future__ import annotations

import msgspec

from croupier.table import Account, Command, Event, Service


class Grade(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One act of a trainee: what was due, what was done, and the clause that decides."""

    number: int
    at: int
    round: int
    due: str
    done: str
    clause: str
    right: bool
    note: str = ""  # what would have been right
    milliseconds: int = 0  # since it was due
    payout: bool = False
    irregularity: bool = False


class AccessAttempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody tried, from where, and why it was not let through; so many times."""

    peer: str
    what: str
    why: str
    count: int = 1


# What may be asked for.


class SendSubmission(Command, frozen=True, kw_only=True, tag="send_submission"):
    """Ask for approval of exactly this: the House it amounts to, as its fields were typed."""

    submission: str
    game: str
    house: str  # its digest; the House itself is on record
    answers: dict[str, str]
    authors: tuple[str, ...]  # whoever wrote any of it
    based_on: str = ""


class DecideSubmission(Command, frozen=True, kw_only=True, tag="decide_submission"):
    """Approve what was sent, or give it back with a remark."""

    submission: str
    house: str
    approved: bool
    remark: str = ""


class WithdrawSubmission(Command, frozen=True, tag="withdraw_submission"):
    """Give up what was sent and is not approved."""

    submission: str


class OpenUnder(Command, frozen=True, kw_only=True, tag="open_under"):
    """A table opens under an approved submission, or comes back to the floor under it."""

    submission: str
    table: str
    service: Service


class TakeOff(Command, frozen=True, tag="take_off"):
    """A table leaves the floor; its record stays."""

    table: str


class SignTest(Command, frozen=True, kw_only=True, tag="sign_test"):
    """The examiner says of a table test whether it is passed, with every act of it."""

    lesson: str
    trainee: str
    table: str
    game: str
    house: str
    rounds: int
    begun: int
    grades: tuple[Grade, ...]
    passed: bool
    remark: str = ""


class Agree(Command, frozen=True, kw_only=True, tag="agree"):
    """A second person agrees to a command that somebody else is about to give, or does not."""

    table: str
    id: str  # of the command
    command: str  # as it is written in JSON
    agreed: bool
    asked_by: str = ""  # where somebody asked for it


class NoteDenied(Command, frozen=True, kw_only=True, tag="note_denied"):
    """A server did not let somebody through."""

    account: str  # empty where there is none of the name that was given
    attempts: tuple[AccessAttempt, ...]


# What happened.


class SubmissionSent(Event, frozen=True, kw_only=True, tag="submission_sent"):
    """It waits for another person."""

    submission: str
    game: str
    house: str
    answers: dict[str, str]
    authors: tuple[str, ...]
    based_on: str
    by: str


class SubmissionDecided(Event, frozen=True, kw_only=True, tag="submission_decided"):
    """Another person approved it, or gave it back."""

    submission: str
    house: str
    approved: bool
    remark: str
    by: str


class SubmissionWithdrawn(Event, frozen=True, kw_only=True, tag="submission_withdrawn"):
    """Nobody decides it any more."""

    submission: str
    by: str


class OpenedUnder(Event, frozen=True, kw_only=True, tag="opened_under"):
    """From here on the table may be bound to this House."""

    submission: str
    table: str
    house: str
    service: Service


class TakenOff(Event, frozen=True, kw_only=True, tag="taken_off"):
    """A table is off the floor."""

    table: str
    by: str


class TestSigned(Event, frozen=True, kw_only=True, tag="test_signed"):
    """A trainee has passed a table test, or has not."""

    lesson: str
    trainee: str
    examiner: str
    table: str
    rounds: int
    passed: bool
    remark: str
    digest: str  # over every act


class SecondAnswered(Event, frozen=True, kw_only=True, tag="second_answered"):
    """For some minutes the command may be given, or may not; the second person has said so."""

    table: str
    id: str
    digest: str  # of the command
    second: Account
    agreed: bool


class Denied(Event, frozen=True, kw_only=True, tag="denied"):
    """So many attempts were not let through."""

    account: str
    count: int


COMMANDS: tuple[type[Command], ...] = (
    SendSubmission,
    DecideSubmission,
    WithdrawSubmission,
    OpenUnder,
    TakeOff,
    SignTest,
    Agree,
    NoteDenied,
)
EVENTS: tuple[type[Event], ...] = (
    SubmissionSent,
    SubmissionDecided,
    SubmissionWithdrawn,
    OpenedUnder,
    TakenOff,
    TestSigned,
    SecondAnswered,
    Denied,
)
