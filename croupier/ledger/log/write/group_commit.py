"""Group commit: one thread per database writes the appends of all tables, one fsync per group.

While one transaction is being made durable, further appends gather for the next one, so the load
determines the group size; a single append is never delayed.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from croupier.ledger.errors import StoreFailed
from croupier.ledger.log.append import Append, run_callbacks
from croupier.ledger.log.write.transaction import GROUP_MAX, TransactionWriter

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
