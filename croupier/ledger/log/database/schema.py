"""Schema version of a database, and its migration to the latest one.

Tables are created only in `migrations/`; queries are written where they are used.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from croupier.ledger.errors import NotFound, StoreFailed, printable
from croupier.ledger.log.database.database import Connection, Database, Failpoint, failures

LATEST_REVISION = "0002"
REVISION_0_1 = "0001"  # entries without a commit time

_VERSION_TABLE_EXISTS = {
    "sqlite": "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'alembic_version'",
    "postgresql": "SELECT 1 WHERE to_regclass('alembic_version') IS NOT NULL",
}


def migrate(database: Database, *, create: bool, faults: Failpoint, name: str) -> None:
    """Migrate a database to the latest schema; one that is up to date is only read.

    NotFound if the database has no ledger and `create` is False; StoreFailed if its schema is
    newer than this version of Croupier.
    """
    with database.connection() as connection:
        if database.dialect == "postgresql":
            _check_durability(connection.raw)
        revision = current_revision(connection.raw)
    if revision == LATEST_REVISION:
        return
    if revision == REVISION_0_1:
        raise StoreFailed(
            f"{name} was written by Croupier 0.1, whose entries have no commit time. Keep it, read"
            " it with Croupier 0.1, and start a new ledger under another name"
        )
    if revision is not None and revision > LATEST_REVISION:
        raise StoreFailed(f"{name} was made by a newer Croupier: schema {printable(revision)[:32]}")
    if not create:
        raise NotFound(f"there is no ledger at {name}")
    faults("migration started")
    with failures(f"{name} cannot be opened"), database.transaction() as connection:
        faults("migration locked")
        if current_revision(connection.raw) != LATEST_REVISION:
            upgrade(database, connection)  # unless another process was first
        faults("migration made")
    faults("migration durable")


def _check_durability(raw: Any) -> None:
    """Refuse a PostgreSQL server that can lose commits; unlogged tables if they can be written."""
    ((fsync,),) = raw.execute("SHOW fsync").fetchall()
    if fsync != "on":
        raise StoreFailed("the PostgreSQL server runs with fsync off; its commits can be lost")
    unlogged = raw.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        " AND relkind = 'r' AND relpersistence <> 'p'"
        " AND current_setting('transaction_read_only') = 'off' ORDER BY relname"
    ).fetchall()
    if unlogged:
        names = ", ".join(printable(name) for (name,) in unlogged)
        raise StoreFailed(
            f"these tables are unlogged and would be empty after a crash of the server: {names}. "
            "Run ALTER TABLE ... SET LOGGED"
        )


def current_revision(raw: Any) -> str | None:
    """The latest migration applied to a database; None if it has no ledger."""
    dialect = "sqlite" if isinstance(raw, sqlite3.Connection) else "postgresql"
    if not raw.execute(_VERSION_TABLE_EXISTS[dialect]).fetchall():
        return None
    row = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0] if row else None)


def upgrade(database: Database, connection: Connection) -> None:
    """Apply the missing migrations, in the transaction of a connection."""
    from alembic import command  # slow to import, and needed once per database
    from alembic.config import Config

    statements: Any = SimpleNamespace(write=connection.execute, flush=lambda: None)
    config = Config(output_buffer=statements, attributes={"dialect": database.dialect})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    revision = current_revision(connection.raw)
    command.upgrade(config, f"{revision}:head" if revision else "head", sql=True)
