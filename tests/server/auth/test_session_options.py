"""Limits of sessions as options of `croupier serve`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.support.floor_server import PASSWORD, run
from tests.support.server_processes import Process, add_people


@pytest.mark.crash
def test_a_server_locks_as_its_options_say(tmp_path: Path) -> None:
    """Also on a practice ledger, where nothing locks by default."""
    database = str(tmp_path / "floor.db")
    add_people(database)
    limits = ("--lock-staff", "0.02", "--lock-players", "60", "--wrong-passwords", "1")
    server = Process(database, "--port", "0", *limits).serving()

    async def statuses() -> list[int]:
        async with httpx.AsyncClient(base_url=server.address) as http:
            tokens = {}
            for name in ("dana", "ann"):
                signed_in = await http.post("/tokens", json={"name": name, "password": PASSWORD})
                tokens[name] = {"authorization": f"Bearer {signed_in.json()['token']}"}
            await asyncio.sleep(2)
            found = [
                (await http.get("/me", headers=tokens[name])).status_code
                for name in ("dana", "ann")
            ]
            for password in ("a wrong password", PASSWORD):
                guess = {"name": "bob", "password": password}
                found.append((await http.post("/tokens", json=guess)).status_code)
            return found

    try:
        assert [423, 200, 401, 429] == run(statuses())
    finally:
        server.stop()
