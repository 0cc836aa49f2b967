"""Clients that disconnect at any time: nothing is logged as an error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.floor_server import ServerThread, run, serving

TABLE = "T"
UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
UPGRADE += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
COMMAND = '{"kind": "sit_down", "seat": 2}'


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A floor with one practice table."""
    with serving(tmp_path) as world:
        world.open(TABLE, "top_five", seed=3)
        yield world


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize(
    "request_lines",
    [
        f"GET /tables/{TABLE}/feed HTTP/1.1\r\n{UPGRADE}",
        f"GET /tables/{TABLE}/feed?after=999 HTTP/1.1\r\n{UPGRADE}",
        f"GET /tables/{TABLE}/feed?after=x HTTP/1.1\r\n{UPGRADE}",
        f"GET /tables/{TABLE}/feed HTTP/1.1\r\n",
        f"GET /tables/{TABLE}/state HTTP/1.1\r\n",
        f"POST /tables/{TABLE}/commands HTTP/1.1\r\nContent-Type: application/json\r\n"
        "Idempotency-Key: half a body\r\nContent-Length: 99\r\n",
    ],
)
def test_a_client_that_disconnects_causes_no_error(
    floor: ServerThread, caplog: pytest.LogCaptureFixture, request_lines: str, answered: bool
) -> None:
    """Before or after the first bytes of the response, with or without a reset."""

    async def disconnect(token: str, reset: bool) -> None:
        host, port = floor.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        lines = f"{request_lines}Host: {host}\r\nAuthorization: Bearer {token}\r\n\r\n"
        writer.write(f"{lines}{COMMAND}".encode())
        await writer.drain()
        if answered and "99" not in request_lines:
            await reader.read(1)
        if reset:
            writer.transport.abort()
        else:
            writer.close()

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            for number in range(20):
                await disconnect(ann.token, number % 2 == 0)
            await asyncio.sleep(0.2)
            await ann.do(TABLE, {"kind": "sit_down", "seat": 1})

    with caplog.at_level(logging.INFO):
        run(scenario())
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [] == [record.getMessage() for record in errors]
