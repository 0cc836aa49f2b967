"""Ledger fixtures on both stores: SQLite and a real PostgreSQL server."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.aggregates.administration import GAP_DAYS_MAX
from croupier.table import Command, Event
from tests.support.manual_clock import ManualClock, manual_clock
from tests.support.postgres import PostgresServer
from tests.support.recorded_rounds import ANN, AT, SYSTEM, example_house, random_round
from tests.support.recorded_shifts import play_shift
from tests.support.rounds import EVERY_GAME


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server per test process."""
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once per store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def ledger(database: str) -> Iterator[Ledger]:
    """A new ledger, once per store."""
    with Ledger(database) as opened:
        yield opened


@pytest.fixture
def live_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give practice ledgers, which are simpler to play in, the time limits of live ones."""
    monkeypatch.setitem(GAP_DAYS_MAX, "practice", GAP_DAYS_MAX["live"])


@pytest.fixture
def now() -> Iterator[ManualClock]:
    """A manual clock at noon of 2026-01-05 UTC; request it before a ledger."""
    with manual_clock() as clock:
        yield clock


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Ledger]:
    """A new SQLite ledger, for tests that do not depend on the store."""
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


@pytest.fixture(scope="session")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """A read-only ledger: an attended table of every game after a shift, and two plain ones."""
    path = tmp_path_factory.mktemp("reports") / "ledger.db"
    with manual_clock(tick=1_000), Ledger(path) as ledger:
        for index, game in enumerate(EVERY_GAME):
            play_shift(ledger, game, 100 + index, acts=150)
        for name in ("plain", "linked"):
            group = "g" if name == "linked" else ""
            table = ledger.open_table(name, example_house(), by=SYSTEM, group=group)
            rng = random.Random(name)

            def do(
                command: Command, table: RecordedTable = table, rng: random.Random = rng
            ) -> Sequence[Event]:
                # The clock of the table is off by hours; reports use the clock of the writer.
                return table.do(command, ANN, AT + rng.randrange(10**8))

            for _ in range(25):
                random_round(table, rng, do)
    with Ledger(path, readonly=True) as ledger:
        yield ledger
