"""The schema of a ledger's database: which version it has, and the newest one made where it lacks.

Tables are created by `migrations/`, in one place; the queries stand where they are asked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.ledger.errors import NotFound, StoreFailed, printable
from croupier.ledger.log.database.connection import WRITER_LOCK
from croupier.ledger.log.database.pool import ConnectionPool
from croupier.ledger.log.failpoints import Failpoints

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

LATEST = "0001"  # the newest migration

_IS_THERE = {
    "sqlite": "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'alembic_version'",
    "postgresql": "SELECT 1 WHERE to_regclass('alembic_version') IS NOT NULL",
}


def migrate(connections: ConnectionPool, *, create: bool, faults: Failpoints, name: str) -> None:
    """Bring a database to the newest schema; an up to date one is only looked at."""
    with connections.lent() as raw:
        if connections.dialect == "postgresql":
            _check_durable(raw)
        found = version(raw)
    if found == LATEST:
        return
    if found is not None and found > LATEST:
        raise StoreFailed(f"{name} was made by a newer Croupier: schema {printable(found)[:32]}")
    if not create:
        raise NotFound(f"{name} is no ledger")
    with remaking(connections, faults) as connection:
        if version(connection.connection.driver_connection) != LATEST:
            upgrade(connection)  # unless another process was first
        faults.point("migration made")
    faults.point("migration durable")


@contextmanager
def remaking(connections: ConnectionPool, faults: Failpoints) -> Iterator[Connection]:
    """A transaction of SQLAlchemy's that holds the one right to write; SQLite gives it at once."""
    engine = connections.toolkit()
    try:
        with engine.connect() as connection, connection.begin():
            faults.point("migration begun")
            if connections.dialect == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
            faults.point("migration locked")
            yield connection
    finally:
        engine.dispose()


def _check_durable(raw: Any) -> None:
    ((fsync,),) = raw.execute("SHOW fsync").fetchall()
    if fsync != "on":
        raise StoreFailed("the PostgreSQL server runs with fsync off; its commits can be lost")


def version(raw: Any) -> str | None:
    """The migration that a database has come to; None where there is no ledger."""
    there = _IS_THERE["sqlite" if isinstance(raw, sqlite3.Connection) else "postgresql"]
    if not raw.execute(there).fetchall():
        return None
    found = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(found[0] if found else None)


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing."""
    from alembic import command  # slow to import, and needed once per database
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
