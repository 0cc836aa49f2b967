"""Group commit: one thread per database writes what many tables append, one fsync for all.

While a transaction is being made durable the next appends gather, so the load itself sets the
size of a group; a lone append waits for nobody.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from queue import Empty, SimpleQueue

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from croupier.ledger import faults
from croupier.ledger.chain import GENESIS, Head, Row, canonical, hash_head, stamp
from croupier.ledger.errors import Conflict, LedgerError, RepeatedCommand, StoreFailed
from croupier.ledger.schema import lock_for_writing, reason

GROUP_MAX = 256  # appends in one transaction; bounds the wait of the first of them
ROWS_MAX = 64  # rows in one statement
COPY_FROM = 8  # rows that make a COPY worth its own round trip

Tip = tuple[int, str]  # the last sequence and hash of a stream
Snapshot = tuple[str, int, str, str]  # stream, sequence, hash, data


class Append:
    """Events that are stored together or not at all, in one stream or several.

    A bare lock is all the waiting needs; a `Future` costs more than the insert itself. `then` is
    called by the writer when all is decided, for callers that do not wait in a thread.
    """

    __slots__ = ("_decided", "failure", "rows", "snapshots", "then")

    def __init__(
        self,
        rows: Sequence[Row],
        snapshots: Sequence[Snapshot] = (),
        then: Callable[[Append], None] | None = None,
    ) -> None:
        assert rows, "an append needs an event"
        self.rows = rows
        self.snapshots = snapshots
        self.then = then
        self.failure: LedgerError | None = None
        self._decided = threading.Lock()
        self._decided.acquire()

    def wait(self) -> None:
        """Return when the events are durable, or raise why they are not."""
        with self._decided:
            pass
        if self.failure is not None:
            raise self.failure

    def decide(self, failure: LedgerError | None) -> None:
        """Let those who wait go on. Called once, by the writer."""
        self.failure = failure
        self._decided.release()
        if self.then is not None:
            self.then(self)

    def follows(self) -> dict[str, Tip]:
        """The tips that the streams must have for this append to be right."""
        tips: dict[str, Tip] = {}
        for row in self.rows:
            tips.setdefault(row.stream, (row.sequence - 1, row.previous_hash))
        return tips

    def leaves(self) -> dict[str, Tip]:
        """The tips that the streams have after it."""
        return {row.stream: (row.sequence, row.hash) for row in self.rows}


class Writer:
    """The only way into the event table. `submit` may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._waiting: SimpleQueue[Append | None] = SimpleQueue()
        self._closing = False
        self._number = -1  # the head after our own last transaction; -1 is unknown
        self._tips: dict[str, Tip] = {}  # true as long as nobody else has written since
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

    def _write(self, group: list[Append]) -> None:
        """Store a group; one that the database refuses is found by storing each by itself."""
        try:
            outcomes = self._transact(group)
        except (IntegrityError, DataError) as error:
            self._forget()
            if len(group) > 1:
                for append in group:
                    self._write([append])
                return
            outcomes = [self._refused(group[0], error)]
        except BaseException as error:  # a writer that died silently would leave tables waiting
            self._forget()
            outcomes = [self._failure(error)] * len(group)
        for append, outcome in zip(group, outcomes, strict=True):
            append.decide(outcome)

    def _transact(self, group: list[Append]) -> list[LedgerError | None]:
        """One transaction; returns, per append, None or why it was left out."""
        with self.engine.connect().execution_options(writing=True) as connection:
            faults.point()
            with connection.begin():
                lock_for_writing(connection)
                faults.point()
                number, previous = self._last_head(connection)
                if number != self._number:
                    self._forget()
                tips = dict(self._tips)
                outcomes = [self._admit(connection, append, tips) for append in group]
                admitted = [append for append, why in zip(group, outcomes) if why is None]
                if admitted:
                    self._store(connection, admitted, number, previous)
            faults.point()
        if admitted:
            self._number, self._tips = number + 1, tips
        return outcomes

    def _store(
        self, connection: Connection, group: list[Append], number: int, previous: str
    ) -> None:
        insert(connection, "event", [row for append in group for row in append.rows])
        insert(connection, "snapshot", [kept for append in group for kept in append.snapshots])
        leaves: dict[str, Tip] = {}
        for append in group:
            leaves |= append.leaves()
        insert(connection, "head", [next_head(number, previous, leaves)])

    def _admit(
        self, connection: Connection, append: Append, tips: dict[str, Tip]
    ) -> LedgerError | None:
        """Whether an append follows what is stored; `tips` moves on with it if it does."""
        for stream, follows in append.follows().items():
            if stream not in tips:
                tips[stream] = read_tip(connection, stream)
            if tips[stream] != follows:
                return Conflict(stream, follows[0], tips[stream][0])
        tips |= append.leaves()
        return None

    def _last_head(self, connection: Connection) -> tuple[int, str]:
        found = connection.exec_driver_sql(
            "SELECT number, hash FROM head ORDER BY number DESC LIMIT 1"
        ).first()
        return (found[0], found[1]) if found else (0, GENESIS)

    def _forget(self) -> None:
        self._number, self._tips = -1, {}

    def _refused(self, append: Append, error: SQLAlchemyError) -> LedgerError:
        said = reason(error)
        first = append.rows[0]
        if "event_command" in said or "event.command_id" in said:
            return RepeatedCommand(first.stream, first.command_id)
        if isinstance(error, IntegrityError):
            return Conflict(first.stream, first.sequence - 1, first.sequence)
        return StoreFailed(f"{first.stream}: the database refused an event: {said}")

    def _failure(self, error: BaseException) -> LedgerError:
        return StoreFailed(f"the record could not be written: {reason(error)}")


