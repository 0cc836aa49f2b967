"""Commands and events of approvals: submissions, table tests, second persons, denied access."""

from __future__ import annotations

import msgspec

from croupier.table import Account, Command, Event, Service


class Grade(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One graded act of a trainee: what was due, what was done, and the deciding clause."""

    number: int
    at: int
    round: int
    due: str
    done: str
    clause: str
    right: bool
    note: str = ""  # the correct act
    milliseconds: int = 0  # since it was due
    payout: bool = False
    irregularity: bool = False


class AccessAttempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A denied attempt: from where, what, why it was denied, and how many times."""

    peer: str
    what: str
    why: str
    count: int = 1


# Commands


class SendSubmission(Command, frozen=True, kw_only=True, tag="send_submission"):
    """Submit a House for approval, with the fields of its form as they were typed."""

    submission: str
    game: str
    house: str  # digest; the House itself is on record
    answers: dict[str, str]
    authors: tuple[str, ...]  # everyone who wrote part of it
    based_on: str = ""


class DecideSubmission(Command, frozen=True, kw_only=True, tag="decide_submission"):
    """Approve a submission, or return it with a remark."""

    submission: str
    house: str
    approved: bool
    remark: str = ""


class WithdrawSubmission(Command, frozen=True, tag="withdraw_submission"):
    """Withdraw a submission that is not approved."""

    submission: str


class OpenUnder(Command, frozen=True, kw_only=True, tag="open_under"):
    """Open a table under an approved submission, or return it to the floor under one."""

    submission: str
    table: str
    service: Service


class TakeOff(Command, frozen=True, tag="take_off"):
    """Take a table off the floor; its record stays."""

    table: str


class DisableGaming(Command, frozen=True, kw_only=True, tag="disable_gaming"):
    """Disable all gaming, one game, or one approved submission, after the current rounds."""

    reason: str
    game: str = ""
    submission: str = ""


class EnableGaming(Command, frozen=True, kw_only=True, tag="enable_gaming"):
    """Enable again what was disabled."""

    reason: str
    game: str = ""
    submission: str = ""
    second: Account | None = None


class SignTest(Command, frozen=True, kw_only=True, tag="sign_test"):
    """The examiner passes or fails a table test, with the grade of every act."""

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
    """A second person agrees to, or declines, a command that another account is about to send."""

    table: str  # or the stream of linked meters
    id: str  # of the command
    command: str  # as JSON
    agreed: bool
    asked_by: str = ""  # the account that requested it, if any


class NoteDenied(Command, frozen=True, kw_only=True, tag="note_denied"):
    """A server denied access."""

    account: str  # empty if there is no account of that name
    attempts: tuple[AccessAttempt, ...]


# Events


class SubmissionSent(Event, frozen=True, kw_only=True, tag="submission_sent"):
    """A submission waits for approval by another person."""

    submission: str
    game: str
    house: str
    answers: dict[str, str]
    authors: tuple[str, ...]
    based_on: str
    by: str


class SubmissionDecided(Event, frozen=True, kw_only=True, tag="submission_decided"):
    """Another person approved or returned a submission."""

    submission: str
    house: str
    approved: bool
    remark: str
    by: str


class SubmissionWithdrawn(Event, frozen=True, kw_only=True, tag="submission_withdrawn"):
    """A submission was withdrawn."""

    submission: str
    by: str


class OpenedUnder(Event, frozen=True, kw_only=True, tag="opened_under"):
    """The table may be bound to this House from here on."""

    submission: str
    table: str
    house: str
    service: Service


class TakenOff(Event, frozen=True, kw_only=True, tag="taken_off"):
    """A table was taken off the floor."""

    table: str
    by: str


class GamingDisabled(Event, frozen=True, kw_only=True, tag="gaming_disabled"):
    """All gaming, one game or one submission was disabled at every table."""

    game: str
    submission: str
    what: str  # in words
    by: Account
    reason: str


class GamingEnabled(Event, frozen=True, kw_only=True, tag="gaming_enabled"):
    """What was disabled was enabled again."""

    game: str
    submission: str
    what: str  # in words
    by: Account
    second: Account | None
    reason: str


class TestSigned(Event, frozen=True, kw_only=True, tag="test_signed"):
    """A trainee passed or failed a table test."""

    lesson: str
    trainee: str
    examiner: str
    table: str
    rounds: int
    passed: bool
    remark: str
    digest: str  # of all grades


class SecondAnswered(Event, frozen=True, kw_only=True, tag="second_answered"):
    """A second person agreed or declined; the answer is valid for `ANSWER_VALID_MS`."""

    table: str
    id: str
    digest: str  # of the command
    second: Account
    agreed: bool


class Denied(Event, frozen=True, kw_only=True, tag="denied"):
    """Access was denied `count` times."""

    account: str
    count: int


COMMANDS: tuple[type[Command], ...] = (
    SendSubmission,
    DecideSubmission,
    WithdrawSubmission,
    OpenUnder,
    TakeOff,
    DisableGaming,
    EnableGaming,
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
    GamingDisabled,
    GamingEnabled,
    TestSigned,
    SecondAnswered,
    Denied,
)
