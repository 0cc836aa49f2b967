"""Full disk, locked database, lost server: the table stops, and nothing is played unrecorded."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import psycopg
import pytest

from croupier.ledger import Ledger, MeterUnreachable, StoreFailed, TableStopped
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.database.postgres import WRITER_LOCK
from croupier.table import commands as cmd
from tests.support.postgres import PostgresServer
from tests.support.recorded_rounds import ANN, SYSTEM, example_house, random_round
from tests.support.run_python import run_python

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
random_round(ledger.open_table("B", example_house(), by=SYSTEM), rng)  # there is space again
ledger.close()
"""


@pytest.mark.parametrize("file_size_max", [320_000, 401_234, 600_000])
def test_a_full_disk_stops_the_table(tmp_path: Path, file_size_max: int) -> None:
    """The last command is recorded completely or not at all, and no other is accepted."""
    path = tmp_path / "ledger.db"
    done = run_python("-c", FULL_DISK, path, file_size_max)
    assert 0 == done.returncode, done.stderr
    output = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    verdict = verify(path)

    assert "could not be written" in output["failed"]
    assert "has stopped" in output["stopped"]
    assert int(output["played"]) > 5
    assert f"{output['played']} True" == output["recorded"]
    assert verdict.ok, str(verdict)


def test_a_locked_sqlite_database_stops_the_table(tmp_path: Path) -> None:
    """After reopening, the same command under the same id succeeds."""
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
    """The writer lock is held by a hanging session: waiting for it times out."""
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
    """The server crashes during play and restarts: no entry is lost or repeated."""
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


def test_a_table_of_a_closed_ledger_fails(tmp_path: Path) -> None:
    """With StoreFailed."""
    with Ledger(tmp_path / "ledger.db") as ledger:
        table = ledger.open_table("A", example_house(), by=SYSTEM)
    with pytest.raises(StoreFailed, match="closed"):
        table.do(BET, ANN)
