"""An SQLite file looked at from outside, before SQLite looks at it.

SQLite stops reading a write-ahead log at the first frame that does not check, and says nothing:
that is right after a crash, and hides a flipped bit together with every commit behind it.
"""

from __future__ import annotations

import sys
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

_MAGIC = b"SQLite format 3\x00"
_WAL_MAGICS = {0x377F0682: "little", 0x377F0683: "big"}  # the byte order of the check sums
_HEADER, _FRAME = 32, 24
_LOOKS, _PAUSE_SECONDS = 4, 0.2  # a log that is being written may be seen half written


def problems(file: Path) -> list[str]:
    """What is wrong with an SQLite file and its write-ahead log, by their own check sums."""
    found = list(_file_problems(file))
    log = file.with_name(file.name + "-wal")
    seen: object = None
    for look in range(_LOOKS):
        told = log_problem(log.read_bytes()) if log.exists() else ""
        if not told:
            return found
        if look and told != seen:
            return found  # it moves: somebody is writing
        seen = told
        time.sleep(_PAUSE_SECONDS)
    return [*found, str(seen)]


def _file_problems(file: Path) -> Iterator[str]:
    with file.open("rb") as opened:
        header = opened.read(100)
    if not header:
        return
    if header[:16] != _MAGIC:
        yield "the file is not an SQLite database"
    elif header[18:20] != b"\x02\x02":
        yield "the file's header does not ask for the write-ahead log that the ledger needs"


def log_problem(content: bytes) -> str:
    """Why a write-ahead log is not as it was written, or nothing."""
    if len(content) < _HEADER or not any(content[:_HEADER]):
        return ""
    order = _WAL_MAGICS.get(int.from_bytes(content[:4], "big"))
    page = int.from_bytes(content[8:12], "big")
    if order is None or page < 512 or page & (page - 1):
        return "the write-ahead log's header is damaged; nothing that it holds is read"
    sums = _add((0, 0), content[:24], order)
    if sums != _stored(content, 24):
        return "the write-ahead log's header is damaged; nothing that it holds is read"
    salts, number = content[16:24], 0
    for start in range(_HEADER, len(content) - _FRAME - page + 1, _FRAME + page):
        number += 1
        header, body = (
            content[start : start + _FRAME],
            content[start + _FRAME : start + _FRAME + page],
        )
        right = _add(_add(sums, header[:8], order), body, order)
        if right == _stored(header, 16) and header[8:16] == salts:
            sums = right
            continue
        following = content[start + _FRAME + page :][8:16]
        if header[8:16] == salts or right == _stored(header, 16) or following == salts:
            return f"frame {number} of the write-ahead log is damaged; what follows is not read"
        return ""  # the rest is older than this log: it is written from the start again and again
    return ""


def _stored(content: bytes, at: int) -> tuple[int, int]:
    return (
        int.from_bytes(content[at : at + 4], "big"),
        int.from_bytes(content[at + 4 : at + 8], "big"),
    )


def _add(sums: tuple[int, int], content: bytes, order: str) -> tuple[int, int]:
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
