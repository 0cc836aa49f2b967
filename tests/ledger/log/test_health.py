"""Health of a store: what keeps it from storing entries is reported, until it is over."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from croupier.clock import DAY, now_ms
from croupier.ledger.errors import StoreFailed
from croupier.ledger.log import Append, Store
from croupier.ledger.log.database import sqlite
from croupier.ledger.log.write import group_commit
from tests.ledger.log.log_verdict import check_log
from tests.ledger.log.sample_entries import entries, one_entry
from tests.support.manual_clock import manual_clock
from tests.support.postgres import PostgresServer


@pytest.mark.parametrize("suffix", ["", "-wal"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_removed_or_replaced_file_is_noticed(tmp_path: Path, suffix: str, replaced: bool) -> None:
    """SQLite would go on writing into a file that has no name, and all of it would be lost."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(entries("a", 0, 5))
        older = Path(f"{path}{suffix}").read_bytes()
        store.append(entries("a", 5, 5))
        Path(f"{path}{suffix}").unlink()
        if replaced:
            Path(f"{path}{suffix}").write_bytes(older)
        for _ in range(2):
            with pytest.raises(StoreFailed, match="removed or replaced; restart the server"):
                store.append(one_entry("a", 10))
            with pytest.raises(StoreFailed, match="removed or replaced"):
                store.command("a", "c11")  # it would be taken for durable
        assert "removed or replaced; restart the server" in store.health()
    if suffix or replaced:  # nothing is lost: SQLite has saved the log, or the log has it all
        with Store(path) as store:
            assert entries("a", 0, 10) == [stored.entry for stored in store.read("a")][:10]
    else:
        with pytest.raises(StoreFailed, match="has 0 entries; it once had 10"):
            Store(path)


def test_a_hung_database_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a commit waits, and no longer once it has succeeded."""
    monkeypatch.setattr(group_commit, "SLOW_SECONDS", 0.05)
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(one_entry("a", 0))
        assert "" == store.health()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting = Append(one_entry("a", 1))
            store.submit([waiting])
            wait_until(lambda: "has not answered" in store.health())
        waiting.wait()
        assert "" == store.health()


def test_a_failed_write_is_reported_until_one_succeeds(tmp_path: Path) -> None:
    """The outage is noted on record."""
    path = tmp_path / "ledger.db"
    with Store(path, lock_timeout_ms=50) as store:
        store.append(one_entry("a", 0))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreFailed):
                store.append(one_entry("a", 1))
            assert "locked" in store.health()
        deadline = time.monotonic() + 10
        while store.health() and time.monotonic() < deadline:
            time.sleep(0.02)
        (outage,) = store.read("@outages")
    assert "locked" in outage.entry.value["note"]["failed"]


def wait_until(condition: Callable[[], bool]) -> None:
    """Poll a condition that becomes true by itself."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a write has failed, and no longer once there is space."""
    with Store(tmp_path / "ledger.db") as store:
        store.append(one_entry("a", 0))
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "FREE_BYTES_MIN", 2**70)
            assert "is full" in store.health()
            with Store(tmp_path / "ledger.db", readonly=True) as reader:
                assert "" == reader.health()
        assert "" == store.health()


def test_a_clock_far_ahead_is_reported(tmp_path: Path) -> None:
    """Before a commit is refused, also by a store that has not written yet."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(one_entry("a", 0))
        with manual_clock(at=now_ms() + 32 * DAY, tick=1):
            with Store(path) as opened:
                assert "32 days after the last commit" in opened.health()
            assert "32 days after the last commit" in store.health()
        assert "" == store.health()


@pytest.mark.parametrize("outage", ["paused", "crashed"])
def test_a_lost_or_paused_server_is_reported(outage: str) -> None:
    """Although nothing is written or read; it is noted on record once it is over."""
    server = PostgresServer()
    processes: list[int] = []
    try:
        with Store(server.new_database()) as store:
            store.append(one_entry("a", 0))
            wait_until(lambda: store.health() == "")
            if outage == "paused":
                processes = server.processes()
                for process in processes:
                    os.kill(process, signal.SIGSTOP)
            else:
                server.crash()
            wait_until(lambda: store.health() != "")
            if outage == "paused":
                for process in processes:
                    os.kill(process, signal.SIGCONT)
            else:
                server.start()
            wait_until(lambda: store.health() == "")
            store.append(one_entry("a", 1))
            assert check_log(store).ok
            assert outage == "paused" or list(store.read("@outages"))
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)
        server.close()
