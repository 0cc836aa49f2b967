"""Feeds: a socket that tells, and may be acted over; its twin as Server-Sent Events."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.errors import BadInput, CroupierError
from croupier.server import protocol as msg
from croupier.server.auth.guard import NotSignedIn
from croupier.server.http.request import number_of, truth_of
from croupier.server.tables.frames import OutgoingFrame, frames
from croupier.server.tables.host import TooFarBehind
from croupier.server.tables.subscription import EncodedFrame, Subscription, TooSlow, encode
from croupier.table import Account

if TYPE_CHECKING:
    from croupier.server.app import Server

SECONDS_TO_SEND = 10.0  # that a reader may take for one frame
ENDED = 4401  # close codes of a feed: the session, the role, resume, only the server speaks
FORBIDDEN = 4403
RESUME = 4408
SILENCE = 1008

log = logging.getLogger("croupier.server")


class FeedEndpoint:
    """The feeds of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server

    async def feed(self, socket: WebSocket) -> None:
        """Everything that happens at a table, as long as somebody looks."""
        try:
            person, desk, roles = await self.server.at_table(socket, "feed")
            role = await self.server.role_of(socket, person, roles, "feed") or roles[0]
            after = number_of(socket, "after")
            together, acts = truth_of(socket, "together"), truth_of(socket, "acts")
        except CroupierError as error:
            await socket.accept()
            code = ENDED if isinstance(error, NotSignedIn) else FORBIDDEN
            await socket.close(code, str(error)[:120])
            return
        await socket.accept()
        feed = desk.subscribe(Account(person.id, role))
        if desk.driver is not None:
            desk.driver.wake()
        try:
            sending = asyncio.ensure_future(
                self._send(socket, frames(desk, feed, roles, after), feed, together)
            )
            hearing = asyncio.ensure_future(self._hear(socket, together) if acts else hear(socket))
            watching = asyncio.ensure_future(watch(feed))
            leaving = asyncio.ensure_future(self.server.guard.until_left(socket))
            done, rest = await asyncio.wait(
                (sending, hearing, watching, leaving), return_when=asyncio.FIRST_COMPLETED
            )
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            for task in done:
                await self._ended(socket, task)
        finally:
            desk.unsubscribe(feed)

    async def _send(
        self, socket: WebSocket, told: AsyncIterator[list[OutgoingFrame]], feed: Subscription, together: bool
    ) -> None:
        async for batch in told:
            for text in map(encode, [batch] if together else batch):
                feed.sending_since = time.monotonic()
                await socket.send({"type": "websocket.send", "text": text.decode()})
                feed.sending_since = None
            self.server.metrics.frames.inc(len(batch))

    async def _hear(self, socket: WebSocket, together: bool) -> int:
        """Carry out what is said, one after the other, until the session ends or nobody is there.

        Whoever says more meanwhile is read when the answer is out: nothing piles up here.
        """
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect
            told = await self.server.doing.said(socket, message.get("text") or "")
            text = encode([told] if together else told).decode()
            await socket.send({"type": "websocket.send", "text": text})

    async def _ended(self, socket: WebSocket, task: asyncio.Future[Any]) -> None:
        """Say why a feed ends."""
        error = task.exception()
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            if isinstance(error, WebSocketDisconnect):
                return
            if isinstance(error, NotSignedIn):
                await socket.close(ENDED, str(error)[:120])
            elif isinstance(error, TooFarBehind | BadInput):
                await socket.close(FORBIDDEN, str(error)[:120])
            elif isinstance(error, TooSlow):
                self.server.metrics.slow.inc()
                await socket.close(RESUME, "behind; resume after the last entry seen")
            elif error is not None:
                log.error("a feed failed", exc_info=error)
                await socket.close(1011)
            elif task.result() == SILENCE:
                await socket.close(SILENCE, "only the server speaks here, unless acts=true")
            else:
                await socket.close(1001, "the server is going down; resume")

    async def stream(self, request: Request) -> Response:
        """The same feed as Server-Sent Events, for programs."""
        person, desk, roles = await self.server.at_table(request, "feed")
        role = await self.server.role_of(request, person, roles, "feed") or roles[0]
        after = number_of(request, "after")
        if after is None and (last := request.headers.get("last-event-id", "")).isdigit():
            after = int(last)
        if after is not None:
            await desk.entries_after(after)  # refused now, while it can be said
        feed = desk.subscribe(Account(person.id, role))

        async def lines() -> AsyncIterator[bytes]:
            leaving = asyncio.ensure_future(self.server.guard.until_left(request))
            leaving.add_done_callback(lambda task: feed.close())
            try:
                with suppress(TooSlow):
                    async for told in frames(desk, feed, roles, after):
                        if leaving.done():
                            break
                        yield b"".join(map(as_event, told))
                        self.server.metrics.frames.inc(len(told))
            finally:
                leaving.cancel()
                with suppress(asyncio.CancelledError, NotSignedIn):
                    await leaving
                desk.unsubscribe(feed)

        return StreamingResponse(lines(), media_type="text/event-stream")


def as_event(frame: OutgoingFrame) -> bytes:
    """A frame as Server-Sent Events write it."""
    struct = msg.EntryFrame if isinstance(frame, EncodedFrame) else type(frame)
    kind = str(struct.__struct_config__.tag).encode()
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (frame.sequence, kind, encode(frame))


async def watch(feed: Subscription) -> None:
    """Wait until a reader takes too long for one frame; cheaper than a clock for each frame."""
    while True:
        await asyncio.sleep(SECONDS_TO_SEND / 2)
        since = feed.sending_since
        if since is not None and time.monotonic() - since > SECONDS_TO_SEND / 2:
            raise TooSlow


async def hear(socket: WebSocket) -> int:
    """Wait until the reader goes, or says anything at all."""
    await_message = await socket.receive()
    if await_message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    return SILENCE


def routes(server: Server) -> list[BaseRoute]:
    """The address of the feeds."""
    listening = FeedEndpoint(server)
    return [
        Route("/tables/{table}/feed", listening.stream),
    ]
