"""Events, heads, Houses and snapshots, and the triggers that keep them as they were written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# A table whose rows may neither change nor go.
FOREVER = ("event", "head", "house")


def upgrade() -> None:
    """Create everything."""
    _create_tables()
    if op.get_bind().dialect.name == "postgresql":
        _guard_postgresql()
    else:
        _guard_sqlite()


def downgrade() -> None:
    """Refuse: a record is not taken back."""
    raise RuntimeError("a ledger is never taken back to an older schema")


def _create_tables() -> None:
    text = [
        sa.Column(name, sa.Text, nullable=False)
        for name in ("kind", "data", "time", "actor", "command_id", "previous_hash", "hash")
    ]
    kind, data, time, actor, command_id, previous_hash, own_hash = text
    op.create_table(
        "event",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        kind,
        sa.Column("schema", sa.Integer, nullable=False),
        data,
        time,
        actor,
        command_id,
        sa.Column("part", sa.Integer, nullable=False),
        previous_hash,
        own_hash,
        sa.PrimaryKeyConstraint("stream", "sequence", name="event_pk"),
    )
    _create_indexes()
    op.create_table(
        "head",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("previous_hash", sa.Text, nullable=False),
        sa.Column("streams", sa.Text, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_table(
        "house",
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_table(
        "snapshot",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("stream", "sequence", name="snapshot_pk"),
        sqlite_with_rowid=False,
    )


def _create_indexes() -> None:
    first = sa.text("part = 0")
    op.create_index(
        "event_command",
        "event",
        ["stream", "command_id"],
        unique=True,
        sqlite_where=first,
        postgresql_where=first,
    )
    opened = sa.text("kind = 'round_opened'")
    op.create_index(
        "event_round",
        "event",
        ["stream", "sequence"],
        sqlite_where=opened,
        postgresql_where=opened,
    )
    op.create_index("event_time", "event", ["time", "stream", "sequence"])


def _guard_sqlite() -> None:
    for table in FOREVER:
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} BEGIN "
                f"SELECT RAISE(ABORT, 'the ledger is append-only: no {verb} on {table}'); END"
            )
    op.execute(
        "CREATE TRIGGER snapshot_no_update BEFORE UPDATE ON snapshot BEGIN "
        "SELECT RAISE(ABORT, 'the ledger is append-only: no UPDATE on snapshot'); END"
    )
    # INSERT OR REPLACE deletes without asking the trigger above, so a taken place is refused here.
    op.execute(
        "CREATE TRIGGER event_in_order BEFORE INSERT ON event WHEN NEW.sequence <> 1 + coalesce("
        "(SELECT max(sequence) FROM event WHERE stream = NEW.stream), 0) BEGIN "
        "SELECT RAISE(ABORT, 'the ledger is append-only: events follow one another'); END"
    )
    op.execute(
        "CREATE TRIGGER head_in_order BEFORE INSERT ON head WHEN NEW.number <> 1 + coalesce("
        "(SELECT max(number) FROM head), 0) BEGIN "
        "SELECT RAISE(ABORT, 'the ledger is append-only: heads follow one another'); END"
    )
    op.execute(
        "CREATE TRIGGER house_once BEFORE INSERT ON house "
        "WHEN EXISTS (SELECT 1 FROM house WHERE digest = NEW.digest) BEGIN "
        "SELECT RAISE(ABORT, 'the ledger is append-only: this House is stored'); END"
    )


def _guard_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'the ledger is append-only: no % on %', TG_OP, TG_TABLE_NAME; END $$"
    )
    for table in FOREVER:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
        )
    op.execute(
        "CREATE TRIGGER snapshot_no_update BEFORE UPDATE ON snapshot "
        "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
    )
