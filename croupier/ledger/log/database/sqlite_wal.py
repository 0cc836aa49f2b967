"""An SQLite file looked at from outside, before SQLite looks at it.

SQLite stops reading a write-ahead log at the first frame that does not check, and says nothing:
that is right after a power cut, and hides a flipped bit together with every commit behind it.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from croupier.ledger.log.database import sqlite_file

_MAGIC = b"SQLite format 3\x00"
_WAL_MAGICS = {0x377F0682: "little", 0x377F0683: "big"}  # the byte order of the check sums
_HEADER, _FRAME = 32, 24
_INDEX = 48  # bytes of the header of the index; it stands there twice
_LOOKS, _PAUSE_SECONDS = 4, 0.2  # a log that is being written may be seen half written

Sums = tuple[int, int]


def problems(file: Path) -> list[str]:
    """What is wrong with an SQLite file and its write-ahead log, by their own check sums."""
    found = list(_file_problems(file))
    told = _settled(lambda: log_problem(_read(file, "-wal")))
    return [*found, told] if told else found


def lost_commits(file: Path) -> str:
    """Why SQLite would leave out commits that were durable in the write-ahead log, or nothing.

    The torn tail of a power cut is no loss, since nobody was told that it was durable: it may be
    left out. A commit with another one behind it, or one that the index beside the log counted,
    was durable.
    """

    def look() -> str:
        index = _read(file, "-shm")  # before the log, which must then have all that it counts
        content = _read(file, "-wal")
        return "" if _reads_all(file, content, index) else loss(content, index)

    return _settled(look)


def _reads_all(file: Path, content: bytes, index: bytes) -> bool:
    """Whether SQLite itself reads a log up to its last commit: quick, and nearly always so.

    SQLite makes the index anew when it looks, so that what the index shows is looked at before.
    """
    log = read_header(content)
    if log is None:
        return True
    commits = list(_every_commit(log))
    counted = _counted(index, log.salts)
    if not log.order or not _follows(log, [0, *commits], counted):
        return False
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as reader:
            reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            read = _counted(_read(file, "-shm"), log.salts)
    except sqlite3.Error:  # whatever it is, those who read on will say it
        return False
    return max([counted, *commits]) <= read


def _every_commit(log: WriteAheadLog) -> Iterator[int]:
    """The frames of this log that end a commit, by what they say themselves."""
    step = _FRAME + log.page
    starts = range(_HEADER, len(log.content) - step + 1, step)
    for number, start in enumerate(starts, start=1):
        if log.content[start + 8 : start + 16] != log.salts:
            return
        if any(log.content[start + 4 : start + 8]):
            yield number


def _follows(log: WriteAheadLog, commits: list[int], counted: int) -> bool:
    """Whether the last commit that the index counts is whole, if it counts any."""
    if not counted:
        return True
    before = max((number for number in commits if number < counted), default=0)
    sums = _stored(log.frame(before), 16) if before else _stored(log.content, 24)
    for number in range(before + 1, counted + 1):
        frame = log.frame(number)
        sums = _sums(sums, frame, log.order) if frame else (0, 0)
        if not frame or sums != _stored(frame, 16):
            return False
    return True


def _read(file: Path, suffix: str) -> bytes:
    try:
        return sqlite_file.read(file, suffix)
    except FileNotFoundError:  # none, or somebody has just put it away
        return b""


def _settled(look: Callable[[], str]) -> str:
    """What is said again and again; what changes is only seen half written."""
    seen = look()
    for _ in range(_LOOKS - 1):
        if not seen:
            return ""
        time.sleep(_PAUSE_SECONDS)
        seen, before = look(), seen
        if seen != before:
            return ""
    return seen


def _file_problems(file: Path) -> Iterator[str]:
    header = sqlite_file.read(file, length=100)
    if not header:
        return
    if header[:16] != _MAGIC:
        yield "the file is not an SQLite database"
    elif header[18:20] != b"\x02\x02":
        yield "the file's header does not ask for the write-ahead log that the ledger needs"


class WriteAheadLog(NamedTuple):
    """A write-ahead log as far as it checks."""

    content: bytes
    order: str  # of the check sums; "" if the header is damaged
    page: int
    good: int  # frames that follow one another
    committed: int  # the last of them that ends a commit

    def frame(self, number: int) -> bytes:
        """A frame, from 1; nothing where none is complete."""
        start = _HEADER + (number - 1) * (_FRAME + self.page)
        found = self.content[start : start + _FRAME + self.page]
        return found if len(found) == _FRAME + self.page else b""

    @property
    def salts(self) -> bytes:
        """What every frame of this log names; frames with others are of an older one."""
        return self.content[16:24]


def read_header(content: bytes) -> WriteAheadLog | None:
    """A log of which nothing but the header was looked at; None for one that is put away."""
    if len(content) < _HEADER or not any(content[:_HEADER]):
        return None
    order = _WAL_MAGICS.get(int.from_bytes(content[:4], "big"), "")
    page = int.from_bytes(content[8:12], "big")
    if page < 512 or page & (page - 1) or not order:
        return WriteAheadLog(content, "", 512, 0, 0)
    whole = _add((0, 0), content[:24], order) == _stored(content, 24)
    return WriteAheadLog(content, order if whole else "", page, 0, 0)


def read_log(content: bytes) -> WriteAheadLog | None:
    """Follow a log as SQLite does; None for one that is put away."""
    log = read_header(content)
    if log is None or not log.order:
        return log
    sums, good, committed = _stored(content, 24), 0, 0
    while frame := log.frame(good + 1):
        sums = _sums(sums, frame, log.order)
        if sums != _stored(frame, 16) or frame[8:16] != log.salts:
            break
        good += 1
        committed = good if _commits(frame) else committed
    return log._replace(good=good, committed=committed)


def log_problem(content: bytes) -> str:
    """Why a write-ahead log is not as it was written, or nothing."""
    log = read_log(content)
    if log is None:
        return ""
    if not log.order:
        return "the write-ahead log's header is damaged; nothing that it holds is read"
    bad = log.frame(log.good + 1)
    if not bad:
        return ""
    before = _stored(log.frame(log.good), 16) if log.good else _stored(content, 24)
    right = _sums(before, bad, log.order)
    following = log.frame(log.good + 2)[8:16]
    if bad[8:16] == log.salts or right == _stored(bad, 16) or following == log.salts:
        return f"frame {log.good + 1} of the write-ahead log is damaged; what follows is not read"
    return ""  # the rest is older than this log: it is written from the start again and again


def loss(content: bytes, index: bytes) -> str:
    """Which durable commits of a write-ahead log can not be read; `index` is what lies beside it.

    SQLite counts a commit in the index when it has become durable, not before.
    """
    log = read_log(content)
    if log is None:
        return ""
    if not log.order:
        counted = _counted(index, log.content[40:48])  # which the first frame names too
        told = "the write-ahead log's header is damaged"
        return f"{told}; {counted} frames behind it were durable" if counted else ""
    told = f"frame {log.good + 1} of the write-ahead log is damaged"
    counted = _counted(index, log.salts)
    if counted > log.committed:
        return f"{told}; {counted} frames were durable"
    bad = log.frame(log.good + 1)
    commits = int(bad[8:16] == log.salts and _commits(bad))
    commits += sum(_commits(log.frame(number)) for number in _following(log))
    # The last commit may have been on its way when the power was cut; the one before was durable.
    return f"{told}; {commits} commits begin there" if commits > 1 else ""


def _following(log: WriteAheadLog) -> Iterator[int]:
    """The frames behind a damaged one that follow the frame before them."""
    number = log.good + 1
    while frame := log.frame(number + 1):
        before = _stored(log.frame(number), 16)
        number += 1
        same = frame[8:16] == log.salts
        if same and _sums(before, frame, log.order) == _stored(frame, 16):
            yield number


def _counted(index: bytes, salts: bytes) -> int:
    """How many frames of a log the index says were durable; 0 if it is about another log."""
    first, second = index[:_INDEX], index[_INDEX : 2 * _INDEX]
    if len(first) < _INDEX or first != second or first[32:40] != salts:
        return 0
    return int.from_bytes(first[16:20], sys.byteorder)


def _commits(frame: bytes) -> bool:
    """Whether a frame ends a commit: it then says how large the file is."""
    return any(frame[4:8])


def _sums(before: Sums, frame: bytes, order: str) -> Sums:
    """The check sums that a frame must have behind these."""
    return _add(_add(before, frame[:8], order), frame[_FRAME:], order)


def _stored(content: bytes, at: int) -> Sums:
    return (
        int.from_bytes(content[at : at + 4], "big"),
        int.from_bytes(content[at + 4 : at + 8], "big"),
    )


def _add(sums: Sums, content: bytes, order: str) -> Sums:
    """SQLite's check sum: two running sums over pairs of 32-bit words."""
    words = array("I", content)
    if order != sys.byteorder:
        words.byteswap()
    first, second = sums
    pairs = iter(words)
    for left, right in zip(pairs, pairs):
        first = (first + left + second) & 0xFFFFFFFF
        second = (second + right + first) & 0xFFFFFFFF
    return first, second
