"""The client: a feed outlives servers that end at any moment."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from importlib.resources import files
from typing import Any

import pytest

from croupier.server import Client
from croupier.server.client import BACKOFF_SECONDS
from tests.support.floor_server import run


@pytest.mark.parametrize("reading", [False, True])
def test_a_feed_outlives_a_server_that_ends_during_the_handshake(
    monkeypatch: pytest.MonkeyPatch, reading: bool
) -> None:
    """Before or after it has read the request; the client connects again."""
    monkeypatch.setattr("croupier.server.client.BACKOFF_SECONDS", (0.01,))
    attempts = 0

    async def ending(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal attempts
        attempts += 1
        if reading:
            await reader.read(10)
        writer.close()

    async def first_frame(client: Client) -> dict[str, Any]:
        async for frame in client.feed("T"):
            return frame
        raise AssertionError("the feed ended")

    async def scenario() -> None:
        server = await asyncio.start_server(ending, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with Client(f"http://127.0.0.1:{port}") as client:
            following = asyncio.ensure_future(first_frame(client))
            while attempts < 3 and not following.done():
                await asyncio.sleep(0.01)
            assert not following.done(), following.exception()
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
        server.close()

    run(scenario())
    assert attempts >= 3


def test_both_clients_repeat_a_command_until_a_standby_has_taken_over() -> None:
    """That takes ten seconds at most, after a network that was lost in mid-commit."""
    script = files("croupier.server").joinpath("static/lib/api.js").read_text("utf-8")
    (delays,) = re.findall(r"RETRY_DELAYS_MS = \[(.*)\]", script)
    assert [1_000 * seconds for seconds in BACKOFF_SECONDS] == [
        float(ms) for ms in delays.split(",")
    ]
    assert sum(BACKOFF_SECONDS) > 10
