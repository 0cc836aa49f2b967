"""Taking turns: who has lost to others before waits in line, then decides undisturbed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from croupier.ledger.errors import StoreFailed
from croupier.ledger.log.database.pool import ConnectionPool, database_errors, error_message
from croupier.ledger.log.database.url import DatabaseAddress

_TURNS = 0x5455524E  # the class of the advisory locks
_POLL_SECONDS = 0.002


@contextmanager
def advisory_lock(
    pool: ConnectionPool, address: DatabaseAddress, stream: str, timeout_ms: int
) -> Iterator[None]:
    """Hold the right to decide about a stream."""
    if address.file is not None:
        from filelock import FileLock, Timeout  # slow to import, and needed by few

        file = address.file
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
        with pool.connection() as raw, raw.transaction():
            # In line behind all who asked before; the lock ends with the transaction.
            raw.execute(f"SET LOCAL lock_timeout = {timeout_ms}")
            raw.execute(f"SET LOCAL statement_timeout = {timeout_ms + 1000}")
            raw.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            raw.execute(f"SELECT pg_advisory_xact_lock({_TURNS}, {key})")
            yield
    except database_errors() as error:
        raise StoreFailed(f"{stream}: no turn: {error_message(error)}") from error
