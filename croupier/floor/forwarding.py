"""Requests about a table that another server has: they are passed on to it, whatever they are.

So any server answers for every table, and a proxy before them needs to know nothing. What is
passed on says whom it came from, and shows the other server's id, which only servers know.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from croupier.floor.answers import answer
from croupier.floor.door import BODY_MOST
from croupier.floor.hall import Floor
from croupier.floor.leases import Place
from croupier.floor.messages import Problem

FORWARDED = "croupier-forwarded"  # to the server of this id, for a client at this address
ELSEWHERE = "croupier-elsewhere"  # the answer of a server that does not have the table
PATIENCE_SECONDS = 15.0  # for a table whose server has died, until another one has it
LOOK_AGAIN_SECONDS = 0.2
MOST_AT_ONCE = 1_000  # requests on their way to other servers, feeds apart
FRAME_MOST = 2**22
_GOING = 1001  # the close code that says: resume
_TABLE = re.compile(r"/tables/([^/]+)(?:/|$)")
# Of one connection, not of the message.
_HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", FORWARDED}
_SOCKET = {"sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "host"}

Heads = list[tuple[str, str]]


class Forwarding:
    """The application of one server, behind whatever has to go to another one."""

    def __init__(self, app: ASGIApp, floor: Floor, count: Callable[[], None]) -> None:
        self.app = app
        self.floor = floor
        self.count = count
        self._transport: httpx.AsyncHTTPTransport | None = None
        self._looked = 0.0
        self._room = asyncio.Semaphore(MOST_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        table = table_of(scope)
        passed_on = scope["type"] in ("http", "websocket") and passed(scope)
        if passed_on:
            id, _, peer = passed_on.partition(" ")
            if not hmac.compare_digest(id, self.floor.leases.id):
                await elsewhere(scope, send)
                return
            scope["client"] = (peer, 0)
        if table is None or self._ours(table):
            await self.app(scope, receive, send)
        elif passed_on or self._room.locked():
            await elsewhere(scope, send)
        else:
            async with self._room if scope["type"] == "http" else nullcontext():
                await self._pass_on(table, scope, receive, send)

    def _ours(self, table: str) -> bool:
        return self.floor.leases.holds(table)

    async def _pass_on(self, table: str, scope: Scope, receive: Receive, send: Send) -> None:
        carry = self._request if scope["type"] == "http" else self._feed
        body = await body_in(receive) if scope["type"] == "http" else b""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            place = await self._place(table)
            if place is None and table not in self.floor.desks:
                break  # nobody knows it: the application says so
            if self._ours(table):
                break
            if place is not None and place.owner != self.floor.leases.id:
                self.count()
                if await carry(place, scope, body, receive, send):
                    return
            if time.monotonic() > deadline or not self.floor.ready:
                await elsewhere(scope, send)
                return
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            self._looked = 0.0
        await self.app(scope, again(body, receive) if scope["type"] == "http" else receive, send)

    async def _place(self, table: str) -> Place | None:
        """Where a table is; looked up anew where that is not known, though not all the time."""
        moment = time.monotonic()
        if table not in self.floor.places and moment > self._looked + LOOK_AGAIN_SECONDS:
            self._looked = moment
            await self.floor.find_places()
        return self.floor.places.get(table)

    # One request

    async def _request(
        self, place: Place, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> bool:
        """Whether it was answered; if not, it was not carried out there, or may be repeated."""
        query = scope["query_string"].decode("latin-1")
        path = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
        url = place.address + path + (f"?{query}" if query else "")
        request = httpx.Request(
            scope["method"],
            url,
            headers=[(n, v) for n, v in heads(scope, place) if n != "content-length"],
            content=body,
            extensions={"timeout": {"connect": 5.0, "write": 5.0, "pool": 5.0, "read": None}},
        )
        try:
            response = await self._http().handle_async_request(request)
        except httpx.TransportError as error:
            await self.floor.find_places()
            if repeatable(scope) or isinstance(error, httpx.ConnectError):
                return False
            await elsewhere(scope, send)
            return True
        try:
            if ELSEWHERE in response.headers:
                await self.floor.find_places()
                return False
            await self._answer(response, receive, send)
            return True
        finally:
            await response.aclose()

    async def _answer(self, response: httpx.Response, receive: Receive, send: Send) -> None:
        raw = [(n.lower(), v) for n, v in response.headers.raw if n.lower().decode() not in _HOP]
        await send({"type": "http.response.start", "status": response.status_code, "headers": raw})
        gone = asyncio.ensure_future(until_gone(receive))
        try:
            with suppress(httpx.TransportError):  # its server died: the end of the answer
                async for chunk in chunks(response, gone):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            gone.cancel()
        await send({"type": "http.response.body", "body": b""})

    def _http(self) -> httpx.AsyncHTTPTransport:
        """The bare transport: a client would keep one person's cookies for another."""
        if self._transport is None:
            limits = httpx.Limits(max_connections=MOST_AT_ONCE, max_keepalive_connections=100)
            secure = self.floor.leases.address.startswith("https:")
            self._transport = httpx.AsyncHTTPTransport(limits=limits, verify=secure)
        return self._transport

    async def close(self) -> None:
        """Let the connections go."""
        if self._transport is not None:
            await self._transport.aclose()

    # One feed

    async def _feed(
        self, place: Place, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> bool:
        """Whether the feed was opened there, and is over now."""
        to = urlsplit(place.address)
        given = [(n, v) for n, v in heads(scope, place) if n not in _SOCKET]
        path = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
        host = Headers(scope=scope).get("host", to.netloc)
        uri = f"ws://{host}{path}?{scope['query_string'].decode('latin-1')}"
        try:
            there = await connect(
                uri,
                host=to.hostname,
                port=to.port,
                additional_headers=given,
                compression=None,
                max_size=FRAME_MOST,
                open_timeout=10,
                proxy=None,
                user_agent_header=None,
            )
        except (OSError, TimeoutError, InvalidHandshake):
            await self.floor.find_places()
            return False
        async with there:
            await self._relay(there, receive, send)
        return True

    async def _relay(self, there: ClientConnection, receive: Receive, send: Send) -> None:
        await receive()  # that somebody wants to connect
        await send({"type": "websocket.accept"})

        async def down() -> None:
            async for text in there:
                await send({"type": "websocket.send", "text": str(text)})

        async def up() -> None:
            while (message := await receive())["type"] == "websocket.receive":
                await there.send(message.get("text") or message.get("bytes") or b"")

        tasks = [asyncio.ensure_future(each) for each in (down(), up())]
        done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if tasks[1] in done and tasks[1].exception() is None:
            return  # the reader is gone
        with suppress(ConnectionClosed):
            await there.wait_closed() if there.close_code is not None else await there.close()
        code, reason = there.close_code, there.close_reason or ""
        if code in (None, 1005, 1006):  # its server died
            code, reason = _GOING, "the server is going down; resume"
        with suppress(RuntimeError, OSError):
            await send({"type": "websocket.close", "code": code, "reason": reason})


def table_of(scope: Scope) -> str | None:
    """The table that a request is about."""
    if scope["type"] not in ("http", "websocket"):
        return None
    found = _TABLE.match(scope["path"])
    return found[1] if found else None


def passed(scope: Scope) -> str:
    """What another server says about a request that it passes on."""
    return Headers(scope=scope).get(FORWARDED, "")


def heads(scope: Scope, place: Place) -> Heads:
    """What a request says of itself, and to whom it goes for whom."""
    said = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"]]
    peer = scope["client"][0] if scope.get("client") else "unknown"
    return [*((n, v) for n, v in said if n not in _HOP), (FORWARDED, f"{place.owner} {peer}")]


def repeatable(scope: Scope) -> bool:
    """Whether a request may be sent twice: it reads, or has an id under which it happens once."""
    return scope["method"] in ("GET", "HEAD") or "idempotency-key" in Headers(scope=scope)


async def elsewhere(scope: Scope, send: Send) -> None:
    """Nothing was done: the table is with no server that is known here."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _GOING, "reason": "resume"})
        return
    response = answer(Problem(problem="the table is between two servers; nothing was done"), 503)
    response.headers["retry-after"] = "1"
    response.headers[ELSEWHERE] = "1"
    await response(scope, _nothing, send)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


async def body_in(receive: Receive) -> bytes:
    """The body of a request; of one that is too long enough to say so."""
    found = bytearray()
    more = True
    while more and len(found) <= BODY_MOST:
        message = await receive()
        found += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(found)


def again(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """A body that was read already, to be read by the application."""
    told = False

    async def received() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return received


async def until_gone(receive: Receive) -> None:
    """Wait until whoever asked is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def chunks(response: httpx.Response, gone: asyncio.Future[Any]) -> AsyncIterator[bytes]:
    """The body as it comes, as long as somebody waits for it."""
    stream = response.aiter_raw()
    while True:
        following = asyncio.ensure_future(anext(stream, None))
        await asyncio.wait((following, gone), return_when=asyncio.FIRST_COMPLETED)
        if not following.done():
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            return
        chunk = following.result()
        if chunk is None:
            return
        yield chunk
