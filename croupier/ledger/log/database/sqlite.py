"""SQLite: connections to a file in WAL mode; a commit is durable when it returns."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from croupier.ledger.errors import StoreFailed, printable
from croupier.ledger.log.database.database import Connection, Database, Row

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection as EngineConnection
    from sqlalchemy.engine import Engine

Inode = tuple[int, int]


class SqliteConnection(Connection):
    """A connection to an SQLite file."""

    def __init__(self, raw: sqlite3.Connection, database: SqliteDatabase) -> None:
        super().__init__(raw)
        self._database = database
        self._log: Inode | None = None  # of the write-ahead log, after the first commit

    def begin(self, query: str) -> list[Any]:
        with self._ledger_errors():
            self.raw.execute("BEGIN IMMEDIATE")
            return list(self.raw.execute(query).fetchall())

    def commit(self, tables: Mapping[str, Sequence[Row]], failpoint: Callable[[str], None]) -> None:
        """Commit; StoreFailed if the files are gone, which SQLite itself does not notice."""
        super().commit(tables, failpoint)
        log = inode(Path(f"{self._database.path}-wal"))
        if self._log is None:
            self._log = log
        elif self._log != log:
            raise StoreFailed(f"{printable(str(self._database.path))}-wal was removed or replaced")
        if problem := self._database.file_problem():
            raise StoreFailed(problem)

    @property
    def reusable(self) -> bool:
        return not self.raw.in_transaction


class SqliteDatabase(Database):
    """Connections to an SQLite file; `mode` is the query of its URI."""

    dialect = "sqlite"

    def __init__(self, path: Path, mode: str, lock_timeout_ms: int) -> None:
        super().__init__()
        self.path = path.resolve()  # where SQLite keeps the write-ahead log
        self.mode = mode
        self.lock_timeout_ms = lock_timeout_ms
        self._file: Inode | None = None

    def connect(self) -> SqliteConnection:
        if problem := self.file_problem():
            raise StoreFailed(problem)
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
        self._file = self._file or inode(self.path)
        return self.wrap(raw)

    def wrap(self, raw: Any) -> SqliteConnection:
        return SqliteConnection(raw, self)

    def _set_pragmas(self, raw: sqlite3.Connection) -> None:
        run = raw.execute
        run(f"PRAGMA busy_timeout={self.lock_timeout_ms}")
        run("PRAGMA trusted_schema=OFF")
        run("PRAGMA cell_size_check=ON")
        run("PRAGMA cache_size=-32000")
        if self.mode != "mode=rwc":
            return
        # A commit for many tables touches an index page for each of their streams, so small pages
        # write less. The page size of an existing database does not change.
        run("PRAGMA page_size=2048")
        (journal,) = run("PRAGMA journal_mode=WAL").fetchone()
        run("PRAGMA synchronous=FULL")
        run("PRAGMA wal_autocheckpoint=1000")
        if journal != "wal":
            raise StoreFailed(f"SQLite stays in journal mode {journal}, expected wal")

    def file_problem(self) -> str:
        if self._file is None or inode(self.path) == self._file:
            return ""
        return f"{printable(str(self.path))} was removed or replaced while it was open"

    def create_engine(self) -> Engine:
        import sqlalchemy as sa

        engine = sa.create_engine(
            "sqlite://", creator=lambda: self.connect().raw, poolclass=sa.pool.NullPool
        )
        sa.event.listen(engine, "begin", _begin_immediate)
        return engine


def inode(path: Path) -> Inode | None:
    """The device and inode number of a file; None if it does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _begin_immediate(connection: EngineConnection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
