"""The database of a ledger: its address, the engine that opens it durably, its schema's version.

Tables are created by `migrations/`, in one place; the queries stand where they are asked.
"""

from __future__ import annotations

import importlib.util
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool

from croupier.ledger.errors import NotFound, StoreFailed, shown
from croupier.ledger.log.faults import Faults

LATEST = "0001"  # the newest migration
WRITER_LOCK = 0x43524F55  # the advisory lock of every writer of one PostgreSQL database
SCHEMA_NAME = "public"


def parse_url(url: str | Path | URL) -> URL:
    """A database address; a plain path is an SQLite file."""
    if isinstance(url, Path) or (isinstance(url, str) and "://" not in url):
        return URL.create("sqlite", database=str(url))
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        told = shown(str(error))
        raise StoreFailed(f"{shown(str(url))} is not a database address: {told}") from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreFailed(f"{parsed.drivername} is not supported; expected sqlite or postgresql")
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreFailed("a ledger in memory would not survive; name a file")
    return parsed


def file_of(url: URL) -> Path | None:
    """The file of an SQLite ledger."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def connect(
    url: URL, *, readonly: bool, lock_timeout_ms: int, answer_timeout_ms: int, file_mode: str = ""
) -> Engine:
    """An engine whose commits are on the disk when they return."""
    if url.get_backend_name() == "sqlite":
        mode = file_mode or ("mode=ro" if readonly else "mode=rwc")
        engine = sa.create_engine(
            "sqlite://",
            creator=opener(Path(url.database or ""), mode, lock_timeout_ms),
            poolclass=QueuePool,
            pool_size=8,
            max_overflow=64,
        )
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine
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
    return sa.create_engine(
        url,
        pool_size=8,
        max_overflow=64,
        connect_args={
            "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
            "connect_timeout": max(2, answer_timeout_ms // 3000),
            "tcp_user_timeout": answer_timeout_ms,
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
        },
    )


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


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def lock_for_writing(connection: Connection) -> None:
    """Wait for the one right to append to this database, until the transaction ends.

    SQLite took it with BEGIN IMMEDIATE. Serial writers make the order of all entries total, and
    PostgreSQL gives an advisory lock to whoever has waited longest.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")


def migrate(engine: Engine, *, create: bool, faults: Faults, name: str) -> None:
    """Bring a database to the newest schema; an up to date one is only looked at."""
    if engine.dialect.name == "postgresql":
        _check_durable(engine)
    with engine.connect() as connection:
        found = version(connection)
    if found == LATEST:
        return
    if found is not None and found > LATEST:
        raise StoreFailed(f"{name} was made by a newer Croupier: schema {shown(found)[:32]}")
    if not create:
        raise NotFound(f"{name} is no ledger")
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        faults.point("migration begun")
        lock_for_writing(connection)
        faults.point("migration locked")
        if version(connection) != LATEST:  # another process may have been first
            upgrade(connection)
        faults.point("migration made")
    faults.point("migration durable")


def _check_durable(engine: Engine) -> None:
    with engine.connect() as connection:
        (fsync,) = connection.exec_driver_sql("SHOW fsync").one()
    if fsync != "on":
        raise StoreFailed("the PostgreSQL server runs with fsync off; its commits can be lost")


def version(connection: Connection) -> str | None:
    """The migration that a database has come to; None where there is no ledger."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return str(found)


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing."""
    from alembic import command  # slow to import, and needed once per database
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def reason(error: BaseException) -> str:
    """The database's own words, without the statement they were said about."""
    original: Any = getattr(error, "orig", None) or error
    return shown(" ".join(str(original).split())) or type(original).__name__
