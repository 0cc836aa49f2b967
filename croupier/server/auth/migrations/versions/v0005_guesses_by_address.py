"""Wrong passwords are counted by account and address, no longer in the account."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

GUESSES = """
CREATE TABLE {schema}floor_guess (
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    failures INTEGER NOT NULL,
    until BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (name, address)
)
"""


def upgrade() -> None:
    """Create the table; delays that run at the upgrade end with it."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    op.execute(GUESSES.format(schema=schema).strip())
    for column in ("failures", "locked_until"):
        op.execute(f"ALTER TABLE {schema}floor_account DROP COLUMN {column}")


def downgrade() -> None:
    """Refuse: the accounts database is never downgraded."""
    raise RuntimeError("the accounts database is never downgraded")
