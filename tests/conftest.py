"""Fixtures and hooks for all tests: clause claims are checked, tests are grouped and marked.

A test marked `proves(game, *clauses)` passes only if the engine cited each of those clauses while
it ran: in an event, a settlement, a refusal, a submission issue, or as met by a finished drawing.
`upholds` does the same for readings and paragraphs of the regulation. The `coverage.csv` of each
game lists the claims and the functions that cite each clause while these tests run (`make proofs`);
whether a test fails when the rule is broken is shown by `make mutants`.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.citations import LAW, Citations
from tests.support.solver_cache import cache_showdowns
from tests.support.tmpfs import tmpfs_directory

pytest_plugins = ("tests.support.ledger_fixtures",)
Proofs = dict[tuple[str, str], set[str]]
Citation = tuple[str, str, str]  # game, clause, function
CITED = "cited"  # the citations of a test, among the properties of its report
FOUND: set[Citation] = set()  # those that the coverage files do not list; all when rewriting
# Tests that compile kernels or solve games: a process per file, which shares what it has solved.
# Groups start by size, the largest first, so that most of these come early.
COMPILED = (
    "tests/analysis",
    "tests/documents/test_rack_card",
    "tests/submission/test_player_edge",
    "tests/table/scenario/test_replay_twin",
)
# Tests that kill processes or make storage fail.
CRASH = (
    "tests/ledger/log/database",
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
# Every document is made at this time, so that the same input gives the same bytes.
os.environ["SOURCE_DATE_EPOCH"] = "1925000000"
CLAUSES = "tests/clauses"
# A mutant must be noticed by an assertion, so the mutation runner turns the check of claims off.
CHECKING = {"claims": True}

# No test fails because the machine is busy.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


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
    rewriting = request.config.getoption("--write-coverage")
    if not (claimed or rewriting) or not CHECKING["claims"]:
        yield
        return
    citations = Citations()
    citations.record(monkeypatch)
    yield
    cited = sorted(citations.places) if rewriting else unlisted(citations.places)
    request.node.user_properties.append((CITED, cited))
    missing = sorted(claimed - citations.seen)
    assert not missing, f"claimed but never cited by the engine: {missing}"


def unlisted(cited: set[Citation]) -> list[Citation]:
    """The citations of clauses that the coverage files do not list.

    A lost side wager cites its paytable, such as 12.B.1; only the lines of a paytable are clauses.
    """
    from croupier.rulebook import citing_functions, clauses

    games = {game for game, _, _ in cited}
    known = {(game, clause.id) for game in games for clause in clauses(game)}
    listed = {game: citing_functions(game) for game in games}
    return [
        (game, clause, function)
        for game, clause, function in sorted(cited)
        if (game, clause) in known and function not in listed[game].get(clause, ())
    ]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect the citations that the tests of this process or of its workers sent."""
    for name, cited in report.user_properties if report.when == "teardown" else ():
        if name == CITED:
            assert isinstance(cited, list)
            FOUND.update((game, clause, function) for game, clause, function in cited)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write the coverage files, or fail if they do not list a citation."""
    if session.config.getoption("--write-coverage"):
        if exitstatus == pytest.ExitCode.OK:
            write_coverage(session.config.stash[CLAIMED], FOUND)
    elif FOUND:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Name the functions whose citations the coverage files do not list, and why tests skipped."""
    skipped = {report.longrepr[2] for report in terminalreporter.stats.get("skipped", ())}
    for reason in sorted(skipped):
        terminalreporter.write_line(reason)
    if not config.getoption("--write-coverage"):
        for game, clause, function in sorted(FOUND):
            problem = f"{function} cites {game} {clause} and is not listed: run `make proofs`"
            terminalreporter.write_line(problem)


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
        if item.nodeid.startswith(COMPILED):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
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
    if config.getoption("--write-coverage"):  # refusals are cited by tests without a claim, too
        items[:] = [item for item in items if claims(item) or item.nodeid.startswith(CLAUSES)]


def pytest_collection_finish() -> None:
    """Exempt everything imported so far from garbage collection."""
    gc.collect()
    gc.freeze()


def write_coverage(claims: Proofs, cited: set[Citation]) -> None:
    """The coverage of our games and of the plugin game, beside their rule books."""
    from croupier.games import CATALOGUE, find
    from tests.plugin_game import install
    from tools import clause_coverage

    for game in CATALOGUE:
        book = game.document
        clause_coverage.write(book, book.path(book.coverage), claims, cited)
    with tempfile.TemporaryDirectory() as folder, install.installed(Path(folder)):
        book = find(install.KEY).document
        clause_coverage.write(book, install.SOURCE / install.KEY / book.coverage, claims, cited)


CLAIMED: pytest.StashKey[Proofs] = pytest.StashKey()
