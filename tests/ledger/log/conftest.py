"""Stores on SQLite and PostgreSQL."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.ledger.log import Store
from tests.ledger.log.attacked_log import fill
from tests.ledger.log.log_verdict import verify


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An empty store, on SQLite and on PostgreSQL."""
    with Store(database) as empty:
        yield empty


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    """An empty store on SQLite, for tests that do not depend on the database."""
    with Store(tmp_path / "ledger.db") as empty:
        yield empty


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A valid log in one file."""
    path = tmp_path_factory.mktemp("attacks") / "ledger.db"
    with Store(path) as store:
        fill(store)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    verdict = verify(path)
    assert verdict.ok, str(verdict)
    return path


@pytest.fixture
def copy(original: Path, tmp_path: Path) -> Path:
    """A copy to tamper with."""
    return Path(shutil.copy(original, tmp_path / "ledger.db"))
