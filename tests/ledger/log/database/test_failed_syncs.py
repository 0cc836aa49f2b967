"""EIO and ENOSPC on the files of a ledger: what failed does not count, and what counts stays."""

from __future__ import annotations

import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.ledger.log import Store
from croupier.ledger.log.database.seal import read_seal
from tests.ledger.log.log_verdict import verify
from tests.ledger.log.sample_entries import entries
from tests.support.failing_disk import EIO, ENOSPC, FailingDisk

LOG_FAULTS = [f"{verb} -wal {error}" for verb in ("sync", "write") for error in (EIO, ENOSPC)]


@pytest.fixture(scope="module")
def failing_disk(tmp_path_factory: pytest.TempPathFactory) -> FailingDisk:
    """A disk that fails on demand."""
    return FailingDisk(tmp_path_factory.mktemp("library"))


FAIL_AND_GO_ON = """
store = Store(path)
store.append(entries("a", 0, 5))
store.append(entries("a", 5, 10))
fault(FAULT)
for _ in range(3):
    assert "could not be written" in fails(store, 15)
    assert 15 == store.stream_tip("a")[0] == store.head().size
    assert store.command("a", "c16") is None
    with Store(path, readonly=True) as reader:
        assert 15 == reader.head().size
    assert "could not be written" in store.health()
repair()
store.append(entries("a", 15, 2))
store.append(entries("a", 17, 8))
wait_for(lambda: store.health() == "")
assert [stored.entry for stored in store.read("a")] == entries("a", 0, 25)
assert verify(path).ok, str(verify(path))
kill()
"""


@pytest.mark.parametrize("fault", LOG_FAULTS)
def test_a_failed_commit_does_not_count(
    failing_disk: FailingDisk, tmp_path: Path, fault: str
) -> None:
    """Neither while the disk fails nor afterwards, and nothing is reported as damaged."""
    path = tmp_path / "ledger.db"
    done = failing_disk.run(FAIL_AND_GO_ON.replace("FAULT", repr(fault)), path)
    assert -signal.SIGKILL == done.returncode, done.stderr
    assert verify(path).ok, str(verify(path))
    with Store(path) as store:
        assert entries("a", 0, 25) == [stored.entry for stored in store.read("a")]


FAIL_AND_DIE = """
store = Store(path)
store.append(entries("a", 0, 15))
fault(FAULT)
fails(store, 15)
kill()
"""


@pytest.mark.parametrize("fault", LOG_FAULTS)
def test_a_failed_commit_is_made_durable_before_it_counts(
    failing_disk: FailingDisk, tmp_path: Path, fault: str
) -> None:
    """After a crash SQLite reads it again, if it was written: the next opening must sync it."""
    path = tmp_path / "ledger.db"
    done = failing_disk.run(FAIL_AND_DIE.replace("FAULT", repr(fault)), path)
    assert -signal.SIGKILL == done.returncode, done.stderr
    assert verify(path).ok, str(verify(path))
    with Store(path, readonly=True) as store:
        recovered = store.head().size
    assert recovered == (20 if fault.startswith("sync") else 15)
    if recovered == 20:
        done = failing_disk.run("Store(path)", path, f"sync -wal {EIO}")
        assert "StoreFailed" in done.stderr and "cannot be opened" in done.stderr
        done = failing_disk.run("Store(path)", path, f"sync .db {EIO}")
        assert "StoreFailed" in done.stderr and "cannot be opened" in done.stderr

    with Store(path) as store:
        assert recovered == store.head().size
        assert (sealed := read_seal(path)) is not None
        assert recovered == sealed.size
        if recovered == 20:
            # The log may have a gap on disk there, so nothing may be appended behind it.
            assert 0 == Path(f"{path}-wal").stat().st_size
            shutil.copy(path, tmp_path / "alone.db")
            with closing(sqlite3.connect(tmp_path / "alone.db")) as alone:
                assert (20,) == alone.execute("SELECT max(size) FROM head").fetchone()
        store.append(entries("a", recovered, 5))
    assert verify(path).ok


CHECKPOINTS_FAIL = """
store = Store(path)
fault(FAULT)
for number in range(150):
    store.append(entries("a", 10 * number, 10))
assert Path(f"{path}-wal").stat().st_size > 2_100_000, "there was a checkpoint"
assert 1500 == store.head().size
kill()
"""


@pytest.mark.parametrize("fault", [f"sync .db {EIO}", f"write .db {ENOSPC}", f"write .db {EIO}"])
def test_a_failed_checkpoint_loses_nothing(
    failing_disk: FailingDisk, tmp_path: Path, fault: str
) -> None:
    """The commits are in the write-ahead log."""
    path = tmp_path / "ledger.db"
    done = failing_disk.run(CHECKPOINTS_FAIL.replace("FAULT", repr(fault)), path)
    assert -signal.SIGKILL == done.returncode, done.stderr
    assert verify(path).ok, str(verify(path))
    with Store(path) as store:
        assert entries("a", 0, 1500) == [stored.entry for stored in store.read("a")]


SEAL_FAILS = """
store = Store(path)
store.append(entries("a", 0, 5))
fault(FAULT)
store.append(entries("a", 5, 5))
wait_for(lambda: "the seal could not be written" in store.health())
store.append(entries("a", 10, 5))
repair()
wait_for(lambda: store.health() == "")
kill()
"""


@pytest.mark.parametrize("fault", [f"write -seal {ENOSPC}", f"sync -seal {EIO}"])
def test_a_seal_on_a_failing_disk_is_reported(
    failing_disk: FailingDisk, tmp_path: Path, fault: str
) -> None:
    """The commit is durable, so its answer stands; the seal is written once that is possible."""
    path = tmp_path / "ledger.db"
    done = failing_disk.run(SEAL_FAILS.replace("FAULT", repr(fault)), path)
    assert -signal.SIGKILL == done.returncode, done.stderr
    assert (sealed := read_seal(path)) is not None
    assert 15 == sealed.size
    assert verify(path).ok


HANGS = """
store = Store(path)
store.append(entries("a", 0, 5))
fault(FAULT)
waiting = Append(entries("a", 5, 5))
store.submit([waiting])
if "-wal" not in FAULT:
    waiting.wait()
wait_for(lambda: "has not answered" in store.health())
repair()
waiting.wait()
wait_for(lambda: store.health() == "")
store.close()
assert verify(path).head.size == 10
"""


@pytest.mark.parametrize("fault", ["hang -wal 1", "hang -seal 1"])
def test_a_hung_disk_is_reported(failing_disk: FailingDisk, tmp_path: Path, fault: str) -> None:
    """In a commit, and when the seal is synced while nothing is committed."""
    done = failing_disk.run(HANGS.replace("FAULT", repr(fault)), tmp_path / "ledger.db")
    assert 0 == done.returncode, done.stderr
