"""Full disk, locked database, lost and hung servers, media that cannot be written to."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import psycopg
import pytest

from croupier.ledger.errors import LedgerError, NotFound, StoreFailed
from croupier.ledger.log import Store
from croupier.ledger.log.database import opening
from croupier.ledger.log.database.connection import WRITER_LOCK, DatabaseConnection
from croupier.ledger.log.transfer import jsonl
from croupier.ledger.log.transparency import check
from croupier.ledger.log.transparency.check import verify
from tests.ledger.log.sample_entries import entries, one
from tests.support.paths import ROOT
from tests.support.postgres import PostgresServer

FULL_DISK = """
import resource, signal, sys
from croupier.ledger.errors import StoreFailed
from croupier.ledger.log import Store
from tests.ledger.log.sample_entries import entries

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
done = 0
try:
    while True:
        store.append(entries("a", done, 5))
        done += 5
except StoreFailed as failed:
    print("failed:", failed)
print("stored:", done)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print("recorded:", store.tip("a")[0])
store.append(entries("a", done, 5))
store.close()
"""


@pytest.mark.parametrize("room", [320_000, 401_234, 600_000])
def test_a_full_disk_loses_nothing(tmp_path: Path, room: int) -> None:
    """What was said to be stored is; what failed is not; with room again it goes on."""
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
    assert int(told["stored"]) > 5
    assert told["stored"] == told["recorded"]
    assert verdict.ok, str(verdict)


def test_a_locked_sqlite_database_is_waited_for_and_given_up(tmp_path: Path) -> None:
    """Nothing happened; the same command goes through later."""
    path = tmp_path / "ledger.db"
    with Store(path, lock_timeout_ms=100) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreFailed, match="locked"):
                store.append(one("a", 0))
            assert 0 == store.head().size
        store.append(one("a", 0))
        assert 1 == store.head().size


def test_a_locked_postgresql_database_is_waited_for_and_given_up(postgres: PostgresServer) -> None:
    """The right to write is held by a session that hangs: waiting has an end."""
    url = postgres.new_database()
    with Store(url, lock_timeout_ms=200) as store:
        with psycopg.connect(url) as other:
            other.execute(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
            with pytest.raises(StoreFailed, match="lock timeout"):
                store.append(one("a", 0))
            other.rollback()
        store.append(one("a", 0))


def test_a_lost_server_comes_back() -> None:
    """It dies between appends; nothing is lost, nothing doubled, and the store goes on."""
    server = PostgresServer()
    try:
        with Store(server.new_database()) as store:
            store.append(entries("a", 0, 3))
            server.crash()
            with pytest.raises(StoreFailed):
                store.append(one("a", 3))
            with pytest.raises(StoreFailed, match="cannot be read"):
                store.head()
            server.start()
            assert 3 == store.tip("a")[0]
            store.append(one("a", 3))
            verdict = check.check(store)
        assert verdict.ok, str(verdict)
    finally:
        server.close()


def test_what_comes_back_after_the_end_is_closed(postgres: PostgresServer) -> None:
    """A thread that still asks when a store is closed leaves no connection open behind it."""
    store = Store(postgres.new_database())
    before = store.connections.lend()
    store.close()
    late = store.connections.lend()
    for lent in (before, late):
        assert not lent.raw.closed
        lent.give_back()
        assert lent.raw.closed


def test_a_hung_server_is_given_up() -> None:
    """It is stopped, not dead: its socket stays open and says nothing for ever."""
    server = PostgresServer()
    processes = server.processes()
    try:
        with Store(server.new_database(), answer_timeout_ms=1_500) as store:
            store.append(entries("a", 0, 3))
            processes = server.processes()
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            started = time.monotonic()
            with pytest.raises(StoreFailed):
                store.append(one("a", 3, "late"))
            with pytest.raises(StoreFailed):
                store.tip("a")
            with pytest.raises(StoreFailed):
                Store(store.address, answer_timeout_ms=1_500)
            assert time.monotonic() - started < 30
            for process in processes:
                os.kill(process, signal.SIGCONT)
            deadline = time.monotonic() + 20
            while store.command("a", "late") is None and time.monotonic() < deadline:
                try:  # it may have been stored after all: who asks under the same id learns it
                    store.append(one("a", 3, "late"))
                except LedgerError:
                    time.sleep(0.2)
            assert 4 == store.tip("a")[0]
            verdict = check.check(store)
        assert verdict.ok, str(verdict)
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)
        server.close()


FAIRNESS = """
import sys, time
from croupier.ledger.errors import Conflict
from croupier.ledger.log import Store
from tests.ledger.log.sample_entries import one

