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
from croupier.server.http.errors import (
    REFUSAL_SECONDS,
    NotSignedIn,
    SessionIsLocked,
    TooManyRequests,
)
from croupier.server.http.request import int_param
from croupier.server.tables.frames import OutgoingFrame, frames
from croupier.server.tables.host import TooFarBehind
from croupier.server.tables.subscription import EncodedFrame, Subscription, TooSlow, encode
from croupier.table import Account

if TYPE_CHECKING:
    from croupier.server.app import Server

HEARTBEAT_SECONDS = 2.0
RETRY_SECONDS = 1.0  # before a feed beyond a rate limit is refused: opening one costs much
SECONDS_TO_SEND = 10.0  # that a client may take to receive one frame
# Close codes of the feed.
SESSION_ENDED = 4401
SESSION_LOCKED = 4423
FORBIDDEN = 4403
RESUME = 4408
TRY_LATER = 1013

HEARTBEAT = encode([msg.Heartbeat()]).decode()
SIGN_OF_LIFE = b": heartbeat\n\n"  # a comment to Server-Sent Events

log = logging.getLogger("croupier.server")


class FeedEndpoints(EndpointGroup):
    """The feed of a table over both transports."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.commands = CommandEndpoints(server)

    @endpoint(WEBSOCKET, "/tables/{table}/feed", documented=False, cost=15)
    async def feed(self, socket: WebSocket) -> None:
        """Every entry of a table as it happens, until either side closes the socket."""
        with suppress(WebSocketDisconnect):  # the client is gone
            try:
                access, account = await self._viewer(socket)
                after = int_param(socket, "after")
                if after is not None:
                    self.guard.charge_entries(account.id, access.host.entries_behind(after))
            except CroupierError as error:
                if isinstance(error, TooManyRequests):
                    await asyncio.sleep(RETRY_SECONDS)
                await socket.accept()
                await socket.close(close_code(error), str(error)[:120])
                return
            await socket.accept()
            try:
                with self.guard.open_feed(account.id):
                    await self._serve(socket, access, account, after)
            except TooManyRequests as error:
                await socket.close(close_code(error), str(error)[:120])

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
            if socket.query_params.get("heartbeats") == "1":
                tasks.append(asyncio.ensure_future(_send_heartbeats(socket, subscription)))
            done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                await self._close(socket, task)
        finally:
            host.unsubscribe(subscription)

    @endpoint("GET", "/tables/{table}/feed", documented=False, cost=15)
    async def stream(self, request: Request) -> Response:
        """The feed as Server-Sent Events, for programs."""
        access, account = await self._viewer(request)
        host = access.host
        after = int_param(request, "after")
        if after is None and (last := request.headers.get("last-event-id", "")).isdigit():
            after = int(last)
        if after is not None:
            # Fails now, while a status can still be sent.
            self.guard.charge_entries(account.id, host.entries_behind(after))
        with self.guard.open_feed(account.id):
            pass

        async def events() -> AsyncIterator[bytes]:
            with self.guard.open_feed(account.id):
                async for data in sent():
                    yield data

        async def sent() -> AsyncIterator[bytes]:
            subscription = host.subscribe(account)
            session_end = asyncio.ensure_future(self.guard.wait_for_session_end(request))
            session_end.add_done_callback(lambda task: subscription.close())
            try:
                with suppress(TooSlow):
                    batches = frames(host, subscription, access.roles, after)
                    async for batch in with_pauses(batches, HEARTBEAT_SECONDS):
                        if session_end.done():
                            break
                        yield b"".join(map(_server_sent_event, batch)) or SIGN_OF_LIFE
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
            if reply.status == TooManyRequests.status:
                await asyncio.sleep(REFUSAL_SECONDS)
            await socket.send_text(encode([reply]).decode())

    async def _close(self, socket: WebSocket, task: asyncio.Future[Any]) -> None:
        """Close the socket with the code and reason that fit the task that ended the feed."""
        error = task.exception()
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            if isinstance(error, WebSocketDisconnect):
                return
            if isinstance(error, NotSignedIn):
                await socket.close(close_code(error), str(error)[:120])
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


def close_code(error: Exception) -> int:
    """The close code of a feed that an error refuses or ends."""
    if isinstance(error, SessionIsLocked):
        return SESSION_LOCKED
    if isinstance(error, TooManyRequests):
        return TRY_LATER
    return SESSION_ENDED if isinstance(error, NotSignedIn) else FORBIDDEN


def _server_sent_event(frame: OutgoingFrame) -> bytes:
    struct = msg.EntryFrame if isinstance(frame, EncodedFrame) else type(frame)
    kind = str(struct.__struct_config__.tag).encode()
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (frame.sequence, kind, encode(frame))


async def with_pauses(
    batches: AsyncIterator[list[OutgoingFrame]], seconds: float
) -> AsyncIterator[list[OutgoingFrame]]:
    """The batches, and an empty one whenever none comes for some time."""
    following = asyncio.ensure_future(anext(batches))
    try:
        while True:
            await asyncio.wait((following,), timeout=seconds)
            if not following.done():
                yield []
                continue
            try:
                batch = following.result()
            except StopAsyncIteration:
                return
            following = asyncio.ensure_future(anext(batches))
            yield batch
    finally:
        following.cancel()


async def _send_heartbeats(socket: WebSocket, subscription: Subscription) -> None:
    """Let the client notice a dead connection within seconds: browsers see no pings."""
    while True:
        await asyncio.sleep(HEARTBEAT_SECONDS)
        if subscription.sending_since is None:
            await socket.send_text(HEARTBEAT)


async def _watch_sending(subscription: Subscription) -> None:
    """Raise TooSlow when one frame takes too long; cheaper than a timeout for each frame."""
    while True:
        await asyncio.sleep(SECONDS_TO_SEND / 2)
        since = subscription.sending_since
        if since is not None and time.monotonic() - since > SECONDS_TO_SEND / 2:
            raise TooSlow
