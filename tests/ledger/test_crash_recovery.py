"""kill -9 at every write point: the state before the last command or after it, never between.

On PostgreSQL, which has its own process and write-ahead log, at every third write point.
"""

from __future__ import annotations

import copy
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.ledger import Ledger, entry_codec, snapshot_policy
from croupier.ledger.aggregates import aggregate_types
from croupier.ledger.audit.verify import verify
from croupier.table import Table
from croupier.table.core.table_snapshot import SCHEMA
from tests.ledger import crash_process
from tests.support.paths import ROOT
from tests.support.postgres import PostgresServer
from tests.support.recorded_rounds import ANN, AT, example_house
from tests.support.recorded_shifts import comparable_state

STEP = {"sqlite": 1, "postgresql": 3}
WRITE_POINTS_MIN = 60  # fewer means that the run does not go through the writer
CREATION_POINTS = 14  # the write points of migrations, founding, and the first table


class CrashProcess:
    """Client of `tests.ledger.crash_process`."""

    def __init__(self, database: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.crash_process", database, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(self, crash_at: int, name: str) -> int:
        """The exit status of a child that is killed at a write point; 0 lets it finish."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{crash_at} {name}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@contextmanager
def crash_process_for(database: str, folder: Path) -> Iterator[CrashProcess]:
    started = CrashProcess(database, folder)
    try:
        yield started
    finally:
        started.process.communicate(timeout=30)


def expected_states() -> list[dict[str, object]]:
    """The state of the table after 0, 1, 2, ... commands of the script."""
    table = Table(example_house())
    states = [copy.deepcopy(played_state(table))]
    for command in crash_process.script():
        table.do(command, ANN, AT)
        states.append(copy.deepcopy(played_state(table)))
    return states


def played_state(table: Table) -> dict[str, object]:
    """The state without the binding and without readings of linked meters."""
    omitted = ("bound", "position", "balances", "clock")
    return {name: value for name, value in comparable_state(table).items() if name not in omitted}


STATES = expected_states()


def check_survivor(ledger: Ledger, name: str, acknowledged: int) -> int:
    """Check a table after its process was killed; returns the number of recorded commands."""
    if f"table:{name}" not in ledger.store.streams():
        assert acknowledged == 0
        return 0
    entries = map(entry_codec.decode_entry, ledger.store.read(f"table:{name}"))
    commands = [entry for entry in entries if entry.by == ANN]
    assert acknowledged <= len(commands) <= acknowledged + 1, "a durable command is missing"
    table = ledger.open_table(name).table
    assert STATES[len(commands)] == played_state(table), "neither before nor after the command"
    assert sum(table.book.balances.values()) == 0
    return len(commands)


def test_a_table_survives_a_kill_at_every_write_point(database: str, tmp_path: Path) -> None:
    """Sending the commands again completes the run; no command is executed twice."""
    with Ledger(database) as ledger, crash_process_for(database, tmp_path) as crashing:
        assert 0 == crashing.run(0, "undisturbed")
        interrupted_after, step = set(), STEP[database.partition(":")[0]]
        for crash_at in range(1, 1_000, step):
            name = f"T{crash_at}"
            status = crashing.run(crash_at, name)
            if status == 0:
                break
            assert signal.SIGKILL == status
            log = tmp_path / f"{name}.acknowledged"
            acknowledged = len(log.read_text().split()) if log.exists() else 0
            interrupted_after.add(check_survivor(ledger, name, acknowledged))
            assert 0 == crashing.run(0, name)
            assert len(STATES) - 1 == check_survivor(ledger, name, len(STATES) - 1)
        assert crash_at > WRITE_POINTS_MIN
        every_command = set(range(len(STATES))) == interrupted_after
        assert every_command or step > 1, "a command was never interrupted"
        assert ledger.store.snapshot("table:undisturbed", schema=SCHEMA) is not None
        verdict = verify(ledger.store, workers=1)
    assert verdict.ok, str(verdict)


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_a_new_ledger_survives_a_kill_during_its_creation(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Migrations and the founding command are transactions too."""
    server: PostgresServer | None = None
    database = f"sqlite:///{tmp_path}/NAME.db"
    if store == "postgresql":
        server = request.getfixturevalue("postgres")
        database = server.address("NAME")
    with crash_process_for(database, tmp_path) as crashing:
        for crash_at in range(1, CREATION_POINTS + 1, STEP[store]):
            name = server.new_database_name() if server else f"T{crash_at}"
            assert signal.SIGKILL == crashing.run(crash_at, name)
            assert 0 == crashing.run(0, name)
            verdict = verify(database.replace("NAME", name), workers=1)
            assert verdict.ok, str(verdict)


def test_the_accounts_of_a_survivor_are_those_of_its_events(tmp_path: Path) -> None:
    """A snapshot and the entries after it give the same balances as the whole stream."""
    with Ledger(tmp_path / "ledger.db") as ledger:
        played = crash_process.play(ledger, "A").table
        replayed = Table(find_house=ledger.house)
        for stored in ledger.store.read("table:A"):
            aggregate_types.apply_recorded(replayed, entry_codec.decode_entry(stored))
        recovered = ledger.open_table("A").table

    assert replayed.book.export() == recovered.book.export() == played.book.export()
    assert comparable_state(replayed) == comparable_state(recovered) == comparable_state(played)


@pytest.fixture(autouse=True)
def restore_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo the interval that `crash_process.play` sets for its own process."""
    monkeypatch.setattr(snapshot_policy, "SNAPSHOT_EVERY", snapshot_policy.SNAPSHOT_EVERY)
