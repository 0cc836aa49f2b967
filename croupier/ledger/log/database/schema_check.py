"""Schema drift check: compares a database's schema with the one that the migrations create."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

from croupier.ledger.log.store import Store

_SQLITE = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema"
_SQLITE += " WHERE tbl_name <> 'alembic_version' AND tbl_name NOT LIKE 'sqlite_stat_'"  # by ANALYZE

# Everything that protects rows: kinds of tables (unlogged ones are empty after a crash), tables
# that inherit, columns, constraints, indexes, triggers, the trigger function with its schema, and
# settings that disable triggers.
_POSTGRESQL = """
WITH every AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace),
c AS (SELECT * FROM every WHERE relname <> 'alembic_version')
SELECT 'relation ' || relname || ' kind ' || relkind::text || ' persistence '
    || relpersistence::text || CASE WHEN relrowsecurity THEN ' row security' ELSE '' END
FROM every WHERE relkind NOT IN ('i', 'I')
UNION ALL
SELECT 'child ' || i.inhrelid::regclass || ' of ' || e.relname
FROM pg_inherits i JOIN every e ON e.oid = i.inhparent WHERE e.relkind NOT IN ('i', 'I')
UNION ALL
SELECT 'setting of ' || coalesce(r.rolname, 'every role') || ' ' || setting
FROM pg_db_role_setting s LEFT JOIN pg_roles r ON r.oid = s.setrole,
    LATERAL unnest(s.setconfig) AS setting
WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND split_part(setting, '=', 1) = 'session_replication_role'
    AND setting <> 'session_replication_role=origin'
UNION ALL
SELECT 'column ' || c.relname || ' ' || a.attnum || ' ' || a.attname || ' '
    || format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
FROM pg_attribute a JOIN c ON c.oid = a.attrelid
WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT 'constraint ' || c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
    || CASE WHEN k.convalidated THEN '' ELSE ' NOT VALID' END
FROM pg_constraint k JOIN c ON c.oid = k.conrelid WHERE k.contype <> 'n'
UNION ALL
SELECT 'index ' || i.indexrelid::regclass || ' on ' || c.relname || ' '
    || regexp_replace(pg_get_indexdef(i.indexrelid), ' ON .* USING ', ' USING ')
    || CASE WHEN i.indisvalid AND i.indisready THEN '' ELSE ' INVALID' END
FROM pg_index i JOIN c ON c.oid = i.indrelid
UNION ALL
SELECT 'trigger ' || c.relname || ' ' || t.tgname || ' type ' || t.tgtype || ' calls '
    || CASE p.pronamespace WHEN c.relnamespace THEN '' ELSE p.pronamespace::regnamespace || '.' END
    || p.proname || ' enabled ' || t.tgenabled::text
    || coalesce(' when ' || pg_get_expr(t.tgqual, t.tgrelid), '')
FROM pg_trigger t JOIN c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal
UNION ALL
SELECT 'function ' || p.proname || ' ' || btrim(p.prosrc) FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'
UNION ALL
SELECT 'rule ' || c.relname || ' ' || r.rulename FROM pg_rewrite r
JOIN c ON c.oid = r.ev_class WHERE c.relkind = 'r'
"""


def describe_schema(store: Store) -> set[str]:
    """The schema of a database as comparable lines."""
    sqlite = store.dialect == "sqlite"
    return {str(row[0]) for row in store.query(_SQLITE if sqlite else _POSTGRESQL)}


@cache
def expected_schema(dialect: str) -> set[str]:
    """The schema of a new database, from a file, since migrating one takes half a second."""
    folder = files("croupier.ledger.log.database").joinpath("expected_schema")
    if dialect == "postgresql":
        return set(folder.joinpath("postgresql.txt").read_text("utf-8").splitlines())
    return set(msgspec.json.decode(folder.joinpath("sqlite.json").read_bytes(), type=list[str]))


def find_drift(store: Store) -> Iterator[str]:
    """Schema objects that are missing, changed or unexpected."""
    actual, expected = describe_schema(store), expected_schema(store.dialect)
    for line in sorted(expected - actual):
        yield f"the database schema lacks or has changed: {_shorten(line)}"
    for line in sorted(actual - expected):
        yield f"the database schema has an unexpected object: {_shorten(line)}"


def _shorten(line: str) -> str:
    text = " ".join(line.split())
    return text if len(text) <= 100 else f"{text[:100]}..."
