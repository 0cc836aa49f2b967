"""A small record to be attacked, and how to get at it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from croupier.ledger.log import IndexTerm, Snapshot, Store, StoredEntry
from croupier.ledger.log.transparency.check import LogVerdict, verify
from tests.ledger.log.sample_entries import entries

HOUSE = '{"game":"uth"}'
DIGEST = sha256(HOUSE.encode()).hexdigest()


def marks(stored: StoredEntry) -> Iterable[tuple[str, int]]:
    """Every tenth entry of a table opens a round."""
    entry = stored.entry
    opens = entry.stream.startswith("table:") and entry.sequence % 10 == 1
    return [("round", entry.sequence // 10 + 1)] if opens else []


def fill(store: Store) -> None:
    """A small record: two tables, more than one kept subtree, marks, a snapshot, a House."""
    store.add_house(DIGEST, HOUSE)
    for number in range(14):
        for stream in ("table:A", "table:B"):
            made = entries(stream, 10 * number, 10)
            opened = [IndexTerm(stream, made[0].sequence, "round", number + 1)]
            taken = [Snapshot(stream, made[-1].sequence, 1, f"state {number}")]
            store.append(made, index_terms=opened, snapshots=taken if number == 7 else ())


def unguarded(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """Change a file behind the ledger's back, and put the triggers back as they were."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        change(connection)
        for _, statement in triggers:
            connection.execute(statement)


def attacked(path: Path, change: Callable[[sqlite3.Connection], object]) -> LogVerdict:
    """What an audit says after a change."""
    unguarded(path, change)
    return verify(path, index_terms=marks)


def run(statement: str, *values: object) -> Callable[[sqlite3.Connection], object]:
    """A change by one statement."""
    return lambda connection: connection.execute(statement, values)
