"""Fixtures and hooks for all tests: clause claims are checked, tests are grouped and marked.

A test marked `proves(game, *clauses)` passes only if the engine cited each of those clauses while
it ran: in an event, a settlement, a refusal, a submission issue, or as met by a finished drawing.
`upholds` does the same for readings and paragraphs of the regulation. The `coverage.csv` of each
game lists the claims (`make proofs`); whether a test fails when the rule is broken is shown by
`make mutants`.
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
from tests.support.tmpfs import tmpfs_directory

pytest_plugins = ("tests.support.ledger_fixtures",)
Proofs = dict[tuple[str, str], set[str]]
# Tests that compile kernels or solve games: in one process, once.
COMPILED = (
    "tests/analysis",
    "tests/documents/test_rack_card",
    "tests/submission/test_player_edge",
)
# Those that share little with the others: a process per file. Groups start by size, the largest
# first, so these come while games are being solved.
BY_FILE = (
    "tests/analysis/business/test_player_sessions",
    "tests/analysis/envs",
    "tests/analysis/exposure/test_opening_detection",
    "tests/analysis/randomness",
    "tests/analysis/simulation",
    "tests/analysis/test_monte_carlo",
    "tests/analysis/kernels/test_cross_and_live_card_kernels",
    "tests/analysis/kernels/test_decision_costs",
    "tests/table/scenario/test_replay_twin",
)
# Tests that kill processes or make storage fail.
CRASH = (
    "tests/ledger/log/database",
    "tests/ledger/log/write",
    "tests/ledger/test_concurrent_processes",
    "tests/ledger/test_crash_recovery",
    "tests/ledger/test_storage_failures",
    "tests/server/test_failover",
    "tests/server/test_outages",
)
# Tests that generate input at random.
FUZZ = (
    "tests/ledger/audit/test_attacks",
    "tests/properties",
    "tests/server/http/test_openapi",
    "tests/server/test_secrecy",
    "tests/submission/test_invalid_input",
    "tests/table/test_random_shifts",
)
LAW = "law"  # the group of claims on readings and paragraphs of the regulation
# A mutant must be noticed by an assertion, so the mutation runner turns the check of claims off.
CHECKING = {"claims": True}

# No test fails because the machine is busy.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


class Citations:
    """Collects the (game, clause) pairs that the engine cites."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()
        self.paused = 0

    def add(self, game: str, *clauses: str) -> None:
        if not self.paused:
            self.seen.update((game, clause) for clause in clauses if clause)
            self.seen.update((LAW, clause) for clause in clauses if clause[:1].isalpha())

    def ignore(self, consider: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function that only tries commands out, so that its citations do not count."""

        def consider_quietly(*args: Any, **kwargs: Any) -> Any:
            self.paused += 1
            try:
                return consider(*args, **kwargs)
            finally:
                self.paused -= 1

        return consider_quietly

    def listen(self, decide: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap `Table.decide...` to collect the clauses of events and refusals."""

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
        """Wrap `submission.examine` to collect the clauses of issues."""

        def examine_and_note(*args: Any, **kwargs: Any) -> Any:
            examination = examine(*args, **kwargs)
            for issue in examination.issues:
                self.add(issue.game, issue.clause)
            return examination

        return examine_and_note

    def listen_to_drawings(self, examine: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap `felt_checks.examine` to collect the clauses that a drawing meets."""

        def examine_and_note(house: Any, *args: Any, **kwargs: Any) -> Any:
            examination = examine(house, *args, **kwargs)
            self.add(house.game.key, *examination.clauses)
            return examination

        return examine_and_note


@pytest.fixture(autouse=True, scope="session")
def solved_once() -> Iterator[None]:
    """Cache showdown sums for games that are solved more than once."""
    holdem = sys.modules.get("croupier.analysis.solvers.board_enumeration")
    with pytest.MonkeyPatch.context() as patch:
        if holdem is not None:
            patch.setattr(holdem, "showdowns", cache_showdowns(holdem.showdowns))
        yield


@pytest.fixture(autouse=True)
def default_terminal_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore the size of the terminal that runs the tests."""
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
    for deciding in ("decide_checked", "decide_unattended"):
        monkeypatch.setattr(Table, deciding, citations.listen(getattr(Table, deciding)))
    for considering in ("next_steps", "allows"):
        quiet = citations.ignore(getattr(Table, considering))
        monkeypatch.setattr(Table, considering, quiet)
    monkeypatch.setattr(validation, "validate", citations.listen_to_issues(validation.validate))
    if validate := sys.modules.get("croupier.documents.felt.felt_checks"):
        listening = citations.listen_to_drawings(validate.examine)
        monkeypatch.setattr(validate, "examine", listening)
    yield
    missing = sorted(claimed - citations.seen)
    assert not missing, f"claimed but never cited by the engine: {missing}"


def claims(item: pytest.Item) -> set[tuple[str, str]]:
    """The clauses that a test claims, and the readings and paragraphs that it upholds."""
    proved = {
        (marker.args[0], clause)
        for marker in item.iter_markers("proves")
        for clause in marker.args[1:]
    }
    upheld = {(LAW, name) for marker in item.iter_markers("upholds") for name in marker.args}
    return proved | upheld


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the environment that all test processes inherit.

    One new cache folder per run, so that each game is solved once and by this code. Bytecode is
    written, because tests start programs by the hundred. Temporary files are in memory where there
    is room: a ledger syncs every entry, and no test cuts the power.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="croupier-tests-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ["CROUPIER_CACHE"] = folder.name
        if memory := tmpfs_directory():
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory)


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One process more than cores: while one waits for a browser, another one works."""
    cores = yield
    return cores if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-coverage", action="store_true", help="write every coverage.csv")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Group and mark tests; collect claims before deselection, so that slow tests count too."""
    claimed: Proofs = {}
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if item.nodeid.startswith(BY_FILE):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
        elif item.nodeid.startswith(COMPILED):
            item.add_marker(pytest.mark.xdist_group("solving"))
        if item.nodeid.startswith((*COMPILED, *BY_FILE)):
            item.add_marker(pytest.mark.compiled)
        if item.nodeid.startswith(CRASH):
            item.add_marker(pytest.mark.crash)
        if item.nodeid.startswith(FUZZ):
            item.add_marker(pytest.mark.fuzz)
        if "browser" in fixtures or item.nodeid.startswith("tests/browser"):
            item.add_marker(pytest.mark.browser)
        if "[postgresql" in item.nodeid or "postgres" in fixtures:
            item.add_marker(pytest.mark.postgresql)
        test = item.nodeid.partition("[")[0]
        for claim in claims(item):
            claimed.setdefault(claim, set()).add(test)
    config.stash[CLAIMED] = claimed
    if config.getoption("--write-coverage"):
        write_coverage(claimed)


def pytest_collection_finish() -> None:
    """Exempt everything imported so far from garbage collection."""
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
