"""What every test may rely on: claims of clauses are checked, not believed.

A test marked `proves(game, *clauses)` passes only if the engine itself cited every one of those
clauses while the test ran: in an event, a settlement, a refusal, a submission issue, or as met by
a finished drawing; `upholds` says the same of readings and paragraphs of the regulation. The record
of who claims what is the `coverage.csv` of each game, written by `make proofs`. A claim alone proves nothing: whether
the test fails when the rule is broken is found out by `make mutants`.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from croupier.errors import Refusal
from tests.support.solver_cache import cache_showdowns
from tests.support.tmpfs import roomy_memory

pytest_plugins = ("tests.support.ledger_fixtures",)
Proofs = dict[tuple[str, str], set[str]]
# Tests that compile the same kernels and solve the same games: in one process, once.
SOLVING = (
    "tests/analysis",
    "tests/documents/test_rack_card",
    "tests/submission/test_player_edge",
)
# Tests that find compiled what those compile, or compile what nobody else does: a process per file.
# Groups are begun by their size, the largest first, so that these come when games are solved.
BY_FILE = (
    "tests/analysis/business/test_player_sessions",
    "tests/analysis/envs",
    "tests/analysis/exposure/test_opening_detection",
    "tests/analysis/randomness",
    "tests/analysis/simulation",
    "tests/analysis/test_monte_carlo",
    "tests/analysis/twins/test_cross_and_live_card_kernels",
    "tests/analysis/twins/test_decision_costs",
    "tests/table/scenario/test_replay_twin",
)
LAW = "law"  # whose claims are readings and paragraphs of the regulation
# A mutant must be noticed by what a test asserts; then its claims are not checked (tools.mutation).
CHECKING = {"claims": True}

# No test may fail because a machine is busy.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


class Citations:
    """The (game, clause) pairs that the engine cited so far."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()
        self.paused = 0

    def add(self, game: str, *clauses: str) -> None:
        if not self.paused:
            self.seen.update((game, clause) for clause in clauses if clause)
            self.seen.update((LAW, clause) for clause in clauses if clause[:1].isalpha())

    def ignore(self, consider: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap what only considers commands, so that nothing it tries out counts as done."""

        def consider_quietly(*args: Any, **kwargs: Any) -> Any:
            self.paused += 1
            try:
                return consider(*args, **kwargs)
            finally:
                self.paused -= 1

        return consider_quietly

    def listen(self, decide: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap how a table decides so that events and refusals are noted."""

        def decide_and_note(table: Any, *args: Any, **kwargs: Any) -> Any:
            game = table.house.game.key if table.bound else ""
            try:
                events = decide(table, *args, **kwargs)
            except Refusal as refusal:
                self.add(game, refusal.clause)
                raise
            for event in events:
                self.add(game, *event.clauses, getattr(event, "clause", ""))
            return events

        return decide_and_note

    def listen_to_issues(self, examine: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap `submission.examine` so that issues are noted."""

        def examine_and_note(*args: Any, **kwargs: Any) -> Any:
            examination = examine(*args, **kwargs)
            for issue in examination.issues:
                self.add(issue.game, issue.clause)
            return examination

        return examine_and_note

    def listen_to_drawings(self, examine: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap `felt.validate.examine` so that what a drawing really carries is noted."""

        def examine_and_note(house: Any, *args: Any, **kwargs: Any) -> Any:
            examination = examine(house, *args, **kwargs)
            self.add(house.game.key, *examination.clauses)
            return examination

        return examine_and_note


@pytest.fixture(autouse=True, scope="session")
def solved_once() -> Iterator[None]:
    """Whoever solves a game again does not sum its showdowns again."""
    holdem = sys.modules.get("croupier.analysis.solvers.board_enumeration")
    with pytest.MonkeyPatch.context() as patch:
        if holdem is not None:
            patch.setattr(holdem, "showdowns", cache_showdowns(holdem.showdowns))
        yield


@pytest.fixture(autouse=True)
def as_wide_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is captured is a pipe, whatever the terminal of whoever runs the tests has exported."""
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def proofs_are_real(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Fail a test that claims a clause the engine never cited."""
    claimed = claims(request.node)
    if not claimed or not CHECKING["claims"]:
        yield
        return
    from croupier.submission import validation
    from croupier.table import Table

    citations = Citations()
    for deciding in ("judge", "decide_unattended"):
        monkeypatch.setattr(Table, deciding, citations.listen(getattr(Table, deciding)))
    for considering in ("next_steps", "allows"):
        quiet = citations.ignore(getattr(Table, considering))
        monkeypatch.setattr(Table, considering, quiet)
    monkeypatch.setattr(validation, "examine", citations.listen_to_issues(validation.examine))
    if validate := sys.modules.get("croupier.documents.felt.felt_checks"):
        listening = citations.listen_to_drawings(validate.examine)
        monkeypatch.setattr(validate, "examine", listening)
    yield
    missing = sorted(claimed - citations.seen)
    assert not missing, f"claimed but never cited by the engine: {missing}"


def claims(item: pytest.Item) -> set[tuple[str, str]]:
    """The clauses a test says it proves, and what it upholds of the law."""
    proved = {
        (marker.args[0], clause)
        for marker in item.iter_markers("proves")
        for clause in marker.args[1:]
    }
    upheld = {(LAW, name) for marker in item.iter_markers("upholds") for name in marker.args}
    return proved | upheld


def pytest_configure(config: pytest.Config) -> None:
    """One new folder for what study works out: each game is solved once in a run, by this code.

    Made by the process that starts the others, which inherit its name. Programs that tests start
    by the hundred may keep their compiled modules, whatever the shell says. What a test writes is
    kept in memory where there is room: a ledger waits for the disk at every entry, and no test
    pulls the plug.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="croupier-tests-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ["CROUPIER_CACHE"] = folder.name
        if memory := roomy_memory():
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory)


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One process more than there are cores: while one waits for a browser, another one works."""
    found = yield
    return found if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else found + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-coverage", action="store_true", help="write every coverage.csv")


@pytest.hookimpl(tryfirst=True)  # before the processes are told which tests belong together
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Gather what is claimed before deselection, so that slow tests count too."""
    found: Proofs = {}
    for item in items:
        if item.nodeid.startswith(BY_FILE):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
        elif item.nodeid.startswith(SOLVING):
            item.add_marker(pytest.mark.xdist_group("solving"))
        test = item.nodeid.partition("[")[0]
        for claim in claims(item):
            found.setdefault(claim, set()).add(test)
    config.stash[CLAIMED] = found
    if config.getoption("--write-coverage"):
        write_coverage(found)


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: looking for garbage need not go through it again."""
    gc.collect()
    gc.freeze()


def write_coverage(claims: Proofs) -> None:
    """The coverage of our games and of the plugin game, beside their rule books."""
    from croupier.games import CATALOGUE, find
    from tests.plugin_game import install
    from tools import clause_coverage

    for game in CATALOGUE:
        book = game.document
        clause_coverage.write(book, book.path(book.coverage), claims)
    with tempfile.TemporaryDirectory() as folder, install.installed(Path(folder)):
        book = find(install.KEY).document
        clause_coverage.write(book, install.SOURCE / install.KEY / book.coverage, claims)


CLAIMED: pytest.StashKey[Proofs] = pytest.StashKey()
