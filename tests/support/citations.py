"""Records which clauses the engine cites while a test runs, and the functions that cite them.

A citation is in an event, a refusal, an issue of a submission, or a met requirement of a drawing.
A clause that is only looked up is not cited.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

import pytest

from croupier.errors import Refusal
from croupier.games import House, facts
from croupier.games.facts import Facts, Outcome, Result
from croupier.money import Pays
from croupier.rulebook import PaytableLine
from croupier.submission import validation
from croupier.submission.parse_context import ParseContext
from croupier.table import Table

LAW = "law"  # the group of claims on readings and paragraphs of the regulation
# Not listed, but their caller: lookups, the methods that note an issue, comprehensions.
PASSED_ON = re.compile(
    r"cite|wins$|pushes$|loses$|ParseContext\.(note|error|warn|unknown_key)|.*<\w+>$"
)


class Citations:
    """The (game, clause) pairs that the engine cites, and the functions that cite them."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()
        self.places: set[tuple[str, str, str]] = set()  # game, clause, function
        self._found: set[tuple[str, str]] = set()  # clause, function: during the current call
        self._paused = 0
        self._at_table = False  # and not in a House that settles all facts in advance

    def record(self, patch: pytest.MonkeyPatch) -> None:
        """Record from now on, until the patches are undone."""
        for name in ("decide_checked", "decide_unattended"):
            patch.setattr(Table, name, self._listen(getattr(Table, name), of_decision))
        for name in ("next_steps", "allows"):
            patch.setattr(Table, name, self._ignore(getattr(Table, name)))
        patch.setattr(validation, "validate", self._listen(validation.validate, of_validation))
        if checks := sys.modules.get("croupier.documents.felt.felt_checks"):
            patch.setattr(checks, "examine", self._listen(checks.examine, of_drawing))
        cite, envy_line, settle = House.cite, House.envy_line, House.settle
        note, make_result = ParseContext.note, facts.Result

        def find_duty(house: House, duty: str, *, optional: bool = False) -> tuple[str, ...]:
            clauses = cite(house, duty, optional=optional)
            self._find(clauses)
            return clauses

        def find_envy(house: House, hand: str) -> PaytableLine | None:
            line = envy_line(house, hand)
            self._find([line.clause] if line else [])
            return line

        def find_issue(context: ParseContext, *args: Any, clause: str = "", **kwargs: Any) -> None:
            note(context, *args, clause=clause, **kwargs)
            self._find([clause])

        def settle_again(house: House, facts: Facts) -> tuple[Result, ...]:
            if self._at_table:
                return tuple(house.game.settle(facts, house))
            return settle(house, facts)

        def find_result(wager: str, outcome: Outcome, pays: Pays, clause: str) -> Result:
            if self._at_table:
                self._find([clause])
            return make_result(wager, outcome, pays, clause)

        patch.setattr(House, "cite", find_duty)
        patch.setattr(House, "envy_line", find_envy)
        patch.setattr(House, "settle", settle_again)
        patch.setattr(facts, "Result", find_result)
        patch.setattr(ParseContext, "note", find_issue)

    def _find(self, clauses: Iterable[str]) -> None:
        if self._paused:
            return
        where = place(sys._getframe(2))
        self._found.update((clause, where) for clause in clauses)

    def _listen(
        self, function: Callable[..., Any], cited: Callable[..., Iterable[tuple[str, str]]]
    ) -> Callable[..., Any]:
        """Wrap a function whose result cites clauses."""

        def listening(first: Any, *args: Any, **kwargs: Any) -> Any:
            if self._paused:
                return function(first, *args, **kwargs)
            outer = self._found, self._at_table
            self._found, self._at_table = set(), isinstance(first, Table)
            try:
                result = function(first, *args, **kwargs)
                self._add(cited(first, result))
            except Refusal as refusal:
                self._found = {(refusal.clause, place(raised_in(refusal)))}
                self._add([(game_of(first), refusal.clause)])
                raise
            finally:
                self._found, self._at_table = outer
            return result

        return listening

    def _add(self, pairs: Iterable[tuple[str, str]]) -> None:
        for game, clause in pairs:
            self.seen.add((game, clause))
            if clause[:1].isalpha():
                self.seen.add((LAW, clause))
            elif clause:
                self.places.update(
                    (game, clause, where) for id, where in self._found if id == clause
                )

    def _ignore(self, consider: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function that only tries commands out, so that its citations do not count."""

        def consider_quietly(*args: Any, **kwargs: Any) -> Any:
            self._paused += 1
            try:
                return consider(*args, **kwargs)
            finally:
                self._paused -= 1

        return consider_quietly


def game_of(table: Table) -> str:
    """The game of a table; "" before it is bound to a House."""
    return table.house.game.key if table.bound else ""


def of_decision(table: Table, events: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The citations of events."""
    game = game_of(table)
    for event in events:
        for clause in (*event.clauses, getattr(event, "clause", "")):
            yield game, clause


def of_validation(_: object, result: Any) -> Iterator[tuple[str, str]]:
    """The citations of the issues of a submission."""
    return ((issue.game, issue.clause) for issue in result.issues)


def of_drawing(house: House, result: Any) -> Iterator[tuple[str, str]]:
    """The citations of the requirements that a drawing meets."""
    return ((house.game.key, clause) for clause in result.clauses)


def raised_in(error: Exception) -> FrameType:
    """The function that raised an error."""
    traceback = error.__traceback__
    assert traceback is not None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback.tb_frame


def place(frame: FrameType | None) -> str:
    """The module and function that cites, such as croupier.table.table.Table.decide."""
    assert frame is not None
    while PASSED_ON.match(frame.f_code.co_qualname):
        assert frame.f_back is not None
        frame = frame.f_back
    function = frame.f_code.co_qualname.partition(".<locals>")[0]
    return f"{frame.f_globals['__name__']}.{function}"
