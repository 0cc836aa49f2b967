"""Messages and stored records of the dealer school."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from croupier.ledger.aggregates.approval_messages import Grade
from croupier.money import Cents

SCHOOL = "school "  # prefix of its table names
LessonState: TypeAlias = Literal["running", "done", "broken off"]


def is_school(table_id: str) -> bool:
    """Whether a table belongs to the school: only its trainee acts there."""
    return table_id.startswith(SCHOOL)


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """A staged irregularity, which the trainee has to declare."""

    kind: str
    said: str
    clause: str
    card: str = ""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson with its graded acts; the verdict is in the ledger."""

    id: str
    table: str
    game: str
    house: str
    trainee: str
    rounds: int
    irregular: bool
    prompts: bool = True  # the screen shows what is due
    hard_payouts: bool = False
    pass_mark: int = 0  # percent of right acts; 0 without one
    begun: int
    seed: str = ""  # of the decks and irregularities
    state: LessonState = "running"
    ended: int = 0
    since: int = 0  # when the current act became due
    started_with: int = 0  # rounds played at the table before
    trouble: Trouble | None = None
    troubled: int = 0  # the last round with an irregularity
    grades: tuple[Grade, ...] = ()


class BeginLesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a lesson: the game, the number of rounds, and how hard it is."""

    game: str
    rounds: int = 3
    irregular: bool = True
    prompts: bool = True
    hard_payouts: bool = False
    pass_mark: int = 0


class SchoolAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An act of the trainee: a table command, with the winnings when a seat is paid.

    In a lesson without prompts, `names` is the kind of act that the trainee thinks is due, or
    "unknown" to be shown it. It is graded only if it is wrong.
    """

    command: dict[str, Any] | None = None
    pays: Cents | None = None
    names: str = ""


class ActChoice(msgspec.Struct, frozen=True):
    """An act that a dealer can name."""

    kind: str
    title: str


class ExaminerVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The verdict of the examiner on a table test."""

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
    score: int  # percent of right acts, rounded down
    pass_mark: int
    prompts: bool
    hard_payouts: bool
    acts: tuple[ActChoice, ...]  # to choose from without prompts
    sequence: int  # the last entry of the table; 0 after the lesson
    payouts: int
    payout_milliseconds: int  # mean of the right ones
    said: str = ""  # the irregularity that is staged now
    shoe: tuple[str, ...] = ()  # the next cards
    paying: int = 0  # the seat that is paid next
    examiner: str = ""
    passed: bool | None = None
    remark: str = ""
    may_examine: bool = False


class LessonLines(msgspec.Struct, frozen=True):
    """Lessons, the newest first, and the games of the school."""

    lessons: tuple[LessonView, ...]
    games: dict[str, str]
    may_learn: bool
