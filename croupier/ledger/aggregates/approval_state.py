"""State of the approvals aggregate, folded from its events."""

from __future__ import annotations

import json
from typing import Any, Literal, Self, TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.ledger.aggregates import approval_messages as msg
from croupier.table import Account, DisableOrder, Event, FindHouse

SCHEMA = 2  # of a snapshot; snapshots of other schemas are ignored and taken again
ANSWER_VALID_MS = 300_000  # how long the answer of a second person is valid
SubmissionState: TypeAlias = Literal["sent", "approved", "returned", "withdrawn"]


class Submission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A submission as it was sent, and its state."""

    id: str
    game: str
    house: str
    answers: dict[str, str]
    authors: tuple[str, ...]
    based_on: str
    state: SubmissionState
    sent_by: str
    sent_at: int
    decided_by: str = ""
    decided_at: int = 0
    remark: str = ""

    @property
    def contributors(self) -> tuple[str, ...]:
        """The authors and the sender, who may not approve it."""
        return (*self.authors, self.sent_by)


class SignedTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table test and its result; the grades are in the entry that signed it."""

    lesson: str
    trainee: str
    examiner: str
    table: str
    passed: bool
    remark: str
    digest: str  # of all grades
    signed: int


class SecondPersonAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a second person, and its time."""

    agreed: bool
    at: int


class ApprovalsSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Content of a snapshot."""

    schema: int
    submissions: dict[str, Submission]
    opened: dict[str, dict[str, str]]
    off: dict[str, str]
    disabled: dict[str, DisableOrder]
    tests: dict[str, SignedTest]
    answers: dict[str, SecondPersonAnswer]


class ApprovalsState:
    """Submissions, tables opened under them, table tests and answers of second persons."""

    def __init__(self, find_house: FindHouse) -> None:
        self.find_house = find_house
        self.submissions: dict[str, Submission] = {}
        self.opened: dict[str, dict[str, str]] = {}  # table: House digest: submission
        self.off: dict[str, str] = {}  # table off the floor: who took it off
        self.disabled: dict[str, DisableOrder] = {}  # by `scope`
        self.tests: dict[str, SignedTest] = {}  # by lesson
        self.answers: dict[str, SecondPersonAnswer] = {}  # by `answer_key`, while valid

    def evolve(self, event: Event) -> None:
        """Apply an event."""
        assert isinstance(event.at, int), "each of these commands leads to one event"
        match event:
            case msg.SubmissionSent():
                self.submissions[event.submission] = Submission(
                    id=event.submission,
                    game=event.game,
                    house=event.house,
                    answers=event.answers,
                    authors=event.authors,
                    based_on=event.based_on,
                    state="sent",
                    sent_by=event.by,
                    sent_at=event.at,
                )
            case msg.SubmissionDecided():
                self._update(
                    event.submission,
                    state="approved" if event.approved else "returned",
                    decided_by=event.by,
                    decided_at=event.at,
                    remark=event.remark,
                )
            case msg.SubmissionWithdrawn():
                self._update(event.submission, state="withdrawn")
            case msg.OpenedUnder():
                self.opened.setdefault(event.table, {})[event.house] = event.submission
                self.off.pop(event.table, None)
            case msg.TakenOff():
                self.off[event.table] = event.by
            case msg.GamingDisabled():
                self.disabled[scope(event.game, event.submission)] = DisableOrder(
                    what=event.what,
                    reason=event.reason,
                    by=event.by,
                    at=event.at,
                )
            case msg.GamingEnabled():
                del self.disabled[scope(event.game, event.submission)]
            case msg.TestSigned():
                self.tests[event.lesson] = SignedTest(
                    lesson=event.lesson,
                    trainee=event.trainee,
                    examiner=event.examiner,
                    table=event.table,
                    passed=event.passed,
                    remark=event.remark,
                    digest=event.digest,
                    signed=event.at,
                )
            case msg.SecondAnswered():
                key = answer_key(event.table, event.id, event.digest, event.second)
                valid = {
                    other: answer
                    for other, answer in self.answers.items()
                    if answer.at + ANSWER_VALID_MS > event.at
                }
                self.answers = {**valid, key: SecondPersonAnswer(event.agreed, event.at)}

    def _update(self, submission: str, **values: Any) -> None:
        current = self.submissions[submission]
        self.submissions[submission] = msgspec.structs.replace(current, **values)

    def orders_for(self, table: str, house: str) -> tuple[DisableOrder, ...]:
        """The orders that disable a table that plays under a House (by digest)."""
        if not self.disabled:
            return ()
        submission = self.opened.get(table, {}).get(house, "")
        game = self.find_house(house).game.key
        scopes = dict.fromkeys((scope(), scope(game), scope("", submission)))
        return tuple(self.disabled[each] for each in scopes if each in self.disabled)

    def to_snapshot(self) -> str:
        """This state as text, identical for identical events."""
        snapshot = ApprovalsSnapshot(
            schema=SCHEMA,
            submissions=self.submissions,
            opened=self.opened,
            off=self.off,
            disabled=self.disabled,
            tests=self.tests,
            answers=self.answers,
        )
        return msgspec.json.encode(snapshot).decode()

    @classmethod
    def from_snapshot(cls, text: str, find_house: FindHouse) -> Self:
        """The state of a snapshot; BadInput if it is not one of this schema."""
        try:
            snapshot = msgspec.json.decode(text, type=ApprovalsSnapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"not a snapshot: {error}") from None
        if snapshot.schema != SCHEMA:
            raise BadInput(f"a snapshot of schema {snapshot.schema}, expected {SCHEMA}")
        state = cls(find_house)
        state.submissions, state.opened = snapshot.submissions, snapshot.opened
        state.off, state.tests, state.answers = snapshot.off, snapshot.tests, snapshot.answers
        state.disabled = snapshot.disabled
        return state


def scope(game: str = "", submission: str = "") -> str:
    """Identifies what an order disables: everything, one game, or one submission."""
    return f"game {game}" if game else f"submission {submission}" if submission else "all"


def why_not_agreed(second: Account, answer: SecondPersonAnswer | None, at: int) -> str:
    """Why a second person has not agreed to a command that is given at a time; empty if so."""
    if answer is None:
        return f"{second} did not approve it"
    if not answer.agreed:
        return f"{second} declined it"
    return "" if answer.at + ANSWER_VALID_MS > at else f"the approval of {second} had expired"


def answer_key(table: str, id: str, digest: str, second: Account) -> str:
    """Identifies the request that a second person answers."""
    return json.dumps([table, id, digest, second.id, second.role])
