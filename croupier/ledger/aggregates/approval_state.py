"""What was decided beside the tables, folded out of its events."""

from __future__ import annotations

import json
from typing import Any, Literal, Self, TypeAlias

import msgspec

from croupier.errors import BadInput
from croupier.ledger.aggregates import approval_messages as de
from croupier.table import Account, Event, FindHouse

SCHEMA = 1  # of a snapshot; one of another schema is made anew from the record
ANSWER_VALID_MS = 300_000  # of an agreement
SubmissionState: TypeAlias = Literal["sent", "approved", "returned", "withdrawn"]


class Submission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A submission as it was sent, and what became of it."""

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
        """Everybody who does not approve it."""
        return (*self.authors, self.sent_by)


class SignedTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table test and its verdict; every act of it stands in the entry that signed it."""

    lesson: str
    trainee: str
    examiner: str
    table: str
    passed: bool
    remark: str
    digest: str  # over every act
    signed: int


class SecondPersonAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a second person has said, and when."""

    agreed: bool
    at: int


class ApprovalsSnapshot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a snapshot holds."""

    schema: int
    submissions: dict[str, Submission]
    opened: dict[str, dict[str, str]]
    off: dict[str, str]
    tests: dict[str, SignedTest]
    answers: dict[str, SecondPersonAnswer]


class ApprovalsState:
    """What was decided, as far as the record has been read; `evolve` may not refuse."""

    def __init__(self, find_house: FindHouse) -> None:
        self.find_house = find_house
        self.submissions: dict[str, Submission] = {}
        self.opened: dict[str, dict[str, str]] = {}  # table: House to the submission it stands in
        self.off: dict[str, str] = {}  # tables off the floor, and who took them off
        self.tests: dict[str, SignedTest] = {}  # signed, by lesson
        self.answers: dict[str, SecondPersonAnswer] = {}  # of second persons, while they are valid

    def evolve(self, event: Event) -> None:
        """Apply what happened."""
        assert isinstance(event.at, int), "each of these commands leads to one event"
        match event:
            case de.SubmissionSent():
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
            case de.SubmissionDecided():
                decided = {"decided_by": event.by, "decided_at": event.at, "remark": event.remark}
                state: SubmissionState = "approved" if event.approved else "returned"
                self._change(event.submission, state=state, **decided)
            case de.SubmissionWithdrawn():
                self._change(event.submission, state="withdrawn")
            case de.OpenedUnder():
                self.opened.setdefault(event.table, {})[event.house] = event.submission
                self.off.pop(event.table, None)
            case de.TakenOff():
                self.off[event.table] = event.by
            case de.TestSigned():
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
            case de.SecondAnswered():
                asked = answer_key(event.table, event.id, event.digest, event.second)
                fresh = {k: one for k, one in self.answers.items() if one.at + ANSWER_VALID_MS > event.at}
                self.answers = {**fresh, asked: SecondPersonAnswer(event.agreed, event.at)}

    def _change(self, submission: str, **values: Any) -> None:
        known = self.submissions[submission]
        self.submissions[submission] = msgspec.structs.replace(known, **values)

    def to_snapshot(self) -> str:
        """This state as text, the same for the same events."""
        frozen = ApprovalsSnapshot(
            schema=SCHEMA,
            submissions=self.submissions,
            opened=self.opened,
            off=self.off,
            tests=self.tests,
            answers=self.answers,
        )
        return msgspec.json.encode(frozen).decode()

    @classmethod
    def from_snapshot(cls, text: str, find_house: FindHouse) -> Self:
        """The machine of a snapshot; BadInput for what is none of this schema."""
        try:
            frozen = msgspec.json.decode(text, type=ApprovalsSnapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"not a snapshot: {error}") from None
        if frozen.schema != SCHEMA:
            raise BadInput(f"a snapshot of schema {frozen.schema}, expected {SCHEMA}")
        found = cls(find_house)
        found.submissions, found.opened, found.off = frozen.submissions, frozen.opened, frozen.off
        found.tests, found.answers = frozen.tests, frozen.answers
        return found


def answer_key(table: str, id: str, digest: str, second: Account) -> str:
    """What exactly a second person is asked for."""
    return json.dumps([table, id, digest, second.id, second.role])
