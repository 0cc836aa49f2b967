"""A store in either database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.ledger.log import Store


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An empty store, SQLite and PostgreSQL in turn."""
    with Store(database) as opened:
        yield opened


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    """An empty store where the database does not matter."""
    with Store(tmp_path / "ledger.db") as opened:
        yield opened
