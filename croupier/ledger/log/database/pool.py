"""Connections to the database of a ledger, each durable when a commit returns; lent, taken back.

SQLite's are opened and kept here. SQLAlchemy takes a quarter of a second to import: it stands
before PostgreSQL, and before whatever makes tables.
"""

from __future__ import annotations

import importlib.util
import sqlite3
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple
from urllib.parse import quote

from croupier.ledger.errors import StoreFailed, printable
from croupier.ledger.log.database.url import Address

if TYPE_CHECKING:
    from sqlalchemy.engine import URL, Connection, Engine

IDLE_MAX = 8  # connections that are kept open for the next who asks
OVERFLOW_MAX = 64


def database_errors() -> tuple[type[Exception], ...]:
    """What a database fails with, in the words of whatever is in use."""
    found: list[type[Exception]] = [sqlite3.Error, OSError, UnicodeError]
    if toolkit := sys.modules.get("sqlalchemy.exc"):
        found.append(toolkit.SQLAlchemyError)
    if driver := sys.modules.get("psycopg"):
        found.append(driver.Error)
    return tuple(found)


def reason(error: BaseException) -> str:
    """The database's own words, without the statement they were said about."""
    original: Any = getattr(error, "orig", None) or error
    return printable(" ".join(str(original).split())) or type(original).__name__


class PooledConnection(NamedTuple):
    """A connection as its driver made it, until it is given back or, if it may be broken, cut."""

    raw: Any
    give_back: Callable[[], object]
    cut: Callable[[], object]


class ConnectionPool(ABC):
    """Connections to one database, for any thread."""

    dialect: ClassVar[Literal["sqlite", "postgresql"]]

    @abstractmethod
    def lend(self) -> PooledConnection:
        """One that nobody else has, outside of a transaction."""

    @abstractmethod
    def toolkit(self) -> Engine:
        """SQLAlchemy before this database, for those who make tables; to be disposed of."""

    @abstractmethod
    def close(self) -> None:
        """Let go of those that nobody has."""

    @contextmanager
    def lent(self) -> Iterator[Any]:
        """One for as long as it is needed."""
        lent = self.lend()
        try:
            yield lent.raw
        finally:
            lent.give_back()


class SqlitePool(ConnectionPool):
    """Connections to a file."""

    dialect = "sqlite"

    def __init__(self, opened: Callable[[], sqlite3.Connection]) -> None:
        self._open = opened
        self._idle: list[sqlite3.Connection] = []
        self._closed = False

    def lend(self) -> PooledConnection:
        try:
            raw = self._idle.pop()  # one step, whichever threads ask
        except IndexError:
            raw = self._open()
        return PooledConnection(raw, partial(self._take_back, raw), raw.close)

    def _take_back(self, raw: sqlite3.Connection) -> None:
        if raw.in_transaction:
            raw.rollback()
        if self._closed or len(self._idle) >= IDLE_MAX:
            raw.close()
        else:
            self._idle.append(raw)

    def toolkit(self) -> Engine:
        import sqlalchemy as sa

        engine = sa.create_engine("sqlite://", creator=self._open, poolclass=sa.pool.NullPool)
        sa.event.listen(engine, "begin", _begin_immediate)
        return engine

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()


class PostgresPool(ConnectionPool):
    """Connections to a PostgreSQL database; nothing is a transaction unless it begins one."""

    dialect = "postgresql"

    def __init__(self, url: URL, options: dict[str, Any]) -> None:
        import sqlalchemy as sa

        self._make: Any = partial(sa.create_engine, url, connect_args=options)
        self._engine: Engine = self._make(pool_size=IDLE_MAX, max_overflow=OVERFLOW_MAX)

    def lend(self) -> PooledConnection:
        lent = self._engine.raw_connection()
        raw: Any = lent.driver_connection
        raw.autocommit = True
        return PooledConnection(raw, lent.close, lent.invalidate)

    def toolkit(self) -> Engine:
        import sqlalchemy as sa

        engine: Engine = self._make(poolclass=sa.pool.NullPool)
        return engine

    def close(self) -> None:
        let_go(self._engine)


def let_go(engine: Engine) -> None:
    """Close the connections that nobody has, and the others when they come back.

    A thread may still be asking when everything ends. What it gives back to an engine that was
    disposed of, or borrows from it anew, nobody would close.
    """
    from sqlalchemy import event

    event.listen(engine.pool, "checkin", _cut)
    engine.dispose()


def _cut(raw: object, record: Any) -> None:
    record.invalidate()


def connect(
    address: Address,
    *,
    readonly: bool,
    lock_timeout_ms: int,
    answer_timeout_ms: int,
    file_mode: str = "",
) -> ConnectionPool:
    """Connections whose commits are on the disk when they return."""
    if address.file is not None:
        mode = file_mode or ("mode=ro" if readonly else "mode=rwc")
        return SqlitePool(opener(address.file, mode, lock_timeout_ms))
    if importlib.util.find_spec("psycopg") is None:
        raise StoreFailed("PostgreSQL needs the package psycopg: pip install 'croupier[ledger]'")
    settings = {
        "lock_timeout": str(lock_timeout_ms),
        "statement_timeout": str(answer_timeout_ms),
        "idle_in_transaction_session_timeout": str(answer_timeout_ms),
        "synchronous_commit": "on",
        "timezone": "UTC",
        "default_transaction_isolation": "read\\ committed",
        "default_transaction_read_only": "on" if readonly else "off",
    }
    options = {
        "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
        "connect_timeout": max(2, answer_timeout_ms // 3000),
        "tcp_user_timeout": answer_timeout_ms,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
    assert address.server is not None, "a file or a server"
    return PostgresPool(address.server, options)


def opener(path: Path, mode: str, lock_timeout_ms: int) -> Callable[[], sqlite3.Connection]:
    """What opens one connection to an SQLite file, in one of the modes of its URIs."""
    writable = mode == "mode=rwc"

    def opened() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?{mode}",
            uri=True,
            check_same_thread=False,
            cached_statements=256,
        )
        try:
            _prepare(connection, writable, lock_timeout_ms)
        except BaseException:
            connection.close()
            raise
        return connection

    return opened


def _prepare(connection: sqlite3.Connection, writable: bool, lock_timeout_ms: int) -> None:
    # The driver's own transaction handling would commit behind our back.
    connection.isolation_level = None
    run = connection.execute
    run(f"PRAGMA busy_timeout={lock_timeout_ms}")
    run("PRAGMA trusted_schema=OFF")
    run("PRAGMA cell_size_check=ON")
    run("PRAGMA cache_size=-32000")
    if not writable:
        return
    # A commit of many tables touches an index page for each of their streams: small pages, and
    # few checkpoints, write less. Of a database that exists the page size stays as it is.
    run("PRAGMA page_size=2048")
    (mode,) = run("PRAGMA journal_mode=WAL").fetchone()
    run("PRAGMA synchronous=FULL")
    run("PRAGMA wal_autocheckpoint=16000")
    if mode != "wal":
        raise StoreFailed(f"SQLite keeps journal mode {mode}; the ledger needs WAL")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
