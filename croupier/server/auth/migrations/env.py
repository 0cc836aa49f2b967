"""Alembic environment; `croupier.server.auth.accounts_database` passes the connection."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table_schema=context.config.attributes["schema"],
    transactional_ddl=False,  # the caller has begun the transaction
)
context.run_migrations()
