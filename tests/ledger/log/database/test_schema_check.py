"""Every door past the ledger is closed, and a database with other guards is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.ledger.errors import LedgerError
from croupier.ledger.log import Store
from croupier.ledger.log.database import schema_check
from croupier.ledger.log.database.connection import DatabaseConnection
from croupier.ledger.log.transparency import check
from croupier.ledger.log.transparency.check import verify
from tests.ledger.log.attacked_log import DIGEST, fill, marks
from tests.support.postgres import PostgresServer

# Doors

VALUES = "(20, 11, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), zeroblob(5))"
DOORS = [
    f"INSERT OR REPLACE INTO entry VALUES {VALUES}",
    f"REPLACE INTO entry VALUES {VALUES}",
    f"INSERT OR IGNORE INTO entry VALUES {VALUES}",
    f"INSERT INTO entry VALUES {VALUES} ON CONFLICT DO UPDATE SET at = 0",
    "INSERT OR REPLACE INTO entry VALUES (282, 11, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "INSERT OR REPLACE INTO entry VALUES (282, 141, 1, 1, 1, x'6337', zeroblob(32), x'')",
    "INSERT INTO entry (rowid, sequence, at, stream, form, id, leaf, body)"
    " VALUES (5, 141, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "REPLACE INTO entry (rowid, sequence, at, stream, form, id, leaf, body)"
    " VALUES (5, 141, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "INSERT OR REPLACE INTO head VALUES (20, zeroblob(32), 1)",
    "INSERT OR REPLACE INTO head VALUES (5000, zeroblob(32), 1)",
    "REPLACE INTO head (rowid, root, time) VALUES (20, zeroblob(32), 1)",
    "INSERT OR REPLACE INTO stream VALUES (1, 'table:X')",
    "INSERT OR REPLACE INTO stream VALUES (4, 'table:A')",
    "INSERT OR REPLACE INTO node VALUES (8, 0, zeroblob(32))",
    "INSERT OR REPLACE INTO mark VALUES (20, 'round', 2, 2)",
    "INSERT OR REPLACE INTO dictionary VALUES (1, x'')",
    f"INSERT OR REPLACE INTO house VALUES (x'{DIGEST}', '')",
    "INSERT OR REPLACE INTO snapshot SELECT stream, sequence, schema, position, x'' FROM snapshot",
    "UPDATE snapshot SET data = x''",
    *(f"DELETE FROM {table}" for table in ("dictionary", "entry", "head", "house", "mark")),
    *(f"DELETE FROM {table}" for table in ("node", "stream")),
    *(f"UPDATE {table} SET position = 1" for table in ("entry", "mark")),
    "UPDATE head SET root = zeroblob(32)",
    "UPDATE OR REPLACE entry SET id = CAST('x' AS BLOB)",
]


def test_a_new_sqlite_database_is_built_as_expected(tmp_path: Path) -> None:
    """What the migrations build is what an audit compares with."""
    with Store(tmp_path / "new.db") as store:
        assert schema_check.expected("sqlite") == schema_check.described(store)


@pytest.mark.parametrize("statement", DOORS)
def test_every_door_of_sqlite_is_closed(copy: Path, statement: str) -> None:
    """Whatever the statement is called, nothing that is there changes or goes."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        for recursive in ("ON", "OFF"):
            connection.execute(f"PRAGMA recursive_triggers={recursive}")
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    assert verify(copy, marks=marks).ok


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO entry VALUES (282, 141, 1, 1, 1, 'text', zeroblob(32), x'')",
        "INSERT INTO entry VALUES (282, 141, 'soon', 1, 1, x'aa', zeroblob(32), x'')",
        "INSERT INTO entry VALUES (282, 141, 1, 1, 1, x'aa', zeroblob(31), x'')",
        "INSERT INTO stream VALUES (4, x'aa')",
        "INSERT INTO house VALUES (zeroblob(32), x'aa')",
    ],
)
def test_sqlite_takes_no_other_types(copy: Path, statement: str) -> None:
    """Text where bytes belong, bytes where text belongs, hashes of another length."""
    with (
        closing(sqlite3.connect(copy, isolation_level=None)) as connection,
        pytest.raises(sqlite3.IntegrityError),
    ):
        connection.execute(statement)


