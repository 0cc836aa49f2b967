"""Flipped bits in the file or its write-ahead log are reported or harmless, never a traceback."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log import Store, TreeHead
from croupier.ledger.log.transparency.check import LogVerdict, verify
from tests.ledger.log.sample_entries import entries, one_entry

FLIPS = 120
PARTS = ("", "-wal", "-shm", "-seal")  # what a killed process leaves


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


@pytest.fixture(scope="module")
def pending(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TreeHead]:
    """The latest commits are in the write-ahead log, as a killed process leaves them."""
    folder = tmp_path_factory.mktemp("pending")
    with Store(folder / "live.db") as store:
        for number in range(12):
            store.append(entries("table:A", number, 1))
        head = store.head()
        for suffix in PARTS:
            shutil.copy(f"{folder}/live.db{suffix}", f"{folder}/ledger.db{suffix}")
    return folder / "ledger.db", head


def flipped(source: Path, target: Path, suffix: str, bit: int) -> Path:
    """A copy with one bit flipped in one of its files."""
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    for part in PARTS:
        if Path(f"{source}{part}").exists():
            shutil.copy(f"{source}{part}", f"{target}{part}")
    content = bytearray(Path(f"{target}{suffix}").read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    Path(f"{target}{suffix}").write_bytes(content)
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


def test_a_flipped_bit_in_the_write_ahead_log(
    pending: tuple[Path, TreeHead], tmp_path: Path
) -> None:
    """SQLite would silently stop reading there."""
    path, head = pending
    assert verify(flipped(path, tmp_path / "x.db", "", 8 * 2000)).head == head
    for bit in bits(Path(f"{path}-wal"), FLIPS, 2):
        verdict = verify(flipped(path, tmp_path / "x.db", "-wal", bit))
        assert is_reported_or_harmless(verdict, head), f"bit {bit}"


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


@pytest.mark.parametrize("readonly", [False, True])
@pytest.mark.parametrize("place", [0.02, 0.3, 0.7, 0.99])
def test_a_damaged_write_ahead_log_is_not_opened(
    pending: tuple[Path, TreeHead], tmp_path: Path, readonly: bool, place: float
) -> None:
    """SQLite would drop the commits behind the damage; all files stay as they are."""
    path, head = pending
    bit = 8 * int(place * used_bytes(path))
    copy = flipped(path, tmp_path / "x.db", "-wal", bit)
    before = [Path(f"{copy}{part}").read_bytes() for part in ("", "-wal", "-seal")]
    for _ in range(2):
        with pytest.raises(StoreFailed, match=rf"has \d+ entries; it once had {head.size}"):
            Store(copy, create=False, readonly=readonly)
    assert before == [Path(f"{copy}{part}").read_bytes() for part in ("", "-wal", "-seal")]
    assert not verify(copy).ok


@pytest.mark.parametrize("kept", [0, 32, 0.5])
def test_a_missing_or_truncated_write_ahead_log_is_not_ignored(
    pending: tuple[Path, TreeHead], tmp_path: Path, kept: float
) -> None:
    """Even if it was cut at the end of a commit."""
    path, _ = pending
    copy = flipped(path, tmp_path / "x.db", "-shm", 0)
    log = Path(f"{copy}-wal")
    if kept:
        log.write_bytes(log.read_bytes()[: int(kept if kept > 1 else kept * used_bytes(path))])
    else:
        log.unlink()
    with pytest.raises(StoreFailed, match="it once had"):
        Store(copy)


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


def test_a_torn_seal_leaves_the_one_before(pending: tuple[Path, TreeHead], tmp_path: Path) -> None:
    """Any damage of the seal is harmless to an intact ledger."""
    path, head = pending
    size = Path(f"{path}-seal").stat().st_size
    for bit in random.Random(5).sample(range(8 * size), 60):
        with Store(flipped(path, tmp_path / "x.db", "-seal", bit), create=False) as store:
            assert head == store.head()
    copy = flipped(path, tmp_path / "x.db", "-seal", 3)
    Path(f"{copy}-wal").unlink()
    with pytest.raises(StoreFailed, match=r"it once had 1[12]"):
        Store(copy)


def used_bytes(path: Path) -> int:
    """The length of the write-ahead log up to its last commit."""
    content = Path(f"{path}-wal").read_bytes()
    length = 24 + int.from_bytes(content[8:12], "big")
    starts = range(32, len(content) - length + 1, length)
    return 32 + length * (1 + max(i for i, s in enumerate(starts) if any(content[s + 4 : s + 8])))
