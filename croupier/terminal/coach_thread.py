"""The coach of the terminal: solves games in a background thread and reviews decisions.

Solving starts when the player sits down. Rounds that end before the game is solved are reviewed
later.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from croupier.coach import (
    ReviewedDecision,
    SolvedGame,
    add_round,
    coach_messages,
    option_value,
    phrases,
    review_decisions,
)
from croupier.errors import BadInput
from croupier.games import House
from croupier.money import Cents
from croupier.table import Round
from croupier.terminal.io.styled_text import Line, line

# Solves a House and reports progress: a fraction of one, and the current step.
Solve: TypeAlias = Callable[[House, Callable[[float, str], None]], SolvedGame]

THREAD_NAME = "coach"


def coach_is_solving() -> bool:
    """Whether a coach thread is running."""
    return any(thread.name == THREAD_NAME for thread in threading.enumerate())


class SolvingCancelled(Exception):
    """The solver was cancelled."""


@dataclass(slots=True)
class FinishedRound:
    """A finished round, to be reviewed."""

    house: House
    number: int
    decisions: tuple[ReviewedDecision, ...]
    net: Cents
    stakes: tuple[dict[str, Cents], ...]


class SolverTask:
    """Solves one House in a thread."""

    def __init__(self, house: House, solve: Solve) -> None:
        self.progress = 0.0
        self.result: SolvedGame | None = None
        self.error: Exception | None = None
        self.cancelled = False
        self.finished = threading.Event()
        thread = threading.Thread(
            target=self._run, args=(house, solve), name=THREAD_NAME, daemon=True
        )
        thread.start()

    def _run(self, house: House, solve: Solve) -> None:
        try:
            self.result = solve(house, self._report)
        except Exception as error:
            self.error = error
        self.finished.set()

    def _report(self, progress: float, step: str) -> None:
        self.progress = progress
        if self.cancelled:
            raise SolvingCancelled


class CoachThread:
    """The coach of one session. With `wait` every question waits until the game is solved."""

    def __init__(self, solve: Solve, *, wait: bool = False) -> None:
        self.solve = solve
        self.wait = wait
        self.totals = coach_messages.NO_MISTAKES
        self._tasks: dict[str, SolverTask] = {}  # by the digest of the House
        self._decisions: list[ReviewedDecision] = []  # of the current round
        self._finished: list[FinishedRound] = []  # not reviewed yet

    def start(self, house: House) -> None:
        """Start solving a House, if it is not started yet."""
        if house.digest not in self._tasks:
            self._tasks[house.digest] = SolverTask(house, self.solve)

    def solved(self, house: House, *, wait: bool = False) -> SolvedGame | None:
        """The solved House; None while it is being solved. Raises BadInput if it cannot be."""
        self.start(house)
        task = self._tasks[house.digest]
        if wait or self.wait:
            task.finished.wait()
        if task.error is not None:
            raise BadInput(f"the coach cannot solve this game: {task.error}")
        return task.result

    def solved_or_none(self, house: House) -> SolvedGame | None:
        """The solved House; None while it is being solved or if it cannot be solved."""
        try:
            return self.solved(house)
        except BadInput:
            return None

    def status(self, house: House) -> str:
        """The progress of solving a House in words; "" when it is finished."""
        task = self._tasks.get(house.digest)
        if task is None or task.finished.wait(None if self.wait else 0):
            return ""
        return f"{phrases.SOLVING} ({task.progress:.0%})."

    def option_values(self, current: Round, seat: int) -> dict[str, coach_messages.OptionValue]:
        """The value of each option by its word; empty while the game is being solved."""
        solved = self.solved(current.house)
        if solved is None:
            return {}
        options = solved.rank_options(current, seat)
        ante = current.boxes[seat].stakes[current.game.ante.name]
        return {
            option.option: option_value(option.option, option.ev, options[0].ev, ante)
            for option in options
        }

    def add_decision(self, decision: ReviewedDecision | None) -> None:
        """Add a decision of the current round; None is a decision that cannot be valued."""
        if decision is not None:
            self._decisions.append(decision)

    def finish_round(self, current: Round, seats: Sequence[int]) -> tuple[list[Line], list[Line]]:
        """Reviews of earlier rounds that had to wait, and of this one; mistakes only."""
        earlier = self.review()
        stakes = [dict(current.boxes[seat].stakes) for seat in seats]
        finished = FinishedRound(
            house=current.house,
            number=current.number,
            decisions=tuple(self._decisions),
            net=sum(current.boxes[seat].net for seat in seats),
            stakes=() if current.void else tuple(stakes),
        )
        self._decisions.clear()
        self._finished.append(finished)
        return earlier, self.review(current)

    def review(self, current: Round | None = None) -> list[Line]:
        """Review finished rounds whose game is solved; lines on other rounds name the round."""
        lines: list[Line] = []
        waiting: list[FinishedRound] = []
        for finished in self._finished:
            solved = self.solved_or_none(finished.house)
            if solved is None:
                waiting.append(finished)
                continue
            choices = review_decisions(solved.strategy, finished.decisions)
            expected = sum((solved.expected(stakes) for stakes in finished.stakes), Fraction(0))
            self.totals = add_round(self.totals, choices, net=finished.net, expected=expected)
            if text := phrases.costliest_mistake(choices):
                is_current = current is not None and finished.number == current.number
                label = "Coach: " if is_current else f"Coach, round {finished.number}: "
                lines.append(line((label, "label"), (text, "lesson")))
        self._finished = waiting
        return lines

    def summary(self) -> list[Line]:
        """The summary of the session; empty without decisions."""
        lines = self.review()
        text = phrases.session_summary(self.totals)
        if not text and self._finished:
            text = "You left before the coach had solved the game."
        return [*lines, line(text)] if text else lines

    def close(self) -> None:
        """Cancel all solvers."""
        for task in self._tasks.values():
            task.cancelled = True
