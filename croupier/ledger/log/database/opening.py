"""Opening a database: to write, or only to read, also from media that cannot be written to."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import ExitStack
from pathlib import Path

from croupier.ledger.errors import NotFound, StoreFailed, printable
from croupier.ledger.log.database import pool, schema, sqlite_file, sqlite_wal
from croupier.ledger.log.database.pool import ConnectionPool, database_errors, reason
from croupier.ledger.log.database.url import Address
from croupier.ledger.log.failpoints import Failpoints


def open_connections(
    address: Address,
    *,
    create: bool,
    readonly: bool,
    damaged: bool,
    lock_timeout_ms: int,
    answer_timeout_ms: int,
    faults: Failpoints,
    cleanup: ExitStack,
) -> ConnectionPool:
    """A database of the newest schema; what the opening leaves behind is undone by `cleanup`.

    A write-ahead log that has lost durable commits is refused, unless it is opened as `damaged`.
    """
    name, file, mode = str(address), address.file, ""
    try:
        if file is not None:
            if (readonly or not create) and not file.exists():
                raise NotFound(f"there is no ledger at {file}")
            cleanup.callback(sqlite_file.used(file))
            if not damaged:
                _check_log(file)
            if readonly:
                address, mode = _readable(address, file, cleanup)
        opened = pool.connect(
            address,
            readonly=readonly,
            lock_timeout_ms=lock_timeout_ms,
            answer_timeout_ms=answer_timeout_ms,
            file_mode=mode,
        )
        cleanup.callback(opened.close)
        schema.migrate(opened, create=create and not readonly, faults=faults, name=name)
    except database_errors() as error:
        raise StoreFailed(f"{name} cannot be opened: {reason(error)}") from error
    return opened


def _check_log(file: Path) -> None:
    """SQLite would drop what follows a damaged frame, and overwrite it with the next commit."""
    told = sqlite_wal.lost_commits(file)
    if told:
        ways = "restore a backup, or put the file NAME-wal away to go on without what it holds"
        raise StoreFailed(f"{printable(str(file))} is not opened: {told}; {ways}")


def _readable(address: Address, file: Path, cleanup: ExitStack) -> tuple[Address, str]:
    """How SQLite can read this file: in place beside writers, as a still image, or as a copy."""
    if _reads(file, "mode=ro"):
        return address, "mode=ro"
    log = file.with_name(file.name + "-wal")
    if not log.exists() or not log.stat().st_size:
        return address, "mode=ro&immutable=1"
    # What is in the write-ahead log belongs to the record, and reading it needs a place to work.
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
    copy = folder / "ledger.db"
    shutil.copyfile(file, copy)
    shutil.copyfile(log, folder / "ledger.db-wal")
    return Address(copy), "mode=rw"


def _reads(file: Path, mode: str) -> bool:
    try:
        connection = pool.opener(file, mode, 1000)()
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        told = str(error)
        return not ("readonly" in told or "unable to open" in told)
    except sqlite3.DatabaseError:
        return True  # it is damaged, which whoever reads on will say
    return True
