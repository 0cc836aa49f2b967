"""Alembic migrations of the log's schema."""
