"""One connection to the database, spoken to directly.

Whoever appends thousands of times a second cannot afford what a toolkit does around a statement:
it costs more than the statement. SQLite and PostgreSQL are spoken to alike, and what they refuse
is said in our own words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log.database.pool import error_message

WRITER_LOCK = 0x43524F55  # the advisory lock of every writer of one PostgreSQL database
ROWS_MAX = 64  # rows in one statement; SQLite keeps one prepared for each number of rows
COPY_MIN_ROWS = 8  # rows that make a COPY worth its own round trip

Row = Sequence[object]


class RowsRejected(LedgerError):
    """The database would not take rows: their place is taken, or a value is none of its column."""

    def __init__(self, why: str, *, taken: bool) -> None:
        super().__init__(why)
        self.taken = taken


class DatabaseConnection:
    """A connection as its driver made it."""

    __slots__ = ("postgresql", "raw")

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.postgresql = not isinstance(raw, sqlite3.Connection)

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that answer a statement with question marks, as plain tuples."""
        raw = self.raw
        try:
            return list(self._run(statement, values).fetchall())
        except raw.Error as error:
            raise self._told(error) from error

    def run(self, statement: str) -> None:
        """A statement that nobody reads an answer of."""
        raw = self.raw
        try:
            self._run(statement, ())
        except raw.Error as error:
            raise self._told(error) from error

    def _run(self, statement: str, values: Sequence[object]) -> Any:
        if self.postgresql:
            return self.raw.execute(_with_percents(statement), values)
        return self.raw.execute(statement, values)

    def _told(self, error: Exception) -> LedgerError:
        """What the database says, as an error of ours."""
        taken = isinstance(error, self.raw.IntegrityError)
        if taken or isinstance(error, self.raw.DataError):
            return RowsRejected(error_message(error), taken=taken)
        return StoreFailed(error_message(error))

    # A transaction of the writer

    def begin(self, question: str) -> list[Any]:
        """Begin, wait for the one right to append, and ask something as it then stands.

        SQLite gives that right with BEGIN IMMEDIATE, PostgreSQL an advisory lock to whoever has
        waited longest: serial writers make the order of all entries total.
        """
        raw = self.raw
        try:
            if not self.postgresql:
                raw.execute("BEGIN IMMEDIATE")
                return list(raw.execute(question).fetchall())
            with raw.pipeline():  # sent without waiting for the answer to each
                raw.execute("BEGIN")
                raw.execute(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
                answer = raw.execute(_with_percents(question))
            return list(answer.fetchall())
        except raw.Error as error:
            raise self._told(error) from error

    def finish(self, tables: Mapping[str, Sequence[Row]], written: Callable[[str], None]) -> None:
        """Insert the rows of each table, and commit: when it returns they are on the disk."""
        raw = self.raw
        try:
            if not self.postgresql:
                for table, rows in tables.items():
                    if rows:
                        self._insert(table, rows)
                    written(f"{table} written")
                raw.execute("COMMIT")
                return
            copied = [table for table, rows in tables.items() if len(rows) >= COPY_MIN_ROWS]
            for table in copied:  # by themselves: a COPY is not sent together with others
                self._copy(table, tables[table])
                written(f"{table} written")
            with raw.pipeline():
                for table, rows in tables.items():
                    if table not in copied:
                        self._insert(table, rows)
                        written(f"{table} written")
                raw.execute("COMMIT")
        except raw.Error as error:
            raise self._told(error) from error

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows, in their order, in as few statements as pays."""
        raw = self.raw
        try:
            if self.postgresql and len(rows) >= COPY_MIN_ROWS:
                self._copy(table, rows)
            else:
                self._insert(table, rows)
        except raw.Error as error:
            raise self._told(error) from error

    def _insert(self, table: str, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), ROWS_MAX):
            part = rows[start : start + ROWS_MAX]
            statement = _insertion(table, len(part[0]), len(part))
            self._run(statement, tuple(chain.from_iterable(part)))

    def _copy(self, table: str, rows: Sequence[Row]) -> None:
        """PostgreSQL's own way for many rows; it takes half the time of a statement of values."""
        with self.raw.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            copy.write(_copied(rows))


@cache
def _with_percents(statement: str) -> str:
    return statement.replace("?", "%s")


@cache
def _insertion(table: str, columns: int, rows: int) -> str:
    """Many rows to a statement: what a statement costs, triggers above all, outweighs its rows."""
    row = f"({', '.join(['?'] * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}"


_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _copied(rows: Sequence[Row]) -> str:
    """Rows as COPY reads them; the values of a column are of one type."""
    columns = [_column(values) for values in zip(*rows, strict=True)]
    return "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True))


def _column(values: Sequence[Any]) -> Iterable[str]:
    if isinstance(values[0], bytes):
        return ["\\\\x" + value.hex() for value in values]
    if isinstance(values[0], str):
        return [value.translate(_ESCAPES) for value in values]
    return map(str, values)
