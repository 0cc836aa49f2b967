"""kill -9 at every write point: the state before the last command or after it, never between."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from croupier.ledger.verify import verify

from croupier.ledger import Ledger, codec
from croupier.table.table import Table
from tests.ledger import crasher
from tests.ledger.record import example

ROOT = Path(__file__).parents[2]
FEWEST_POINTS = 60  # a run that dies less often does not pass through the writer


class Zygote:
    """The forking process of `crasher`."""

    def __init__(self, database: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.crasher", database, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(self, crash_at: int, name: str) -> int:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{crash_at} {name}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@contextmanager
def zygote(database: str, folder: Path) -> Iterator[Zygote]:
    started = Zygote(database, folder)
    try:
        yield started
    finally:
        started.process.communicate(timeout=30)


def expected_states() -> list[Table]:
    """The table after none, one, two ... of the script's commands."""
    commands = [command for commands in crasher.script() for command in commands]
    states = []
    for count in range(len(commands) + 1):
        table = Table(example())
        for command in commands[:count]:
            table.do(command)
        states.append(table)
    return states


STATES = expected_states()


def check_survivor(ledger: Ledger, name: str, acknowledged: int) -> int:
    """A table after its process died: how many commands are on record."""
    if f"table:{name}" not in ledger.store.streams():
        assert acknowledged == 0
        return 0
    rows = list(ledger.store.read(f"table:{name}"))
    recorded = {row.command_id for row in rows if row.command_id != "bind"}
    assert acknowledged <= len(recorded) <= acknowledged + 1, "a durable command is missing"
    table = ledger.open_table(name)
    assert STATES[len(recorded)] == table.machine, "neither before nor after the command"
    assert sum(table.book.balances.values()) == 0
    return len(recorded)


def test_a_table_survives_a_kill_at_every_write_point(database: str, tmp_path: Path) -> None:
    """And the same commands sent again do nothing twice: the end is that of an undisturbed run."""
    with Ledger(database) as ledger, zygote(database, tmp_path) as crashing:
        assert 0 == crashing.run(0, "undisturbed")
        undisturbed = [row.data for row in ledger.store.read("table:undisturbed")]
        partly = set()
        for crash_at in range(1, 1_000):
            name = f"T{crash_at}"
            status = crashing.run(crash_at, name)
            if status == 0:
                break
            assert signal.SIGKILL == status
            log = tmp_path / f"{name}.acknowledged"
            acknowledged = len(log.read_text().split()) if log.exists() else 0
            partly.add(check_survivor(ledger, name, acknowledged))
            assert 0 == crashing.run(0, name)
            again = list(ledger.store.read(f"table:{name}"))
            assert undisturbed[1:] == [row.data for row in again][1:]
            assert STATES[-1] == ledger.open_table(name).machine
        assert crash_at > FEWEST_POINTS
        assert set(range(len(STATES))) == partly, "a command was never interrupted"
        assert ledger.store.latest_snapshot("table:undisturbed") is not None
        verdict = verify(ledger.store, workers=1)
    assert verdict.ok, str(verdict)


def test_a_new_ledger_survives_a_kill_while_it_is_made(tmp_path: Path) -> None:
    """Migrations and the founding event are transactions too."""
    database = f"sqlite:///{tmp_path}/NAME.db"
    with zygote(database, tmp_path) as crashing:
        for crash_at in range(1, 15):
            name = f"T{crash_at}"
            assert signal.SIGKILL == crashing.run(crash_at, name)
            assert 0 == crashing.run(0, name)
            verdict = verify(tmp_path / f"{name}.db", workers=1)
            assert verdict.ok, str(verdict)


def test_the_accounts_of_a_survivor_are_those_of_its_events(tmp_path: Path) -> None:
    """A snapshot and its tail give the same balances as the whole stream."""
    database = f"sqlite:///{tmp_path}/ledger.db"
    with Ledger(database) as ledger:
        played = crasher.play(ledger, "A")
        from croupier.ledger.fold import Fold

        whole = Fold(ledger.house)
        for row in ledger.store.read("table:A"):
            whole.apply(codec.decode(row))
        recovered = ledger.open_table("A")

    assert whole.book.export() == recovered.book.export() == played.book.export()
    assert whole.machine == recovered.machine == played.machine


@pytest.fixture(autouse=True)
def restore_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """`crasher.play` sets it for its own process."""
    from croupier.ledger import logged

    monkeypatch.setattr(logged, "SNAPSHOT_EVERY", logged.SNAPSHOT_EVERY)
