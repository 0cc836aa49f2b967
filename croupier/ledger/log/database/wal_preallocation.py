"""Room in the write-ahead log of an SQLite file, made before it is needed.

A commit that makes a file longer waits until the file system has written down how long it is now,
which takes several times as long as writing into a place that is there already. So the log is made
longer by a stretch of zeros at a time. SQLite reads a log up to the first frame that does not
check, so that zeros behind its end mean nothing to it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_LEAST, _MOST = 2**20, 2**22  # bytes at a time: as much again as there is, within these


class WalPreallocation:
    """Made by one writer; PostgreSQL does the same by itself."""

    def __init__(self, file: Path | None) -> None:
        """For the log of this SQLite file; None where there is no such file."""
        # SQLite follows links, and keeps the log beside the file itself.
        self._log = f"{file.resolve()}-wal" if file is not None else ""
        self._handle = -1
        self._made = 0

    def make(self) -> None:
        """Make room if the log has grown beyond it; only for who holds the right to write.

        Nobody else makes the log longer meanwhile, and what is in it is not touched. Where there
        is no room the commit itself will say so.
        """
        if not self._log:
            return
        with suppress(OSError):
            if self._handle < 0:
                self._handle = os.open(self._log, os.O_WRONLY)
            size = os.lseek(self._handle, 0, os.SEEK_END)
            if size > self._made > 0:  # what others made before is used up first
                os.write(self._handle, bytes(min(max(size, _LEAST), _MOST)))
                size = os.lseek(self._handle, 0, os.SEEK_END)
            self._made = size

    def leave(self) -> None:
        """Let the log go, together with the connection: another one may have a new log."""
        if self._handle >= 0:
            os.close(self._handle)
        self._handle, self._made = -1, 0
