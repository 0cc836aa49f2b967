"""Requests about a table that another server has: they are passed on to it, whatever they are.

So any server answers for every table, and a proxy before them needs to know nothing. All that one
server passes on to another goes over one link, which shows the other server's id: only servers
know that.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.server.cluster.leases import TableOwner
from croupier.server.cluster.link import PATH, LinkClient, LinkLost, LinkServer, LinkStream
from croupier.server.floor import Floor
from croupier.server.http.errors import json_response
from croupier.server.http.request import MAX_BODY_BYTES, header_value
from croupier.server.protocol import Problem

FORWARDED = "croupier-forwarded"  # to the server of this id
ELSEWHERE = b"croupier-elsewhere"  # the answer of a server that does not have the table
PATIENCE_SECONDS = 15.0  # for a table whose server has died, until another one has it
LOOK_AGAIN_SECONDS = 0.2
MOST_AT_ONCE = 1_000  # requests on their way to other servers, feeds apart
GOING = 1001  # the close codes that say: resume
BEHIND = 4408
_TABLE = re.compile(r"/tables/([^/]+)(?:/|$)")
# Of one connection, not of the message.
_HOP = {b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"trailer"}
_HOP |= {b"sec-websocket-key", b"sec-websocket-version", b"sec-websocket-extensions"}


class OwnerProxy:
    """The application of one server, behind whatever has to go to another one."""

    def __init__(self, app: ASGIApp, floor: Floor, count: Callable[[], None]) -> None:
        self.app = app
        self.floor = floor
        self.count = count
        self._links: dict[str, LinkClient] = {}  # by the id of the server
        self._linking: dict[str, asyncio.Lock] = {}
        self._looked = 0.0
        self._room = asyncio.Semaphore(MOST_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == PATH:
            await self._answer(scope, receive, send)
            return
        table = table_of(scope)
        if table is None or self._ours(table):
            await self.app(scope, receive, send)
        elif self._room.locked():
            await elsewhere(scope, send)
        else:
            async with self._room if scope["type"] == "http" else nullcontext():
                await self._pass_on(table, scope, receive, send)

    def _ours(self, table: str) -> bool:
        return self.floor.leases.holds(table)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Another server links itself to this one; nobody else knows our id."""
        shown = header_value(scope, FORWARDED.encode())
        if not hmac.compare_digest(shown, self.floor.leases.id.encode()):
            await send({"type": "websocket.close", "code": 1008})
            return
        await LinkServer(self._passed_on, receive, send).run()

    async def _passed_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What another server passes on is passed on to nobody else."""
        table = table_of(scope)
        if table is None or not self._ours(table):
            await elsewhere(scope, send)
        else:
            await self.app(scope, receive, send)

    async def _pass_on(self, table: str, scope: Scope, receive: Receive, send: Send) -> None:
        body = await body_in(receive) if scope["type"] == "http" else b""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            place = await self._place(table)
            if place is None and table not in self.floor.table_hosts:
                break  # nobody knows it: the application says so
            if self._ours(table):
                break
            if place is not None and place.owner != self.floor.leases.id:
                self.count()
                if await self._carry(place, scope, body, receive, send):
                    return
                await self.floor.find_places()
            if time.monotonic() > deadline or not self.floor.ready:
                await elsewhere(scope, send)
                return
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            self._looked = 0.0
        await self.app(scope, again(body, receive) if scope["type"] == "http" else receive, send)

    async def _place(self, table: str) -> TableOwner | None:
        """Where a table is; looked up anew where that is not known, though not all the time."""
        moment = time.monotonic()
        if table not in self.floor.places and moment > self._looked + LOOK_AGAIN_SECONDS:
            self._looked = moment
            await self.floor.find_places()
        return self.floor.places.get(table)

    async def _link(self, place: TableOwner) -> LinkClient:
        """The link to a server, made when there is none; LinkLost if it does not answer."""
        found = self._links.get(place.owner)
        if found is None or found.lost:
            async with self._linking.setdefault(place.owner, asyncio.Lock()):
                found = self._links.get(place.owner)
                if found is None or found.lost:
                    for id in [id for id, link in self._links.items() if link.lost]:
                        del self._links[id]  # a server that comes back has another id
                    found = await LinkClient.to(place.address, {FORWARDED: place.owner})
                    self._links[place.owner] = found
        return found

    async def _carry(
        self, place: TableOwner, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> bool:
        """Whether it was answered; if not, it was not carried out there, or may be repeated."""
        try:
            link = await self._link(place)
        except LinkLost:
            return False
        heads = [one for one in scope["headers"] if one[0] not in _HOP]
        number, call = link.begin({**scope, "headers": heads}, body)
        try:
            if scope["type"] == "websocket":
                return await feed(link, number, call, receive, send)
            return await request(link, number, call, scope, receive, send)
        finally:
            link.end(number)

    async def close(self) -> None:
        """Let the connections go."""
        for link in self._links.values():
            link.close()


async def request(
    link: LinkClient, number: int, call: LinkStream, scope: Scope, receive: Receive, send: Send
) -> bool:
    """One request; an answer that is not at its end yet is told as long as somebody listens."""
    try:
        message = await call.next()
        if message["type"] == "over" or is_elsewhere(message):
            return False
    except LinkLost:
        if repeatable(scope):
            return False
        await elsewhere(scope, send)
        return True
    gone: asyncio.Future[None] | None = None
    try:
        while message["type"] != "over":
            await send(message)
            if message["type"] == "http.response.body":
                if not message.get("more_body", False):
                    return True
                if gone is None:
                    gone = asyncio.ensure_future(until_gone(link, number, receive))
            message = await call.next()
    except LinkLost:  # the answer has no end, and whoever reads it sees that
        pass
    finally:
        if gone is not None:
            gone.cancel()
    return True


async def feed(
    link: LinkClient, number: int, call: LinkStream, receive: Receive, send: Send
) -> bool:
    """Whether a feed was opened there, and is over now."""
    with suppress(LinkLost):
        message = await call.next()
        if message.get("code") == GOING or message["type"] == "over":
            return False  # it does not have the table
        await receive()  # that somebody wants to connect
        hearing = asyncio.ensure_future(hear(link, number, receive))
        try:
            with suppress(RuntimeError, OSError):
                await told(call, message, send)
        finally:
            hearing.cancel()
        return True
    return False


async def told(call: LinkStream, message: Message, send: Send) -> None:
    """Tell a reader everything of a feed, until either end is gone."""
    try:
        while message["type"] != "over":
            await send(message)
            if message["type"] == "websocket.close":
                return
            message = await call.next()
    except LinkLost:
        code, why = (BEHIND, "behind") if call.overrun else (GOING, "the server is going down")
        await send({"type": "websocket.close", "code": code, "reason": f"{why}; resume"})


async def hear(link: LinkClient, number: int, receive: Receive) -> None:
    """Pass on what a reader says, or that it is gone."""
    while True:
        message = await receive()
        link.say(number, dict(message))
        if message["type"] == "websocket.disconnect":
            return


async def until_gone(link: LinkClient, number: int, receive: Receive) -> None:
    """Tell the other server when nobody waits for the rest of an answer."""
    while (await receive())["type"] != "http.disconnect":
        pass
    link.say(number, {"type": "http.disconnect"})


def table_of(scope: Scope) -> str | None:
    """The table that a request is about."""
    if scope["type"] not in ("http", "websocket"):
        return None
    found = _TABLE.match(scope["path"])
    return found[1] if found else None


def is_elsewhere(message: Message) -> bool:
    """Whether the other server says that it does not have the table."""
    return any(name == ELSEWHERE for name, _ in message.get("headers", ()))


def repeatable(scope: Scope) -> bool:
    """Whether a request may be sent twice: it reads, or has an id under which it happens once."""
    return scope["method"] in ("GET", "HEAD") or bool(header_value(scope, b"idempotency-key"))


async def elsewhere(scope: Scope, send: Send) -> None:
    """Nothing was done: the table is with no server that is known here."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": GOING, "reason": "resume"})
        return
    response = json_response(
        Problem(problem="the table is between two servers; nothing was done"), 503
    )
    response.headers["retry-after"] = "1"
    response.headers[ELSEWHERE.decode()] = "1"
    await response(scope, _nothing, send)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


async def body_in(receive: Receive) -> bytes:
    """The body of a request; of one that is too long enough to say so."""
    found = bytearray()
    more = True
    while more and len(found) <= MAX_BODY_BYTES:
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
