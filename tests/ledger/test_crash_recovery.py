"""kill -9 at every write point: the state before the last command or after it, never between."""

from __future__ import annotations

import copy
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.ledger import Ledger, append_plan
from croupier.ledger import entry_codec
from croupier.ledger.aggregates import aggregate_types
from croupier.ledger.audit.verify import verify
from croupier.table import Table
from croupier.table.core.snapshots import SCHEMA
from tests.ledger import crash_process
from tests.support.paths import ROOT
from tests.support.recorded_rounds import ANN, AT, example_house
from tests.support.recorded_shifts import comparable_state

FEWEST_POINTS = 60  # a run that dies less often does not pass through the writer


class Zygote:
    """The forking process of `crasher`."""

    def __init__(self, database: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.crash_process", database, str(folder)],
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


def expected_states() -> list[dict[str, object]]:
    """The table after none, one, two ... of the script's commands."""
    table = Table(example_house())
    states = [copy.deepcopy(played(table))]
    for command in crash_process.script():
        table.do(command, ANN, AT)
        states.append(copy.deepcopy(played(table)))
    return states


def played(table: Table) -> dict[str, object]:
    """What a table has come to, but for how it is bound and what it read of shared meters."""
    left_out = ("bound", "position", "balances", "clock")
    return {name: value for name, value in comparable_state(table).items() if name not in left_out}


STATES = expected_states()


def check_survivor(ledger: Ledger, name: str, acknowledged: int) -> int:
    """A table after its process died: how many commands are on record."""
    if f"table:{name}" not in ledger.store.streams():
        assert acknowledged == 0
        return 0
    entries = [entry_codec.decode_entry(stored) for stored in ledger.store.read(f"table:{name}")]
    commands = [each for each in entries if each.by == ANN]
    assert acknowledged <= len(commands) <= acknowledged + 1, "a durable command is missing"
    table = ledger.open_table(name).table
    assert STATES[len(commands)] == played(table), "neither before nor after the command"
    assert sum(table.book.balances.values()) == 0
    return len(commands)


def test_a_table_survives_a_kill_at_every_write_point(database: str, tmp_path: Path) -> None:
    """And the same commands sent again do nothing twice: the end is that of an undisturbed run."""
    with Ledger(database) as ledger, zygote(database, tmp_path) as crashing:
        assert 0 == crashing.run(0, "undisturbed")
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
            assert len(STATES) - 1 == check_survivor(ledger, name, len(STATES) - 1)
        assert crash_at > FEWEST_POINTS
        assert set(range(len(STATES))) == partly, "a command was never interrupted"
        assert ledger.store.snapshot("table:undisturbed", schema=SCHEMA) is not None
        verdict = verify(ledger.store, workers=1)
    assert verdict.ok, str(verdict)


def test_a_new_ledger_survives_a_kill_while_it_is_made(tmp_path: Path) -> None:
    """Migrations and the founding command are transactions too."""
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
    with Ledger(tmp_path / "ledger.db") as ledger:
        known = crash_process.play(ledger, "A").table
        whole = Table(find_house=ledger.house)
        for stored in ledger.store.read("table:A"):
            aggregate_types.apply_recorded(whole, entry_codec.decode_entry(stored))
        again = ledger.open_table("A").table

    assert whole.book.export() == again.book.export() == known.book.export()
    assert comparable_state(whole) == comparable_state(again) == comparable_state(known)


@pytest.fixture(autouse=True)
def restore_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """`crasher.play` sets it for its own process."""
    monkeypatch.setattr(append_plan, "SNAPSHOT_EVERY", append_plan.SNAPSHOT_EVERY)
