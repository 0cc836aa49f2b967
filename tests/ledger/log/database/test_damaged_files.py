"""Flipped bits in the file or its write-ahead log are reported or harmless, never a traceback."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log import Store, TreeHead
from croupier.ledger.log.database import sqlite_wal
from croupier.ledger.log.transparency.check import LogVerdict, verify
from tests.ledger.log.sample_entries import entries, one_entry

FLIPS = 120


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the pause after which a damaged log is read again, since no writer is active."""
    monkeypatch.setattr(sqlite_wal, "_PAUSE_SECONDS", 0)


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
        for suffix in ("", "-wal"):
            shutil.copy(f"{folder}/live.db{suffix}", f"{folder}/ledger.db{suffix}")
    return folder / "ledger.db", head


def flipped(source: Path, target: Path, suffix: str, bit: int) -> Path:
    """A copy with one bit flipped in one of its files."""
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    for part in ("", "-wal"):
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


def test_every_bit_of_a_write_ahead_log_counts(pending: tuple[Path, TreeHead]) -> None:
    """By its own checksums; complete and truncated logs raise no false alarm."""
    content, length, frames = wal_parts(pending[0])
    used = 32 + frames * length
    rng = random.Random(3)

    assert "" == sqlite_wal.log_problem(content)
    for frame in range(frames):
        assert "" == sqlite_wal.log_problem(content[: 32 + frame * length])
        assert "" == sqlite_wal.log_problem(content[: 32 + frame * length + 77])
    for _ in range(300):
        bit = rng.randrange(32 * 8, used * 8)
        broken = bytearray(content)
        broken[bit // 8] ^= 1 << bit % 8
        frame = (bit // 8 - 32) // length + 1
        assert f"frame {frame} " in sqlite_wal.log_problem(bytes(broken))
    for _ in range(100):  # preallocated space is not used yet
        bit = rng.randrange(used * 8, len(content) * 8)
        broken = bytearray(content)
        broken[bit // 8] ^= 1 << bit % 8
        assert "" == sqlite_wal.log_problem(bytes(broken))
    for bit in range(32 * 8):
        broken = bytearray(content)
        broken[bit // 8] ^= 1 << bit % 8
        assert "header is damaged" in sqlite_wal.log_problem(bytes(broken))


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


# A damaged write-ahead log is not overwritten


def wal_parts(path: Path) -> tuple[bytes, int, int]:
    """The content of a log, the length of a frame, and the number of used frames."""
    content = Path(f"{path}-wal").read_bytes()
    length = 24 + int.from_bytes(content[8:12], "big")
    return content, length, commits(content, length)[-1] + 1


def commits(content: bytes, length: int) -> list[int]:
    """The indexes of the frames that end a commit."""
    starts = range(32, len(content) - length + 1, length)
    return [i for i, start in enumerate(starts) if any(content[start + 4 : start + 8])]


@pytest.mark.parametrize("readonly", [False, True])
def test_a_log_with_commits_after_the_damage_is_not_opened(
    pending: tuple[Path, TreeHead], tmp_path: Path, readonly: bool
) -> None:
    """SQLite would drop them silently; the file and its log are not changed."""
    path, head = pending
    content, length, frames = wal_parts(path)
    last_but_one = commits(content, length)[-2]
    for frame in (0, frames // 2, last_but_one):
        bit = 8 * (32 + frame * length + 24 + 7)
        copy = flipped(path, tmp_path / "x.db", "-wal", bit)
        before = Path(f"{copy}-wal").read_bytes()
        with pytest.raises(StoreFailed, match=f"frame {frame + 1} of the write-ahead log is dam"):
            Store(copy, create=False, readonly=readonly)
        assert before == Path(f"{copy}-wal").read_bytes()
    Path(f"{copy}-wal").rename(tmp_path / "moved-away")
    with Store(copy, create=True) as store:  # deliberately, without the contents of the log
        assert store.head().size < head.size


def test_the_torn_tail_of_a_power_failure_is_ignored(
    pending: tuple[Path, TreeHead], tmp_path: Path
) -> None:
    """The last commit was never acknowledged, so it is dropped and the table continues."""
    path, head = pending
    content, length, _ = wal_parts(path)
    first_of_last = commits(content, length)[-2] + 1
    torn = [content[: 32 + first_of_last * length + cut] for cut in (0, 5, length - 1, length)]
    zeros = bytes(len(content))  # preallocated, unused
    torn += [(cut + zeros)[: len(content)] for cut in torn]
    zeroed = bytearray(content)  # later sectors were written, an earlier one was not
    zeroed[32 + first_of_last * length + 24 : 32 + first_of_last * length + 536] = bytes(512)
    for tail in (*torn, bytes(zeroed)):
        copy = flipped(path, tmp_path / "x.db", "", 8 * 2000)
        Path(f"{copy}-wal").write_bytes(tail)
        with Store(copy, create=False) as store:
            assert head.size - 1 == store.head().size
            store.append(one_entry("table:A", head.size - 1))


def test_the_index_shows_that_even_the_last_commit_was_durable(tmp_path: Path) -> None:
    """A process was killed without a power failure: the -shm index has counted the commit."""
    with Store(tmp_path / "live.db") as store:
        for number in range(3):
            store.append(entries("table:A", number, 1))
        for suffix in ("", "-wal", "-shm"):
            shutil.copy(f"{tmp_path}/live.db{suffix}", f"{tmp_path}/killed.db{suffix}")
    killed = tmp_path / "killed.db"
    content, length, frames = wal_parts(killed)
    whole = sqlite_wal.loss(content, Path(f"{killed}-shm").read_bytes())
    damaged = bytearray(content)
    damaged[32 + (frames - 1) * length + 30] ^= 1
    Path(f"{killed}-wal").write_bytes(damaged)

    assert "" == whole == sqlite_wal.loss(bytes(damaged), b"")
    for _ in range(2):  # a second attempt gives the same error
        with pytest.raises(StoreFailed, match=f"frame {frames} .* durable"):
            Store(killed, create=False)
    damaged = bytearray(content)
    damaged[9] ^= 1
    Path(f"{killed}-wal").write_bytes(damaged)
    with pytest.raises(StoreFailed, match="header is damaged"):
        Store(killed, create=False)
