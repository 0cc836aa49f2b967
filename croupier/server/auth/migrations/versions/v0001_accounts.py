"""Accounts, sessions, committed decks, drafts, lessons and pending agreements.

Databases made before there were migrations have some or all of these tables and no version
table. Only the missing tables are created, so that this revision adopts such a database.
"""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

TABLES = """
CREATE TABLE IF NOT EXISTS {schema}floor_account (
    id TEXT NOT NULL,
    password TEXT NOT NULL,
    failures INTEGER NOT NULL,
    locked_until BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS {schema}floor_granted (
    account TEXT NOT NULL,
    role TEXT NOT NULL,
    at_table TEXT NOT NULL,
    PRIMARY KEY (account, role, at_table),
    FOREIGN KEY (account) REFERENCES {schema}floor_account (id)
);
CREATE TABLE IF NOT EXISTS {schema}floor_session (
    token TEXT NOT NULL,
    account TEXT NOT NULL,
    begun BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    PRIMARY KEY (token),
    FOREIGN KEY (account) REFERENCES {schema}floor_account (id)
);
CREATE TABLE IF NOT EXISTS {schema}floor_kept_deck (
    at_table TEXT NOT NULL,
    commitment TEXT NOT NULL,
    revealed TEXT NOT NULL,
    PRIMARY KEY (at_table, commitment)
);
CREATE TABLE IF NOT EXISTS {schema}floor_submission (
    id TEXT NOT NULL,
    content TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS {schema}floor_lesson (
    id TEXT NOT NULL,
    begun BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS {schema}floor_asked (
    id TEXT NOT NULL,
    ends BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (id)
)
"""


def upgrade() -> None:
    """Create the tables that do not exist yet."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    for statement in TABLES.format(schema=schema).split(";"):
        op.execute(statement.strip())


def downgrade() -> None:
    """Refuse: dropping these tables would delete every account."""
    raise RuntimeError("the accounts database is never downgraded")
