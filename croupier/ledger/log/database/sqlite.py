"""SQLite: connections to a file in WAL mode; a commit is durable when it returns."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from croupier.ledger.errors import StoreFailed, printable
from croupier.ledger.log.database.database import (
    Connection,
    Database,
    Failpoint,
    Row,
    error_message,
)

WRITABLE = "mode=rwc"
LOG_BYTES_MAX = 2**22  # of the write-ahead log after a checkpoint; a long read lets it grow
FREE_BYTES_MIN = 2**16  # on the disk; with less, it counts as full

Inode = tuple[int, int]


class SqliteConnection(Connection):
    """A connection to an SQLite file."""

    def __init__(self, raw: sqlite3.Connection, database: SqliteDatabase) -> None:
        super().__init__(raw)
        self._database = database

    def begin(self, query: str) -> list[Any]:
        with self._ledger_errors():
            self.raw.execute("BEGIN IMMEDIATE")
            return list(self.raw.execute(query).fetchall())

    def commit(self, tables: Mapping[str, Sequence[Row]], failpoint: Failpoint) -> None:
        """Commit; StoreFailed if the files are gone, which SQLite itself does not notice."""
        super().commit(tables, failpoint)
        self._database.check_files()


class SqliteDatabase(Database):
    """Connections to an SQLite file; `mode` is the query of its URI.

    A writable database keeps one connection open that is never used. When the last connection
    closes, SQLite forgets which frames of the write-ahead log count, and the next one to open
    would read a commit whose sync had failed.
    """

    dialect = "sqlite"

    def __init__(self, path: Path, mode: str, lock_timeout_ms: int) -> None:
        super().__init__()
        self.path = path.resolve()  # where SQLite keeps the write-ahead log
        self.mode = mode
        self.lock_timeout_ms = lock_timeout_ms
        self._unused: sqlite3.Connection | None = None
        self._files: dict[str, Inode | None] = {}  # as they were opened

    def connect(self) -> SqliteConnection:
        self.check_files()
        if self.mode == WRITABLE and self._unused is None:
            self._unused = self._open()
            self._unused.execute("SELECT 1 FROM sqlite_schema").fetchall()
            for path in (str(self.path), f"{self.path}-wal"):
                self._files[path] = inode(path)
        return SqliteConnection(self._open(), self)

    def close(self) -> None:
        super().close()
        self._files = {}
        if self._unused is not None:
            self._unused.close()

    def _open(self) -> sqlite3.Connection:
        if self.mode == WRITABLE and not self.path.exists():
            # The other files of SQLite get the same mode. A file that exists is never opened here:
            # closing it would release the locks of this process.
            with suppress(OSError):  # which SQLite reports
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        raw = sqlite3.connect(
            f"file:{quote(str(self.path))}?{self.mode}",
            uri=True,
            check_same_thread=False,
            cached_statements=256,
            isolation_level=None,  # the driver's own transactions would commit implicitly
        )
        try:
            self._set_pragmas(raw)
        except BaseException:
            raw.close()
            raise
        return raw

    def _set_pragmas(self, raw: sqlite3.Connection) -> None:
        run = raw.execute
        run(f"PRAGMA busy_timeout={self.lock_timeout_ms}")
        run("PRAGMA trusted_schema=OFF")
        run("PRAGMA cell_size_check=ON")
        run("PRAGMA cache_size=-32000")
        if self.mode != WRITABLE:
            return
        # A commit for many tables touches an index page for each of their streams, so small pages
        # write less. The page size of an existing database does not change.
        run("PRAGMA page_size=2048")
        (journal,) = run("PRAGMA journal_mode=WAL").fetchone()
        run("PRAGMA synchronous=FULL")
        run("PRAGMA wal_autocheckpoint=1000")
        run(f"PRAGMA journal_size_limit={LOG_BYTES_MAX}")
        if journal != "wal":
            raise StoreFailed(f"SQLite stays in journal mode {journal}, expected wal")

    def check_files(self) -> None:
        """Raise StoreFailed if a file is not the one that was opened; SQLite does not notice."""
        for path, opened in self._files.items():
            if inode(path) != opened:
                self.lost = f"{printable(path)} was removed or replaced; restart the server"
                raise StoreFailed(self.lost)

    def problem(self) -> str:
        try:
            self.check_files()
            disk = os.statvfs(self.path)
        except (StoreFailed, OSError) as error:
            return error_message(error)
        if self.mode == WRITABLE and disk.f_bavail * disk.f_frsize < FREE_BYTES_MIN:
            return f"the disk of {printable(str(self.path))} is full"
        return ""


def inode(path: str) -> Inode | None:
    """The device and inode number of a file; None if it does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
