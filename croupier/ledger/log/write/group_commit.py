"""Group commit: one thread per database writes the appends of all tables, one fsync per group.

While one transaction is being made durable, further appends gather for the next one, so the load
determines the group size; a single append is never delayed. `GroupCommitWriter` is the queue,
`TransactionWriter` writes one group.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any

from croupier.ledger.errors import (
    Conflict,
    Damaged,
    LedgerError,
    RepeatedCommand,
    StoreFailed,
)
from croupier.ledger.log.append import Append, run_callbacks
from croupier.ledger.log.database.connection import DatabaseConnection, RowsRejected
from croupier.ledger.log.database.pool import ConnectionPool, PooledConnection, error_message
from croupier.ledger.log.database.wal_preallocation import WalPreallocation
from croupier.ledger.log.failpoints import Failpoints
from croupier.ledger.log.transparency.stored_tree import SELECT_LAST_HEAD, head_from_rows
from croupier.ledger.log.write.rows import HeadCache, TransactionRows

GROUP_MAX = 256  # appends per transaction; bounds the latency of the first of them

Watch = Callable[[Any], AbstractContextManager[None]]  # a timeout on a raw connection
_PAUSE_SECONDS = 0.0002  # about the time a table takes to decide its next command


class GroupCommitWriter:
    """Thread-safe queue in front of a `TransactionWriter`.

    A thread that waits for its append writes the group itself if the writer is idle, since waking
    another thread and being woken by it takes longer than a small commit. Otherwise the writer's
    own thread writes it.
    """

    def __init__(self, transactions: TransactionWriter) -> None:
        self._transactions = transactions
        self._queued: deque[Append] = deque()
        self._closing = False
        self._last_waiters = 0  # threads that waited for the last group
        self._writer_lock = threading.Lock()
        self._asleep = threading.Lock()  # released to wake the thread
        self._asleep.acquire()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def submit(self, *appends: Append) -> None:
        """Queue appends without waiting; up to GROUP_MAX of them share one transaction.

        Bodies are compressed here, in the caller's thread, to relieve the writer. Callers of
        `append` skip this, because each would give up the interpreter lock while compressing and
        queue for it again.
        """
        for append in appends:
            _ = append.encoded
        self._enqueue(appends)
        self._wake()

    def append(self, append: Append) -> Append:
        """Queue an append and write it in this thread if the writer is idle; then `wait` on it."""
        self._enqueue((append,))
        if not self._writer_lock.acquire(blocking=False):
            return append  # the thread that is writing checks the queue again afterwards
        try:
            self._gather()
            self._write(self._next_group())
        finally:
            self._writer_lock.release()
            if self._queued:
                self._wake()
        return append

    def close(self) -> None:
        """Write what is queued and end the thread."""
        self._closing = True
        self._wake()
        self._thread.join()

    def _enqueue(self, appends: Sequence[Append]) -> None:
        if self._closing:
            raise StoreFailed("the ledger is closed")
        self._queued.extend(appends)

    def _wake(self) -> None:
        if self._asleep.locked():
            with suppress(RuntimeError):  # another thread has just released it
                self._asleep.release()

    def _run(self) -> None:
        while not self._closing:
            self._asleep.acquire()
            with self._writer_lock:
                self._gather()
                while group := self._next_group():
                    self._write(group)
                    self._gather()
        with self._writer_lock:
            self._transactions.release_connection()
            for late in self._queued:  # queued while closing; must not wait forever
                late.resolve(StoreFailed("the ledger is closed"))
            run_callbacks(self._queued)

    def _gather(self) -> None:
        """Wait while the threads that were woken by the last group are still coming back.

        Threads resume one after the other; without this the first one back would commit alone. A
        single thread, or an event loop, which submits everything at once, does not wait.
        """
        queued = len(self._queued)
        while 0 < queued < self._last_waiters:
            time.sleep(_PAUSE_SECONDS)
            before, queued = queued, len(self._queued)
            if queued == before:
                return

    def _next_group(self) -> list[Append]:
        group: list[Append] = []
        while self._queued and len(group) < GROUP_MAX:
            group.append(self._queued.popleft())
        return group

    def _write(self, group: list[Append]) -> None:
        self._last_waiters = sum(append.callback is None for append in group)
        self._transactions.write(group)
        run_callbacks(group)


class TransactionWriter:
    """Writes one transaction per group and caches the tree head between them.

    The caller holds the writer's lock within the process; `DatabaseConnection.begin` takes the one
    across processes.
    """

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
