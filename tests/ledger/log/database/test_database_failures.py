"""Full disk, locked database, lost and hung servers, read-only media."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from croupier.ledger.errors import LedgerError, NotFound, StoreFailed
from croupier.ledger.log import Store
from croupier.ledger.log.database import opening
from croupier.ledger.log.transfer import jsonl
from tests.ledger.log.log_verdict import check_log, verify
from tests.ledger.log.sample_entries import entries, one_entry
from tests.support.paths import ROOT
from tests.support.postgres import PostgresServer
from tests.support.run_python import run_python


def test_connections_released_after_close_are_closed(postgres: PostgresServer) -> None:
    """A thread that still reads when a store is closed leaks no connection."""
    store = Store(postgres.new_database())
    with store.database.connection() as before:
        store.close()
        with store.database.connection() as late:
            assert not late.raw.closed
        assert late.raw.closed and not before.raw.closed
    assert before.raw.closed


def test_a_hung_server_times_out(postgres: PostgresServer) -> None:
    """It is stopped, not dead: its socket stays open without an answer."""
    processes: list[int] = []
    try:
        with Store(postgres.new_database(), answer_timeout_ms=1_500) as store:
            store.append(entries("a", 0, 3))
            processes = postgres.processes()
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            started = time.monotonic()
            with pytest.raises(StoreFailed):
                store.append(one_entry("a", 3, "late"))
            with pytest.raises(StoreFailed):
                store.stream_tip("a")
            with pytest.raises(StoreFailed):
                Store(store.address, answer_timeout_ms=1_500)
            assert time.monotonic() - started < 30
            for process in processes:
                os.kill(process, signal.SIGCONT)
            deadline = time.monotonic() + 20
            while store.command("a", "late") is None and time.monotonic() < deadline:
                try:  # it may have been stored after all, which a repeat under the same id shows
                    store.append(one_entry("a", 3, "late"))
                except LedgerError:
                    time.sleep(0.2)
            assert 4 == store.stream_tip("a")[0]
            verdict = check_log(store)
        assert verdict.ok, str(verdict)
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def test_other_databases_are_not_opened(tmp_path: Path) -> None:
    """Other files, unsupported databases and memory are refused with a message."""
    (tmp_path / "letter.txt").write_text("Dear auditor, " * 100)
    addresses: list[str | Path] = [tmp_path / "letter.txt", tmp_path, tmp_path / "no" / "folder"]
    addresses += ["sqlite://", "mysql://x/y", "what://", "\x1b[2J://", "postgresql://unknown:1/x"]
    for url in addresses:
        with pytest.raises(LedgerError) as caught:
            Store(url, answer_timeout_ms=1_000)
        assert "\x1b" not in str(caught.value)


def test_reading_does_not_create_a_ledger(tmp_path: Path, postgres: PostgresServer) -> None:
    """A mistyped name must not become a new, empty and verified ledger."""
    for url in (tmp_path / "typo.db", f"sqlite:///{tmp_path}/typo.db", postgres.new_database()):
        for readonly in (True, False):
            with pytest.raises(NotFound, match="no ledger"):
                Store(url, create=False, readonly=readonly)
        with pytest.raises(NotFound, match="no ledger"):
            verify(url)
    assert [] == list(tmp_path.iterdir())


def test_a_newer_schema_is_refused_with_a_message(database: str) -> None:
    """The ledger was made by a newer version of Croupier."""
    with Store(database) as store, store.write_transaction() as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for readonly in (True, False):
        with pytest.raises(StoreFailed, match="newer Croupier"):
            Store(database, readonly=readonly)
    assert "newer Croupier" in str(verify(database))


def test_a_read_only_store_writes_nothing(database: str) -> None:
    """Neither through the store nor through its connections."""
    with Store(database) as store:
        store.append(one_entry("a", 0))
    with Store(database, readonly=True) as store:
        for attempt in (
            lambda: store.append(one_entry("a", 1)),
            lambda: store.append_background("refused", 0, {}),
            lambda: store.add_house("d" * 64, "{}"),
        ):
            with pytest.raises(StoreFailed, match="read-only"):
                attempt()
        with pytest.raises(StoreFailed, match=r"read-?only"), store.database.connection() as raw:
            raw.execute("INSERT INTO stream VALUES (9, 'x')")
        assert 1 == store.head().size


READ = """
import os, pwd, sys
from pathlib import Path
from croupier.ledger.log import Store
from croupier.ledger.log.database import schema_check
from croupier.ledger.log.transfer import jsonl as transfer
from tests.ledger.log.log_verdict import verify
from croupier.ledger.log.write import group_commit
schema_check.expected_schema("sqlite")  # imports modules that the unprivileged user cannot read
if os.geteuid() == 0:
    nobody = pwd.getpwnam("nobody")
    os.setgroups([]); os.setgid(nobody.pw_gid); os.setuid(nobody.pw_uid)
path = sys.argv[1]
try:
    open(path, "ab")
    print("can be written")
except OSError:
    pass
verdict = verify(path)
print(verdict)
with Store(path, create=False, readonly=True) as store:
    print(len(list(store.read("a"))), "entries")
    print(len(list(transfer.export_lines(store))), "lines")
