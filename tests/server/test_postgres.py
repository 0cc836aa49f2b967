"""The floor on PostgreSQL: accounts, tables and rounds in one database, across a restart."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.database import postgres as database_driver
from croupier.server import Accounts
from croupier.server.auth.accounts_database import accounts_url
from tests.support.floor_server import WEAK_HASHER, play, run, serving
from tests.support.postgres import PostgresServer


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server."""
    server = PostgresServer()
    yield server
    server.close()


def test_late_threads_leave_no_connection_open(postgres: PostgresServer) -> None:
    """A thread may return a connection after the accounts are closed."""
    accounts = Accounts(accounts_url(postgres.new_database()), hasher=WEAK_HASHER)
    before = accounts.engine.connect()
    accounts.close()
    late = accounts.engine.connect()
    for asking in (before, late):
        raw = asking.connection.driver_connection
        assert raw is not None and not raw.closed
        asking.close()
        assert raw.closed


def test_a_stopped_database_is_given_up(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The accounts have the time limits of the ledger: a thread does not wait forever."""
    original = database_driver.connect
    monkeypatch.setattr(
        database_driver,
        "connect",
        lambda url, **options: original(url, **options, answer_timeout_ms=500),
    )
    accounts = Accounts(accounts_url(postgres.new_database()), hasher=WEAK_HASHER)
    processes = postgres.processes()
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        with pytest.raises(DBAPIError):
            accounts.exists("ann")
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
    assert not accounts.exists("ann")
    accounts.close()


def test_a_floor_runs_on_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    """Rounds are played across a restart, and the audit decides every command again."""
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
