"""Runs the tests that claim a mutant's clauses against it; tests are collected once."""

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
from tools.mutation.all_mutants import Observations
from tools.mutation.baseline import watch
from tools.mutation.forked_workers import TIME_LIMIT, run_forked
from tools.mutation.mutant import Mutant, by_game

TESTS = ROOT / "tests"
CLAIMS = ("proves(", "proving(", "upholds(", "refuses(", "refused(")
FOLDERS = ("table", "clauses", "games", "server/practice/test_deck_commitment.py", "submission")
EXCLUDED = ("test_random_shifts.py",)  # random shifts claim no clause


class Baseline(msgspec.Struct):
    """The tests without a mutant: seconds, failures, refusals they name, and observations."""

    seconds: dict[str, float] = {}
    failed: list[str] = []
    named: dict[str, list[tuple[str, str]]] = {}  # refusals named by a test: game and clause
    seen: Observations = msgspec.field(default_factory=Observations)


class Caught(msgspec.Struct, frozen=True, order=True):
    """A mutant caught by a test that claims these clauses of a group (a game, or the law)."""

    mutant: str
    group: str
    clauses: tuple[str, ...]
    test: str


class Verdict(msgspec.Struct):
    """The result of one mutant, and the CPU seconds of its tests."""

    caught: list[Caught] = []
    seconds: float = 0.0


def claiming_files() -> list[str]:
    """The test files that claim clauses."""
    paths = sorted(path for folder in FOLDERS for path in tests_in(TESTS / folder))
    return [
        str(path)
        for path in paths
        if path.name not in EXCLUDED and any(claim in path.read_text("utf-8") for claim in CLAIMS)
    ]


def tests_in(path: Path) -> Iterable[Path]:
    """The test files of a folder, or a single file."""
    return path.rglob("test_*.py") if path.is_dir() else (path,)


def with_tests(work: Callable[[Tests], int]) -> int:
    """Collect the tests and run `work` inside the pytest session."""
    plugin = Tests(work)
    options = ["-s", "-p", "no:cacheprovider", "--no-header", "-W", "ignore"]
    pytest.main([*options, *claiming_files()], plugins=[plugin])
    assert plugin.status is not None, "the tests could not be collected"
    return plugin.status


class Tests:
    """A pytest plugin that replaces the loop over tests."""

    def __init__(self, work: Callable[[Tests], int]) -> None:
        self.work = work
        self.status: int | None = None
        self.items: list[pytest.Item] = []
        self.claiming: dict[tuple[str, str], list[pytest.Item]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Index the collected tests by claim and run the work."""
        if session.testsfailed:
            raise session.Interrupted(f"{session.testsfailed} errors while collecting")
        self.items = session.items
        for item in self.items:
            for claim in conftest.claims(item):
                self.claiming.setdefault(claim, []).append(item)
        self.status = self.work(self)
        return True

    # Without a mutant.

    def baseline(self) -> Baseline:
        """Run every collected test once in a child, and observe refusals and issues."""
        ((_, baseline),) = run_forked([self._run_baseline], Baseline)
        return baseline

    def _run_baseline(self) -> Baseline:
        conftest.CHECKING["claims"] = False
        baseline = Baseline(seen=watch())
        for item in self.items:
            started = time.perf_counter()
            rounds.NAMED.clear()
            if fails(item):
                baseline.failed.append(item.nodeid)
            baseline.named[item.nodeid] = sorted(set(rounds.NAMED))
            baseline.seconds[item.nodeid] = round(time.perf_counter() - started, 4)
        return baseline

    def prepare(self, baseline: Baseline) -> None:
        """Add claims by named refusals, and sort the tests of each claim by duration."""
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
        """The verdict of each mutant."""
        listed = list(mutants)
        works = [partial(self._try, mutant) for mutant in listed]
        for number, verdict in run_forked(works, Verdict, jobs):
            yield listed[number], verdict

    def _try(self, mutant: Mutant) -> Verdict:
        # A mutant of a citation is caught by the check that claimed clauses are cited.
        conftest.CHECKING["claims"] = mutant.kind == "citation"
        started = time.process_time()
        mutant.apply()
        ran: dict[str, bool] = {}
        verdict = Verdict()
        for group, clauses in mutant.clauses.items():
            by_test: dict[str, list[str]] = {}
            for clause in sorted(clauses, key=lambda clause: not broken(mutant, group, clause)):
                is_broken = broken(mutant, group, clause)
                if by_test and not is_broken:
                    break  # caught; tests of clauses that it does not break add nothing
                items = self.claiming.get((group, clause), [])
                test = self._first_failing(hinted(items, mutant.hint, group), ran)
                if test:
                    by_test.setdefault(test, []).extend([clause] if is_broken else [])
            for test, broken_clauses in by_test.items():
                caught = Caught(mutant.id, group, tuple(sorted(broken_clauses)), test)
                verdict.caught.append(caught)
        verdict.seconds = round(time.process_time() - started, 3)
        return verdict

    def _first_failing(self, items: list[pytest.Item], ran: dict[str, bool]) -> str:
        """The id of the first test that fails; "" if none does."""
        for item in sorted(items, key=lambda item: not ran.get(item.nodeid, False)):
            if item.nodeid not in ran:
                ran[item.nodeid] = fails(item)
            if ran[item.nodeid]:
                return item.nodeid
        return ""


def broken(mutant: Mutant, group: str, clause: str) -> bool:
    """Whether the mutant breaks this clause itself."""
    return mutant.breaks is None or (group, clause) in mutant.breaks


def hinted(items: list[pytest.Item], hint: str, group: str) -> list[pytest.Item]:
    """The tests sorted by the mutant's hint, then by its game."""
    if not hint:
        return items
    return sorted(items, key=lambda item: (hint not in item.nodeid, group not in item.nodeid))


def fails(item: Any) -> bool:
    """Run one test without output; whether it fails."""
    signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)  # CPU time, so waiting does not count
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return any(report.failed for report in reports)
