"""Triggers refuse every change of stored rows, and schema drift is reported."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log import Store
from croupier.ledger.log.database import schema_check
from tests.ledger.log.attacked_log import DIGEST, fill
from tests.ledger.log.log_verdict import check_log, verify
from tests.support.postgres import PostgresServer

# Statements that would change stored rows

VALUES = "(20, 11, 1, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), zeroblob(5))"
CHANGES = [
    f"INSERT OR REPLACE INTO entry VALUES {VALUES}",
    f"REPLACE INTO entry VALUES {VALUES}",
    f"INSERT OR IGNORE INTO entry VALUES {VALUES}",
    f"INSERT INTO entry VALUES {VALUES} ON CONFLICT DO UPDATE SET at = 0",
    "INSERT OR REPLACE INTO entry VALUES"
    " (282, 11, 1, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "INSERT OR REPLACE INTO entry VALUES (282, 141, 1, 1, 1, 1, x'6337', zeroblob(32), x'')",
    "INSERT INTO entry (rowid, sequence, at, time, stream, form, id, leaf, body)"
    " VALUES (5, 141, 1, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "REPLACE INTO entry (rowid, sequence, at, time, stream, form, id, leaf, body)"
    " VALUES (5, 141, 1, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
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


def test_a_new_sqlite_database_has_the_expected_schema(tmp_path: Path) -> None:
    """The migrations create the schema that the check compares with."""
    with Store(tmp_path / "new.db") as store:
        assert schema_check.expected_schema("sqlite") == schema_check.describe_schema(store)


@pytest.mark.parametrize("statement", CHANGES)
def test_sqlite_refuses_every_change(copy: Path, statement: str) -> None:
    """No statement updates or deletes a stored row."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        for recursive in ("ON", "OFF"):
            connection.execute(f"PRAGMA recursive_triggers={recursive}")
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    assert verify(copy).ok


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO entry VALUES (282, 141, 1, 1, 1, 1, 'text', zeroblob(32), x'')",
        "INSERT INTO entry VALUES (282, 141, 'soon', 1, 1, 1, x'aa', zeroblob(32), x'')",
        "INSERT INTO entry VALUES (282, 141, 1, 1, 1, 1, x'aa', zeroblob(31), x'')",
        "INSERT INTO stream VALUES (4, x'aa')",
        "INSERT INTO house VALUES (zeroblob(32), x'aa')",
    ],
)
def test_sqlite_refuses_other_types(copy: Path, statement: str) -> None:
    """Text instead of bytes, bytes instead of text, hashes of another length."""
    with (
        closing(sqlite3.connect(copy, isolation_level=None)) as connection,
        pytest.raises(sqlite3.IntegrityError),
    ):
        connection.execute(statement)


POSTGRESQL_CHANGES = [
    *(f"TRUNCATE {table}" for table in ("entry", "head", "node", "mark", "stream", "house")),
    *(f"DELETE FROM {table}" for table in ("entry", "head", "node", "mark", "stream", "house")),
    "UPDATE entry SET at = 0",
    "UPDATE head SET time = 0",
    "UPDATE snapshot SET data = ''",
    "INSERT INTO entry SELECT * FROM entry ON CONFLICT (position) DO UPDATE SET at = 0",
    "MERGE INTO entry USING head ON true WHEN MATCHED THEN UPDATE SET at = 0",
]


def test_postgresql_refuses_every_change(postgres: PostgresServer) -> None:
    """Including TRUNCATE and MERGE."""
    with Store(postgres.new_database()) as store:
        fill(store)
        for statement in POSTGRESQL_CHANGES:
            with (
                pytest.raises(LedgerError, match="append-only"),
                store.database.connection() as connection,
            ):
                connection.execute(statement)
        verdict = check_log(store)
    assert verdict.ok, str(verdict)


# Schema drift

