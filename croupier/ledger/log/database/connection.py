"""Driver-neutral database connection: queries, inserts and the writer's transaction.

Statements go to the driver directly, without SQLAlchemy, whose overhead per statement exceeds the
statement itself at thousands of appends per second.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log.database.pool import error_message

WRITER_LOCK = 0x43524F55  # advisory lock that all writers of a PostgreSQL database take
ROWS_MAX = 64  # rows per INSERT; SQLite caches one prepared statement per number of rows
COPY_MIN_ROWS = 8  # from here on a COPY is worth its extra round trip

Row = Sequence[object]


class RowsRejected(LedgerError):
    """The database refused rows: a key already exists (`duplicate`) or a value is invalid."""

    def __init__(self, why: str, *, duplicate: bool) -> None:
        super().__init__(why)
        self.duplicate = duplicate


class DatabaseConnection:
    """Wraps a raw `sqlite3` or `psycopg` connection."""

    __slots__ = ("postgresql", "raw")

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.postgresql = not isinstance(raw, sqlite3.Connection)

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Run a statement with `?` placeholders and return its rows as tuples."""
        raw = self.raw
        try:
            return list(self._execute(statement, values).fetchall())
        except raw.Error as error:
            raise self._translate(error) from error

    def execute(self, statement: str) -> None:
        """Run a statement that returns no rows."""
        raw = self.raw
        try:
            self._execute(statement, ())
        except raw.Error as error:
            raise self._translate(error) from error

    def _execute(self, statement: str, values: Sequence[object]) -> Any:
        if self.postgresql:
            return self.raw.execute(_with_percents(statement), values)
        return self.raw.execute(statement, values)

    def _translate(self, error: Exception) -> LedgerError:
        """A driver error as an error of the ledger."""
        duplicate = isinstance(error, self.raw.IntegrityError)
        if duplicate or isinstance(error, self.raw.DataError):
            return RowsRejected(error_message(error), duplicate=duplicate)
        return StoreFailed(error_message(error))

    # The writer's transaction

    def begin(self, query: str) -> list[Any]:
        """Begin a transaction, take the writer lock, and return the rows of a query.

        Writers are serialized, by BEGIN IMMEDIATE in SQLite and by a fair advisory lock in
        PostgreSQL, so that positions form a total order.
        """
        raw = self.raw
        try:
            if not self.postgresql:
                raw.execute("BEGIN IMMEDIATE")
                return list(raw.execute(query).fetchall())
            with raw.pipeline():  # one round trip for all three
                raw.execute("BEGIN")
                raw.execute(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
                cursor = raw.execute(_with_percents(query))
            return list(cursor.fetchall())
        except raw.Error as error:
            raise self._translate(error) from error

    def commit(self, tables: Mapping[str, Sequence[Row]], failpoint: Callable[[str], None]) -> None:
        """Insert the rows of each table and commit; they are durable when this returns."""
        raw = self.raw
        try:
            if not self.postgresql:
                for table, rows in tables.items():
                    if rows:
                        self._insert(table, rows)
                    failpoint(f"{table} written")
                raw.execute("COMMIT")
                return
            copied = [table for table, rows in tables.items() if len(rows) >= COPY_MIN_ROWS]
            for table in copied:  # a COPY cannot be part of a pipeline
                self._copy(table, tables[table])
                failpoint(f"{table} written")
            with raw.pipeline():
                for table, rows in tables.items():
                    if table not in copied:
                        self._insert(table, rows)
                        failpoint(f"{table} written")
                raw.execute("COMMIT")
        except raw.Error as error:
            raise self._translate(error) from error

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows in order, by COPY where that is faster."""
        raw = self.raw
        try:
            if self.postgresql and len(rows) >= COPY_MIN_ROWS:
                self._copy(table, rows)
            else:
                self._insert(table, rows)
        except raw.Error as error:
            raise self._translate(error) from error

    def _insert(self, table: str, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), ROWS_MAX):
            batch = rows[start : start + ROWS_MAX]
            statement = _insert_statement(table, len(batch[0]), len(batch))
            self._execute(statement, tuple(chain.from_iterable(batch)))

    def _copy(self, table: str, rows: Sequence[Row]) -> None:
        """Insert by COPY, which takes half the time of a multi-row INSERT."""
        with self.raw.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            copy.write(_copy_text(rows))


@cache
def _with_percents(statement: str) -> str:
    return statement.replace("?", "%s")


@cache
def _insert_statement(table: str, columns: int, rows: int) -> str:
    """A multi-row INSERT: the cost per statement, mostly triggers, outweighs that per row."""
    row = f"({', '.join(['?'] * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}"


_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _copy_text(rows: Sequence[Row]) -> str:
    """Rows in the text format of COPY; all values of a column have one type."""
    columns = [_copy_column(values) for values in zip(*rows, strict=True)]
    return "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True))


def _copy_column(values: Sequence[Any]) -> Iterable[str]:
    if isinstance(values[0], bytes):
        return ["\\\\x" + value.hex() for value in values]
    if isinstance(values[0], str):
        return [value.translate(_ESCAPES) for value in values]
    return map(str, values)
