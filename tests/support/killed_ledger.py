"""Files of a ledger as a killed process leaves them: NAME, NAME-wal, NAME-shm and NAME-seal."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

from tests.support.run_python import run_python

PARTS = ("", "-wal", "-shm", "-seal")

PLAY = """
import os, random, signal, sys
from croupier.ledger import Ledger
from tests.support.recorded_rounds import SYSTEM, example_house, random_round

ledger = Ledger(sys.argv[1])
table = ledger.open_table("A", example_house(), by=SYSTEM)
for number in range(3):
    random_round(table, random.Random(number))
print(ledger.store.head().size, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""

APPEND = """
import os, signal, sys
from croupier.ledger.log import Store
from tests.ledger.log.sample_entries import entries

store, commits = Store(sys.argv[1]), int(sys.argv[2])
for number in range(commits):
    store.append(entries("table:A", 5 * number, 5))
print(5 * commits, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed_ledger(path: Path) -> int:
    """Play some rounds in a process that is killed; returns the number of entries."""
    return _run(PLAY, path)


def killed_log(path: Path, commits: int) -> int:
    """Append in a process that is killed; returns the number of acknowledged entries."""
    return _run(APPEND, path, commits)


def _run(program: str, *arguments: object) -> int:
    done = run_python("-c", program, *arguments)
    assert -signal.SIGKILL == done.returncode, done.stderr
    return int(done.stdout)


def copy_ledger(source: Path, target: Path) -> Path:
    """Copy all files of a ledger over those at another place."""
    for part in PARTS:
        Path(f"{target}{part}").unlink(missing_ok=True)
        if Path(f"{source}{part}").exists():
            shutil.copy(f"{source}{part}", f"{target}{part}")
    return target


def record_files(path: Path) -> list[bytes | None]:
    """The contents of the files that matter; NAME-shm is only an index of NAME-wal."""
    files = [Path(f"{path}{part}") for part in ("", "-wal", "-seal")]
    # SQLite creates an empty log to read a file, which is the same as none.
    return [(file.read_bytes() or None) if file.exists() else None for file in files]


def flip(file: Path, byte: int, bit: int = 0) -> None:
    """Flip one bit of a file."""
    content = bytearray(file.read_bytes())
    content[byte] ^= 1 << bit
    file.write_bytes(content)


def frames(path: Path) -> list[int]:
    """Where the frames of the write-ahead log start, up to the last commit."""
    content = Path(f"{path}-wal").read_bytes()
    length, salts = frame_length(path), content[16:24]
    starts = range(32, len(content) - length + 1, length)
    current = [start for start in starts if content[start + 8 : start + 16] == salts]
    commits = (index for index, start in enumerate(current) if any(content[start + 4 : start + 8]))
    return current[: 1 + max(commits)]


def frame_length(path: Path) -> int:
    """The length of a frame, which is a header of 24 bytes and a page."""
    return 24 + int.from_bytes(Path(f"{path}-wal").read_bytes()[8:12], "big")


def damaged_bytes(path: Path) -> Iterator[int]:
    """Bytes in every region of a write-ahead log: its header, frame headers and pages."""
    yield from range(0, 32, 4)
    starts, length = frames(path), frame_length(path)
    for start in (starts[0], starts[len(starts) // 2], starts[-1]):
        yield from range(start, start + 24, 4)
        yield from (start + 24, start + length // 2, start + length - 1)