url, name = sys.argv[1:]
with Store(url) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(10):
        while True:
            try:
                with store.turn("meters:x"):
                    last = store.tip("meters:x")[0]
                    time.sleep(0.002)
                    store.append(one("meters:x", last, f"{name}.{number}"))
                break
            except Conflict:
                print("conflict", flush=True)
"""


def test_nobody_starves_over_one_meter(database: str) -> None:
    """Who takes turns decides undisturbed: no process is told that others were first."""
    Store(database).close()
    fighters = [
        subprocess.Popen(
            [sys.executable, "-c", FAIRNESS, database, f"f{i}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for i in range(4)
    ]
    for fighter in fighters:
        assert fighter.stdout and fighter.stdout.readline() == "ready\n"
    told = []
    for fighter in fighters:
        assert fighter.stdin
        fighter.stdin.write("go\n")
        fighter.stdin.flush()
    for fighter in fighters:
        told.append(fighter.communicate(timeout=120)[0])
        assert 0 == fighter.returncode
    with Store(database) as store:
        verdict = check.check(store)

    assert ["", "", "", ""] == told
    assert 40 == verdict.head.size
    assert verdict.ok, str(verdict)


def test_what_is_no_ledger_is_not_opened(tmp_path: Path) -> None:
    """A file of another kind, another database, memory: refused in a sentence."""
    (tmp_path / "letter.txt").write_text("Dear auditor, " * 100)
    addresses: list[str | Path] = [tmp_path / "letter.txt", tmp_path, tmp_path / "no" / "folder"]
    addresses += ["sqlite://", "mysql://x/y", "what://", "\x1b[2J://", "postgresql://nobody:1/x"]
    for url in addresses:
        with pytest.raises(LedgerError) as caught:
            Store(url, answer_timeout_ms=1_000)
        assert "\x1b" not in str(caught.value)


def test_reading_makes_no_ledger(tmp_path: Path, postgres: PostgresServer) -> None:
    """A mistyped name is not a new, empty and perfectly verified record."""
    for url in (tmp_path / "typo.db", f"sqlite:///{tmp_path}/typo.db", postgres.new_database()):
        for readonly in (True, False):
            with pytest.raises(NotFound, match="no ledger"):
                Store(url, create=False, readonly=readonly)
        with pytest.raises(NotFound, match="no ledger"):
            verify(url)
    assert [] == list(tmp_path.iterdir())


def test_a_newer_schema_is_refused_in_a_sentence(database: str) -> None:
    """Made by a Croupier to come."""
    with Store(database) as store, store.writing() as line:
        line.run("UPDATE alembic_version SET version_num = '9999'")
    for readonly in (True, False):
        with pytest.raises(StoreFailed, match="newer Croupier"):
            Store(database, readonly=readonly)
    assert "newer Croupier" in str(verify(database))


def test_a_store_opened_to_read_writes_nothing(database: str) -> None:
    """Neither through the store nor past it."""
    with Store(database) as store:
        store.append(one("a", 0))
    with Store(database, readonly=True) as store:
        for attempt in (
            lambda: store.append(one("a", 1)),
            lambda: store.note("refused", 0, {}),
            lambda: store.add_house("d" * 64, "{}"),
        ):
            with pytest.raises(StoreFailed, match="read only"):
                attempt()
        with pytest.raises(StoreFailed, match=r"read-?only"), store.connections.lent() as raw:
            DatabaseConnection(raw).run("INSERT INTO stream VALUES (9, 'x')")
        assert 1 == store.head().size


READ = """
import os, pwd, sys
from pathlib import Path
from croupier.ledger.log import Store
from croupier.ledger.log.database import schema_check
from croupier.ledger.log.transfer import jsonl as transfer
from croupier.ledger.log.transparency.check import verify
schema_check.expected("sqlite")  # imports what nobody else may read here
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
    with open(os.devnull, "wb") as target:
        transfer.export(store, target)
