"""Many rows to a statement: what a statement costs, triggers above all, outweighs its rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

ROWS_MAX = 64  # rows in one statement; SQLite keeps one prepared for each number of rows
COPY_FROM = 8  # rows that make a COPY worth its own round trip

Row = Sequence[object]


def insert(connection: Connection, table: str, rows: Sequence[Row]) -> None:
    """Insert rows, in their order, in as few statements as pays."""
    if connection.dialect.name == "postgresql" and len(rows) >= COPY_FROM:
        _copy(connection, table, rows)
        return
    for start in range(0, len(rows), ROWS_MAX):
        part = rows[start : start + ROWS_MAX]
        connection.exec_driver_sql(
            _insertion(connection.dialect.name, table, len(part[0]), len(part)),
            tuple(chain.from_iterable(part)),
        )


@cache
def _insertion(dialect: str, table: str, columns: int, rows: int) -> str:
    mark = "?" if dialect == "sqlite" else "%s"
    row = f"({', '.join([mark] * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}"


def _copy(connection: Connection, table: str, rows: Sequence[Row]) -> None:
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
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    return value.translate(_ESCAPES) if isinstance(value, str) else str(value)
