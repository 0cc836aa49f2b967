"""Crash safety: kill -9 at every failpoint leaves an append stored completely or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.ledger.log import Store
from croupier.ledger.log.transparency import check
from croupier.ledger.log.transparency.check import verify
from tests.ledger.log import crash_process
from tests.support.paths import ROOT

FEWEST_POINTS = 50  # a run with fewer failpoints does not reach the writer


class Zygote:
    """The forking process of `crash_process`."""

    def __init__(self, database: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.log.crash_process", database, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(self, crash_at: int, name: str) -> int:
        """The exit status of a child that is killed at its n-th failpoint."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{crash_at} {name}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@contextmanager
def zygote(database: str, folder: Path) -> Iterator[Zygote]:
    """Start a forking process and end it afterwards."""
    started = Zygote(database, folder)
    try:
        yield started
    finally:
        started.process.communicate(timeout=30)


def check_survivor(store: Store, name: str, acknowledged: int) -> int:
    """Check a stream after its process crashed; returns the number of commands on record."""
    recorded = [stored.entry for stored in store.read(name)]
    shared = [stored.entry for stored in store.read(f"meters:{name}")]
    expected = crash_process.script(name)[: len(recorded)]
    assert acknowledged <= len(recorded) <= acknowledged + 1, "a durable command is missing"
    assert [entries[0] for entries, _, _ in expected] == recorded
    assert [entries[1] for entries, _, _ in expected] == shared, "half of an append"
    assert len(recorded) == len(store.find_positions("round", stream=name)), (
        "entries without their index terms"
    )
    assert (store.snapshot(name, schema=1) is not None) == (len(recorded) >= 3)
    return len(recorded)


def test_a_log_survives_a_kill_at_every_write_point(database: str, tmp_path: Path) -> None:
    """Sending the same commands again does not repeat them."""
    with Store(database) as store, zygote(database, tmp_path) as crasher:
        survivors = set()
        for crash_at in range(1, 1_000):
            name = f"T{crash_at}"
            status = crasher.run(crash_at, name)
            if status == 0:
                break
            assert signal.SIGKILL == status
            log = tmp_path / f"{name}.acknowledged"
            acknowledged = len(log.read_text().split()) if log.exists() else 0
            survivors.add(check_survivor(store, name, acknowledged))
            assert 0 == crasher.run(0, name)
            assert crash_process.COMMANDS == check_survivor(store, name, crash_process.COMMANDS)
        assert crash_at > FEWEST_POINTS
        assert set(range(crash_process.COMMANDS + 1)) == survivors, (
            "an append was never interrupted"
        )
        verdict = check.check(store)
    assert verdict.ok, str(verdict)


def test_a_new_ledger_survives_a_kill_during_its_creation(tmp_path: Path) -> None:
    """Migrations are transactions."""
    database = f"sqlite:///{tmp_path}/NAME.db"
    with zygote(database, tmp_path) as crasher:
        for crash_at in range(1, 8):
            name = f"T{crash_at}"
            assert signal.SIGKILL == crasher.run(crash_at, name)
            assert 0 == crasher.run(0, name)
            verdict = verify(tmp_path / f"{name}.db")
            assert verdict.ok, str(verdict)