"""


@pytest.mark.parametrize("pending", [False, True])
def test_read_only_media_are_verified_and_exported(pending: bool) -> None:
    """Also if the latest commits are still in the write-ahead log; no files are left behind."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source, media = folder / "live.db", folder / "media"
        media.mkdir()
        with Store(source) as store:
            store.append(entries("a", 0, 9))
            head = store.head()
            if pending:
                shutil.copy(f"{source}-wal", media / "ledger.db-wal")
                shutil.copy(source, media / "ledger.db")
        if not pending:
            shutil.copy(source, media / "ledger.db")
        shutil.copy(f"{source}-seal", media / "ledger.db-seal")
        for path in media.iterdir():
            path.chmod(0o444)
        media.chmod(0o555)
        folder.chmod(0o755)
        before = sorted(path.name for path in media.iterdir())
        done = run_python("-c", READ, media / "ledger.db")
        after = sorted(path.name for path in media.iterdir())
        media.chmod(0o755)

    assert 0 == done.returncode, done.stderr
    assert f"verified: 9 entries, root {head.root.hex()}\n9 entries\n11 lines\n" == done.stdout
    assert before == after


def test_a_private_copy_for_reading_is_removed(tmp_path: Path) -> None:
    """The copy made to read a write-ahead log is deleted when the store is closed."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(one_entry("a", 0))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(opening, "_is_readable", lambda file: False)
            with ExitStack() as cleanup:
                copied, mode = opening._readonly_mode(path, cleanup)
                assert "mode=rw" == mode
                assert stat.S_ISREG(copied.stat().st_mode)
            assert not copied.parent.exists()
            with Store(path, readonly=True) as reader:
                assert 1 == reader.head().size


def test_appends_wait_for_the_writer_lock(database: str) -> None:
    """And are committed in one transaction when it is released."""
    with Store(database) as store:
        done: list[int] = []
        with store.write_transaction():
            threads = [
                threading.Thread(
                    target=lambda i=i: done.append(len(store.append(one_entry(f"t{i}", 0))))
                )
                for i in range(8)
            ]
            for thread in threads:
                thread.start()
            time.sleep(0.2)
            assert [] == done
        for thread in threads:
            thread.join()
        assert 8 == len(done)
        assert 3 > len(list(store.heads()))


def test_the_verifier_runs_standalone(tmp_path: Path) -> None:
    """A copy of the file runs with only the standard library and `cryptography`."""
    with Store(tmp_path / "ledger.db") as store:
        store.append(entries("a", 0, 9))
        jsonl.export_file(store, tmp_path / "log.jsonl")
    shutil.copy(ROOT / "croupier/ledger/log/transparency/verifier.py", tmp_path / "verifier.py")
    done = run_python("-I", "verifier.py", "log.jsonl", cwd=tmp_path)
    assert 0 == done.returncode, done.stderr
    assert "whole: 9 of 9 entries" in done.stdout


READ_AND_EXIT = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT 1 FROM entry')"


def test_a_check_keeps_the_locks_of_its_process(tmp_path: Path) -> None:
    """Otherwise the next process to close would delete a write-ahead log in use."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(one_entry("a", 0))
        for again in range(2):
            assert verify(path).ok
            subprocess.run([sys.executable, "-c", READ_AND_EXIT, str(path)], check=True)
            store.append(one_entry("a", again + 1))

            with Store(path, readonly=True) as reader:
                assert again + 2 == reader.head().size
    assert verify(path).ok


WRITER = """
import sys
from croupier.ledger.log import Store
from tests.ledger.log.sample_entries import entries

with Store(sys.argv[1]) as store:
    for number, line in enumerate(sys.stdin):
        store.append(entries(sys.argv[2], 10 * number, 10))
        print("done", flush=True)
"""

READER = """
import sqlite3, sys

for line in sys.stdin:
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN")
    print(connection.execute("SELECT max(size) FROM head").fetchone(), flush=True)
    sys.stdin.readline()
    connection.close()
    print("done", flush=True)
"""


class Worker:
    """A process that does one thing for each line."""

    def __init__(self, program: str, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def go(self) -> None:
        """Let it do one thing, and wait for it."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline()

    def end(self) -> None:
        """Wait for its end."""
        self.process.communicate(timeout=60)
        assert 0 == self.process.returncode


def test_two_processes_keep_the_write_ahead_log_small(tmp_path: Path) -> None:
    """They append in turn; the log is overwritten after each checkpoint."""
    path = tmp_path / "ledger.db"
    workers = [Worker(WRITER, path, name) for name in "ab"]
    sizes = []
    for _ in range(150):
        for worker in workers:
            worker.go()
        sizes.append(Path(f"{path}-wal").stat().st_size)
    assert max(sizes) < 2**22, "four megabytes"
    assert sizes[-1] == sizes[-30], "it has its final size"
    for worker in workers:
        worker.end()
    assert 3000 == verify(path).head.size


def test_a_reader_does_not_leave_a_long_write_ahead_log(tmp_path: Path) -> None:
    """While it reads, the log grows; afterwards it is truncated again."""
    path = tmp_path / "ledger.db"
    writer = Worker(WRITER, path, "a")
    writer.go()
    reader = Worker(READER, path)
    peak = 0
    for commits in (20, 20, 400, 20, 20):
        reader.go()
        for _ in range(commits):
            writer.go()
        peak = max(peak, Path(f"{path}-wal").stat().st_size)
        reader.go()
        for _ in range(5):
            writer.go()
        assert Path(f"{path}-wal").stat().st_size <= 2**22, commits
    assert peak > 2**22, "the reader has held it up"
    reader.end()
    writer.end()
