"""Alembic environment: migrations are written as SQL, which `schema.upgrade` executes."""

from __future__ import annotations

from alembic import context

context.configure(
    dialect_name=context.config.attributes["dialect"],
    dialect_opts={"paramstyle": "named"},  # no escapes of percent signs
    transactional_ddl=False,
)
context.run_migrations()