def insert(connection: Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows, many to a statement: per-statement costs, triggers above all, outweigh rows."""
    if connection.dialect.name == "postgresql" and len(rows) >= COPY_FROM:
        copy_rows(connection, table, rows)
        faults.point()
        return
    start, size = 0, ROWS_MAX
    while start < len(rows):
        while size > len(rows) - start:
            size //= 2  # few sizes, so that every statement is prepared once
        part = rows[start : start + size]
        connection.exec_driver_sql(
            _insertion(connection.dialect.name, table, len(part[0]), size),
            tuple(chain.from_iterable(part)),
        )
        faults.point()
        start += size


def copy_rows(connection: Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    """PostgreSQL's own way for many rows; it takes half the time of a statement of values."""
    driver = connection.connection.driver_connection
    assert driver is not None
    statement = f"COPY {table} FROM STDIN"
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write("".join("\t".join(map(_copied, row)) + "\n" for row in rows))
    except driver.IntegrityError as error:
        raise IntegrityError(statement, None, error) from error
    except driver.DataError as error:
        raise DataError(statement, None, error) from error
    except driver.Error as error:
        raise DBAPIError(statement, None, error) from error


_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _copied(value: object) -> str:
    """A value as COPY reads it."""
    text = value if isinstance(value, str) else str(value)
    return text if text.isprintable() and "\\" not in text else text.translate(_ESCAPES)


@cache
def _insertion(dialect: str, table: str, columns: int, rows: int) -> str:
    mark = "?" if dialect == "sqlite" else "%s"
    row = f"({', '.join([mark] * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}"


def read_tip(connection: Connection, stream: str) -> Tip:
    """The last sequence and hash of a stream; (0, GENESIS) before its first event."""
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    found = connection.exec_driver_sql(
        f"SELECT sequence, hash FROM event WHERE stream = {mark} ORDER BY sequence DESC LIMIT 1",
        (stream,),
    ).first()
    return (found[0], found[1]) if found else (0, GENESIS)


def next_head(number: int, previous: str, leaves: dict[str, Tip]) -> Head:
    """The head that follows when streams reach these tips."""
    streams = canonical(leaves)
    time = stamp(dt.datetime.now(dt.UTC))
    own = hash_head(number + 1, previous, streams, time)
    return Head(number + 1, previous, streams, time, own)
