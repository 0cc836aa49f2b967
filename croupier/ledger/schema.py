"""The tables of a ledger database, and the engine that opens it durably.

Tables are created by `migrations/`; what stands here is what the code reads and writes. A test
compares the two.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from croupier.ledger import faults
from croupier.ledger.errors import NotFound, StoreFailed

LATEST = "0001"  # the newest migration
_LOCK = 0x43524F55  # the advisory lock of every writer of one PostgreSQL database

metadata = sa.MetaData()

event = sa.Table(
    "event",
    metadata,
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("sequence", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("time", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("command_id", sa.Text, nullable=False),
    sa.Column("part", sa.Integer, nullable=False),
    sa.Column("previous_hash", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("stream", "sequence", name="event_pk"),
    # Partial and time-ordered indexes touch few pages per event, which is what a commit costs.
    sa.Index(
        "event_command",
        "stream",
        "command_id",
        unique=True,
        sqlite_where=sa.text("part = 0"),
        postgresql_where=sa.text("part = 0"),
    ),
    sa.Index(
        "event_round",
        "stream",
        "sequence",
        sqlite_where=sa.text("kind = 'round_opened'"),
        postgresql_where=sa.text("kind = 'round_opened'"),
    ),
    sa.Index("event_time", "time", "stream", "sequence"),
)

head = sa.Table(
    "head",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("previous_hash", sa.Text, nullable=False),
    sa.Column("streams", sa.Text, nullable=False),
    sa.Column("time", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
)

house = sa.Table(
    "house",
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("data", sa.Text, nullable=False),
)

snapshot = sa.Table(
    "snapshot",
    metadata,
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("sequence", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("stream", "sequence", name="snapshot_pk"),
    sqlite_with_rowid=False,
)


def parse_url(url: str | Path | URL) -> URL:
    """A database address; a plain path is an SQLite file."""
    if isinstance(url, Path) or (isinstance(url, str) and "://" not in url):
        return URL.create("sqlite", database=str(url))
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreFailed(f"{url} is not a database address: {error}") from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreFailed(f"{parsed.drivername} is not supported; expected sqlite or postgresql")
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreFailed("a ledger in memory would not survive; name a file")
    return parsed


def connect(url: URL, *, lock_timeout_ms: int) -> Engine:
    """An engine whose commits are on the disk when they return."""
    if url.get_backend_name() == "sqlite":
        engine = sa.create_engine(url, pool_size=8, max_overflow=64)
        sa.event.listen(engine, "connect", _open_sqlite(lock_timeout_ms))
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine
    if importlib.util.find_spec("psycopg") is None:
        raise StoreFailed("PostgreSQL needs the package psycopg: pip install 'croupier[postgres]'")
    options = (
        f"-c lock_timeout={lock_timeout_ms} -c synchronous_commit=on -c timezone=UTC"
        " -c default_transaction_isolation=read\\ committed"
    )
    return sa.create_engine(
        url,
        pool_size=8,
        max_overflow=64,
        connect_args={"options": options, "connect_timeout": 10},
    )


def _open_sqlite(lock_timeout_ms: int) -> Any:
    def opened(connection: Any, record: object) -> None:
        # The driver's own transaction handling would commit behind our back.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={lock_timeout_ms}")
        # A commit of many tables touches a page in each of their streams: small pages, and few
        # checkpoints, write less. Of a database that exists the page size stays as it is.
        cursor.execute("PRAGMA page_size=2048")
        (mode,) = cursor.execute("PRAGMA journal_mode=WAL").fetchone()
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA wal_autocheckpoint=16000")
        cursor.execute("PRAGMA cache_size=-32000")
        cursor.close()
        if mode != "wal":
            raise StoreFailed(f"SQLite keeps journal mode {mode}; the ledger needs WAL")

    return opened


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def lock_for_writing(connection: Connection) -> None:
    """Wait for the one right to append to this database, until the transaction ends.

    SQLite took it with BEGIN IMMEDIATE. Serial writers make the order of all events total.
    """
    faults.point()
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def migrate(engine: Engine, *, create: bool) -> None:
    """Bring a database to the newest schema; an up to date one is only looked at."""
    file = Path(engine.url.database or "") if engine.dialect.name == "sqlite" else None
    if file is not None and not create and not file.exists():
        raise NotFound(f"there is no ledger at {file}")
    try:
        if engine.dialect.name == "postgresql":
            _check_durable(engine)
        with engine.connect() as connection:
            version = _version(connection)
        if version == LATEST:
            return
        if version is None and not create:
            raise NotFound(f"{engine.url} is no ledger")
        with engine.connect().execution_options(writing=True) as connection, connection.begin():
            lock_for_writing(connection)
            _upgrade(connection)
            faults.point()
    except SQLAlchemyError as error:
        raise StoreFailed(f"the ledger database cannot be opened: {reason(error)}") from error


def _check_durable(engine: Engine) -> None:
    with engine.connect() as connection:
        (fsync,) = connection.exec_driver_sql("SHOW fsync").one()
    if fsync != "on":
        raise StoreFailed("the PostgreSQL server runs with fsync off; its commits can be lost")


def _version(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    from alembic import command  # slow to import, and needed once per database
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def reason(error: BaseException) -> str:
    """The database's own words, without the statement they were said about."""
    original = getattr(error, "orig", None) or error
    return " ".join(str(original).split()) or type(original).__name__
