"""Group commit: one thread per database writes what many tables append, one fsync for all.

While a transaction is being made durable the next appends gather, so the load itself sets the
size of a group; a lone append waits for nobody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from queue import Empty, SimpleQueue

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from croupier.ledger.errors import Conflict, LedgerError, RepeatedCommand, StoreFailed
from croupier.ledger.log.appends import Append
from croupier.ledger.log.batch import Batch, Memory
from croupier.ledger.log.faults import Faults
from croupier.ledger.log.inserting import insert
from croupier.ledger.log.schema import lock_for_writing, reason
from croupier.ledger.log.tree import asking

GROUP_MAX = 256  # appends in one transaction; bounds the wait of the first of them

Watched = Callable[[Connection], AbstractContextManager[None]]  # an end to waiting on it


class Writer:
    """The only way into the log. `submit` may be called from any thread."""

    def __init__(
        self,
        engine: Engine,
        faults: Faults,
        watched: Watched,
    ) -> None:
        self.engine = engine
        self.faults = faults
        self.watched = watched
        self._waiting: SimpleQueue[Append | None] = SimpleQueue()
        self._closing = False
        self._memory = Memory()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> Append:
        """Queue an append; `wait` on it to know that it is durable."""
        if self._closing:
            raise StoreFailed("the ledger is closed")
        self._waiting.put(append)
        return append

    def close(self) -> None:
        """Write what is queued and end the thread."""
        self._closing = True
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group = [first]
            while len(group) < GROUP_MAX:
                try:
                    more = self._waiting.get_nowait()
                except Empty:
                    break
                if more is None:
                    self._waiting.put(None)  # nothing follows it: write this group, then end
                    break
                group.append(more)
            self._write(group)
        self._refuse_the_rest()

    def _refuse_the_rest(self) -> None:
        """Whoever slipped in behind the end must not wait for ever."""
        while True:
            try:
                late = self._waiting.get_nowait()
            except Empty:
                return
            if late is not None:
                late.decide(StoreFailed("the ledger is closed"))

    def _write(self, group: list[Append]) -> None:
        """Store a group; one that the database refuses is found by storing each by itself."""
        try:
            outcomes = self._transact(group)
        except (IntegrityError, DataError) as error:
            self._memory = Memory()
            if len(group) > 1:
                for append in group:
                    self._write([append])
                return
            outcomes = [_refused(group[0], error)]
        except LedgerError as error:
            self._memory = Memory()
            outcomes = [error] * len(group)
        except BaseException as error:  # a writer that died silently would leave tables waiting
            self._memory = Memory()
            failure = StoreFailed(f"the record could not be written: {reason(error)}")
            outcomes = [failure] * len(group)
        for append, outcome in zip(group, outcomes, strict=True):
            with suppress(Exception):  # who has gone away meanwhile must not end it for the others
                append.decide(outcome)

    def _transact(self, group: list[Append]) -> list[LedgerError | None]:
        """One transaction; returns, per append, None or why it was left out."""
        point = self.faults.point
        with self.engine.connect().execution_options(writing=True) as connection:
            point("connected")
            with self.watched(connection):
                with connection.begin():
                    point("begun")
                    lock_for_writing(connection)
                    point("locked")
                    batch = Batch(self._memory, asking(connection))
                    outcomes = [batch.admit(append) for append in group]
                    if batch.entry:
                        for table, rows in batch.finish().items():
                            insert(connection, table, rows)
                            point(f"{table} written")
                point("durable")
        if batch.entry:
            self._memory = batch.remembered()
        return outcomes


def _refused(append: Append, error: SQLAlchemyError) -> LedgerError:
    said, first = reason(error), append.entries[0]
    if "entry_id" in said or "entry.id" in said:
        return RepeatedCommand(first.stream, first.id)
    if isinstance(error, IntegrityError):
        return Conflict(first.stream, first.sequence - 1, first.sequence)
    return StoreFailed(f"{first.stream}: the database refused an entry: {said}")
