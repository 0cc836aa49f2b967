"""The floor on PostgreSQL: accounts, tables and rounds in one database, across a restart."""

from __future__ import annotations

import os
import signal
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import DBAPIError

from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.database import postgres as database_driver
from croupier.server import Accounts
from tests.support.floor_server import WEAK_HASHER, play, run, serving, state_where
from tests.support.postgres import PostgresServer


def test_late_threads_leave_no_connection_open(postgres: PostgresServer) -> None:
    """A thread may return a connection after the accounts are closed."""
    ledger = Ledger(postgres.new_database())
    accounts = Accounts(ledger, hasher=WEAK_HASHER)
    before = accounts.engine.connect()
    accounts.close()
    late = accounts.engine.connect()
    for asking in (before, late):
        raw = asking.connection.driver_connection
        assert raw is not None and not raw.closed
        asking.close()
        assert raw.closed
    ledger.close()


def test_a_stopped_database_is_given_up(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The accounts have the time limits of the ledger: a thread does not wait forever."""
    ledger = Ledger(postgres.new_database())
    original = database_driver.connect
    monkeypatch.setattr(
        database_driver,
        "connect",
        lambda url, **options: original(url, **{**options, "answer_timeout_ms": 500}),
    )
    accounts = Accounts(ledger, hasher=WEAK_HASHER)
    processes = postgres.processes()
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        with pytest.raises(DBAPIError):
            accounts.has_password("ann")
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
    assert not accounts.has_password("ann")
    accounts.close()
    ledger.close()


def test_a_stopped_database_is_visible(postgres: PostgresServer, tmp_path: Path) -> None:
    """On screens and in readiness, although nobody gives a command; rounds go on afterwards."""
    with serving(tmp_path, url=postgres.new_database()) as world:
        world.open("T", "top_five", seed=5)

        async def watching() -> None:
            async with (
                await world.client("ann") as ann,
                httpx.AsyncClient(base_url=world.address) as http,
                aclosing(ann.feed("T")) as feed,
            ):
                await anext(feed)  # it is open
                processes = postgres.processes()
                for process in processes:
                    os.kill(process, signal.SIGSTOP)
                try:
                    await state_where(feed, unavailable=True)
                    assert 503 == (await http.get("/health/ready")).status_code
                finally:
                    for process in processes:
                        os.kill(process, signal.SIGCONT)
                await state_where(feed, unavailable=False)
                await play(ann, "T", 3)

        run(watching())


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
