"""Opens a database for writing or reading, including SQLite files on read-only media."""

from __future__ import annotations

import importlib.util
import shutil
import sqlite3
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from croupier.ledger.errors import NotFound, StoreFailed, printable
from croupier.ledger.log.database import schema
from croupier.ledger.log.database.database import (
    Database,
    Failpoint,
    database_errors,
    error_message,
    failures,
)
from croupier.ledger.log.database.seal import Seal, read_seal
from croupier.ledger.log.database.sqlite import WRITABLE, SqliteDatabase
from croupier.ledger.log.database.url import DatabaseAddress
from croupier.ledger.log.transparency.stored_tree import StoredTree, last_head

READABLE_MS = 1_000  # wait for a lock when looking at a file
CHECKPOINT_SECONDS = 5.0  # wait for other processes


class Timeouts(NamedTuple):
    """Limits in milliseconds: how long to wait for a lock, and for any answer of a server."""

    lock: int = 5_000
    answer: int = 8_000


def open_database(
    address: DatabaseAddress,
    timeouts: Timeouts,
    *,
    create: bool,
    readonly: bool,
    damaged: bool,
    faults: Failpoint,
    cleanup: ExitStack,
) -> Database:
    """A database of the latest schema; `cleanup` closes it and deletes temporary files.

    An SQLite file that has lost commits is refused unless `damaged` is set.
    """
    name, file, mode = str(address), address.file, WRITABLE
    try:
        if file is not None:
            if not damaged:
                _check_seal(file, timeouts.lock)
            if (readonly or not create) and not file.exists():
                raise NotFound(f"there is no ledger at {file}")
            if readonly:
                path, mode = _readonly_mode(file, cleanup)
                address = DatabaseAddress(path)
        database = connect_to(address, timeouts, readonly=readonly, file_mode=mode)
        cleanup.callback(database.close)
        schema.migrate(database, create=create and not readonly, faults=faults, name=name)
    except NotFound:
        if file is not None:
            _check_seal(file, timeouts.lock)  # everything is missing
        raise
    except database_errors() as error:
        raise StoreFailed(f"{name} cannot be opened: {error_message(error)}") from error
    return database


def connect_to(
    address: DatabaseAddress,
    timeouts: Timeouts,
    *,
    readonly: bool = False,
    file_mode: str = WRITABLE,
) -> Database:
    """The database at an address, whatever its schema."""
    if address.file is not None:
        return SqliteDatabase(address.file, file_mode, timeouts.lock)
    if importlib.util.find_spec("psycopg") is None:
        raise StoreFailed("PostgreSQL needs the package psycopg: pip install 'croupier[ledger]'")
    from croupier.ledger.log.database.postgres import PostgresDatabase  # slow to import

    assert address.server is not None, "a file or a server"
    return PostgresDatabase(
        address.server,
        lock_timeout_ms=timeouts.lock,
        answer_timeout_ms=timeouts.answer,
        default_transaction_read_only="on" if readonly else "off",
    )


def open_seal(database: Database, file: Path) -> Seal:
    """The seal of a file that is opened for writing, up to date with the last commit.

    A commit beyond the seal was never acknowledged, and its sync may have failed. The checkpoint
    writes it to the main file, synced, and nothing is appended to a log that the disk may lack.
    """
    with failures(f"{printable(str(file))} cannot be opened"), ExitStack() as undo:
        seal = Seal(file)
        undo.callback(seal.close)
        with database.connection() as connection:
            head, started = last_head(connection.query), time.monotonic()
            while head.size > seal.size:
                ((busy, _, _),) = connection.query("PRAGMA wal_checkpoint(TRUNCATE)")
                if not busy:
                    seal.write(head)
                elif time.monotonic() - started > CHECKPOINT_SECONDS:
                    raise StoreFailed("another process is reading it; try again")
                else:  # another writer may be about to seal this commit itself
                    time.sleep(0.01)
        undo.pop_all()
    return seal


def _check_seal(file: Path, lock_timeout_ms: int) -> None:
    """Refuse a file that has fewer commits than its seal, before anything can change it.

    SQLite would go on without the commits that it cannot read, and overwrite them.
    """
    sealed = read_seal(file)
    if sealed is None:
        return
    problem = f"the record has 0 entries; it once had {sealed.size}"
    if file.exists():
        with ExitStack() as cleanup:
            database = SqliteDatabase(*_readonly_mode(file, cleanup), lock_timeout_ms)
            cleanup.callback(database.close)
            with database.connection() as connection:
                if schema.current_revision(connection.raw) is not None:
                    tree = StoredTree(connection.query)
                    problem = tree.extension_problem(sealed.size, sealed.root)
    if problem:
        name = printable(str(file))
        raise StoreFailed(
            f"{name} is not opened: {problem}. {name}-seal confirms entries that cannot be read. "
            f"Copy {name}, {name}-wal and {name}-seal to a safe place before anything else, then "
            "restore the latest backup (croupier restore --replace)"
        )


def _readonly_mode(file: Path, cleanup: ExitStack) -> tuple[Path, str]:
    """How SQLite can read this file: in place next to writers, as immutable, or as a copy."""
    if _is_readable(file):
        return file, "mode=ro"
    log = file.with_name(file.name + "-wal")
    if not log.exists() or not log.stat().st_size:
        return file, "mode=ro&immutable=1"
    # The write-ahead log is part of the record, and SQLite needs a writable folder to read it.
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
    copy = folder / "ledger.db"
    shutil.copyfile(file, copy)
    shutil.copyfile(log, folder / "ledger.db-wal")
    return copy, "mode=rw"


def _is_readable(file: Path) -> bool:
    try:
        with closing(SqliteDatabase(file, "mode=ro", READABLE_MS).connect()) as connection:
            connection.raw.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        message = str(error)
        return not ("readonly" in message or "unable to open" in message)
    except sqlite3.DatabaseError:
        return True  # damaged, which later reads report
    return True
