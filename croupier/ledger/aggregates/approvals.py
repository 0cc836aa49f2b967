"""What people decide beside the tables, in one stream of its own: who approved what, and when.

A submission is approved by somebody who neither wrote nor sent it, and no table opens under
anything else (COMAR 36.05.03.19). What is approved is never changed: an amendment is another
submission, which names the one it began from. A table test is signed once, by a pit manager who
did not deal it (COMAR 36.05.03.18). A second person answers once, to one command under one id.
Pure, like a table: `decide` may refuse, `evolve` may not.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from croupier.errors import BadInput, Refusal
from croupier.games import find
from croupier.ledger.aggregates import approval_messages as de
from croupier.ledger.aggregates.approval_state import ApprovalsState, Submission, asking
from croupier.ledger.errors import NotFound
from croupier.ledger.log.canonical_json import NAME_MAX, canonical
from croupier.table import Account, Command, Envelope, Event, Role, validate_envelope
from croupier.table.core import codec
from croupier.table.core.roles import STAFF, VISITORS, check_id

STREAM = "decisions"
APPROVED = "COMAR 36.05.03.19"  # offered only after written approval
CHANGED = "COMAR 36.05.03.21B"  # no change of terms without approval
LONGEST = 80  # signs of the name of a submission
WORDY = 2_000  # signs of a remark or an answer
TESTED = "COMAR 36.05.03.18"  # a table test before a pit manager or higher
AGREED = "COMAR 36.05.03.24J"  # two people set money and meters right
DENIED = "COMAR 36.04.01.22B"  # who may come in, and who tried
TRIED = 300  # signs of what was tried, or of why not
KINDS_MOST = 20  # attempts that one entry tells apart
OPERATORS: tuple[Role, ...] = ("operator",)
OPENERS: tuple[Role, ...] = ("operator", "system")
EXAMINERS: tuple[Role, ...] = ("pit_manager",)
SERVERS: tuple[Role, ...] = ("system",)
SECONDS: tuple[Role, ...] = (*STAFF, *VISITORS)


class Approvals(ApprovalsState):
    """What was decided beside the tables of a property."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]:
        """The events a command leads to, or a refusal."""
        given = validate_envelope(envelope)
        deciding = _DECIDE.get(type(given.command))
        if deciding is None:
            told = f"{type(given.command).__name__} is nothing that is decided beside the tables"
            raise Refusal(told, APPROVED)
        roles, clause, decide = deciding
        if given.by.role not in roles:
            raise Refusal(f"{given.by} may not do this; expected {' or '.join(roles)}", clause)
        event = decide(self, given.command, given.by)
        return (msgspec.structs.replace(event, at=given.at),)

    def check_opening(self, table: str, house: str) -> None:
        """Refuse a House that nobody opened this table under.

        Where no submission was ever sent, approvals are kept on paper, and nothing is refused.
        """
        if self.submissions and house not in self.opened.get(table, {}):
            told = f"table {table!r} was opened under no approved submission of House {house[:12]}"
            raise Refusal(told, APPROVED)


# Submissions


def _send(known: Approvals, command: de.SendSubmission, by: Account) -> Event:
    check_text("a submission's name", command.submission, LONGEST, APPROVED)
    before = known.submissions.get(command.submission)
    if before is not None and before.state != "returned":
        raise Refusal(f"{before.id} is {before.state} already", APPROVED)
    missing = set(before.authors if before is not None else ()) - set(command.authors)
    if missing or not command.authors:
        named = ", ".join(sorted(missing)) or "nobody"
        raise Refusal(f"everybody who wrote it is named; {named} is missing", APPROVED)
    for author in command.authors:
        check_id(author)
    for answer in (*command.answers, *command.answers.values()):
        check_length("an answer", answer, WORDY, APPROVED)
    _check_house(known, command)
    return de.SubmissionSent(
        submission=command.submission,
        game=command.game,
        house=command.house,
        answers=command.answers,
        authors=command.authors,
        based_on=command.based_on,
        by=by.id,
        clauses=(APPROVED,),
    )


def _check_house(known: Approvals, command: de.SendSubmission) -> None:
    """What is sent is a House on record, so that it can be approved, read and played later."""
    game = find(command.game)
    try:
        house = known.find_house(command.house)
    except NotFound as error:  # it may come later: no refusal that could be audited
        raise BadInput(f"what is sent is put on record first: {error}") from None
    if house.game.key != game.key:
        raise Refusal(f"House {command.house[:12]} is one of {house.game.key}", APPROVED)
    earlier = known.submissions.get(command.based_on)
    if command.based_on and (earlier is None or earlier.game != game.key):
        told = f"{command.based_on[:LONGEST]!r} is no submission of {game.key} to begin from"
        raise Refusal(told, CHANGED)


def _decide(known: Approvals, command: de.DecideSubmission, by: Account) -> Event:
    sent = _of(known, command.submission)
    if sent.state != "sent":
        raise Refusal(f"{sent.id} is {sent.state}; nothing waits", APPROVED)
    if command.house != sent.house:
        told = f"{sent.id} was sent as {sent.house[:12]}, not {command.house[:12]}"
        raise Refusal(told, APPROVED)
    if by.id in sent.had_a_hand:
        raise Refusal(f"{by.id} wrote it: another person approves", APPROVED)
    check_length("a remark", command.remark, WORDY, APPROVED)
    if not command.approved and not command.remark.strip():
        raise Refusal("what is given back has a remark", APPROVED)
    return de.SubmissionDecided(
        submission=sent.id,
        house=sent.house,
        approved=command.approved,
        remark=command.remark,
        by=by.id,
        clauses=(APPROVED,),
    )


