"""A database of the log: a pool of connections, and what both drivers have in common.

Statements go to the driver directly: SQLAlchemy costs more per statement than the statement itself
at thousands of appends per second.
"""

from __future__ import annotations

import sqlite3
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, Literal

from croupier.ledger.errors import LedgerError, StoreFailed, printable

IDLE_MAX = 8  # idle connections kept open

Row = Sequence[object]
# Called with the name of each point at which a write could be interrupted; tests inject faults.
Failpoint = Callable[[str], None]


def no_faults(where: str) -> None:
    """Continue."""


def database_errors() -> tuple[type[Exception], ...]:
    """The exception types of the database drivers that are loaded."""
    types: list[type[Exception]] = [sqlite3.Error, OSError, UnicodeError]
    if psycopg := sys.modules.get("psycopg"):
        types.append(psycopg.Error)
    return tuple(types)


def error_message(error: BaseException) -> str:
    """The message of an error in one line."""
    return printable(" ".join(str(error).split())) or type(error).__name__


@contextmanager
def failures(what: str) -> Iterator[None]:
    """Raise errors of the database as StoreFailed, with a message that begins with `what`."""
    try:
        yield
    except (RowsRejected, StoreFailed) + database_errors() as error:
        raise StoreFailed(f"{what}: {error_message(error)}") from error


class RowsRejected(LedgerError):
    """The database refused rows: a key already exists (`duplicate`) or a value is invalid."""

    def __init__(self, why: str, *, duplicate: bool) -> None:
        super().__init__(why)
        self.duplicate = duplicate


class Connection(ABC):
    """A driver's connection in autocommit mode. Its errors are those of the ledger."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Run a statement with `?` placeholders and return its rows as tuples."""
        with self._ledger_errors():
            return list(self.raw.execute(self._sql(statement), values).fetchall())

    def execute(self, statement: str) -> None:
        """Run a statement that returns no rows."""
        with self._ledger_errors():
            self.raw.execute(statement)

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows in order."""
        places = ", ".join(["?"] * len(rows[0]))
        with self._ledger_errors():
            statement = self._sql(f"INSERT INTO {table} VALUES ({places})")
            self.raw.cursor().executemany(statement, rows)

    @abstractmethod
    def begin(self, query: str) -> list[Any]:
        """Begin a transaction, take the writer lock, and return the rows of a query.

        Writers are serialized across processes, so that positions form a total order.
        """

    def commit(self, tables: Mapping[str, Sequence[Row]], failpoint: Failpoint) -> None:
        """Insert the rows of each table and commit; they are durable when this returns."""
        for table, rows in tables.items():
            if rows:
                self.insert(table, rows)
            failpoint(f"{table} written")
        self.execute("COMMIT")

    def close(self) -> None:
        """Close the connection, which rolls back an open transaction."""
        with suppress(Exception):  # it may be broken
            self.raw.close()

    def _sql(self, statement: str) -> str:
        """A statement with the driver's own placeholders."""
        return statement

    @contextmanager
    def _ledger_errors(self) -> Iterator[None]:
        raw = self.raw
        try:
            yield
        except raw.Error as error:
            duplicate = isinstance(error, raw.IntegrityError)
            if duplicate or isinstance(error, raw.DataError):
                raise RowsRejected(error_message(error), duplicate=duplicate) from error
            raise StoreFailed(error_message(error)) from error
        except OverflowError as error:  # SQLite has no integers of more than 64 bits
            raise RowsRejected(error_message(error), duplicate=False) from error


class Database(ABC):
    """Thread-safe pool of connections to one database."""

    dialect: ClassVar[Literal["sqlite", "postgresql"]]

    def __init__(self) -> None:
        self._idle: list[Connection] = []
        self._closed = False
        self.lost = ""  # why no connection is used any more: what they read may be in no file

    @abstractmethod
    def connect(self) -> Connection:
        """Open a new connection."""

    def problem(self) -> str:
        """Why nothing can be stored, as far as the files show; empty if nothing is wrong."""
        return ""

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection for the duration of a block; closed if the block fails."""
        if self.lost:
            raise StoreFailed(self.lost)
        try:
            connection = self._idle.pop()  # atomic
        except IndexError:
            connection = self.connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            self._close_idle()  # the server may have restarted
            raise
        if self._closed or len(self._idle) >= IDLE_MAX:
            connection.close()
        else:
            self._idle.append(connection)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction that holds the writer lock; rolled back on an error."""
        with self.connection() as connection:
            connection.begin("SELECT 1")
            yield connection
            connection.execute("COMMIT")

    def close(self) -> None:
        """Close the idle connections; the others are closed when they are released."""
        self._closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            with suppress(IndexError):  # another thread has taken it
                self._idle.pop().close()