POSTGRESQL_DOORS = [
    *(f"TRUNCATE {table}" for table in ("entry", "head", "node", "mark", "stream", "house")),
    *(f"DELETE FROM {table}" for table in ("entry", "head", "node", "mark", "stream", "house")),
    "UPDATE entry SET at = 0",
    "UPDATE head SET time = 0",
    "UPDATE snapshot SET data = ''",
    "INSERT INTO entry SELECT * FROM entry ON CONFLICT (position) DO UPDATE SET at = 0",
    "MERGE INTO entry USING head ON true WHEN MATCHED THEN UPDATE SET at = 0",
]


def test_every_door_of_postgresql_is_closed(postgres: PostgresServer) -> None:
    """The same promise, whoever asks."""
    with Store(postgres.new_database()) as store:
        fill(store)
        for statement in POSTGRESQL_DOORS:
            with (
                pytest.raises(LedgerError, match="append-only"),
                store.connections.lent() as raw,
            ):
                DatabaseConnection(raw).run(statement)
        verdict = check.check(store, marks=marks)
    assert verdict.ok, str(verdict)


# Structure

WEAKENED = [
    "DROP TRIGGER entry_no_update",
    "DROP INDEX entry_id",
    "CREATE TABLE other (x)",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TRIGGER late AFTER INSERT ON entry BEGIN SELECT 1; END",
    "DROP INDEX mark_word; CREATE INDEX mark_word ON mark (word)",
    "DROP TRIGGER head_in_place; CREATE TRIGGER head_in_place BEFORE INSERT ON head BEGIN"
    " SELECT 1; END",
    "ALTER TABLE house ADD COLUMN more TEXT",
]


@pytest.mark.parametrize("statement", WEAKENED)
def test_a_database_with_other_guards_is_named(copy: Path, statement: str) -> None:
    """Triggers, indexes and tables are compared with those of a new ledger."""
    with closing(sqlite3.connect(copy)) as connection:
        connection.executescript(statement)
    verdict = verify(copy)

    assert any("the database" in problem.what for problem in verdict.problems), str(verdict)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE entry DISABLE TRIGGER ALL",
        "DROP TRIGGER head_append_only ON head",
        "DROP INDEX entry_id",
        "ALTER TABLE entry DROP CONSTRAINT entry_leaf_check",
        "CREATE OR REPLACE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RETURN NULL; END $$",
        "CREATE RULE quiet AS ON INSERT TO mark DO INSTEAD NOTHING",
        "ALTER TABLE stream ALTER COLUMN name DROP NOT NULL",
    ],
)
def test_a_postgresql_database_with_other_guards_is_named(postgres: PostgresServer, statement: str) -> None:
    """A superuser can switch everything off, and is told on."""
    with Store(postgres.new_database()) as store:
        assert schema_check.expected("postgresql") == schema_check.described(store)
        with store.writing() as line:
            line.raw.execute(statement)
        verdict = check.check(store)

    assert any("the database" in problem.what for problem in verdict.problems), str(verdict)


def test_postgresql_is_checked_just_so(postgres: PostgresServer) -> None:
    """An entry changed behind the guards is named, there as here."""
    with Store(postgres.new_database()) as store:
        fill(store)
        with store.writing() as line:
            line.run("ALTER TABLE entry DISABLE TRIGGER ALL")
            line.run("UPDATE entry SET at = at + 1 WHERE position = 20")
            line.run("ALTER TABLE entry ENABLE TRIGGER ALL")
        verdict = check.check(store)

    assert [("table:A", 11)] == [(p.stream, p.sequence) for p in verdict.problems]
