"""Taking turns: who has lost to others before waits in line, then decides undisturbed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from filelock import FileLock, Timeout
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import SQLAlchemyError

from croupier.ledger.errors import StoreFailed
from croupier.ledger.log import schema

_TURNS = 0x5455524E  # the class of the advisory locks
_POLL_SECONDS = 0.002


@contextmanager
def turn(engine: Engine, url: URL, stream: str, timeout_ms: int) -> Iterator[None]:
    """Hold the right to decide about a stream."""
    file = schema.file_of(url)
    if file is not None:
        lock = FileLock(f"{file}-turns", timeout=timeout_ms / 1000, poll_interval=_POLL_SECONDS)
        try:
            lock.acquire()
        except Timeout:
            raise StoreFailed(f"{stream}: no turn within {timeout_ms} ms") from None
        try:
            yield
        finally:
            lock.release()
        return
    key = int.from_bytes(sha256(stream.encode()).digest()[:4], "big", signed=True)
    try:
        with engine.connect() as connection, connection.begin():
            # In line behind all who asked before; the lock ends with the transaction.
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {timeout_ms}")
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = {timeout_ms + 1000}")
            connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURNS}, {key})")
            yield
    except SQLAlchemyError as error:
        raise StoreFailed(f"{stream}: no turn: {schema.reason(error)}") from error
