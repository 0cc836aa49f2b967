"""Approvals aggregate: submissions, table tests, second persons and denied access.

A submission is approved by an operator who neither wrote nor sent it, and a live table opens only
under an approved one (COMAR 36.05.03.19). An approved submission never changes: an amendment is
another submission that names the one it is based on. A table test is signed once, by a pit manager
who did not deal it (COMAR 36.05.03.18). A second person answers once to one command under one id.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from croupier.errors import BadInput, Refusal
from croupier.games import find
from croupier.ledger import entry_codec
from croupier.ledger.aggregates import approval_messages as msg
from croupier.ledger.aggregates.approval_state import (
    ApprovalsState,
    Submission,
    answer_key,
    scope,
    why_not_agreed,
)
from croupier.ledger.errors import NotAgreed, NotFound
from croupier.ledger.log.canonical_json import NAME_MAX, encode_canonical
from croupier.table import (
    DISABLE_CLAUSE,
    Account,
    Command,
    Envelope,
    Event,
    Role,
    validate_envelope,
)
from croupier.table.core import codec
from croupier.table.core.roles import STAFF, VISITORS, check_id

STREAM = "decisions"
APPROVAL_CLAUSE = "COMAR 36.05.03.19"  # offered only after written approval
CHANGE_CLAUSE = "COMAR 36.05.03.21B"  # no change of terms without approval
TABLE_TEST_CLAUSE = "COMAR 36.05.03.18"  # a table test before a pit manager or higher
SECOND_PERSON_CLAUSE = NotAgreed.CLAUSE
ACCESS_CLAUSE = "COMAR 36.04.01.22B"  # access control, and a log of attempts

# Lengths in characters
NAME_LENGTH_MAX = 80  # of a submission or lesson
REASON_LENGTH_MAX = 300
TEXT_LENGTH_MAX = 2_000  # of a remark, an answer or a command
ATTEMPT_LENGTH_MAX = 300  # of each text of a denied attempt
ATTEMPTS_PER_NOTE_MAX = 20  # different attempts in one entry

OPERATORS: tuple[Role, ...] = ("operator",)
FLOOR_KEEPERS: tuple[Role, ...] = ("operator", "system")
DISABLERS: tuple[Role, ...] = ("operator", "pit_manager", "system")
EXAMINERS: tuple[Role, ...] = ("pit_manager",)
SERVERS: tuple[Role, ...] = ("system",)
SECOND_PERSONS: tuple[Role, ...] = (*STAFF, *VISITORS, "operator")


class Approvals(ApprovalsState):
    """The approvals of a property."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The event of a command, or a Refusal."""
        envelope = validate_envelope(envelope)
        command, by = envelope.command, envelope.by
        decider = _DECIDERS.get(type(command))
        if decider is None:
            problem = f"{type(command).__name__} is not an approvals command"
            raise Refusal(problem, APPROVAL_CLAUSE)
        roles, clause, decide = decider
        if by.role not in roles:
            raise Refusal(f"{by} may not do this; expected {' or '.join(roles)}", clause)
        event = decide(self, command, by)
        return (msgspec.structs.replace(event, at=envelope.at),)

    def check_opening(self, table: str, house: str) -> None:
        """Refuse a House (by digest) that the table was not opened under.

        As long as no submission was ever sent, approvals are on paper and nothing is refused.
        """
        if self.submissions and house not in self.opened.get(table, {}):
            problem = f"table {table!r} has no approved submission for House {house[:12]}"
            raise Refusal(problem, APPROVAL_CLAUSE)

    def check_agreed(self, place: str, envelope: Envelope) -> None:
        """Refuse a command unless the second person it names agreed to it, under its id.

        `place` is the table, or the stream of linked meters.
        """
        second = find_second_person(envelope.command)
        if second is not None:
            answer = self.answers.get(request_key(place, envelope, second))
            problem = why_not_agreed(second, answer, envelope.at)
            if problem:
                raise NotAgreed(problem)


# Submissions


