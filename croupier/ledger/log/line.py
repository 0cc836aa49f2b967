"""One connection to the database, spoken to directly.

Whoever appends thousands of times a second cannot afford what a toolkit does around a statement:
it costs more than the statement. SQLite and PostgreSQL are spoken to alike, and what they refuse
is said in our own words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from itertools import chain
from typing import Any

from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log.schema import WRITER_LOCK, reason

ROWS_MAX = 64  # rows in one statement; SQLite keeps one prepared for each number of rows
COPY_FROM = 8  # rows that make a COPY worth its own round trip

Row = Sequence[object]


class Rejected(LedgerError):
    """The database would not take rows: their place is taken, or a value is none of its column."""

    def __init__(self, why: str, *, taken: bool) -> None:
        super().__init__(why)
        self.taken = taken


class Line:
    """A connection as its driver made it."""

    __slots__ = ("postgresql", "raw")

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.postgresql = not isinstance(raw, sqlite3.Connection)

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that answer a statement with question marks, as plain tuples."""
        with self._told():
            return list(self._run(statement, values).fetchall())

    def run(self, statement: str) -> None:
        """A statement that nobody reads an answer of."""
        with self._told():
            self._run(statement, ())

    def _run(self, statement: str, values: Sequence[object]) -> Any:
        if self.postgresql:
            return self.raw.execute(_with_percents(statement), values)
        return self.raw.execute(statement, values)

    @contextmanager
    def _told(self) -> Iterator[None]:
        raw = self.raw
        try:
            yield
        except (raw.IntegrityError, raw.DataError) as error:
            taken = isinstance(error, raw.IntegrityError)
            raise Rejected(reason(error), taken=taken) from error
        except raw.Error as error:
            raise StoreFailed(reason(error)) from error

    # A transaction of the writer

    def begin(self, question: str) -> list[Any]:
        """Begin, wait for the one right to append, and ask something as it then stands.

        SQLite gives that right with BEGIN IMMEDIATE, PostgreSQL an advisory lock to whoever has
        waited longest: serial writers make the order of all entries total.
        """
        with self._told(), self._together():
            self._run("BEGIN" if self.postgresql else "BEGIN IMMEDIATE", ())
            if self.postgresql:
                self._run(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})", ())
            answer = self._run(question, ())
        return list(answer.fetchall())

    def finish(self, tables: Mapping[str, Sequence[Row]], written: Callable[[str], None]) -> None:
        """Insert the rows of each table, and commit: when it returns they are on the disk."""
        many = [table for table, rows in tables.items() if len(rows) >= COPY_FROM]
        copied = many if self.postgresql else []
        with self._told():
            for table in copied:  # by themselves: a COPY is not sent together with others
                self._copy(table, tables[table])
                written(f"{table} written")
            with self._together():
                for table, rows in tables.items():
                    if table not in copied:
                        self._insert(table, rows)
                        written(f"{table} written")
                self._run("COMMIT", ())

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows, in their order, in as few statements as pays."""
        with self._told():
            if self.postgresql and len(rows) >= COPY_FROM:
                self._copy(table, rows)
            else:
                self._insert(table, rows)

    def _together(self) -> AbstractContextManager[Any]:
        """Statements that are sent without waiting for the answer to each."""
        if not self.postgresql:
            return nullcontext()
        pipeline: AbstractContextManager[Any] = self.raw.pipeline()
        return pipeline

    def _insert(self, table: str, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), ROWS_MAX):
            part = rows[start : start + ROWS_MAX]
            statement = _insertion(table, len(part[0]), len(part))
            self._run(statement, tuple(chain.from_iterable(part)))

    def _copy(self, table: str, rows: Sequence[Row]) -> None:
        """PostgreSQL's own way for many rows; it takes half the time of a statement of values."""
        with self.raw.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            copy.write("".join("\t".join(map(_copied, row)) + "\n" for row in rows))


@cache
def _with_percents(statement: str) -> str:
    return statement.replace("?", "%s")


@cache
def _insertion(table: str, columns: int, rows: int) -> str:
    """Many rows to a statement: what a statement costs, triggers above all, outweighs its rows."""
    row = f"({', '.join(['?'] * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}"


_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _copied(value: object) -> str:
    """A value as COPY reads it."""
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    return value.translate(_ESCAPES) if isinstance(value, str) else str(value)
