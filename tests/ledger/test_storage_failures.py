"""Full disk, locked database, lost server: the table stops, and nothing is played unlogged."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from croupier.ledger import Ledger, MeterUnreachable, NotFound, StoreFailed, TableStopped
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.database.connection import WRITER_LOCK
from croupier.table import commands as cmd
from tests.support.paths import ROOT
from tests.support.postgres import PostgresServer
from tests.support.recorded_rounds import ANN, SYSTEM, example_house, random_round

BET = cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000})

FULL_DISK = """
import random, resource, signal, sys
from croupier.ledger import Ledger, StoreFailed, TableStopped
from croupier.table import commands as cmd
from tests.support.recorded_rounds import ANN, SYSTEM, example_house, random_round
from tests.support.recorded_shifts import comparable_state

path = sys.argv[1]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
ledger = Ledger(path)
table = ledger.open_table("A", example_house(), by=SYSTEM)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
rng = random.Random(1)
try:
    while True:
        random_round(table, rng)
except StoreFailed as failed:
    print("failed:", failed)
try:
    table.do(cmd.NoMoreBets(), ANN)
except TableStopped as stopped:
    print("stopped:", stopped)
print("played:", table.sequence)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
again = ledger.open_table("A")
print("recorded:", again.sequence, comparable_state(again.table) == comparable_state(table.table))
ledger.close()
"""


@pytest.mark.parametrize("room", [320_000, 401_234, 600_000])
def test_a_full_disk_stops_the_table(tmp_path: Path, room: int) -> None:
    """The last command is on record whole or not at all, and the table takes no other."""
    path = tmp_path / "ledger.db"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), str(room)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    verdict = verify(path)

    assert "could not be written" in told["failed"]
    assert "has stopped" in told["stopped"]
    assert int(told["played"]) > 5
    assert f"{told['played']} True" == told["recorded"]
    assert verdict.ok, str(verdict)


def test_a_locked_sqlite_database_stops_the_table(tmp_path: Path) -> None:
    """Nothing happened; opened again, the same command under the same id goes through."""
    path = tmp_path / "ledger.db"
    with Ledger(path, lock_timeout_ms=100) as ledger:
        table = ledger.open_table("A", example_house(), by=SYSTEM)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed, match="locked"):
            table.do(BET, ANN, id="bet")
        with pytest.raises(TableStopped, match="locked"):
            table.do(BET, ANN, id="bet")
        other.execute("ROLLBACK")
        other.close()
        with pytest.raises(TableStopped):
            table.do(BET, ANN, id="bet")
        again = ledger.open_table("A")
        assert 1 == again.sequence
        again.do(BET, ANN, id="bet")
        assert 2 == again.sequence


def test_a_locked_postgresql_database_stops_the_table(postgres: PostgresServer) -> None:
    """The right to write is held by a session that hangs: waiting has an end."""
    url = postgres.new_database()
    with Ledger(url, lock_timeout_ms=200) as ledger:
        table = ledger.open_table("A", example_house(), by=SYSTEM)
        with psycopg.connect(url) as other:
            other.execute(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
            with pytest.raises(StoreFailed, match="lock timeout"):
                table.do(BET, ANN, id="bet")
            other.rollback()
        with pytest.raises(TableStopped):
            table.do(BET, ANN, id="bet")
        again = ledger.open_table("A")
        again.do(BET, ANN, id="bet")
        assert 2 == again.sequence


def test_a_lost_server_stops_the_table_and_refuses_the_progressive() -> None:
    """The server dies in mid-shift and comes back: nothing lost, nothing doubled."""
    server = PostgresServer()
    try:
        url = server.new_database()
        with Ledger(url) as ledger:
            table = ledger.open_table("A", example_house(), by=SYSTEM, group="linked")
            rng = random.Random(4)
            for _ in range(3):
                random_round(table, rng)
            before = table.sequence
            server.crash()
            wagers = {"ante": 1000, "blind": 1000, "progressive": 100}
            with pytest.raises(MeterUnreachable, match="cannot be reached"):
                table.do(cmd.PlaceWagers(1, wagers), ANN, id="bet")
            with pytest.raises(StoreFailed):
                table.do(BET, ANN, id="bet")
            with pytest.raises(TableStopped):
                table.do(BET, ANN, id="bet")
            server.start()
            again = ledger.open_table("A")
            assert before == again.sequence
            again.do(cmd.PlaceWagers(1, wagers), ANN, id="bet")
            again.do(cmd.PlaceWagers(1, wagers), ANN, id="bet")
            assert before + 1 == again.sequence
            verdict = verify(ledger.store)
            assert verdict.ok, str(verdict)
    finally:
        server.close()


def test_a_closed_ledger_plays_nothing(tmp_path: Path) -> None:
    """A table outlives its ledger only to refuse."""
    with Ledger(tmp_path / "ledger.db") as ledger:
        table = ledger.open_table("A", example_house(), by=SYSTEM)
    with pytest.raises(StoreFailed, match="closed"):
        table.do(BET, ANN)


def test_what_is_no_ledger_is_not_opened(tmp_path: Path) -> None:
    """A file of another kind, another database, memory: refused in a sentence."""
    (tmp_path / "letter.txt").write_text("Dear auditor, " * 100)
    for url in (tmp_path / "letter.txt", "sqlite://", "mysql://x/y", "what://", tmp_path):
        with pytest.raises(StoreFailed):
            Ledger(url)


def test_reading_makes_no_ledger(tmp_path: Path, postgres: PostgresServer) -> None:
    """A mistyped name is not a new, empty and perfectly verified record."""
    for url in (tmp_path / "typo.db", f"sqlite:///{tmp_path}/typo.db", postgres.new_database()):
        with pytest.raises(NotFound, match="no ledger"):
            Ledger(url, create=False)
        with pytest.raises(NotFound, match="no ledger"):
            verify(url)
    assert [] == list(tmp_path.iterdir())