def _send(state: Approvals, command: msg.SendSubmission, by: Account) -> Event:
    check_text("a submission's name", command.submission, NAME_LENGTH_MAX, APPROVAL_CLAUSE)
    earlier = state.submissions.get(command.submission)
    if earlier is not None and earlier.state != "returned":
        raise Refusal(f"{earlier.id} is already {earlier.state}", APPROVAL_CLAUSE)
    if not command.authors:
        raise Refusal("a submission names its authors", APPROVAL_CLAUSE)
    missing = set(earlier.authors if earlier is not None else ()) - set(command.authors)
    if missing:
        names = ", ".join(sorted(missing))
        raise Refusal(f"every author must be named; missing: {names}", APPROVAL_CLAUSE)
    for author in command.authors:
        check_id(author)
    for answer in (*command.answers, *command.answers.values()):
        check_length("an answer", answer, TEXT_LENGTH_MAX, APPROVAL_CLAUSE)
    _check_house(state, command)
    return msg.SubmissionSent(
        submission=command.submission,
        game=command.game,
        house=command.house,
        answers=command.answers,
        authors=command.authors,
        based_on=command.based_on,
        by=by.id,
        clauses=(APPROVAL_CLAUSE,),
    )


def _check_house(state: Approvals, command: msg.SendSubmission) -> None:
    game = find(command.game)
    try:
        house = state.find_house(command.house)
    except NotFound as error:
        # Not a Refusal: the House may be added later, and then an audit could not repeat it.
        raise BadInput(f"the House of a submission must be on record first: {error}") from None
    if house.game.key != game.key:
        problem = f"House {command.house[:12]} is for {house.game.key}, not {game.key}"
        raise Refusal(problem, APPROVAL_CLAUSE)
    base = state.submissions.get(command.based_on)
    if command.based_on and (base is None or base.game != game.key):
        name = command.based_on[:NAME_LENGTH_MAX]
        raise Refusal(f"{name!r} is not a submission of {game.key} to amend", CHANGE_CLAUSE)


def _decide_submission(state: Approvals, command: msg.DecideSubmission, by: Account) -> Event:
    sent = _find_submission(state, command.submission)
    if sent.state != "sent":
        raise Refusal(f"{sent.id} is {sent.state} and waits for no decision", APPROVAL_CLAUSE)
    if command.house != sent.house:
        problem = f"{sent.id} was sent as {sent.house[:12]}, not {command.house[:12]}"
        raise Refusal(problem, APPROVAL_CLAUSE)
    if by.id in sent.contributors:
        problem = f"{by.id} wrote or sent {sent.id}: another person must approve it"
        raise Refusal(problem, APPROVAL_CLAUSE)
    check_length("a remark", command.remark, TEXT_LENGTH_MAX, APPROVAL_CLAUSE)
    if not command.approved and not command.remark.strip():
        raise Refusal("returning a submission needs a remark", APPROVAL_CLAUSE)
    return msg.SubmissionDecided(
        submission=sent.id,
        house=sent.house,
        approved=command.approved,
        remark=command.remark,
        by=by.id,
        clauses=(APPROVAL_CLAUSE,),
    )


def _withdraw(state: Approvals, command: msg.WithdrawSubmission, by: Account) -> Event:
    sent = _find_submission(state, command.submission)
    if sent.state not in ("sent", "returned"):
        raise Refusal(f"{sent.id} is {sent.state} and cannot be withdrawn", CHANGE_CLAUSE)
    return msg.SubmissionWithdrawn(submission=sent.id, by=by.id, clauses=(CHANGE_CLAUSE,))


def _find_submission(state: Approvals, name: str) -> Submission:
    submission = state.submissions.get(name)
    if submission is None:
        raise Refusal(f"no submission {name[:NAME_LENGTH_MAX]!r} was sent", APPROVAL_CLAUSE)
    return submission


# Tables


def _open_under(state: Approvals, command: msg.OpenUnder, by: Account) -> Event:
    check_text("a table's name", command.table, NAME_MAX, APPROVAL_CLAUSE)
    submission = _find_submission(state, command.submission)
    if submission.state != "approved":
        problem = f"{submission.id} is {submission.state}: no table opens under it"
        raise Refusal(problem, APPROVAL_CLAUSE)
    return msg.OpenedUnder(
        submission=submission.id,
        table=command.table,
        house=submission.house,
        service=command.service,
        clauses=(APPROVAL_CLAUSE,),
    )


