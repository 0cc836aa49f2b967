"""What people decide beside the tables, and what came of it: submissions, and tables under them."""

from __future__ import annotations

from croupier.table import Command, Event, Service

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


COMMANDS: tuple[type[Command], ...] = (
    SendSubmission,
    DecideSubmission,
    WithdrawSubmission,
    OpenUnder,
    TakeOff,
)
EVENTS: tuple[type[Event], ...] = (
    SubmissionSent,
    SubmissionDecided,
    SubmissionWithdrawn,
    OpenedUnder,
    TakenOff,
)
