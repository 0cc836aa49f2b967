"""Connection pools for SQLite and PostgreSQL; a commit is durable when it returns.

SQLite connections are pooled here. SQLAlchemy takes a quarter of a second to import, so it is used
only for PostgreSQL and for schema migrations.
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
from croupier.ledger.log.database.url import DatabaseAddress

if TYPE_CHECKING:
    from sqlalchemy.engine import URL, Connection, Engine

IDLE_MAX = 8  # idle connections kept open
OVERFLOW_MAX = 64


def database_errors() -> tuple[type[Exception], ...]:
    """The exception types of the database drivers that are loaded."""
    types: list[type[Exception]] = [sqlite3.Error, OSError, UnicodeError]
    if sqlalchemy_errors := sys.modules.get("sqlalchemy.exc"):
        types.append(sqlalchemy_errors.SQLAlchemyError)
    if psycopg := sys.modules.get("psycopg"):
        types.append(psycopg.Error)
    return tuple(types)


def error_message(error: BaseException) -> str:
    """The database's own error message, without the statement that caused it."""
    original: Any = getattr(error, "orig", None) or error
    return printable(" ".join(str(original).split())) or type(original).__name__


class PooledConnection(NamedTuple):
    """A raw driver connection, to be released, or discarded if it may be broken."""

    raw: Any
    release: Callable[[], object]
    discard: Callable[[], object]


class ConnectionPool(ABC):
    """Thread-safe pool of connections to one database."""

    dialect: ClassVar[Literal["sqlite", "postgresql"]]

    @abstractmethod
    def checkout(self) -> PooledConnection:
        """A connection for exclusive use, outside of a transaction."""

    @abstractmethod
    def create_engine(self) -> Engine:
        """A new SQLAlchemy engine for schema migrations; the caller disposes of it."""

    @abstractmethod
    def close(self) -> None:
        """Close the idle connections; the others are closed when they are released."""

    @contextmanager
    def connection(self) -> Iterator[Any]:
        """Check out a raw connection for the duration of a block."""
        pooled = self.checkout()
        try:
            yield pooled.raw
        finally:
            pooled.release()


class SqlitePool(ConnectionPool):
    """Connections to an SQLite file."""

    dialect = "sqlite"

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._idle: list[sqlite3.Connection] = []
        self._closed = False

    def checkout(self) -> PooledConnection:
        try:
            raw = self._idle.pop()  # atomic
        except IndexError:
            raw = self._connect()
        return PooledConnection(raw, partial(self._release, raw), raw.close)

    def _release(self, raw: sqlite3.Connection) -> None:
        if raw.in_transaction:
            raw.rollback()
        if self._closed or len(self._idle) >= IDLE_MAX:
            raw.close()
        else:
            self._idle.append(raw)

    def create_engine(self) -> Engine:
        import sqlalchemy as sa

        engine = sa.create_engine("sqlite://", creator=self._connect, poolclass=sa.pool.NullPool)
        sa.event.listen(engine, "begin", _begin_immediate)
        return engine

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()


class PostgresPool(ConnectionPool):
    """Connections to a PostgreSQL database, in autocommit mode."""

    dialect = "postgresql"

    def __init__(self, url: URL, options: dict[str, Any]) -> None:
        import sqlalchemy as sa

        self._create_engine: Any = partial(sa.create_engine, url, connect_args=options)
        self._engine: Engine = self._create_engine(pool_size=IDLE_MAX, max_overflow=OVERFLOW_MAX)

    def checkout(self) -> PooledConnection:
        pooled = self._engine.raw_connection()
        raw: Any = pooled.driver_connection
        raw.autocommit = True
        return PooledConnection(raw, pooled.close, pooled.invalidate)

    def create_engine(self) -> Engine:
        import sqlalchemy as sa

        engine: Engine = self._create_engine(poolclass=sa.pool.NullPool)
        return engine

    def close(self) -> None:
        close_engine(self._engine)


def close_engine(engine: Engine) -> None:
    """Dispose of an engine and close connections still in use when they are returned.

    `Engine.dispose` alone would leak the connections that other threads hold at that time, or
    check out later.
    """
    from sqlalchemy import event

    event.listen(engine.pool, "checkin", _invalidate)
    engine.dispose()


def _invalidate(raw: object, record: Any) -> None:
    record.invalidate()


def create_pool(
    address: DatabaseAddress,
    *,
    readonly: bool,
    lock_timeout_ms: int,
    answer_timeout_ms: int,
    file_mode: str = "",
) -> ConnectionPool:
    """A pool for a database, with synchronous commits and the timeouts set."""
    if address.file is not None:
        mode = file_mode or ("mode=ro" if readonly else "mode=rwc")
        return SqlitePool(sqlite_connector(address.file, mode, lock_timeout_ms))
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


def sqlite_connector(
    path: Path, mode: str, lock_timeout_ms: int
) -> Callable[[], sqlite3.Connection]:
    """A function that opens connections to an SQLite file; `mode` is the query of its URI."""
    writable = mode == "mode=rwc"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?{mode}",
            uri=True,
            check_same_thread=False,
            cached_statements=256,
        )
        try:
            _set_pragmas(connection, writable, lock_timeout_ms)
        except BaseException:
            connection.close()
            raise
        return connection

    return connect


def _set_pragmas(connection: sqlite3.Connection, writable: bool, lock_timeout_ms: int) -> None:
    # The driver's own transaction handling would commit implicitly.
    connection.isolation_level = None
    run = connection.execute
    run(f"PRAGMA busy_timeout={lock_timeout_ms}")
    run("PRAGMA trusted_schema=OFF")
    run("PRAGMA cell_size_check=ON")
    run("PRAGMA cache_size=-32000")
    if not writable:
        return
    # A commit for many tables touches an index page for each of their streams, so small pages and
    # rare checkpoints write less. The page size of an existing database does not change.
    run("PRAGMA page_size=2048")
    (mode,) = run("PRAGMA journal_mode=WAL").fetchone()
    run("PRAGMA synchronous=FULL")
    run("PRAGMA wal_autocheckpoint=16000")
    if mode != "wal":
        raise StoreFailed(f"SQLite stays in journal mode {mode}, expected wal")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
