"""Flipped bits anywhere, in the file or in its write-ahead log: named or harmless, no traceback."""

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
def nobody_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged log is looked at again after a pause, as often as ever; here nobody mends it."""
    monkeypatch.setattr(sqlite_wal, "_PAUSE_SECONDS", 0)


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TreeHead]:
    """Everything is in the file."""
    path = tmp_path_factory.mktemp("settled") / "ledger.db"
    with Store(path) as store:
        for number in range(30):
            store.append(entries("table:A", 10 * number, 10))
        head = store.head()
    assert not Path(f"{path}-wal").exists()
    return path, head


@pytest.fixture(scope="module")
def pending(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TreeHead]:
    """The newest commits are in the write-ahead log, as a killed process leaves them."""
    folder = tmp_path_factory.mktemp("pending")
    with Store(folder / "live.db") as store:
        for number in range(12):
            store.append(entries("table:A", number, 1))
        head = store.head()
        for suffix in ("", "-wal"):
            shutil.copy(f"{folder}/live.db{suffix}", f"{folder}/ledger.db{suffix}")
    return folder / "ledger.db", head


def flipped(source: Path, target: Path, suffix: str, bit: int) -> Path:
    """A copy in which one bit of one of its files is another."""
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    for each in ("", "-wal"):
        if Path(f"{source}{each}").exists():
            shutil.copy(f"{source}{each}", f"{target}{each}")
    content = bytearray(Path(f"{target}{suffix}").read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    Path(f"{target}{suffix}").write_bytes(content)
    return target


def named_or_harmless(verdict: LogVerdict, head: TreeHead) -> bool:
    """Never a part of the record that passes for all of it."""
    return not verdict.ok or verdict.head == head


def bits(path: Path, count: int, seed: int) -> list[int]:
    """The head of a file bit by bit, and the rest at random."""
    size = path.stat().st_size * 8
    rng = random.Random(seed)
    return [*range(0, 100 * 8, 11), *(rng.randrange(size) for _ in range(count))]


def test_a_flipped_bit_in_the_file(settled: tuple[Path, TreeHead], tmp_path: Path) -> None:
    """Headers, pages, free space, the schema itself."""
    path, head = settled
    found = 0
    for bit in bits(path, FLIPS, 1):
        verdict = verify(flipped(path, tmp_path / "x.db", "", bit))
        assert named_or_harmless(verdict, head), f"bit {bit}"
        found += not verdict.ok
    assert found > FLIPS // 3, "most bits of a record matter"


def test_a_flipped_bit_in_the_write_ahead_log(
    pending: tuple[Path, TreeHead], tmp_path: Path
) -> None:
    """SQLite would stop reading there and say nothing."""
    path, head = pending
    assert verify(flipped(path, tmp_path / "x.db", "", 8 * 2000)).head == head
    for bit in bits(Path(f"{path}-wal"), FLIPS, 2):
        verdict = verify(flipped(path, tmp_path / "x.db", "-wal", bit))
        assert named_or_harmless(verdict, head), f"bit {bit}"


def test_every_bit_of_a_write_ahead_log_counts(pending: tuple[Path, TreeHead]) -> None:
    """By its own check sums, and without crying wolf over what is whole or merely cut short."""
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
    for _ in range(100):  # room that was made and is not used yet holds nothing
        bit = rng.randrange(used * 8, len(content) * 8)
        broken = bytearray(content)
        broken[bit // 8] ^= 1 << bit % 8
        assert "" == sqlite_wal.log_problem(bytes(broken))
    for bit in range(32 * 8):
        broken = bytearray(content)
        broken[bit // 8] ^= 1 << bit % 8
        told = sqlite_wal.log_problem(bytes(broken))
        assert "header is damaged" in told


def test_reading_and_writing_a_damaged_file_gives_sentences(
    settled: tuple[Path, TreeHead], tmp_path: Path
) -> None:
    """Whatever a table does with it: a LedgerError or the truth, nothing else."""
    path, head = settled
    honest = entries("table:A", 0, 300)
    for bit in bits(path, FLIPS, 4):
        copy = flipped(path, tmp_path / "x.db", "", bit)
        try:
            with Store(copy, create=False) as store:
                found = [stored.entry for stored in store.read("table:A")]
                store.append(one_entry("table:A", len(found)))
                size = store.head().size
        except LedgerError:
            continue
        assert honest == found
        assert head.size + 1 == size


@pytest.mark.parametrize("length", [0, 1, 50, 99, 100, 511, 2048, 5000, 20_000])
def test_a_cut_file_gives_a_sentence(
    settled: tuple[Path, TreeHead], tmp_path: Path, length: int
) -> None:
    """At any length."""
    path, _ = settled
    (tmp_path / "x.db").write_bytes(path.read_bytes()[:length])
    try:
        verdict = verify(tmp_path / "x.db")
    except LedgerError:
        return
    assert not verdict.ok


# A damaged write-ahead log is not written over


def wal_parts(path: Path) -> tuple[bytes, int, int]:
    """A log, the length of a frame, and how many are used; zeros follow as far as there is room."""
    content = Path(f"{path}-wal").read_bytes()
    length = 24 + int.from_bytes(content[8:12], "big")
    return content, length, commits(content, length)[-1] + 1


def commits(content: bytes, length: int) -> list[int]:
    """The frames that end a commit, from 0."""
    starts = range(32, len(content) - length + 1, length)
    return [i for i, start in enumerate(starts) if any(content[start + 4 : start + 8])]


@pytest.mark.parametrize("readonly", [False, True])
def test_a_log_with_commits_behind_its_damage_is_not_opened(
    pending: tuple[Path, TreeHead], tmp_path: Path, readonly: bool
) -> None:
    """SQLite would drop them silently; the file and its log stay as they are."""
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
    Path(f"{copy}-wal").rename(tmp_path / "put-away")
    with Store(copy, create=True) as store:  # deliberately, without what the log held
        assert store.head().size < head.size


def test_a_torn_tail_is_what_a_power_cut_leaves(
    pending: tuple[Path, TreeHead], tmp_path: Path
) -> None:
    """Nobody was told that the last commit is durable: it is left out and the table goes on."""
    path, head = pending
    content, length, _ = wal_parts(path)
    first_of_last = commits(content, length)[-2] + 1
    torn = [content[: 32 + first_of_last * length + cut] for cut in (0, 5, length - 1, length)]
    room = bytes(len(content))  # of which nothing was used
    torn += [(cut + room)[: len(content)] for cut in torn]
    zeroed = bytearray(content)  # later sectors were written, an earlier one was not
    zeroed[32 + first_of_last * length + 24 : 32 + first_of_last * length + 536] = bytes(512)
    for tail in (*torn, bytes(zeroed)):
        copy = flipped(path, tmp_path / "x.db", "", 8 * 2000)
        Path(f"{copy}-wal").write_bytes(tail)
        with Store(copy, create=False) as store:
            assert head.size - 1 == store.head().size
            store.append(one_entry("table:A", head.size - 1))


def test_the_index_shows_that_even_the_last_commit_was_durable(tmp_path: Path) -> None:
    """A process was killed, not the power cut: the index beside the log has counted it."""
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
    for _ in range(2):  # whoever tries again is told the same
        with pytest.raises(StoreFailed, match=f"frame {frames} .* durable"):
            Store(killed, create=False)
    damaged = bytearray(content)
    damaged[9] ^= 1
    Path(f"{killed}-wal").write_bytes(damaged)
    with pytest.raises(StoreFailed, match="header is damaged"):
        Store(killed, create=False)
