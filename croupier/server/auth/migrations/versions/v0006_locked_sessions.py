"""PINs of accounts, and sessions of devices, which have keys."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    op.execute(f"ALTER TABLE {schema}floor_account ADD COLUMN pin TEXT NOT NULL DEFAULT '-'")
    op.execute(f"ALTER TABLE {schema}floor_session ADD COLUMN device INTEGER NOT NULL DEFAULT 0")


def downgrade() -> None:
    """Refuse: the accounts database is never downgraded."""
    raise RuntimeError("the accounts database is never downgraded")
