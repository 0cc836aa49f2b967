"""Writes one transaction per group of appends and caches the tree head between them.

The caller holds the writer's lock within the process; `DatabaseConnection.begin` takes the one
across processes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any

from croupier.ledger.errors import (
    Conflict,
    Damaged,
    LedgerError,
    RepeatedCommand,
    StoreFailed,
)
from croupier.ledger.log.append import Append
from croupier.ledger.log.database.connection import DatabaseConnection, RowsRejected
from croupier.ledger.log.database.pool import ConnectionPool, PooledConnection, error_message
from croupier.ledger.log.database.wal_preallocation import WalPreallocation
from croupier.ledger.log.failpoints import Failpoints
from croupier.ledger.log.transparency.stored_tree import SELECT_LAST_HEAD, head_from_rows
from croupier.ledger.log.write.rows import HeadCache, TransactionRows

GROUP_MAX = 256  # appends per transaction; bounds the latency of the first of them

Watch = Callable[[Any], AbstractContextManager[None]]  # a timeout on a raw connection


class TransactionWriter:
    """Writes groups of appends for one caller at a time."""

    def __init__(
        self,
        pool: ConnectionPool,
        faults: Failpoints,
        watch: Watch,
        preallocation: WalPreallocation,
    ) -> None:
        self.pool = pool
        self.faults = faults
        self.watch = watch
        self._cache = HeadCache()
        self._pooled: PooledConnection | None = None
        self._preallocation = preallocation

    def write(self, group: list[Append]) -> None:
        """Store a group and resolve all of its appends.

        If the database rejects the group, each append is written in its own transaction, so that
        only the invalid one fails.
        """
        try:
            outcomes = self._write_transaction(group)
        except RowsRejected as error:
            self._cache = HeadCache()
            if len(group) > 1:
                for append in group:
                    self.write([append])
                return
            outcomes = [_rejection(group[0], error)]
        except Damaged as error:
            self._cache = HeadCache()
            outcomes = [error] * len(group)
        except BaseException as error:  # an unresolved append would block its table forever
            self._cache = HeadCache()
            failure = StoreFailed(f"the record could not be written: {error_message(error)}")
            outcomes = [failure] * len(group)
        for append, outcome in zip(group, outcomes, strict=True):
            append.resolve(outcome)

    def _write_transaction(self, group: list[Append]) -> list[LedgerError | None]:
        """Returns, for each append, None if it was stored or the reason why not."""
        point = self.faults.point
        connection = self._connection()
        point("connected")
        try:
            with self.watch(connection.raw):
                before = head_from_rows(connection.begin(SELECT_LAST_HEAD))
                self._preallocation.make()
                point("transaction started")
                rows = TransactionRows(self._cache, before, connection.query)
                outcomes = [rows.admit(append) for append in group]
                if rows.entry:
                    connection.commit(rows.finish(), point)
                else:
                    connection.execute("ROLLBACK")
        except BaseException:
            self.release_connection()  # which also rolls back
            raise
        point("durable")
        if rows.entry:
            self._cache = rows.updated_cache()
        return outcomes

    def _connection(self) -> DatabaseConnection:
        """The writer's own connection: checking one out each time costs more than writing."""
        if self._pooled is None:
            self._pooled = self.pool.checkout()
        return DatabaseConnection(self._pooled.raw)

    def release_connection(self) -> None:
        """Discard the connection; the next group opens a new one."""
        self._preallocation.leave()
        pooled, self._pooled = self._pooled, None
        if pooled is not None:
            with suppress(Exception):  # the connection may already be broken
                pooled.discard()


def _rejection(append: Append, error: RowsRejected) -> LedgerError:
    message, first = str(error), append.entries[0]
    if "entry_id" in message or "entry.id" in message:
        return RepeatedCommand(first.stream, first.id)
    if error.duplicate:
        return Conflict(first.stream, first.sequence - 1, first.sequence)
    return StoreFailed(f"{first.stream}: the database refused an entry: {message}")
