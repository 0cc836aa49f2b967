"""What one server passes on to another: many calls over one link, each with all that it is told."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from picows import WSMsgType
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from croupier.server.cluster.link import PATH, LinkClient, LinkLost, LinkServer, LinkStream
from croupier.server.tables.subscription import QUEUE_MAX
from tests.support.floor_server import ServerThread, run


class Pair:
    """Both ends of a link, without a network between them."""

    def __init__(self, app: ASGIApp) -> None:
        self.messages = 0  # that the caller sent
        self.link = LinkClient()
        self._there: asyncio.Queue[Message] = asyncio.Queue()
        self._there.put_nowait({"type": "websocket.connect"})
        self.link.on_ws_connected(SimpleNamespace(send=self._sent))  # type: ignore[arg-type]
        self.answering = asyncio.ensure_future(LinkServer(app, self._there.get, self._said).run())

    def _sent(self, kind: WSMsgType, data: bytes) -> None:
        self.messages += 1
        self._there.put_nowait({"type": "websocket.receive", "bytes": data})

    async def _said(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            told = SimpleNamespace(
                msg_type=WSMsgType.BINARY, get_payload_as_bytes=lambda: message["bytes"]
            )
            self.link.on_ws_frame(SimpleNamespace(), told)  # type: ignore[arg-type]

    def begin(
        self, kind: str = "http", path: str = "/", body: bytes = b""
    ) -> tuple[int, LinkStream]:
        """A call."""
        scope = {"type": kind, "method": "POST", "path": path, "query_string": b"", "headers": []}
        return self.link.begin({**scope, "client": ("10.1.2.3", 5)}, body)

    async def drop(self) -> None:
        """The caller is gone."""
        self._there.put_nowait({"type": "websocket.disconnect"})
        await self.answering


async def said_in(call: LinkStream) -> list[Message]:
    """Everything of a call, to its end."""
    found = []
    while (message := await call.next())["type"] != "over":
        found.append(message)
    return found


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with what it was asked, by whom; a socket is told all it says."""
    if scope["type"] == "websocket":
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        async for text in socket.iter_text():
            await socket.send_text(text)
        return
    request = Request(scope, receive, send)
    body = await request.body()
    assert request.client is not None
    response = PlainTextResponse(f"{request.client.host} {request.url.path} {body.decode()}")
    await response(scope, receive, send)


def test_calls_of_one_moment_share_a_message_and_keep_apart() -> None:
    """Each is answered for itself, whoever it is passed on for."""

    async def calling() -> None:
        pair = Pair(echo)
        calls = [pair.begin(path=f"/{n}", body=b"x" * n)[1] for n in range(30)]
        for number, call in enumerate(calls):
            start, body = await said_in(call)
            assert 200 == start["status"]
            assert f"10.1.2.3 /{number} {'x' * number}" == body["body"].decode()
        assert 1 == pair.messages
        large = [pair.begin(body=b"y" * 60_000)[1] for _ in range(9)]
        assert {60_000 + 11} == {len((await said_in(call))[1]["body"]) for call in large}
        assert 1 + 9 == pair.messages  # no message is longer than the other server takes
        await pair.drop()

    run(calling())


def test_a_socket_hears_and_is_heard_until_either_end_is_gone() -> None:
    """What it is told comes in its order; an end that is lost is the end of every call."""

    ended = []

    async def heard(scope: Scope, receive: Receive, send: Send) -> None:
        await echo(scope, receive, send)
        ended.append("over")

    async def calling() -> None:
        pair = Pair(heard)
        number, call = pair.begin("websocket")
        assert "websocket.accept" == (await call.next())["type"]
        for text in "abc":
            pair.link.say(number, {"type": "websocket.receive", "text": text})
        assert list("abc") == [(await call.next())["text"] for _ in range(3)]
        pair.link.end(number)  # the reader is gone: so is the run of the application
        await asyncio.sleep(0.05)
        assert ["over"] == ended
        _, waits = pair.begin("websocket")
        await waits.next()
        pair.link.on_ws_disconnected(SimpleNamespace())  # type: ignore[arg-type]
        with pytest.raises(LinkLost):
            await waits.next()
        with pytest.raises(LinkLost):
            await pair.begin()[1].next()
        await pair.drop()

    run(calling())


def test_a_reader_who_takes_nothing_is_not_waited_for() -> None:
    """Others on the same link are told; the one who is behind has to resume."""

    async def many(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/":
            await echo(scope, receive, send)
            return

        async def lines() -> Any:
            for _ in range(QUEUE_MAX + 10):
                yield b"line"

        await StreamingResponse(lines())(scope, receive, send)

    async def calling() -> None:
        pair = Pair(many)
        _, behind = pair.begin(path="/many")
        await asyncio.sleep(0.05)
        assert 2 == len(await said_in(pair.begin()[1]))
        assert behind.overrun
        with pytest.raises(LinkLost):
            await said_in(behind)
        await pair.drop()

    run(calling())


def test_only_servers_link_themselves(world: ServerThread) -> None:
    """Whoever does not know the id of the other server is shut out."""

    async def linking() -> None:
        for headers in ({}, {"croupier-forwarded": "0" * 32}):
            with pytest.raises(LinkLost):
                await LinkClient.to(world.address, headers)
        assert world.server is not None
        link = await LinkClient.to(
            world.address, {"croupier-forwarded": world.server.floor.leases.id}
        )
        scope = {"type": "http", "method": "GET", "path": "/tables/nowhere", "headers": []}
        _, call = link.begin({**scope, "query_string": b""}, b"")
        assert 503 == (await call.next())["status"]  # and nothing is passed on a second time
        _, call = link.begin({**scope, "path": "/tables", "query_string": b""}, b"")
        assert 503 == (await call.next())["status"]
        link.close()

    assert PATH.startswith("/servers/")
    run(linking())
