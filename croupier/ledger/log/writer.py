"""Group commit: one thread per database writes what many tables append, one fsync for all.

While a transaction is being made durable the next appends gather, so the load itself sets the
size of a group; a lone append waits for nobody.
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
from croupier.ledger.log.appends import Append, tell
from croupier.ledger.log.batch import Batch, Memory
from croupier.ledger.log.connections import Connections, Lent, reason
from croupier.ledger.log.faults import Faults
from croupier.ledger.log.line import Line, Rejected
from croupier.ledger.log.room import Room
from croupier.ledger.log.tree import LAST_HEAD, head_of

GROUP_MAX = 256  # appends in one transaction; bounds the wait of the first of them
_PAUSE_SECONDS = 0.0002  # about as long as a table takes to decide its next command

Watched = Callable[[Any], AbstractContextManager[None]]  # an end to waiting on a connection


class Writer:
    """The only way into the log, from any thread.

    Whoever waits for an append writes the group itself if nobody else is writing: to wake another
    thread and to be woken by it takes longer than a small commit. Otherwise the writer's own
    thread does.
    """

    def __init__(
        self,
        connections: Connections,
        faults: Faults,
        watched: Watched,
        room: Room,
    ) -> None:
        self.connections = connections
        self.faults = faults
        self.watched = watched
        self._waiting: deque[Append] = deque()
        self._closing = False
        self._memory = Memory()
        self._kept: Lent | None = None
        self._room = room
        self._together = 0  # threads that waited for the last group
        self._turn = threading.Lock()  # held by whoever writes
        self._asleep = threading.Lock()  # released to wake the thread
        self._asleep.acquire()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def submit(self, *appends: Append) -> None:
        """Queue appends, which go into one group if they are not too many."""
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
            self._let_go()
            for late in self._waiting:  # who slipped in behind the end must not wait for ever
                late.decide(StoreFailed("the ledger is closed"))
            tell(self._waiting)

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
        """Store a group; one that the database refuses is found by storing each by itself."""
        try:
            outcomes = self._transact(group)
        except Rejected as error:
            self._memory = Memory()
            if len(group) > 1:
                for append in group:
                    self._write([append])
                return
            outcomes = [_refused(group[0], error)]
        except Damaged as error:
            self._memory = Memory()
            outcomes = [error] * len(group)
        except BaseException as error:  # a writer that died silently would leave tables waiting
            self._memory = Memory()
            failure = StoreFailed(f"the record could not be written: {reason(error)}")
            outcomes = [failure] * len(group)
        self._together = sum(append.then is None for append in group)
        for append, outcome in zip(group, outcomes, strict=True):
            append.decide(outcome)
        tell(group)

    def _transact(self, group: list[Append]) -> list[LedgerError | None]:
        """One transaction; returns, per append, None or why it was left out."""
        point = self.faults.point
        line = self._line()
        point("connected")
        try:
            with self.watched(line.raw):
                before = head_of(line.begin(LAST_HEAD))
                self._room.make()
                point("begun")
                batch = Batch(self._memory, before, line.ask)
                outcomes = [batch.admit(append) for append in group]
                if batch.entry:
                    line.finish(batch.finish(), point)
                else:
                    line.run("ROLLBACK")
        except BaseException:
            self._let_go()  # and with it of whatever was begun
            raise
        point("durable")
        if batch.entry:
            self._memory = batch.remembered()
        return outcomes

    def _line(self) -> Line:
        """The writer's own connection: to borrow one each time costs more than to write."""
        if self._kept is None:
            self._kept = self.connections.lend()
        return Line(self._kept.raw)

    def _let_go(self) -> None:
        self._room.leave()
        kept, self._kept = self._kept, None
        if kept is not None:
            with suppress(Exception):  # it may be broken, which is why
                kept.cut()


def _refused(append: Append, error: Rejected) -> LedgerError:
    said, first = str(error), append.entries[0]
    if "entry_id" in said or "entry.id" in said:
        return RepeatedCommand(first.stream, first.id)
    if error.taken:
        return Conflict(first.stream, first.sequence - 1, first.sequence)
    return StoreFailed(f"{first.stream}: the database refused an entry: {said}")
