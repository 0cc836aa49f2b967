"""Drop the table leases: one server at a time serves a ledger."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Drop both tables of the leases."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    for table in ("floor_server", "floor_lease"):
        op.execute(f"DROP TABLE IF EXISTS {schema}{table}")


def downgrade() -> None:
    """Refuse: the accounts database is never downgraded."""
    raise RuntimeError("the accounts database is never downgraded")
