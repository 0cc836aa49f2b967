"""Second factors: authenticator apps, passkeys and recovery codes."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"

FACTORS = """
CREATE TABLE {schema}floor_factor (
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    secret TEXT NOT NULL,
    used BIGINT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (account, kind, id),
    FOREIGN KEY (account) REFERENCES {schema}floor_account (id)
)
"""


def upgrade() -> None:
    """Create the table."""
    schema = "floor." if op.get_bind().dialect.name == "postgresql" else ""
    op.execute(FACTORS.format(schema=schema).strip())


def downgrade() -> None:
    """Refuse: the accounts database is never downgraded."""
    raise RuntimeError("the accounts database is never downgraded")
