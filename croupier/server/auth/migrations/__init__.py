"""Alembic migrations of the accounts database."""
