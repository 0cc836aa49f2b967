"""Both stores for every test that asks for `database`: SQLite, and a PostgreSQL really started."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.ledger import Ledger
from tests.ledger.postgres import Server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """One server per test process."""
    server = Server()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    server: Server = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def ledger(database: str) -> Iterator[Ledger]:
    """A new ledger in either store."""
    with Ledger(database) as opened:
        yield opened


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Ledger]:
    """A new ledger where the store does not matter."""
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened
