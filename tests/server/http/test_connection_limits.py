"""Limits of one connection: floods of headers and frames, requests that never end."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from croupier.server.http import connection_limits
from croupier.server.run import listen
from tests.support.floor_server import ServerThread, run, serving

TABLE = "T"
CHUNKS_MAX = 200  # of 64 KiB, which a test may send


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A floor with one practice table."""
    with serving(Path(tmp_path_factory.mktemp("limits"))) as world:
        world.open(TABLE, "top_five", seed=3)
        yield world


def opened(world: ServerThread) -> socket.socket:
    """A connection to the server."""
    host, port = world.address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=20)


def answer(connection: socket.socket) -> bytes:
    """Everything the server sends until it closes the connection."""
    received = b""
    try:
        while chunk := connection.recv(2**16):
            received += chunk
    except (ConnectionResetError, BrokenPipeError):
        pass
    return received


@pytest.mark.parametrize(
    "header",
    [b"X-Flood: " + b"a" * 1000 + b"\r\n", b"X-Flood: a\r\n", b"a" * 1000],
    ids=["long", "many", "one without an end"],
)
def test_a_header_flood_is_cut(floor: ServerThread, header: bytes) -> None:
    """After a few kilobytes, with an error, long before it fills the memory."""
    chunk = header * (2**16 // len(header))
    sent = 0
    with opened(floor) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        if b"\r" not in header:
            connection.sendall(b"X-Flood: ")
        try:
            while sent < CHUNKS_MAX:
                connection.sendall(chunk)
                sent += 1
                time.sleep(0.001)
        except OSError:
            pass
    assert sent < CHUNKS_MAX


def test_a_head_within_the_limits_is_served(floor: ServerThread) -> None:
    """Ninety headers of a usual size; a hundred more get an error."""
    line = b"X-Header: " + b"a" * 100 + b"\r\n"
    start, end = b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"Connection: close\r\n\r\n"
    with opened(floor) as connection:
        connection.sendall(start + 90 * line + end)
        assert answer(connection).startswith(b"HTTP/1.1 200")
    for flood in (190 * b"X: a\r\n", b"X: " + b"a" * 40_000 + b"\r\n"):
        with opened(floor) as connection:
            connection.sendall(start + flood + end)
            assert answer(connection).startswith((b"HTTP/1.1 400", b"HTTP/1.1 431"))


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
        b"POST /tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 99\r\n\r\n{",
        b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n\r\n",
    ],
    ids=["nothing", "an empty line", "half a head", "half a body", "an empty line afterwards"],
)
def test_a_request_that_never_ends_is_cut(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch, beginning: bytes
) -> None:
    """The connection is closed, although the client keeps it open."""
    monkeypatch.setattr(connection_limits, "REQUEST_SECONDS", 0.2)
    with opened(floor) as connection:
        connection.sendall(beginning)
        answer(connection)  # ends before the timeout of the socket


def test_a_long_response_has_no_time_limit(
    floor: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A feed as Server-Sent Events stays open, on a connection that was used before."""
    monkeypatch.setattr(connection_limits, "REQUEST_SECONDS", 0.2)

    async def token() -> str:
        async with await floor.client("ann") as ann:
            return ann.token

    head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {run(token())}\r\n\r\n"
    with opened(floor) as connection:
        connection.sendall(f"GET /me HTTP/1.1\r\n{head}".encode())
        assert b"200 OK" in connection.recv(2**16)
        connection.sendall(f"GET /tables/{TABLE}/feed HTTP/1.1\r\n{head}".encode())
        assert b"200 OK" in connection.recv(2**16)
        connection.settimeout(1.0)
        with pytest.raises(TimeoutError):
            answer(connection)


@pytest.mark.parametrize("opcode", [0x89, 0x8A, 0x01, 0x81], ids=["ping", "pong", "part", "text"])
def test_a_flood_of_frames_is_cut(floor: ServerThread, opcode: int) -> None:
    """The socket is closed after at most a slice of it."""
    frame = bytes((opcode, 0x80, 0, 0, 0, 0))  # empty, masked with zeros

    async def scenario() -> int:
        async with await floor.client("ann") as ann:
            url = floor.address.replace("http", "ws") + f"/tables/{TABLE}/feed"
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(url, additional_headers=headers) as feed:
                await feed.recv()
                sent = 0
                while sent < CHUNKS_MAX and not feed.transport.is_closing():
                    feed.transport.write(frame * 10_000)
                    await asyncio.sleep(0.01)
                    sent += 1
            return sent

    assert run(scenario()) < CHUNKS_MAX


def test_usual_pings_are_answered(floor: ServerThread) -> None:
    """A client may ask for a sign of life."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            url = floor.address.replace("http", "ws") + f"/tables/{TABLE}/feed"
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(url, additional_headers=headers) as feed:
                for _ in range(10):
                    await asyncio.wait_for(await feed.ping(), 10)

    run(scenario())


def test_a_message_above_the_maximum_is_refused(floor: ServerThread) -> None:
    """With close code 1009."""

    async def scenario() -> None:
        async with await floor.client("ann") as ann:
            url = floor.address.replace("http", "ws") + f"/tables/{TABLE}/feed"
            headers = {"authorization": f"Bearer {ann.token}"}
            async with connect(url, additional_headers=headers) as feed:
                await feed.send(" " * (connection_limits.FRAME_BYTES_MAX + 1))
                await feed.wait_closed()
                assert 1009 == feed.close_code

    run(scenario())


def test_connections_of_dead_clients_end() -> None:
    """The operating system checks idle ones, and ends those that do not read."""
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
