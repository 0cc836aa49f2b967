"""The floor on PostgreSQL: people, tables and rounds in one database, gone on with after a stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.server import Accounts
from croupier.server.auth.accounts import beside
from tests.support.floor_server import WEAK, play, run, serving
from tests.support.postgres import PostgresServer


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A server really started."""
    server = PostgresServer()
    yield server
    server.close()


def test_nobody_who_is_late_leaves_a_connection_open(postgres: PostgresServer) -> None:
    """Sessions are looked up in threads, which may come back when the floor is closed already."""
    accounts = Accounts(beside(postgres.new_database()), hasher=WEAK)
    before = accounts.engine.connect()
    accounts.close()
    late = accounts.engine.connect()
    for asking in (before, late):
        raw = asking.connection.driver_connection
        assert raw is not None and not raw.closed
        asking.close()
        assert raw.closed


def test_a_floor_stands_on_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    """Rounds are played, the server goes down and comes back, and an audit decides all anew."""
    url = postgres.new_database()
    with serving(tmp_path, url=url) as world:
        world.open("T", "top_five", seed=5)

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, "T", 3, rounds=2)

        run(playing())
    with serving(tmp_path, url=url) as world:

        async def looking() -> dict[str, Any]:
            async with await world.client("ann") as ann:
                return await ann.state("T")

        seen = run(looking())["state"]["view"]
    with Ledger(url, create=False) as ledger:
        verdict = verify(ledger.store)

    assert {"3": "ann"} == seen["seats"]
    assert verdict.ok, str(verdict)
    assert verdict.rounds >= 2
