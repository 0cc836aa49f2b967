"""A full disk: a clear error, nothing acknowledged that is not durable, and recovery."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.ledger.audit.verify import verify
from croupier.server import Client
from croupier.server.client import ResponseError
from croupier.server.http.errors import UNCONFIRMED
from tests.support.floor_server import ServerThread, bet, play, run

TABLE = "T"


class FullDisk:
    """A failpoint: writes fail as in SQLite while it is full."""

    def __init__(self) -> None:
        self.full = False

    def point(self, where: str) -> None:
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
    steps = before["state"]["steps"]
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