def _withdraw(known: Approvals, command: de.WithdrawSubmission, by: Account) -> Event:
    sent = _of(known, command.submission)
    if sent.state not in ("sent", "returned"):
        raise Refusal(f"{sent.id} is {sent.state}", CHANGED)
    return de.SubmissionWithdrawn(submission=sent.id, by=by.id, clauses=(CHANGED,))


# Tables


def _open(known: Approvals, command: de.OpenUnder, by: Account) -> Event:
    check_text("a table's name", command.table, NAME_MAX, APPROVED)
    sent = _of(known, command.submission)
    if sent.state != "approved":
        raise Refusal(f"{sent.id} is {sent.state}: no table opens under it", APPROVED)
    return de.OpenedUnder(
        submission=sent.id,
        table=command.table,
        house=sent.house,
        service=command.service,
        clauses=(APPROVED,),
    )


def _take_off(known: Approvals, command: de.TakeOff, by: Account) -> Event:
    check_text("a table's name", command.table, NAME_MAX, APPROVED)
    if command.table in known.off:
        raise Refusal(f"{command.table} is off the floor already", APPROVED)
    return de.TakenOff(table=command.table, by=by.id, clauses=(APPROVED,))


# The dealer school


def _sign(known: Approvals, command: de.SignTest, by: Account) -> Event:
    check_text("a lesson's name", command.lesson, LONGEST, TESTED)
    check_id(command.trainee)
    if command.lesson in known.tests:
        raise Refusal(f"{command.lesson} is signed already", TESTED)
    if by.id == command.trainee:
        raise Refusal(f"{by.id} dealt it: nobody examines themselves", TESTED)
    if not command.grades or command.rounds < 1:
        raise Refusal("a test has rounds that were dealt, and acts in them", TESTED)
    check_length("a remark", command.remark, WORDY, TESTED)
    return de.TestSigned(
        lesson=command.lesson,
        trainee=command.trainee,
        examiner=by.id,
        table=command.table,
        rounds=command.rounds,
        passed=command.passed,
        remark=command.remark,
        digest=sha256(canonical(command.grades)).hexdigest(),
        clauses=(TESTED,),
    )


# Second persons


def _agree(known: Approvals, command: de.Agree, by: Account) -> Event:
    check_text("a table's name", command.table, NAME_MAX, AGREED)
    check_text("a command's id", command.id, NAME_MAX, AGREED)
    check_length("a command", command.command, WORDY, AGREED)
    given = codec.decode_command(command.command.encode())
    if written(given) != command.command:
        raise BadInput(f"a command is written otherwise: {written(given)}")
    second = second_of(given)
    if second != by:
        raise Refusal(f"{second or 'nobody'} is asked to agree, not {by}", AGREED)
    if command.asked_by == by.id:
        raise Refusal(f"{by.id} asks for it: another person agrees", AGREED)
    digest = digest_of(given)
    if asking(command.table, command.id, digest, by) in known.answers:
        raise Refusal(f"{by} has answered already; ask under another id", AGREED)
    return de.SecondAnswered(
        table=command.table,
        id=command.id,
        digest=digest,
        second=by,
        agreed=command.agreed,
        clauses=(AGREED,),
    )


def second_of(command: Command) -> Account | None:
    """The second person whom a command names."""
    for name in command.__struct_fields__:
        value = getattr(command, name)
        if isinstance(value, Account):
            return value
    return None


def written(command: Command) -> str:
    """A command of a table as text, always the same."""
    return codec.encode(command).decode()


def digest_of(command: Command) -> str:
    """All that an answer needs to know of a command."""
    return sha256(written(command).encode()).hexdigest()


# Who was not let through


def _note(known: Approvals, command: de.NoteDenied, by: Account) -> Event:
    if command.account:
        check_id(command.account)
    if not 1 <= len(command.attempts) <= KINDS_MOST:
        told = f"1 to {KINDS_MOST} attempts are noted at once, got {len(command.attempts)}"
        raise Refusal(told, DENIED)
    for tried in command.attempts:
        for text in (tried.peer, tried.what, tried.why):
            check_length("what was tried", text, TRIED, DENIED)
        if tried.count < 1:
            raise Refusal(f"an attempt was made once or more, got {tried.count}", DENIED)
    count = sum(tried.count for tried in command.attempts)
    return de.Denied(account=command.account, count=count, clauses=(DENIED,))


def _of(known: Approvals, submission: str) -> Submission:
    found = known.submissions.get(submission)
    if found is None:
        raise Refusal(f"no submission {submission[:LONGEST]!r} was sent", APPROVED)
    return found


def check_text(what: str, text: str, most: int, clause: str) -> None:
    """Refuse a name that is empty, too long, or could act on a screen."""
    check_length(what, text, most, clause)
    if not text or not text.isprintable() or text != text.strip():
        raise Refusal(f"{what} is printable and not empty, got {text!r}", clause)


def check_length(what: str, text: str, most: int, clause: str) -> None:
    """Refuse a text that is too long to be kept for years."""
    if len(text) > most:
        raise Refusal(f"{what} has at most {most} signs, got {len(text)}", clause)


_Decide: TypeAlias = Callable[[Approvals, Any, Account], Event]
_DECIDE: dict[type[Command], tuple[tuple[Role, ...], str, _Decide]] = {
    de.SendSubmission: (OPERATORS, APPROVED, _send),
    de.DecideSubmission: (OPERATORS, APPROVED, _decide),
    de.WithdrawSubmission: (OPERATORS, CHANGED, _withdraw),
    de.OpenUnder: (OPERATORS, APPROVED, _open),
    de.TakeOff: (OPENERS, APPROVED, _take_off),
    de.SignTest: (EXAMINERS, TESTED, _sign),
    de.Agree: (SECONDS, AGREED, _agree),
    de.NoteDenied: (SERVERS, DENIED, _note),
}
