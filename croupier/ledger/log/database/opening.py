"""Opens a database for writing or reading, including SQLite files on read-only media."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import ExitStack
from pathlib import Path

from croupier.ledger.errors import NotFound, StoreFailed, printable
from croupier.ledger.log.database import pool as pools
from croupier.ledger.log.database import schema, sqlite_file, sqlite_wal
from croupier.ledger.log.database.pool import ConnectionPool, database_errors, error_message
from croupier.ledger.log.database.url import DatabaseAddress
from croupier.ledger.log.failpoints import Failpoints


def open_pool(
    address: DatabaseAddress,
    *,
    create: bool,
    readonly: bool,
    damaged: bool,
    lock_timeout_ms: int,
    answer_timeout_ms: int,
    faults: Failpoints,
    cleanup: ExitStack,
) -> ConnectionPool:
    """A pool for a database of the latest schema; `cleanup` closes it and deletes temporary files.

    A write-ahead log that has lost durable commits is refused unless `damaged` is set.
    """
    name, file, mode = str(address), address.file, ""
    try:
        if file is not None:
            if (readonly or not create) and not file.exists():
                raise NotFound(f"there is no ledger at {file}")
            cleanup.callback(sqlite_file.used(file))
            if not damaged:
                _check_write_ahead_log(file)
            if readonly:
                address, mode = _readonly_mode(address, file, cleanup)
        pool = pools.create_pool(
            address,
            readonly=readonly,
            lock_timeout_ms=lock_timeout_ms,
            answer_timeout_ms=answer_timeout_ms,
            file_mode=mode,
        )
        cleanup.callback(pool.close)
        schema.migrate(pool, create=create and not readonly, faults=faults, name=name)
    except database_errors() as error:
        raise StoreFailed(f"{name} cannot be opened: {error_message(error)}") from error
    return pool


def _check_write_ahead_log(file: Path) -> None:
    """Refuse a damaged log: SQLite would ignore the frames after the damage and overwrite them."""
    problem = sqlite_wal.lost_commits(file)
    if problem:
        remedy = "restore a backup, or move the file NAME-wal away to continue without its contents"
        raise StoreFailed(f"{printable(str(file))} is not opened: {problem}; {remedy}")


def _readonly_mode(
    address: DatabaseAddress, file: Path, cleanup: ExitStack
) -> tuple[DatabaseAddress, str]:
    """How SQLite can read this file: in place next to writers, as immutable, or as a copy."""
    if _is_readable(file, "mode=ro"):
        return address, "mode=ro"
    log = file.with_name(file.name + "-wal")
    if not log.exists() or not log.stat().st_size:
        return address, "mode=ro&immutable=1"
    # The write-ahead log is part of the record, and SQLite needs a writable folder to read it.
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
    copy = folder / "ledger.db"
    shutil.copyfile(file, copy)
    shutil.copyfile(log, folder / "ledger.db-wal")
    return DatabaseAddress(copy), "mode=rw"


def _is_readable(file: Path, mode: str) -> bool:
    try:
        connection = pools.sqlite_connector(file, mode, 1000)()
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        message = str(error)
        return not ("readonly" in message or "unable to open" in message)
    except sqlite3.DatabaseError:
        return True  # damaged, which later reads report
    return True