def _take_off(state: Approvals, command: msg.TakeOff, by: Account) -> Event:
    check_text("a table's name", command.table, NAME_MAX, APPROVAL_CLAUSE)
    if command.table in state.off:
        raise Refusal(f"{command.table} is already off the floor", APPROVAL_CLAUSE)
    return msg.TakenOff(table=command.table, by=by.id, clauses=(APPROVAL_CLAUSE,))


# Disabled gaming


def _disable(state: Approvals, command: msg.DisableGaming, by: Account) -> Event:
    game, what = _check_order(state, command)
    if scope(game, command.submission) in state.disabled:
        raise Refusal(f"{what} is already disabled", DISABLE_CLAUSE)
    return msg.GamingDisabled(
        game=game,
        submission=command.submission,
        what=what,
        by=by,
        reason=command.reason,
        clauses=(DISABLE_CLAUSE,),
    )


def _enable(state: Approvals, command: msg.EnableGaming, by: Account) -> Event:
    game, what = _check_order(state, command)
    if scope(game, command.submission) not in state.disabled:
        raise Refusal(f"{what} is not disabled", DISABLE_CLAUSE)
    if command.second is not None and command.second.id == by.id:
        problem = f"two different people enable gaming, got {by.id} twice"
        raise Refusal(problem, SECOND_PERSON_CLAUSE)
    return msg.GamingEnabled(
        game=game,
        submission=command.submission,
        what=what,
        by=by,
        second=command.second,
        reason=command.reason,
        clauses=(DISABLE_CLAUSE,),
    )


def _check_order(
    state: Approvals, command: msg.DisableGaming | msg.EnableGaming
) -> tuple[str, str]:
    """The key of the game and what is disabled or enabled in words; refuses what is unclear."""
    check_text("a reason", command.reason, REASON_LENGTH_MAX, DISABLE_CLAUSE)
    if command.game and command.submission:
        raise Refusal("name a game or a submission, not both", DISABLE_CLAUSE)
    if command.submission:
        submission = _find_submission(state, command.submission)
        if submission.state != "approved":
            problem = f"{submission.id} is {submission.state}; expected an approved submission"
            raise Refusal(problem, DISABLE_CLAUSE)
        return "", f"submission {submission.id}"
    if command.game:
        game = find(command.game)
        return game.key, game.title
    return "", "all gaming"


# Table tests of the dealer school


def _sign_test(state: Approvals, command: msg.SignTest, by: Account) -> Event:
    check_text("a lesson's name", command.lesson, NAME_LENGTH_MAX, TABLE_TEST_CLAUSE)
    check_id(command.trainee)
    if command.lesson in state.tests:
        raise Refusal(f"{command.lesson} is already signed", TABLE_TEST_CLAUSE)
    if by.id == command.trainee:
        problem = f"{by.id} dealt the test: another person must examine it"
        raise Refusal(problem, TABLE_TEST_CLAUSE)
    if not command.grades or command.rounds < 1:
        raise Refusal("a table test needs dealt rounds and graded acts", TABLE_TEST_CLAUSE)
    check_length("a remark", command.remark, TEXT_LENGTH_MAX, TABLE_TEST_CLAUSE)
    return msg.TestSigned(
        lesson=command.lesson,
        trainee=command.trainee,
        examiner=by.id,
        table=command.table,
        rounds=command.rounds,
        passed=command.passed,
        remark=command.remark,
        digest=sha256(encode_canonical(command.grades)).hexdigest(),
        clauses=(TABLE_TEST_CLAUSE,),
    )


# Second persons


