"""The coach at the terminal: it works out the best play while one plays, and grades decisions.

Solving happens in a thread of its own from the moment one sits down. A round that is over before
the coach is ready is judged when it is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from croupier.coach import (
    Best,
    ReviewedDecision,
    added,
    coach_messages,
    phrases,
    valued_all,
    worth_of,
)
from croupier.errors import BadInput
from croupier.games import House
from croupier.money import Cents
from croupier.table import Round
from croupier.terminal.io.styled_text import Line, line

# Works out a House, telling how far it is: a share of one, and what is being done.
Solve: TypeAlias = Callable[[House, Callable[[float, str], None]], Best]


THREAD = "coach"


def coach_is_solving() -> bool:
    """Whether a coach is still working something out, for whomever."""
    return any(thread.name == THREAD for thread in threading.enumerate())


class Abandoned(Exception):
    """Nobody waits for the answer any more."""


@dataclass(slots=True)
class Over:
    """A round that is over, to be judged."""

    house: House
    number: int
    asked: tuple[ReviewedDecision, ...]
    net: Cents
    stakes: tuple[dict[str, Cents], ...]


class Work:
    """One House being worked out."""

    def __init__(self, house: House, solve: Solve) -> None:
        self.done = 0.0
        self.best: Best | None = None
        self.problem: Exception | None = None
        self.given_up = False
        self.finished = threading.Event()
        thread = threading.Thread(target=self._run, args=(house, solve), name=THREAD, daemon=True)
        thread.start()

    def _run(self, house: House, solve: Solve) -> None:
        try:
            self.best = solve(house, self._report)
        except Exception as error:
            self.problem = error
        self.finished.set()

    def _report(self, done: float, what: str) -> None:
        self.done = done
        if self.given_up:
            raise Abandoned


class CoachThread:
    """The coach of one evening; `patient` waits for an answer where nobody watches the clock."""

    def __init__(self, solve: Solve, *, patient: bool = False) -> None:
        self.solve = solve
        self.patient = patient
        self.account = coach_messages.NOTHING
        self._work: dict[str, Work] = {}
        self._asked: list[ReviewedDecision] = []
        self._over: list[Over] = []

    def begin(self, house: House) -> None:
        """Begin to work out a House, unless that has begun."""
        if house.digest not in self._work:
            self._work[house.digest] = Work(house, self.solve)

    def best(self, house: House, *, wait: bool = False) -> Best | None:
        """The best play of a House; None while it is being worked out."""
        self.begin(house)
        work = self._work[house.digest]
        if wait or self.patient:
            work.finished.wait()
        if work.problem is not None:
            raise BadInput(f"the coach cannot work out this table: {work.problem}")
        return work.best

    def working(self, house: House) -> str:
        """What the coach is busy with; "" when it is ready."""
        work = self._work.get(house.digest)
        if work is None or work.finished.wait(None if self.patient else 0):
            return ""
        return f"{phrases.WORKING} ({work.done:.0%})."

    def worths(self, current: Round, seat: int) -> dict[str, coach_messages.OptionValue]:
        """What each option of a seat is worth, by its word; nothing before the coach is ready."""
        best = self.best(current.house)
        if best is None:
            return {}
        answers = best.answers(current, seat)
        ante = current.boxes[seat].stakes[current.game.ante.name]
        return {one.option: worth_of(one.option, one.ev, answers[0].ev, ante) for one in answers}

    def decided(self, asked: ReviewedDecision | None) -> None:
        """A decision was made; one that cannot be judged is none."""
        if asked is not None:
            self._asked.append(asked)

    def round_over(self, current: Round, seats: Sequence[int]) -> tuple[list[Line], list[Line]]:
        """What the coach says of earlier rounds that waited for it, and of this one.

        Nothing where every decision was the best one.
        """
        earlier = self.judge()
        stakes = [dict(current.boxes[seat].stakes) for seat in seats]
        over = Over(
            house=current.house,
            number=current.number,
            asked=tuple(self._asked),
            net=sum(current.boxes[seat].net for seat in seats),
            stakes=() if current.void else tuple(stakes),
        )
        self._asked.clear()
        self._over.append(over)
        return earlier, self.judge(current)

    def judge(self, current: Round | None = None) -> list[Line]:
        """Judge every round that waits for it; one that is not the current one is named."""
        told: list[Line] = []
        waiting: list[Over] = []
        for over in self._over:
            best = self.known(over.house)
            if best is None:
                waiting.append(over)
                continue
            choices = valued_all(best.strategy, over.asked)
            expected = sum((best.expected(stakes) for stakes in over.stakes), Fraction(0))
            self.account = added(self.account, choices, net=over.net, expected=expected)
            if said := phrases.mattered(choices):
                now = current is not None and over.number == current.number
                label = "Coach: " if now else f"Coach, round {over.number}: "
                told.append(line((label, "label"), (said, "lesson")))
        self._over = waiting
        return told

    def known(self, house: House) -> Best | None:
        """The best play, or None while it is not known or cannot be."""
        try:
            return self.best(house)
        except BadInput:
            return None

    def summary(self) -> list[Line]:
        """The evening as the coach saw it; nothing where it saw nothing."""
        told = self.judge()
        said = phrases.summary(self.account)
        if not said and self._over:
            said = "The coach had not worked out the best play when you left."
        return [*told, line(said)] if said else told

    def close(self) -> None:
        """Give up what nobody waits for."""
        for work in self._work.values():
            work.given_up = True
