"""What the dealer school keeps and tells, as Structs of the protocol."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from croupier.ledger.aggregates.approval_messages import Grade
from croupier.money import Cents

SCHOOL = "school "  # how the names of its tables begin
LessonState: TypeAlias = Literal["running", "done", "broken off"]


def is_school(table_id: str) -> bool:
    """Whether a table is one of the school: nobody but its trainee acts there."""
    return table_id.startswith(SCHOOL)


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that happens before the trainee's eyes and is to be declared."""

    kind: str
    said: str
    clause: str
    card: str = ""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson from its first act to its last; the verdict on it is on the record."""

    id: str
    table: str
    game: str
    house: str
    trainee: str
    rounds: int
    irregular: bool
    begun: int
    seed: str = ""  # of its decks and irregularities
    state: LessonState = "running"
    ended: int = 0
    since: int = 0  # when what is due now became due
    started_with: int = 0  # rounds of the table before it
    trouble: Trouble | None = None
    troubled: int = 0  # the last round with an irregularity
    grades: tuple[Grade, ...] = ()


class BeginLesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Deal so many rounds of a game, with irregularities or without."""

    game: str
    rounds: int = 3
    irregular: bool = True


class SchoolAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a trainee does: a command of the table, with the winnings paid where a seat is paid."""

    command: dict[str, Any]
    pays: Cents | None = None


class ExaminerVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the examiner says of a table test."""

    passed: bool
    remark: str = ""


class LessonView(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson as its trainee and its examiner see it."""

    id: str
    table: str
    game: str
    title: str
    trainee: str
    state: LessonState
    rounds: int
    played: int
    grades: tuple[Grade, ...]
    right: int
    payouts: int
    payout_milliseconds: int  # the mean of those that were right
    said: str = ""  # what happens before the trainee's eyes
    shoe: tuple[str, ...] = ()  # the cards that leave it next
    paying: int = 0  # the seat that is paid next
    examiner: str = ""
    passed: bool | None = None
    remark: str = ""
    may_examine: bool = False


class LessonLines(msgspec.Struct, frozen=True):
    """Lessons, the newest first, and the games that can be dealt."""

    lessons: tuple[LessonView, ...]
    games: dict[str, str]
    may_learn: bool
