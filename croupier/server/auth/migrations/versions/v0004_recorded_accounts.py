"""Display names; the roles that an earlier version stored wait for the account register."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column; the account register adopts the roles when a ledger is opened with them."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    op.execute(
        f"ALTER TABLE {schema}floor_account ADD COLUMN display_name TEXT NOT NULL DEFAULT ''"
    )


def downgrade() -> None:
    """Refuse: the accounts database is never downgraded."""
    raise RuntimeError("the accounts database is never downgraded")
