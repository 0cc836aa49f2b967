"""A small log to tamper with, and helpers that bypass its triggers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from croupier.ledger.log import IndexTerm, Snapshot, Store
from tests.ledger.log.log_verdict import LogVerdict, verify
from tests.ledger.log.sample_entries import entries

HOUSE = '{"game":"uth"}'
DIGEST = sha256(HOUSE.encode()).hexdigest()


def fill(store: Store) -> None:
    """Fill a small log: two tables, stored tree nodes, index terms, snapshots, a House."""
    store.add_house(DIGEST, HOUSE)
    for number in range(14):
        for stream in ("table:A", "table:B"):
            batch = entries(stream, 10 * number, 10)
            terms = [IndexTerm(stream, batch[0].sequence, "round", number + 1)]
            snapshots = [Snapshot(stream, batch[-1].sequence, 1, f"state {number}")]
            store.append(batch, index_terms=terms, snapshots=snapshots if number == 7 else ())


def change_without_triggers(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """Change an SQLite file with its triggers dropped, then create them again."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        change(connection)
        for _, statement in triggers:
            connection.execute(statement)


@contextmanager
def without_protection(store: Store) -> Iterator[Callable[[str, tuple[Any, ...]], object]]:
    """A function that executes statements on either database while its triggers do not fire."""
    with store.write_transaction() as connection:
        triggers = []
        if store.dialect == "sqlite":
            query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
            triggers = connection.query(query)
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
        else:
            connection.execute("SET LOCAL session_replication_role = replica")
        place = "?" if store.dialect == "sqlite" else "%s"
        yield lambda statement, values: connection.raw.execute(
            statement.replace("?", place), values
        )
        for _, statement in triggers:
            connection.execute(statement)


def verdict_after(path: Path, change: Callable[[sqlite3.Connection], object]) -> LogVerdict:
    """The verdict of the integrity check after a change."""
    change_without_triggers(path, change)
    return verify(path)


def run(statement: str, *values: object) -> Callable[[sqlite3.Connection], object]:
    """A change that executes one statement."""
    return lambda connection: connection.execute(statement, values)
