"""First schema: the log, its tree heads, derived tables, and triggers that refuse changes."""

from __future__ import annotations

from alembic import op

from croupier.ledger.log.compression import LATEST_DICTIONARY, load_dictionary

revision = "0002"  # a ledger of revision 0001 is refused: its entries have no commit time
down_revision = None

# Tables whose rows can be neither updated nor deleted.
APPEND_ONLY = ("dictionary", "entry", "head", "house", "mark", "node", "stream")

# The columns of a primary key come first and in its order: otherwise the integrity check of some
# versions of SQLite reports false errors in tables WITHOUT ROWID.
TABLES = """
CREATE TABLE stream (
    number INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL CONSTRAINT stream_name UNIQUE
) {strict};
CREATE TABLE dictionary (
    number INTEGER NOT NULL PRIMARY KEY,
    data {blob} NOT NULL
) {strict};
CREATE TABLE entry (
    position {big} NOT NULL PRIMARY KEY CHECK (position >= 0),
    sequence {big} NOT NULL CHECK (sequence >= 1),
    at {big} NOT NULL,
    time {big} NOT NULL,
    stream INTEGER NOT NULL,
    form {small} NOT NULL,
    id {blob} NOT NULL,
    leaf {blob} NOT NULL CHECK (length(leaf) = 32),
    body {blob} NOT NULL
) {strict};
CREATE UNIQUE INDEX entry_sequence ON entry (stream, sequence);
CREATE UNIQUE INDEX entry_id ON entry (stream, id);
CREATE TABLE head (
    size {big} NOT NULL PRIMARY KEY CHECK (size >= 1),
    root {blob} NOT NULL CHECK (length(root) = 32),
    time {big} NOT NULL
) {strict};
CREATE TABLE node (
    level {small} NOT NULL,
    number {big} NOT NULL,
    hash {blob} NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (level, number)
) {keyed};
CREATE TABLE mark (
    position {big} NOT NULL,
    word TEXT NOT NULL,
    number {big} NOT NULL,
    stream INTEGER NOT NULL,
    PRIMARY KEY (position, word, number)
) {keyed};
CREATE INDEX mark_word ON mark (word, stream, number);
CREATE TABLE house (
    digest {blob} NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    data TEXT NOT NULL
) {keyed};
CREATE TABLE snapshot (
    stream INTEGER NOT NULL,
    sequence {big} NOT NULL,
    schema {small} NOT NULL,
    position {big} NOT NULL,
    data {blob} NOT NULL,
    PRIMARY KEY (stream, sequence, schema)
) {keyed}
"""

SQLITE = {
    "big": "INTEGER",
    "small": "INTEGER",
    "blob": "BLOB",
    "strict": "STRICT",
    "keyed": "STRICT, WITHOUT ROWID",
}
POSTGRESQL = {"big": "BIGINT", "small": "SMALLINT", "blob": "BYTEA", "strict": "", "keyed": ""}


def _exists(table: str, *columns: str) -> str:
    """A condition: there is a row with the same values in these columns."""
    same = " AND ".join(f"{column} = NEW.{column}" for column in columns)
    return f"EXISTS (SELECT 1 FROM {table} WHERE {same})"


# INSERT OR REPLACE deletes without firing the DELETE triggers, so any row that would replace
# another one is refused before it is inserted.
_OCCUPIED = {
    "stream": (
        "NEW.number <> 1 + coalesce((SELECT max(number) FROM stream), 0)"
        f" OR {_exists('stream', 'name')}"
    ),
    "dictionary": _exists("dictionary", "number"),
    "entry": (
        "NEW.position <> 1 + coalesce((SELECT max(position) FROM entry), -1)"
        " OR NEW.sequence <> 1 + coalesce("
        "(SELECT max(sequence) FROM entry WHERE stream = NEW.stream), 0)"
    ),
    "head": (
        "NEW.size <= coalesce((SELECT max(size) FROM head), 0)"
        " OR NEW.size <> 1 + coalesce((SELECT max(position) FROM entry), -1)"
    ),
    "node": _exists("node", "level", "number"),
    "mark": _exists("mark", "position", "word", "number"),
    "house": _exists("house", "digest"),
    "snapshot": _exists("snapshot", "stream", "sequence", "schema"),
}


def upgrade() -> None:
    """Create the tables, the triggers, and the compression dictionary."""
    postgresql = op.get_context().dialect.name == "postgresql"
    for statement in TABLES.format(**(POSTGRESQL if postgresql else SQLITE)).split(";"):
        op.execute(statement.strip())
    if postgresql:
        _guard_postgresql()
    else:
        _guard_sqlite()
    data = load_dictionary(LATEST_DICTIONARY).hex()
    literal = rf"'\x{data}'" if postgresql else f"X'{data}'"
    op.execute(f"INSERT INTO dictionary VALUES ({LATEST_DICTIONARY}, {literal})")


def _guard_sqlite() -> None:
    for table in APPEND_ONLY:
        for verb in ("UPDATE", "DELETE"):
            _refuse(f"{table}_no_{verb.lower()}", verb, table, "", f"no {verb} on {table}")
    _refuse("snapshot_no_update", "UPDATE", "snapshot", "", "no UPDATE on snapshot")
    for table, occupied in _OCCUPIED.items():
        _refuse(f"{table}_in_place", "INSERT", table, occupied, f"{table}: this place is not free")
    duplicate = _exists("entry", "stream", "id")
    _refuse("entry_id_once", "INSERT", "entry", duplicate, "entry_id: this id is taken")


def _refuse(name: str, verb: str, table: str, when: str, problem: str) -> None:
    condition = f"WHEN {when} " if when else ""
    op.execute(
        f"CREATE TRIGGER {name} BEFORE {verb} ON {table} {condition}BEGIN "
        f"SELECT RAISE(ABORT, 'the ledger is append-only: {problem}'); END"
    )


def _guard_postgresql() -> None:
    # Bodies are already compressed; compressing them again costs time and gains nothing.
    op.execute("ALTER TABLE entry ALTER COLUMN body SET STORAGE EXTERNAL")
    op.execute("ALTER TABLE snapshot ALTER COLUMN data SET STORAGE EXTERNAL")
    # Keys only grow, so free space in the pages of these indexes would never be used.
    for index in ("entry_pkey", "entry_sequence", "head_pkey", "mark_pkey"):
        op.execute(f"ALTER INDEX {index} SET (fillfactor = 100)")
    op.execute(
        "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'the ledger is append-only: no % on %', TG_OP, TG_TABLE_NAME; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
        )
    op.execute(
        "CREATE TRIGGER snapshot_no_update BEFORE UPDATE ON snapshot "
        "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
    )
