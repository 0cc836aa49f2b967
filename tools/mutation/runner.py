"""The tests, collected once, run against each mutant: only those that claim its clauses."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from tests import conftest
from tests.support import rounds
from tests.support.paths import ROOT
from tools.mutation.all_mutants import Seen
from tools.mutation.baseline import watch
from tools.mutation.forked_workers import LONGEST, ask
from tools.mutation.mutant import Mutant, by_game

TESTS = ROOT / "tests"
CLAIMS = ("proves(", "proving(", "upholds(", "refuses(", "refused(")
FOLDERS = ("table", "clauses", "games", "server/practice/test_deck_commitment.py", "submission")
APART = ("test_random_shifts.py",)  # random shifts, which claim nothing


class Baseline(msgspec.Struct):
    """How the tests fare unharmed: seconds of each, those that fail, what the rules said."""

    seconds: dict[str, float] = {}
    failed: list[str] = []
    named: dict[str, list[tuple[str, str]]] = {}  # refusals named by a test: game and clause
    seen: Seen = msgspec.field(default_factory=Seen)


class Caught(msgspec.Struct, frozen=True, order=True):
    """A mutant that a test noticed which claims these clauses of a group (a game, or the law)."""

    mutant: str
    group: str
    clauses: tuple[str, ...]
    test: str


class Verdict(msgspec.Struct):
    """What became of one mutant, and how long the tests took."""

    caught: list[Caught] = []
    seconds: float = 0.0


def claiming_files() -> list[str]:
    """The test files in which anything is claimed."""
    found = sorted(path for room in FOLDERS for path in tests_in(TESTS / room))
    return [
        str(path)
        for path in found
        if path.name not in APART and any(claim in path.read_text("utf-8") for claim in CLAIMS)
    ]


def tests_in(room: Path) -> Iterable[Path]:
    """A file, or those of a folder."""
    return room.rglob("test_*.py") if room.is_dir() else (room,)


def with_tests(work: Callable[[Tests], int]) -> int:
    """Collect the tests and do something with them inside pytest's session."""
    plugin = Tests(work)
    options = ["-s", "-p", "no:cacheprovider", "--no-header", "-W", "ignore"]
    pytest.main([*options, *claiming_files()], plugins=[plugin])
    assert plugin.status is not None, "the tests could not be collected"
    return plugin.status


class Tests:
    """A pytest plugin that takes the place of the usual loop over tests."""

    def __init__(self, work: Callable[[Tests], int]) -> None:
        self.work = work
        self.status: int | None = None
        self.items: list[pytest.Item] = []
        self.claiming: dict[tuple[str, str], list[pytest.Item]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Everything is collected."""
        if session.testsfailed:
            raise session.Interrupted(f"{session.testsfailed} errors while collecting")
        self.items = session.items
        for item in self.items:
            for claim in conftest.claims(item):
                self.claiming.setdefault(claim, []).append(item)
        self.status = self.work(self)
        return True

    # Unharmed.

    def baseline(self) -> Baseline:
        """Run every collected test once, in a child, and listen to the rules."""
        ((_, found),) = ask([self._listen], Baseline)
        return found

    def _listen(self) -> Baseline:
        conftest.CHECKING["claims"] = False
        seen = watch()
        found = Baseline(seen=seen)
        for item in self.items:
            began = time.perf_counter()
            rounds.NAMED.clear()
            if fails(item):
                found.failed.append(item.nodeid)
            found.named[item.nodeid] = sorted(set(rounds.NAMED))
            found.seconds[item.nodeid] = round(time.perf_counter() - began, 4)
        return found

    def prepare(self, baseline: Baseline) -> None:
        """Whoever names a refusal claims its clause; quick tests are asked before slow ones."""
        seconds = baseline.seconds
        for item in self.items:
            for group, clauses in by_game(baseline.named.get(item.nodeid, ())).items():
                for clause in clauses:
                    items = self.claiming.setdefault((group, clause), [])
                    if item not in items:
                        items.append(item)
        for items in self.claiming.values():
            items.sort(key=lambda item: seconds.get(item.nodeid, 0.0))

    # With a mutant.

    def trials(self, mutants: Iterable[Mutant], jobs: int) -> Iterator[tuple[Mutant, Verdict]]:
        """Each mutant with what became of it."""
        listed = list(mutants)
        works = [partial(self._try, mutant) for mutant in listed]
        for number, verdict in ask(works, Verdict, jobs):
            yield listed[number], verdict

    def _try(self, mutant: Mutant) -> Verdict:
        # Where the citation itself is at stake, claiming what is not cited is the failure.
        conftest.CHECKING["claims"] = mutant.kind == "citation"
        began = time.process_time()
        mutant.apply()
        ran: dict[str, bool] = {}
        verdict = Verdict()
        for group, clauses in mutant.clauses.items():
            by_test: dict[str, list[str]] = {}
            for clause in sorted(clauses, key=lambda clause: not broken(mutant, group, clause)):
                itself = broken(mutant, group, clause)
                if by_test and not itself:
                    break  # noticed, and nothing more to learn from tests of other clauses
                items = self.claiming.get((group, clause), [])
                noticed = self._notice(hinted(items, mutant.hint, group), ran)
                if noticed:
                    by_test.setdefault(noticed, []).extend([clause] if itself else [])
            for test, found in by_test.items():
                verdict.caught.append(Caught(mutant.id, group, tuple(sorted(found)), test))
        verdict.seconds = round(time.process_time() - began, 3)
        return verdict

    def _notice(self, items: list[pytest.Item], ran: dict[str, bool]) -> str:
        """The first test that fails; "" if none does."""
        for item in sorted(items, key=lambda item: not ran.get(item.nodeid, False)):
            if item.nodeid not in ran:
                ran[item.nodeid] = fails(item)
            if ran[item.nodeid]:
                return item.nodeid
        return ""


def broken(mutant: Mutant, group: str, clause: str) -> bool:
    """Whether a clause is broken by the mutant itself."""
    return mutant.breaks is None or (group, clause) in mutant.breaks


def hinted(items: list[pytest.Item], hint: str, group: str) -> list[pytest.Item]:
    """Those first that the mutant hints at, of its own game before others."""
    if not hint:
        return items
    return sorted(items, key=lambda item: (hint not in item.nodeid, group not in item.nodeid))


def fails(item: Any) -> bool:
    """Run one test; what it prints and reports is nobody's business."""
    signal.setitimer(signal.ITIMER_PROF, LONGEST)  # whoever has to wait, or is stopped, is not late
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return any(report.failed for report in reports)
