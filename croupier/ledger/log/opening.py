"""Opening a database: to write, or only to read, also from media that cannot be written to."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import SQLAlchemyError

from croupier.ledger.errors import NotFound, StoreFailed, shown
from croupier.ledger.log import peeking, schema, walfile
from croupier.ledger.log.faults import Faults

DATABASE_ERRORS = (SQLAlchemyError, sqlite3.Error, OSError, UnicodeError)


def open_engine(
    url: URL,
    *,
    create: bool,
    readonly: bool,
    damaged: bool,
    lock_timeout_ms: int,
    answer_timeout_ms: int,
    faults: Faults,
    cleanup: ExitStack,
) -> Engine:
    """A database of the newest schema; what the opening leaves behind is undone by `cleanup`.

    A write-ahead log that has lost durable commits is refused, unless it is opened as `damaged`.
    """
    name = url.render_as_string()
    try:
        file, mode = schema.file_of(url), ""
        if file is not None:
            if (readonly or not create) and not file.exists():
                raise NotFound(f"there is no ledger at {file}")
            cleanup.callback(peeking.used(file))
            if not damaged:
                _check_log(file)
            if readonly:
                url, mode = _readable(url, file, cleanup)
        engine = schema.connect(
            url,
            readonly=readonly,
            lock_timeout_ms=lock_timeout_ms,
            answer_timeout_ms=answer_timeout_ms,
            file_mode=mode,
        )
        cleanup.callback(engine.dispose)
        schema.migrate(engine, create=create and not readonly, faults=faults, name=name)
    except DATABASE_ERRORS as error:
        raise StoreFailed(f"{name} cannot be opened: {schema.reason(error)}") from error
    return engine


def _check_log(file: Path) -> None:
    """SQLite would drop what follows a damaged frame, and overwrite it with the next commit."""
    told = walfile.lost_commits(file)
    if told:
        ways = "restore a backup, or put the file NAME-wal away to go on without what it holds"
        raise StoreFailed(f"{shown(str(file))} is not opened: {told}; {ways}")


def _readable(url: URL, file: Path, cleanup: ExitStack) -> tuple[URL, str]:
    """How SQLite can read this file: in place beside writers, as a still image, or as a copy."""
    if _reads(file, "mode=ro"):
        return url, "mode=ro"
    log = file.with_name(file.name + "-wal")
    if not log.exists() or not log.stat().st_size:
        return url, "mode=ro&immutable=1"
    # What is in the write-ahead log belongs to the record, and reading it needs a place to work.
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
    copy = folder / "ledger.db"
    shutil.copyfile(file, copy)
    shutil.copyfile(log, folder / "ledger.db-wal")
    return url.set(database=str(copy)), "mode=rw"


def _reads(file: Path, mode: str) -> bool:
    try:
        connection = schema.opener(file, mode, 1000)()
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
