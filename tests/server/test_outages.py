"""Outages: a clear error, nothing acknowledged that is not durable, visible, and recovery."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.ledger.log import Store
from croupier.ledger.log.store import OUTAGES
from croupier.server import Accounts, Client, Floor
from croupier.server.client import ResponseError
from croupier.server.http.errors import UNCONFIRMED
from croupier.server.server_lock import server_lock
from tests.support.floor_server import ServerThread, bet, play, run, serving, state_where

TABLE = "T"


class FullDisk:
    """A failpoint: writes fail as in SQLite while it is full."""

    def __init__(self) -> None:
        self.full = False

    def __call__(self, where: str) -> None:
        """Fail when an entry is written."""
        if self.full and where == "entry written":
            raise sqlite3.OperationalError("database or disk is full")


async def quiet(client: Client) -> dict[str, Any]:
    """A snapshot while the dealer bot waits for wagers."""
    while not (snapshot := await client.state(TABLE))["state"]["desk"]["commitment"]:
        await asyncio.sleep(0.01)
    return snapshot


async def ready_to_bet(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
    """A snapshot after a round, and the minimum bet of the next one."""
    await play(client, TABLE, 2)
    before = await quiet(client)
    steps = before["state"]["steps"].values()
    return before, bet(next(step for step in steps if step["kind"] == "place_wagers"))


async def stopped(world: ServerThread) -> bool:
    """Whether the metrics show a stopped table."""
    async with httpx.AsyncClient(base_url=world.address) as http:
        return "croupier_tables_stopped 1.0" in (await http.get("/metrics")).text


def test_a_table_recovers_from_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 and no entry; the same id is executed once there is space."""
    monkeypatch.setattr("croupier.server.client.BACKOFF_SECONDS", ())
    world, disk = ServerThread(tmp_path), FullDisk()
    world.faults = disk
    world.start()
    try:
        world.open(TABLE, "top_five", seed=3)

        async def betting() -> None:
            async with await world.client("ann") as ann:
                before, chosen = await ready_to_bet(ann)
                disk.full = True
                with pytest.raises(ResponseError) as error:
                    await ann.do(TABLE, chosen, id="one and only bet")
                assert (503, UNCONFIRMED) == (error.value.status, error.value.problem)
                assert await stopped(world)
                assert before["state"]["view"] == (await ann.state(TABLE))["state"]["view"]
                disk.full = False
                done = await ann.do(TABLE, chosen, id="one and only bet")
                assert before["sequence"] + 1 == done["sequence"]
                assert done == await ann.do(TABLE, chosen, id="one and only bet")
                assert not await stopped(world)

        run(betting())
    finally:
        world.stop()
    assert verify(world.database).ok


def test_an_outage_is_visible_and_ends(tmp_path: Path) -> None:
    """In readiness, metrics and feeds; the dealer bot goes on once there is space."""
    world, disk = ServerThread(tmp_path), FullDisk()
    world.faults = disk
    world.start()
    try:
        world.open(TABLE, "top_five", seed=3)

        async def watching() -> None:
            async with (
                await world.client("ann") as ann,
                httpx.AsyncClient(base_url=world.address) as http,
                aclosing(ann.feed(TABLE)) as feed,
            ):
                await play(ann, TABLE, 2)
                disk.full = True
                with suppress(TimeoutError):  # it is sent again and again
                    await asyncio.wait_for(ann.do(TABLE, {"kind": "leave", "seat": 2}), 1)
                await check_unavailable(world, feed)
                disk.full = False
                await state_where(feed, unavailable=False)
                assert {"ready": True} == (await http.get("/health/ready")).json()
            async with await world.client("bob") as bob:
                await play(bob, TABLE, 3)

        run(watching())
    finally:
        world.stop()
    assert verify(world.database).ok
    with Ledger(world.database, create=False) as ledger:
        (outage,) = ledger.store.read(OUTAGES)
        assert "database or disk is full" in str(outage.entry.value)


def test_a_removed_file_is_noticed_without_a_command(tmp_path: Path) -> None:
    """SQLite itself would go on without it."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)

        async def watching() -> None:
            async with await world.client("ann") as ann, aclosing(ann.feed(TABLE)) as feed:
                world.database.rename(tmp_path / "moved.db")
                await check_unavailable(world, feed)

        run(watching())
        (tmp_path / "moved.db").rename(world.database)
    assert verify(world.database).ok


def test_a_check_that_does_not_return_is_an_outage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As while a disk or a database hangs; it ends with the answer."""
    monkeypatch.setattr("croupier.server.floor.ANSWER_SECONDS", 0.1)
    answers, health = threading.Event(), Store.health
    answers.set()

    def hanging(store: Store) -> str:
        answers.wait()
        return health(store)

    monkeypatch.setattr(Store, "health", hanging)
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)

        async def watching() -> None:
            async with await world.client("ann") as ann, aclosing(ann.feed(TABLE)) as feed:
                answers.clear()
                await check_unavailable(world, feed)
                answers.set()
                await state_where(feed, unavailable=False)

        try:
            run(watching())
        finally:
            answers.set()


async def check_unavailable(world: ServerThread, feed: AsyncIterator[dict[str, Any]]) -> None:
    """Screens, readiness and metrics show an outage."""
    await state_where(feed, unavailable=True)
    async with httpx.AsyncClient(base_url=world.address) as http:
        assert 503 == (await http.get("/health/ready")).status_code
        assert "croupier_ledger_unavailable 1.0" in (await http.get("/metrics")).text


def test_a_server_without_the_lock_is_not_ready(tmp_path: Path) -> None:
    """It executes no command, so a proxy should not choose it."""

    async def readiness() -> list[bool]:
        lock = server_lock(tmp_path / "floor.db")
        assert lock.try_acquire()
        floor = Floor.at(tmp_path / "floor.db", lock=lock)
        await floor.start()
        ready = [floor.ready]
        lock.release()
        ready.append(floor.ready)
        await floor.stop()
        return ready

    assert [True, False] == run(readiness())


def test_a_dealer_bot_survives_errors_of_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the accounts database ended its task, and the table with it."""
    failures = iter([OperationalError("", {}, Exception("disk full")), ZeroDivisionError()])
    save_decks = Accounts.save_decks

    def failing(*args: Any) -> None:
        if (failure := next(failures, None)) is not None:
            raise failure
        save_decks(*args)

    monkeypatch.setattr(Accounts, "save_decks", failing)
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)

        async def playing() -> None:
            async with await world.client("ann") as ann:
                await play(ann, TABLE, 2)

        run(playing())


def test_a_background_task_that_fails_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the metrics count it."""
    monkeypatch.setattr("croupier.server.floor.RESTART_SECONDS", 0.01)
    monkeypatch.setattr("croupier.server.floor.PERIOD_SECONDS", 0.01)
    with serving(tmp_path) as world:
        assert world.server is not None
        monkeypatch.setattr(world.server.floor.denied_attempts, "flush", failing_flush)

        async def failures(floor: Floor) -> None:
            while floor.task_failures < 3:
                await asyncio.sleep(0.01)

        world.within(failures)
        monkeypatch.undo()


async def failing_flush(*, all: bool = False) -> None:
    """Fails every time."""
    raise ZeroDivisionError
