"""Whoever has the turn writes groups of appends, one transaction each, and remembers the log."""

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

GROUP_MAX = 256  # appends in one transaction; bounds the wait of the first of them

Watch = Callable[[Any], AbstractContextManager[None]]  # an end to waiting on a connection


class TransactionWriter:
    """Writes for one caller at a time; every append it was given is decided when it returns."""

    def __init__(
        self,
        connections: ConnectionPool,
        faults: Failpoints,
        watched: Watch,
        room: WalPreallocation,
    ) -> None:
        self.connections = connections
        self.faults = faults
        self.watched = watched
        self._memory = HeadCache()
        self._kept: PooledConnection | None = None
        self._room = room

    def write(self, group: list[Append]) -> None:
        """Store a group; one that the database refuses is found by storing each by itself."""
        try:
            outcomes = self._transact(group)
        except RowsRejected as error:
            self._memory = HeadCache()
            if len(group) > 1:
                for append in group:
                    self.write([append])
                return
            outcomes = [_refused(group[0], error)]
        except Damaged as error:
            self._memory = HeadCache()
            outcomes = [error] * len(group)
        except BaseException as error:  # a writer that died silently would leave tables waiting
            self._memory = HeadCache()
            failure = StoreFailed(f"the record could not be written: {error_message(error)}")
            outcomes = [failure] * len(group)
        for append, outcome in zip(group, outcomes, strict=True):
            append.decide(outcome)

    def _transact(self, group: list[Append]) -> list[LedgerError | None]:
        """One transaction; returns, per append, None or why it was left out."""
        point = self.faults.point
        line = self._line()
        point("connected")
        try:
            with self.watched(line.raw):
                before = head_from_rows(line.begin(SELECT_LAST_HEAD))
                self._room.make()
                point("begun")
                batch = TransactionRows(self._memory, before, line.ask)
                outcomes = [batch.admit(append) for append in group]
                if batch.entry:
                    line.finish(batch.finish(), point)
                else:
                    line.run("ROLLBACK")
        except BaseException:
            self.let_go()  # and with it of whatever was begun
            raise
        point("durable")
        if batch.entry:
            self._memory = batch.remembered()
        return outcomes

    def _line(self) -> DatabaseConnection:
        """The writer's own connection: to borrow one each time costs more than to write."""
        if self._kept is None:
            self._kept = self.connections.lend()
        return DatabaseConnection(self._kept.raw)

    def let_go(self) -> None:
        """Let the connection go; the next group has a new one."""
        self._room.leave()
        kept, self._kept = self._kept, None
        if kept is not None:
            with suppress(Exception):  # it may be broken, which is why
                kept.cut()


def _refused(append: Append, error: RowsRejected) -> LedgerError:
    said, first = str(error), append.entries[0]
    if "entry_id" in said or "entry.id" in said:
        return RepeatedCommand(first.stream, first.id)
    if error.taken:
        return Conflict(first.stream, first.sequence - 1, first.sequence)
    return StoreFailed(f"{first.stream}: the database refused an entry: {said}")