"""


@pytest.mark.parametrize("pending", [False, True])
def test_read_only_media_are_verified_and_exported(pending: bool) -> None:
    """Also when the newest commits still lie in the write-ahead log; nothing is left behind."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
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
        for path in media.iterdir():
            path.chmod(0o444)
        media.chmod(0o555)
        folder.chmod(0o755)
        before = sorted(path.name for path in media.iterdir())
        told = subprocess.run(
            [sys.executable, "-c", READ, str(media / "ledger.db")],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
        after = sorted(path.name for path in media.iterdir())
        media.chmod(0o755)

    assert 0 == told.returncode, told.stderr
    assert f"verified: 9 entries, root {head.root.hex()}\n9 entries\n" == told.stdout
    assert before == after


def test_a_private_copy_for_reading_is_removed(tmp_path: Path) -> None:
    """What was made to read a write-ahead log is gone when the store is closed."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(one("a", 0))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(opening, "_reads", lambda file, mode: False)
            with ExitStack() as cleanup:
                address, mode = opening._readable(store.address, path, cleanup)
                assert (copied := address.file) is not None
                assert "mode=rw" == mode
                assert stat.S_ISREG(copied.stat().st_mode)
            assert not copied.parent.exists()
            with Store(path, readonly=True) as reader:
                assert 1 == reader.head().size


def test_appends_wait_while_the_database_is_held(database: str) -> None:
    """And go through when it is free, all in one commit."""
    with Store(database) as store:
        done: list[int] = []
        with store.writing():
            threads = [
                threading.Thread(target=lambda i=i: done.append(len(store.append(one(f"t{i}", 0)))))
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


def test_an_export_can_be_read_by_the_verifier_alone(tmp_path: Path) -> None:
    """One file, the standard library and `cryptography`: copied away, it still runs."""
    with Store(tmp_path / "ledger.db") as store:
        store.append(entries("a", 0, 9))
        jsonl.export_file(store, tmp_path / "log.jsonl")
    shutil.copy(ROOT / "croupier/ledger/log/transparency/verifier.py", tmp_path / "verifier.py")
    done = subprocess.run(
        [sys.executable, "-I", "verifier.py", "log.jsonl"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    assert "whole: 9 of 9 entries" in done.stdout


LOOK_AND_GO = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT 1 FROM entry')"


def test_an_audit_takes_no_locks_from_the_tables_of_its_process(tmp_path: Path) -> None:
    """Else the next process that goes puts away a write-ahead log that is in use."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(one("a", 0))
        for again in range(2):
            assert verify(path).ok
            subprocess.run([sys.executable, "-c", LOOK_AND_GO, str(path)], check=True)
            store.append(one("a", again + 1))

            with Store(path, readonly=True) as beside:
                assert again + 2 == beside.head().size
    assert verify(path).ok


def test_the_write_ahead_log_has_room_before_it_is_needed(tmp_path: Path) -> None:
    """Most commits do not make the file longer; without room they are as durable."""
    path, sizes = tmp_path / "ledger.db", []
    with Store(path) as store:
        for number in range(40):
            store.append(one("a", number))
            sizes.append(Path(f"{path}-wal").stat().st_size)
        for again in range(3):  # whoever comes later finds the room that is there
            with Store(path) as other:
                other.append(one("b", 2 * again))
                other.append(one("b", 2 * again + 1))
            sizes.append(Path(f"{path}-wal").stat().st_size)
        shutil.copy(path, tmp_path / "killed.db")
        shutil.copy(f"{path}-wal", tmp_path / "killed.db-wal")

    assert len(set(sizes)) == 2
    assert max(sizes) < 2**21
    assert verify(tmp_path / "killed.db").head.size == 46
