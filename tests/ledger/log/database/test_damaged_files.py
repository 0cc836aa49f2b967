"""Flipped bits in the file or its write-ahead log are reported or harmless, never a traceback."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log import Store, TreeHead
from croupier.ledger.log.database.seal import Seal, read_seal
from croupier.ledger.log.transfer import backup
from croupier.ledger.log.write import group_commit
from tests.ledger.log.log_verdict import LogVerdict, verify
from tests.ledger.log.sample_entries import entries, one_entry
from tests.support.killed_ledger import (
    copy_ledger,
    damaged_bytes,
    flip,
    frame_length,
    frames,
    killed_log,
    record_files,
)

FLIPS = 120


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TreeHead]:
    """A log that is entirely in the main file."""
    path = tmp_path_factory.mktemp("settled") / "ledger.db"
    with Store(path) as store:
        for number in range(30):
            store.append(entries("table:A", 10 * number, 10))
        head = store.head()
    assert not Path(f"{path}-wal").exists()
    return path, head


@pytest.fixture(scope="module", params=[12, 150])
def killed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, int]:
    """A log as a killed process left it, and its size; the longer one had a checkpoint."""
    path = tmp_path_factory.mktemp("killed") / "ledger.db"
    return path, killed_log(path, request.param)


def flipped(source: Path, target: Path, suffix: str, bit: int) -> Path:
    """A copy with one bit flipped in one of its files."""
    copy_ledger(source, target)
    flip(Path(f"{target}{suffix}"), bit // 8, bit % 8)
    return target


def is_reported_or_harmless(verdict: LogVerdict, head: TreeHead) -> bool:
    """Whether damage is reported or the log is still complete."""
    return not verdict.ok or verdict.head == head


def bits(path: Path, count: int, seed: int) -> list[int]:
    """Bits of the file header, and random bits of the rest."""
    size = path.stat().st_size * 8
    rng = random.Random(seed)
    return [*range(0, 100 * 8, 11), *(rng.randrange(size) for _ in range(count))]


def test_a_flipped_bit_in_the_file(settled: tuple[Path, TreeHead], tmp_path: Path) -> None:
    """In headers, pages, free space and the schema."""
    path, head = settled
    reported = 0
    for bit in bits(path, FLIPS, 1):
        verdict = verify(flipped(path, tmp_path / "x.db", "", bit))
        assert is_reported_or_harmless(verdict, head), f"bit {bit}"
        reported += not verdict.ok
    assert reported > FLIPS // 3, "most bits matter"


def test_a_flipped_bit_in_the_write_ahead_log(killed: tuple[Path, int], tmp_path: Path) -> None:
    """SQLite would silently stop reading there."""
    path, size = killed
    assert size == verify(flipped(path, tmp_path / "x.db", "-shm", 8 * 40)).head.size
    for bit in bits(Path(f"{path}-wal"), FLIPS, 2):
        verdict = verify(flipped(path, tmp_path / "x.db", "-wal", bit))
        assert not verdict.ok or verdict.head.size == size, f"bit {bit}"


def test_reading_and_writing_a_damaged_file_gives_messages(
    settled: tuple[Path, TreeHead], tmp_path: Path
) -> None:
    """Every operation either raises LedgerError or returns the correct entries."""
    path, head = settled
    honest = entries("table:A", 0, 300)
    for bit in bits(path, FLIPS, 4):
        copy = flipped(path, tmp_path / "x.db", "", bit)
        try:
            with Store(copy, create=False) as store:
                recorded = [stored.entry for stored in store.read("table:A")]
                store.append(one_entry("table:A", len(recorded)))
                size = store.head().size
        except LedgerError:
            continue
        assert honest == recorded
        assert head.size + 1 == size


@pytest.mark.parametrize("length", [0, 1, 50, 99, 100, 511, 2048, 5000, 20_000])
def test_a_truncated_file_gives_a_message(
    settled: tuple[Path, TreeHead], tmp_path: Path, length: int
) -> None:
    """Truncated at any length."""
    path, _ = settled
    (tmp_path / "x.db").write_bytes(path.read_bytes()[:length])
    try:
        verdict = verify(tmp_path / "x.db")
    except LedgerError:
        return
    assert not verdict.ok


# Commits that the seal confirms and the database has lost


def open_store(path: Path) -> None:
    Store(path).close()


def read_store(path: Path) -> None:
    Store(path, readonly=True).close()


def back_up(path: Path) -> None:
    backup.backup(path, f"{path}.copy")


def restore(path: Path) -> None:
    backup.restore(path, f"{path}.copy")


OPENINGS = (open_store, read_store, back_up, restore)


def check_refused(path: Path, size: int) -> None:
    """Every way to open a log raises with both sizes, and changes none of its files."""
    before = record_files(path)
    for opening in (*OPENINGS, *OPENINGS):
        with pytest.raises(StoreFailed, match=rf"has \d+ entries; it once had {size}\b"):
            opening(path)
        assert before == record_files(path), opening
    assert not Path(f"{path}.copy").exists()
    assert not verify(path).ok
    assert before == record_files(path)


def test_a_damaged_write_ahead_log_is_not_opened(killed: tuple[Path, int], tmp_path: Path) -> None:
    """In its header, and in headers and pages of the first, a middle and the last frame."""
    path, size = killed
    for byte in damaged_bytes(path):
        check_refused(flipped(path, tmp_path / "x.db", "-wal", 8 * byte), size)


def test_a_truncated_write_ahead_log_is_not_opened(
    killed: tuple[Path, int], tmp_path: Path
) -> None:
    """Even if it ends with a complete commit, or is gone."""
    path, size = killed
    starts = frames(path)
    middle, last = starts[len(starts) // 2], starts[-1] + frame_length(path)
    for length in (0, 16, 32, starts[0] + 100, middle, middle + 30, starts[-1], last - 1):
        copy = copy_ledger(path, tmp_path / "x.db")
        with Path(f"{copy}-wal").open("r+b") as log:
            log.truncate(length)
        check_refused(copy, size)
    Path(f"{copy}-wal").unlink()
    check_refused(copy, size)


def test_an_undamaged_copy_is_opened(killed: tuple[Path, int], tmp_path: Path) -> None:
    """With every acknowledged entry, whatever became of SQLite's index."""
    path, size = killed
    copy = tmp_path / "x.db"
    for damage in (
        lambda index: None,
        lambda index: index.unlink(),
        lambda index: index.write_bytes(bytes(32_768)),
        lambda index: index.write_bytes(random.Random(1).randbytes(32_768)),
    ):
        copy_ledger(path, copy)
        damage(Path(f"{copy}-shm"))
        read_store(copy)
        assert record_files(path) == record_files(copy), "reading changes nothing"
        with Store(copy) as store:
            assert entries("table:A", 0, size) == [s.entry for s in store.read("table:A")]
            store.append(one_entry("table:A", size))
        assert verify(copy).ok