def _agree(state: Approvals, command: msg.Agree, by: Account) -> Event:
    check_text("a table's name", command.table, NAME_MAX, SECOND_PERSON_CLAUSE)
    check_text("a command's id", command.id, NAME_MAX, SECOND_PERSON_CLAUSE)
    check_length("a command", command.command, TEXT_LENGTH_MAX, SECOND_PERSON_CLAUSE)
    pending = entry_codec.decode_command(command.command.encode())
    if command_text(pending) != command.command:
        raise BadInput(f"the command is not in canonical form: {command_text(pending)}")
    second = find_second_person(pending)
    if second != by:
        named = f"names {second}" if second is not None else "needs no second person"
        raise Refusal(f"the command {named}, got the answer of {by}", SECOND_PERSON_CLAUSE)
    if command.asked_by == by.id:
        problem = f"{by.id} requested it: another person must agree"
        raise Refusal(problem, SECOND_PERSON_CLAUSE)
    digest = command_digest(pending)
    if answer_key(command.table, command.id, digest, by) in state.answers:
        problem = f"{by} has already answered; ask again under another id"
        raise Refusal(problem, SECOND_PERSON_CLAUSE)
    return msg.SecondAnswered(
        table=command.table,
        id=command.id,
        digest=digest,
        second=by,
        agreed=command.agreed,
        clauses=(SECOND_PERSON_CLAUSE,),
    )


def find_second_person(command: Command) -> Account | None:
    """The second person named in a command, if any."""
    name = _second_person_field(type(command))
    return getattr(command, name) if name else None


@cache
def _second_person_field(kind: type[Command]) -> str:
    fields = msgspec.structs.fields(kind)
    return next((each.name for each in fields if each.type in (Account, Account | None)), "")


def request_key(place: str, envelope: Envelope, second: Account) -> str:
    """Identifies the agreement that a command needs."""
    return answer_key(place, envelope.id, command_digest(envelope.command), second)


def command_text(command: Command) -> str:
    """The canonical JSON of a command."""
    return codec.encode(command).decode()


def command_digest(command: Command) -> str:
    """The digest by which an answer refers to a command."""
    return sha256(command_text(command).encode()).hexdigest()


# Denied access


def _note_denied(state: Approvals, command: msg.NoteDenied, by: Account) -> Event:
    if command.account:
        check_id(command.account)
    if not 1 <= len(command.attempts) <= ATTEMPTS_PER_NOTE_MAX:
        expected = f"expected 1 to {ATTEMPTS_PER_NOTE_MAX} attempts"
        raise Refusal(f"{expected}, got {len(command.attempts)}", ACCESS_CLAUSE)
    for attempt in command.attempts:
        for text in (attempt.peer, attempt.what, attempt.why):
            check_length("an attempt", text, ATTEMPT_LENGTH_MAX, ACCESS_CLAUSE)
        if attempt.count < 1:
            problem = f"expected a count of 1 or more, got {attempt.count}"
            raise Refusal(problem, ACCESS_CLAUSE)
    count = sum(attempt.count for attempt in command.attempts)
    return msg.Denied(account=command.account, count=count, clauses=(ACCESS_CLAUSE,))


def check_text(what: str, text: str, most: int, clause: str) -> None:
    """Refuse a name that is empty, too long, or contains control characters."""
    check_length(what, text, most, clause)
    if not text or not text.isprintable() or text != text.strip():
        raise Refusal(f"{what} must be printable and not empty, got {text!r}", clause)


def check_length(what: str, text: str, most: int, clause: str) -> None:
    """Refuse a text that is too long."""
    if len(text) > most:
        raise Refusal(f"{what} has at most {most} characters, got {len(text)}", clause)


_Decide: TypeAlias = Callable[[Approvals, Any, Account], Event]
_DECIDERS: dict[type[Command], tuple[tuple[Role, ...], str, _Decide]] = {
    msg.SendSubmission: (OPERATORS, APPROVAL_CLAUSE, _send),
    msg.DecideSubmission: (OPERATORS, APPROVAL_CLAUSE, _decide_submission),
    msg.WithdrawSubmission: (OPERATORS, CHANGE_CLAUSE, _withdraw),
    msg.OpenUnder: (OPERATORS, APPROVAL_CLAUSE, _open_under),
    msg.TakeOff: (FLOOR_KEEPERS, APPROVAL_CLAUSE, _take_off),
    msg.DisableGaming: (DISABLERS, DISABLE_CLAUSE, _disable),
    msg.EnableGaming: (DISABLERS, DISABLE_CLAUSE, _enable),
    msg.SignTest: (EXAMINERS, TABLE_TEST_CLAUSE, _sign_test),
    msg.Agree: (SECOND_PERSONS, SECOND_PERSON_CLAUSE, _agree),
    msg.NoteDenied: (SERVERS, ACCESS_CLAUSE, _note_denied),
}