NO_DRIFT = ["ANALYZE", "VACUUM", "PRAGMA optimize", "REINDEX"]
DRIFT = [
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


@pytest.mark.parametrize("statement", NO_DRIFT)
def test_maintenance_is_no_drift(copy: Path, statement: str) -> None:
    """What an administrator may run."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute(statement)
    verdict = verify(copy)

    assert verdict.ok, str(verdict)


def test_maintenance_of_postgresql_is_no_drift(postgres: PostgresServer) -> None:
    """Likewise."""
    with Store(postgres.new_database()) as store:
        fill(store)
        with store.database.connection() as connection:
            for statement in ("ANALYZE", "VACUUM", "VACUUM FULL entry", "REINDEX TABLE entry"):
                connection.execute(statement)
        verdict = check_log(store)

    assert verdict.ok, str(verdict)


@pytest.mark.parametrize("statement", DRIFT)
def test_schema_drift_is_reported(copy: Path, statement: str) -> None:
    """Triggers, indexes and tables are compared with those of a new database."""
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
        "ALTER TABLE entry SET UNLOGGED",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE other () INHERITS (entry)",
        "CREATE SCHEMA quiet; CREATE TABLE quiet.more () INHERITS (head)",
        "ALTER TABLE entry ENABLE ROW LEVEL SECURITY",
        "CREATE SCHEMA quiet; CREATE FUNCTION quiet.ledger_is_append_only() RETURNS trigger"
        " LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;"
        " DROP TRIGGER entry_append_only ON entry; CREATE TRIGGER entry_append_only"
        " BEFORE UPDATE OR DELETE OR TRUNCATE ON entry FOR EACH STATEMENT"
        " EXECUTE FUNCTION quiet.ledger_is_append_only()",
        "ALTER ROLE postgres IN DATABASE {name} SET session_replication_role = replica",
        "ALTER DATABASE {name} SET session_replication_role = local",
    ],
)
def test_schema_drift_of_postgresql_is_reported(postgres: PostgresServer, statement: str) -> None:
    """A superuser can disable every protection, which the check reports."""
    name = postgres.new_database_name()
    with Store(postgres.address(name)) as store:
        assert schema_check.expected_schema("postgresql") == schema_check.describe_schema(store)
        with store.write_transaction() as connection:
            connection.raw.execute(statement.replace("{name}", name))
        verdict = check_log(store)

    assert any("the database" in problem.what for problem in verdict.problems), str(verdict)


def test_unlogged_tables_of_postgresql_are_not_written(postgres: PostgresServer) -> None:
    """They are empty after a crash; the ledger can still be read and verified."""
    url = postgres.new_database()
    with Store(url) as store:
        fill(store)
        with store.write_transaction() as connection:
            connection.execute("ALTER TABLE mark SET UNLOGGED")
    with pytest.raises(StoreFailed, match="would be empty after a crash of the server: mark"):
        Store(url)
    with Store(url, readonly=True) as store:
        assert 282 == store.head().size
    assert "mark kind r persistence p" in str(verify(url))


@pytest.mark.parametrize("what", ["ROLE postgres IN DATABASE {name}", "DATABASE {name}"])
def test_a_session_without_triggers_is_refused(postgres: PostgresServer, what: str) -> None:
    """A setting of the role or the database would disable them in every session."""
    name = postgres.new_database_name()
    url = postgres.address(name)
    with Store(url) as store:
        fill(store)
        with store.write_transaction() as connection:
            change = f"ALTER {what.replace('{name}', name)} SET session_replication_role = replica"
            connection.execute(change)
    with pytest.raises(StoreFailed, match="session_replication_role is replica, expected origin"):
        Store(url)
    assert "session_replication_role is replica" in str(verify(url))


def test_a_changed_entry_in_postgresql_is_reported(postgres: PostgresServer) -> None:
    """With its stream and sequence number, as on SQLite."""
    with Store(postgres.new_database()) as store:
        fill(store)
        with store.write_transaction() as connection:
            connection.execute("ALTER TABLE entry DISABLE TRIGGER ALL")
            connection.execute("UPDATE entry SET at = at + 1 WHERE position = 20")
            connection.execute("ALTER TABLE entry ENABLE TRIGGER ALL")
        verdict = check_log(store)

    assert [("table:A", 11)] == [(p.stream, p.sequence) for p in verdict.problems]
