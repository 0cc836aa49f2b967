"""Feed endpoints: the WebSocket, which also takes commands, and Server-Sent Events."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.errors import BadInput, CroupierError
from croupier.server import protocol as msg
from croupier.server.api.command_endpoints import CommandEndpoints
from croupier.server.auth.guard import TableAccess
from croupier.server.http.endpoint import WEBSOCKET, EndpointGroup, endpoint
from croupier.server.http.errors import NotSignedIn
from croupier.server.http.request import int_param
from croupier.server.tables.frames import OutgoingFrame, frames
from croupier.server.tables.host import TooFarBehind
from croupier.server.tables.subscription import EncodedFrame, Subscription, TooSlow, encode
from croupier.table import Account

if TYPE_CHECKING:
    from croupier.server.app import Server

SECONDS_TO_SEND = 10.0  # that a client may take to receive one frame
# Close codes of the feed.
SESSION_ENDED = 4401
FORBIDDEN = 4403
RESUME = 4408

log = logging.getLogger("croupier.server")


class FeedEndpoints(EndpointGroup):
    """The feed of a table over both transports."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.commands = CommandEndpoints(server)

    @endpoint(WEBSOCKET, "/tables/{table}/feed", documented=False)
    async def feed(self, socket: WebSocket) -> None:
        """Every entry of a table as it happens, until either side closes the socket."""
        with suppress(WebSocketDisconnect):  # the client is gone
            try:
                access, account = await self._viewer(socket)
                after = int_param(socket, "after")
            except CroupierError as error:
                await socket.accept()
                code = SESSION_ENDED if isinstance(error, NotSignedIn) else FORBIDDEN
                await socket.close(code, str(error)[:120])
                return
            await socket.accept()
            await self._serve(socket, access, account, after)

    async def _serve(
        self, socket: WebSocket, access: TableAccess, account: Account, after: int | None
    ) -> None:
        host = access.host
        subscription = host.subscribe(account)
        if host.driver is not None:
            host.driver.wake()
        try:
            batches = frames(host, subscription, access.roles, after)
            tasks = [
                asyncio.ensure_future(self._send(socket, batches, subscription)),
                asyncio.ensure_future(self._execute_commands(socket)),
                asyncio.ensure_future(_watch_sending(subscription)),
                asyncio.ensure_future(self.guard.wait_for_session_end(socket)),
            ]
            done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                await self._close(socket, task)
        finally:
            host.unsubscribe(subscription)

    @endpoint("GET", "/tables/{table}/feed", documented=False)
    async def stream(self, request: Request) -> Response:
        """The feed as Server-Sent Events, for programs."""
        access, account = await self._viewer(request)
        host = access.host
        after = int_param(request, "after")
        if after is None and (last := request.headers.get("last-event-id", "")).isdigit():
            after = int(last)
        if after is not None:
            await host.entries_after(after)  # fails now, while a status can still be sent
        subscription = host.subscribe(account)

        async def events() -> AsyncIterator[bytes]:
            session_end = asyncio.ensure_future(self.guard.wait_for_session_end(request))
            session_end.add_done_callback(lambda task: subscription.close())
            try:
                with suppress(TooSlow):
                    async for batch in frames(host, subscription, access.roles, after):
                        if session_end.done():
                            break
                        yield b"".join(map(_server_sent_event, batch))
                        self.server.metrics.frames.inc(len(batch))
            finally:
                session_end.cancel()
                with suppress(asyncio.CancelledError, NotSignedIn):
                    await session_end
                host.unsubscribe(subscription)

        return StreamingResponse(events(), media_type="text/event-stream")

    async def _viewer(self, connection: HTTPConnection) -> tuple[TableAccess, Account]:
        access = await self.guard.table_access(connection, "feed")
        role = await self.guard.requested_role(connection, access, "feed") or access.roles[0]
        return access, Account(access.person.id, role)

    async def _send(
        self,
        socket: WebSocket,
        batches: AsyncIterator[list[OutgoingFrame]],
        subscription: Subscription,
    ) -> None:
        async for batch in batches:
            subscription.sending_since = time.monotonic()
            await socket.send_text(encode(batch).decode())
            subscription.sending_since = None
            self.server.metrics.frames.inc(len(batch))

    async def _execute_commands(self, socket: WebSocket) -> None:
        """Execute commands one at a time; the next is read when the reply is out (backpressure)."""
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect
            reply = await self.commands.reply(socket, message.get("text") or "")
            await socket.send_text(encode([reply]).decode())

    async def _close(self, socket: WebSocket, task: asyncio.Future[Any]) -> None:
        """Close the socket with the code and reason that fit the task that ended the feed."""
        error = task.exception()
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            if isinstance(error, WebSocketDisconnect):
                return
            if isinstance(error, NotSignedIn):
                await socket.close(SESSION_ENDED, str(error)[:120])
            elif isinstance(error, TooFarBehind | BadInput):
                await socket.close(FORBIDDEN, str(error)[:120])
            elif isinstance(error, TooSlow):
                self.server.metrics.slow.inc()
                await socket.close(RESUME, "too slow; resume after the last entry received")
            elif error is not None:
                log.error("a feed failed", exc_info=error)
                await socket.close(1011)
            else:
                await socket.close(1001, "the server is shutting down; resume")


def _server_sent_event(frame: OutgoingFrame) -> bytes:
    struct = msg.EntryFrame if isinstance(frame, EncodedFrame) else type(frame)
    kind = str(struct.__struct_config__.tag).encode()
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (frame.sequence, kind, encode(frame))


async def _watch_sending(subscription: Subscription) -> None:
    """Raise TooSlow when one frame takes too long; cheaper than a timeout for each frame."""
    while True:
        await asyncio.sleep(SECONDS_TO_SEND / 2)
        since = subscription.sending_since
        if since is not None and time.monotonic() - since > SECONDS_TO_SEND / 2:
            raise TooSlow
