"""Alembic runs this; the connection is the one `croupier.ledger.log.database.schema` opened."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, transactional_ddl=False)
context.run_migrations()
