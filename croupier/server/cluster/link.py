"""One connection between two servers: requests and feeds of many people go through it at once.

Whoever passes something on is a caller, the server that has the table answers. What an application
would be told and what it says go there and back as they are, each with the number of its call;
what is said in one turn of the loop goes in one message.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from picows import WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.server.http.request import MAX_BODY_BYTES
from croupier.server.tables.subscription import QUEUE_MAX

PATH = "/servers/link"
LONGEST_MESSAGE = 4 * MAX_BODY_BYTES  # to the server that has a table; nobody else sends so much
LONGEST_ANSWER = 2**26
FULL = 2**22  # bytes that wait to be taken before calls have to wait too
QUIET_SECONDS = 3.0  # after which a server is asked whether it is still there, and for its answer

Told: TypeAlias = list[tuple[int, dict[str, Any]]]  # calls by number, and what is said in them
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Told).decode
# What the other server needs to know of a request; the rest is about this connection.
_SCOPE = ("type", "method", "path", "raw_path", "query_string", "headers", "scheme")


log = logging.getLogger("croupier.server")


class LinkLost(Exception):
    """The other server is gone, or does not take the call."""


class LinkStream:
    """What comes for one call, in its order; `overrun` if nobody takes it."""

    def __init__(self) -> None:
        self.overrun = False
        self._said: deque[Message] = deque()
        self._over = False
        self._news = asyncio.Event()

    def tell(self, message: Message) -> None:
        """Something came."""
        if len(self._said) >= QUEUE_MAX:  # the reader resumes; what is left of it is not told
            self.overrun = self._over = True
        else:
            self._said.append(message)
        self._news.set()

    def lose(self) -> None:
        """Nothing more will come."""
        self._over = True
        self._news.set()

    async def next(self) -> Message:
        """What is next; LinkLost when there is nothing more."""
        while not self._said:
            if self._over:
                raise LinkLost
            self._news.clear()
            await self._news.wait()
        return self._said.popleft()


class LinkClient(WSListener):
    """The caller's end."""

    def __init__(self) -> None:
        self.lost = False
        self._calls: dict[int, LinkStream] = {}
        self._last = 0
        self._saying: Told = []
        self._transport: WSTransport | None = None

    @classmethod
    async def to(cls, address: str, headers: Mapping[str, str]) -> LinkClient:
        """A link to a server; LinkLost if it does not answer."""
        scheme, _, rest = address.partition("://")
        url = f"{'wss' if scheme == 'https' else 'ws'}://{rest}{PATH}"
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                _, link = await ws_connect(
                    lambda: cls(),
                    url,
                    extra_headers={"host": "localhost", **headers},
                    max_frame_size=LONGEST_ANSWER,
                    enable_auto_ping=True,
                    auto_ping_idle_timeout=QUIET_SECONDS,
                    auto_ping_reply_timeout=QUIET_SECONDS,
                )
        except (OSError, WSError, TimeoutError) as error:
            raise LinkLost from error
        assert isinstance(link, cls)
        return link

    def on_ws_connected(self, transport: WSTransport) -> None:
        """It is there."""
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """What the other server says in any calls."""
        if frame.msg_type == WSMsgType.BINARY:
            for number, message in _decode(frame.get_payload_as_bytes()):
                over = message["type"] == "over"
                call = self._calls.pop(number, None) if over else self._calls.get(number)
                if call is not None:
                    call.tell(message)
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Whoever waits has to look elsewhere."""
        self.lost = True
        for call in self._calls.values():
            call.lose()

    def begin(self, scope: Scope, body: bytes) -> tuple[int, LinkStream]:
        """A new call, with its number; `end` it."""
        self._last += 1
        call = self._calls[self._last] = LinkStream()
        opened = {name: scope[name] for name in _SCOPE if name in scope}
        peer = scope["client"][0] if scope.get("client") else "unknown"
        self.say(self._last, {**opened, "client": peer, "body": body})
        if self.lost:
            call.lose()
        return self._last, call

    def say(self, number: int, message: dict[str, Any]) -> None:
        """Tell the other server something in a call."""
        if not self._saying:
            asyncio.get_running_loop().call_soon(self._send)
        self._saying.append((number, message))

    def end(self, number: int) -> None:
        """Nobody waits for a call any more; the other server is told, if it may go on."""
        if self._calls.pop(number, None) is not None:
            self.say(number, {"type": "over"})

    def _send(self) -> None:
        saying, self._saying = self._saying, []
        if self.lost or self._transport is None:
            return
        message = _encode(saying)
        each = [message] if len(message) <= LONGEST_MESSAGE else [_encode([one]) for one in saying]
        for message in each:
            self._transport.send(WSMsgType.BINARY, message)

    def close(self) -> None:
        """Let it go."""
        if self._transport is not None:
            self._transport.disconnect()


class LinkServer:
    """The end of the server that has the tables: every call is a run of the application."""

    def __init__(self, app: ASGIApp, receive: Receive, send: Send) -> None:
        self.app = app
        self._receive, self._send = receive, send
        self._calls: dict[int, LinkStream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._saying: Told = []
        self._waiting = 0  # bytes, about
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def run(self) -> None:
        """Until the other server is gone."""
        await self._receive()  # that it wants to connect
        await self._send({"type": "websocket.accept"})
        telling = asyncio.ensure_future(self._tell())
        try:
            while (message := await self._receive())["type"] == "websocket.receive":
                for number, said in _decode(message["bytes"]):
                    self._hear(number, said)
        finally:
            tasks = (telling, *self._tasks)
            for call in self._calls.values():
                call.lose()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _hear(self, number: int, said: dict[str, Any]) -> None:
        call = self._calls.get(number)
        if said["type"] == "over":
            if call is not None:
                call.lose()
        elif call is not None:
            call.tell(said)
        elif "path" in said:
            call = self._calls[number] = LinkStream()
            task = asyncio.ensure_future(self._answer(number, call, said))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, number: int, call: LinkStream, opened: dict[str, Any]) -> None:
        """Run the application for one call."""
        socket = opened["type"] == "websocket"
        begin: dict[str, Any] = {"type": "websocket.connect"}
        if not socket:
            begin = {"type": "http.request", "body": opened.pop("body"), "more_body": False}
        call.tell(begin)
        scope: Scope = {
            **opened,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "root_path": "",
            "server": None,
            "client": (opened["client"], 0),
            "headers": [(name, value) for name, value in opened["headers"]],
            "state": {},
        }
        gone = {"type": "websocket.disconnect" if socket else "http.disconnect", "code": 1006}

        async def receive() -> Message:
            try:
                return await call.next()
            except LinkLost:
                return gone

        async def send(message: Message) -> None:
            await self._room.wait()
            self._say(number, dict(message))

        try:
            await self.app(scope, receive, send)
        except Exception as error:  # it has answered already
            log.error("a call failed", exc_info=error)
        finally:
            del self._calls[number]
            self._say(number, {"type": "over"})

    def _say(self, number: int, message: dict[str, Any]) -> None:
        self._saying.append((number, message))
        self._waiting += len(message.get("text") or message.get("body") or "")
        if self._waiting > FULL:
            self._room.clear()
        self._news.set()

    async def _tell(self) -> None:
        with suppress(OSError, RuntimeError):  # it is gone: `run` notices too
            while True:
                await self._news.wait()
                self._news.clear()
                saying, self._saying, self._waiting = self._saying, [], 0
                await self._send({"type": "websocket.send", "bytes": _encode(saying)})
                self._room.set()
