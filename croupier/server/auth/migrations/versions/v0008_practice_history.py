"""Add the totals of the coach by player, game and day, and links to shared hands."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"

TABLES = """
CREATE TABLE IF NOT EXISTS {schema}floor_practice_day (
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    day TEXT NOT NULL,
    totals TEXT NOT NULL,
    PRIMARY KEY (player, game, day)
);
CREATE TABLE IF NOT EXISTS {schema}floor_shared_hand (
    token TEXT NOT NULL,
    at_table TEXT NOT NULL,
    round INTEGER NOT NULL,
    player TEXT NOT NULL,
    PRIMARY KEY (token)
)
"""


def upgrade() -> None:
    """Create both tables."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    for statement in TABLES.format(schema=schema).split(";"):
        op.execute(statement.strip())


def downgrade() -> None:
    """Refuse: the accounts database is never downgraded."""
    raise RuntimeError("the accounts database is never downgraded")
