"""Group commit: one thread per database writes what many tables append, one fsync for all.

While a transaction is being made durable the next appends gather, so the load itself sets the
size of a group; a lone append waits for nobody.
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

_PAUSE_SECONDS = 0.0002  # about as long as a table takes to decide its next command


class GroupCommitWriter:
    """The only way into the log, from any thread.

    Whoever waits for an append writes the group itself if nobody else is writing: to wake another
    thread and to be woken by it takes longer than a small commit. Otherwise the writer's own
    thread does.
    """

    def __init__(self, scribe: TransactionWriter) -> None:
        self._scribe = scribe
        self._waiting: deque[Append] = deque()
        self._closing = False
        self._together = 0  # threads that waited for the last group
        self._turn = threading.Lock()  # held by whoever writes
        self._asleep = threading.Lock()  # released to wake the thread
        self._asleep.acquire()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def submit(self, *appends: Append) -> None:
        """Queue appends, which go into one group if they are not too many.

        Who does not wait packs, rather than the thread that everybody waits for. Threads that
        wait do not: each would lose the interpreter's lock while packing, and queue for it again.
        """
        for append in appends:
            _ = append.packed
        self._queue(appends)
        self._wake()

    def append(self, append: Append) -> Append:
        """Queue an append and help to write it; `wait` on it all the same."""
        self._queue((append,))
        if not self._turn.acquire(blocking=False):
            return append  # whoever writes now looks again afterwards
        try:
            self._gather()
            self._write(self._next_group())
        finally:
            self._turn.release()
            if self._waiting:
                self._wake()
        return append

    def close(self) -> None:
        """Write what is queued and end the thread."""
        self._closing = True
        self._wake()
        self._thread.join()

    def _queue(self, appends: Sequence[Append]) -> None:
        if self._closing:
            raise StoreFailed("the ledger is closed")
        self._waiting.extend(appends)

    def _wake(self) -> None:
        if self._asleep.locked():
            with suppress(RuntimeError):  # somebody else has woken it in this moment
                self._asleep.release()

    def _run(self) -> None:
        while not self._closing:
            self._asleep.acquire()
            with self._turn:
                self._gather()
                while group := self._next_group():
                    self._write(group)
                    self._gather()
        with self._turn:
            self._scribe.let_go()
            for late in self._waiting:  # who slipped in behind the end must not wait for ever
                late.decide(StoreFailed("the ledger is closed"))
            run_callbacks(self._waiting)

    def _gather(self) -> None:
        """Let the threads that were told together come together again, as long as they come.

        Threads go on one after the other: the first that is back would commit for itself alone.
        A lone thread, and an event loop, which hands over what it has at once, wait for nothing.
        """
        waiting = len(self._waiting)
        while 0 < waiting < self._together:
            time.sleep(_PAUSE_SECONDS)
            before, waiting = waiting, len(self._waiting)
            if waiting == before:
                return

    def _next_group(self) -> list[Append]:
        group: list[Append] = []
        while self._waiting and len(group) < GROUP_MAX:
            group.append(self._waiting.popleft())
        return group

    def _write(self, group: list[Append]) -> None:
        self._together = sum(append.then is None for append in group)
        self._scribe.write(group)
        run_callbacks(group)