def test_an_older_copy_or_no_file_in_its_place_is_not_opened(tmp_path: Path) -> None:
    """A ledger that was replaced while no process had it open."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(entries("a", 0, 5))
    shutil.copy(path, tmp_path / "older.db")
    with Store(path) as store:
        store.append(entries("a", 5, 5))
    shutil.copy(tmp_path / "older.db", path)
    with pytest.raises(StoreFailed, match="has 5 entries; it once had 10"):
        Store(path)
    path.unlink()
    with pytest.raises(StoreFailed, match="has 0 entries; it once had 10"):
        Store(path)
    assert not path.exists()


def test_an_older_file_beside_a_newer_log_is_not_played_on(
    killed: tuple[Path, int], tmp_path: Path
) -> None:
    """It is complete, because the log has all the rest, or it is refused."""
    path, size = killed
    copy = copy_ledger(path, tmp_path / "x.db")
    with Store(tmp_path / "older.db") as store:
        store.append(entries("table:A", 0, 5))
    shutil.copy(tmp_path / "older.db", copy)
    before = record_files(copy)
    try:
        with Store(copy, readonly=True) as store:
            assert entries("table:A", 0, size) == [s.entry for s in store.read("table:A")]
    except LedgerError:
        with pytest.raises(LedgerError):
            Store(copy)
    assert before == record_files(copy)


# The seal itself


def test_a_torn_seal_leaves_the_one_before(killed: tuple[Path, int], tmp_path: Path) -> None:
    """Any damage of one of its blocks is harmless to an intact ledger."""
    path, size = killed
    length = Path(f"{path}-seal").stat().st_size
    for bit in random.Random(5).sample(range(8 * length), 60):
        read_store(flipped(path, tmp_path / "x.db", "-seal", bit))
    written = [start for start in range(0, length, 512) if Path(f"{path}-seal").read_bytes()[start]]
    assert len(written) == 2
    for start in written:
        copy = flipped(path, tmp_path / "x.db", "-seal", 8 * start + 3)
        Path(f"{copy}-wal").unlink()
        with pytest.raises(StoreFailed, match=rf"it once had ({size}|{size - 5})\b"):
            Store(copy)


def test_a_seal_without_a_valid_block_is_not_ignored(
    killed: tuple[Path, int], tmp_path: Path
) -> None:
    """Except one that is empty: it was created, and then nothing was committed."""
    path, _ = killed
    copy = copy_ledger(path, tmp_path / "x.db")
    seal = Path(f"{copy}-seal")
    for content in (b"1 2 3", b"\n" * 8192, b"\xff" * 8192, seal.read_bytes()[100:]):
        seal.write_bytes(content)
        for opening in OPENINGS:
            with pytest.raises(StoreFailed, match=r"x\.db-seal is damaged"):
                opening(copy)
        assert "x.db-seal is damaged" in str(verify(copy))
    for content in (b"", bytes(4096), bytes(8192)):
        seal.write_bytes(content)
        read_store(copy)


def test_the_seal_of_another_ledger_is_refused(tmp_path: Path) -> None:
    """Of the same size, and of a shorter one."""
    for name, first in (("one", "a"), ("two", "b")):
        with Store(tmp_path / f"{name}.db") as store:
            store.append(entries(first, 0, 3))
    for more in (0, 3):
        if more:
            Path(f"{tmp_path}/one.db-seal").unlink()
            with Store(tmp_path / "one.db") as store:
                store.append(entries("a", 3, more))
        shutil.copy(tmp_path / "two.db-seal", tmp_path / "one.db-seal")
        with pytest.raises(StoreFailed, match="the first 3 entries are not the ones"):
            Store(tmp_path / "one.db")
        assert not verify(tmp_path / "one.db").ok


def test_a_ledger_is_renamed_with_its_files(killed: tuple[Path, int], tmp_path: Path) -> None:
    """And opened through a symbolic link, whose name has no other seal."""
    path, size = killed
    copy_ledger(path, tmp_path / "renamed.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "renamed.db")
    with Store(tmp_path / "link.db") as store:
        store.append(one_entry("table:A", size))
    assert not (tmp_path / "link.db-seal").exists()
    assert (sealed := read_seal(tmp_path / "link.db")) is not None
    assert size + 1 == sealed.size
    (tmp_path / "renamed.db").unlink()
    with pytest.raises(StoreFailed, match=f"has 0 entries; it once had {size + 1}"):
        Store(tmp_path / "link.db")


def test_two_writers_never_move_the_seal_back(tmp_path: Path) -> None:
    """The one that was slower to write it has the older commit."""
    with Store(tmp_path / "ledger.db") as store:
        heads = [TreeHead(size, bytes([size]) * 32, size) for size in range(1, 6)]
        left, right = Seal(tmp_path / "ledger.db"), Seal(tmp_path / "ledger.db")
        for seal, head in ((left, 0), (right, 2), (left, 1), (left, 3), (right, 4), (left, 2)):
            seal.write(heads[head])
            assert (before := read_seal(tmp_path / "ledger.db")) is not None
            assert before.size >= heads[head].size
        assert heads[4] == before
        left.close()
        right.close()
        assert 0 == store.head().size


def test_the_seal_has_the_permissions_of_the_ledger(tmp_path: Path) -> None:
    """An auditor who may read the ledger may read the seal."""
    path = tmp_path / "ledger.db"
    path.touch(mode=0o640)
    path.chmod(0o640)
    with Store(path) as store:
        store.append(one_entry("a", 0))
    assert path.stat().st_mode == Path(f"{path}-seal").stat().st_mode
    assert path.stat().st_uid == Path(f"{path}-seal").stat().st_uid


def test_a_seal_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    """The ledger is not opened without it."""
    path = tmp_path / "ledger.db"
    Path(f"{path}-seal").mkdir()
    for readonly in (False, True):
        with pytest.raises(StoreFailed, match="-seal"):
            Store(path, readonly=readonly)


def test_a_seal_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """The commit is durable, so its answer stands; health reports it until a restart."""
    path = tmp_path / "ledger.db"
    with Store(path) as store:
        store.append(one_entry("a", 0))
        Path(f"{path}-seal").rename(tmp_path / "moved")
        store.append(one_entry("a", 1))
        for _ in range(2):
            time.sleep(1.2 * group_commit.IDLE_SECONDS)
            assert "the seal could not be written" in store.health()
            assert "restart the server" in store.health()
    with Store(path) as store:
        assert 2 == store.head().size
        assert "" == store.health()
