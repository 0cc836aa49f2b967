"""Looking into an SQLite file beside SQLite, without taking its locks from it.

Whoever closes a file gives up every lock that his process has on it, those of SQLite included:
another process would then believe itself alone, and put a write-ahead log away that is in use. So
what was opened to be looked at stays open as long as a store of this process is.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

_lock = threading.Lock()
_in_use: Counter[str] = Counter()  # stores of this process, by their file
_kept: dict[str, list[int]] = {}  # descriptors, by the file of the store


def used(file: Path) -> Callable[[], None]:
    """Say that a store is about to open a file; what is returned says that it has closed it."""
    name = str(file.resolve())
    with _lock:
        _in_use[name] += 1

    def closed() -> None:
        with _lock:
            _in_use[name] -= 1
            if not _in_use[name]:
                del _in_use[name]
                for handle in _kept.pop(name, ()):
                    os.close(handle)

    return closed


def read(file: Path, suffix: str = "", length: int | None = None) -> bytes:
    """What is in a file, or in one that SQLite keeps beside it, from the beginning."""
    name = str(file.resolve())
    with _lock:
        handle = _handle(name, suffix)
        try:
            size = os.fstat(handle).st_size if length is None else length
            return _read(handle, size)
        finally:
            if handle not in _kept.get(name, ()):
                os.close(handle)


def _handle(name: str, suffix: str) -> int:
    """A descriptor, one that is kept if it is still that of this file."""
    found = os.stat(name + suffix)
    for handle in _kept.get(name, ()):
        if os.path.samestat(os.fstat(handle), found):
            return handle
    handle = os.open(name + suffix, os.O_RDONLY)
    if name in _in_use:
        _kept.setdefault(name, []).append(handle)
    return handle


def _read(handle: int, size: int) -> bytes:
    parts: list[bytes] = []
    at = 0
    while at < size and (part := os.pread(handle, size - at, at)):
        parts.append(part)
        at += len(part)
    return b"".join(parts)
