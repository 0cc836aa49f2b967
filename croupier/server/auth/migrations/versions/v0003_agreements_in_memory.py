"""Drop the pending agreements: the active server has them in memory."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Drop the table of pending agreements."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    op.execute(f"DROP TABLE IF EXISTS {schema}floor_asked")


def downgrade() -> None:
    """Refuse: the accounts database is never downgraded."""
    raise RuntimeError("the accounts database is never downgraded")
