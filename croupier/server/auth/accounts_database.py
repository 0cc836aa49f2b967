"""The accounts database: its address, its engine, and schema migrations.

A SQLite ledger has it in a file of its own, a PostgreSQL ledger in the schema `floor`: the ledger
is handed to auditors, passwords are not. Tables are created by `migrations/` alone; the modules
that query a table define its columns in `metadata`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import OperationalError

from croupier.errors import CroupierError

LATEST_REVISION = "0008"
SCHEMA = "floor"  # in PostgreSQL
BUSY_SECONDS = 5  # that SQLite waits for another writer
POOL_SECONDS = 5  # that a thread waits for a connection to PostgreSQL
MIGRATION_LOCK = 0x41434354  # PostgreSQL advisory lock, held while migrations run

metadata = sa.MetaData()


class NewerAccountsDatabase(CroupierError):
    """The accounts database was created by a newer version of Croupier."""


def accounts_url(ledger: str | Path | URL) -> URL:
    """The address of the accounts database of a ledger: FILE.people, or the same server."""
    if isinstance(ledger, Path) or (isinstance(ledger, str) and "://" not in ledger):
        return URL.create("sqlite", database=f"{ledger}.people")
    url = make_url(ledger)
    if url.get_backend_name() == "sqlite":
        return url.set(database=f"{url.database}.people")
    return url.set(drivername="postgresql+psycopg")


def accounts_exist(url: URL) -> bool:
    """Whether there is an accounts database at an address; none is created."""
    if url.get_backend_name() == "sqlite":
        return Path(url.database or "").exists()
    engine = _postgresql_engine(url)
    try:
        return sa.inspect(engine).has_table("floor_account", schema=SCHEMA)
    finally:
        engine.dispose()


def open_engine(url: URL) -> Engine:
    """An engine for an accounts database of the latest schema, created if there is none.

    Any number of processes may do this at the same time. Raises NewerAccountsDatabase.
    """
    sqlite = url.get_backend_name() == "sqlite"
    engine = _sqlite_engine(url) if sqlite else _postgresql_engine(url)
    try:
        upgrade(engine)
    except BaseException:
        engine.dispose()
        raise
    if sqlite:
        # The mode is stored in the file. The switch fails if another process makes it now.
        with suppress(OperationalError), engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
    return engine


def _sqlite_engine(url: URL) -> Engine:
    with suppress(FileExistsError):  # readable for the server's user only
        os.close(os.open(url.database or "", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return sa.create_engine(url, connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS})


def _postgresql_engine(url: URL) -> Engine:
    from croupier.ledger.log.database import postgres  # needs psycopg

    engine = sa.create_engine(
        url,
        creator=lambda: postgres.connect(url, autocommit=False),  # with the ledger's time limits
        pool_pre_ping=True,
        pool_timeout=POOL_SECONDS,
    )
    # In its own schema: an audit of the ledger reports foreign tables in the ledger's.
    return engine.execution_options(schema_translate_map={None: SCHEMA})


def upgrade(engine: Engine) -> None:
    """Run the migrations that the database lacks. One process migrates, others wait for it."""
    with engine.connect() as connection:
        revision = current_revision(connection)
    if revision is not None and revision > LATEST_REVISION:
        raise NewerAccountsDatabase(
            f"{engine.url.render_as_string()} has schema {revision[:32]}, this version of Croupier "
            f"knows {LATEST_REVISION}; install the newer version that created it"
        )
    if revision == LATEST_REVISION:
        return
    from alembic import command  # slow to import, and needed once per database
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    schema = SCHEMA if engine.dialect.name == "postgresql" else None
    with engine.begin() as connection:
        if schema is None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            connection.execute(sa.schema.CreateSchema(SCHEMA, if_not_exists=True))
        config.attributes.update(connection=connection, schema=schema)
        command.upgrade(config, "head")


def current_revision(connection: Connection) -> str | None:
    """The revision of the database; None before its first migration."""
    schema = SCHEMA if connection.dialect.name == "postgresql" else None
    if not sa.inspect(connection).has_table("alembic_version", schema=schema):
        return None
    prefix = f"{schema}." if schema else ""
    statement = f"SELECT version_num FROM {prefix}alembic_version"
    return connection.exec_driver_sql(statement).scalar()
