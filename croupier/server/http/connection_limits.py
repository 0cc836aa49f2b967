"""Limits of one connection, before any request is read: header size, read time, WebSocket frames.

uvicorn has no settings for these with its fastest parsers, so its two protocols are subclassed.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CTRL_OPCODES, Frame
from websockets.protocol import Event

from croupier.server.auth.rate_limit import TokenBucket

HEADERS_MAX = 100
HEAD_BYTES_MAX = 32 * 1024  # of the request line and all headers
REQUEST_SECONDS = 10.0  # until a request is complete, its body included
FRAMES = "1000/second"  # WebSocket frames of one connection
CONTROL_FRAME_COST = 50  # of a ping, pong or close, which no client needs to send often
FRAME_BYTES_MAX = 2**17  # a message above this closes its socket with 1009
SLICE_BYTES = 4 * 1024  # parsed before the frames are counted
DEAD_PEER_SECONDS = 15  # until the operating system notices that a client is gone
HEAD_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n"


class LimitedHttpProtocol(HttpToolsProtocol):
    """HTTP connection that closes on too many headers, or when a request takes too long."""

    _reading: asyncio.TimerHandle | None = None
    _in_head = True
    _head_bytes = 0  # since the last request, upper bound
    _answering = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for the first request."""
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._request_complete()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a chunk, unless the head of the request has become too large."""
        if self._reading is None and not self._answering:
            self._await_request()
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > HEAD_BYTES_MAX:
            self._reject_head()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head, self._answering = True, False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header; the parser turns the error into status 400."""
        if len(self.headers) >= HEADERS_MAX:
            raise ValueError("too many headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin the response, while the body may still arrive."""
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        self._in_head, self._head_bytes = False, 0
        if size > HEAD_BYTES_MAX:
            raise ValueError("too long headers")
        self._answering = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._request_complete()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request: uvicorn's keep-alive timeout, then `REQUEST_SECONDS`."""
        self._answering = False
        super().on_response_complete()

    def _await_request(self) -> None:
        self._reading = self.loop.call_later(REQUEST_SECONDS, self._abort)

    def _request_complete(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _reject_head(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(HEAD_TOO_LARGE)
            self.transport.close()

    def _abort(self) -> None:
        self._reading = None
        self.transport.abort()


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket connection that is closed if it sends more frames than `FRAMES`.

    A client that sends commands waits for each reply, and pings every few seconds: only a flood
    exceeds the limit. Data is parsed in slices, so that one flood costs at most a slice.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._frames_left = TokenBucket(FRAMES)

    def data_received(self, data: bytes) -> None:
        """Parse a chunk in slices until the connection is closed."""
        for start in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE_BYTES])

    def handle_events(self) -> None:
        """Count the frames before they are answered; abort a connection that floods."""
        costs = map(_frame_cost, self.conn.events)
        if not all(self._frames_left.hit("", cost) for cost in costs):
            self.conn.events.clear()
            self.transport.abort()
        else:
            super().handle_events()


def _frame_cost(event: Event) -> int:
    is_control = isinstance(event, Frame) and event.opcode in CTRL_OPCODES
    return CONTROL_FRAME_COST if is_control else 1


def limit_dead_peers(listening: socket.socket) -> None:
    """Let the operating system end connections of clients that are gone or stop reading.

    Accepted sockets inherit the options. One that is not known on this system is left out.
    """
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    options = {
        "TCP_KEEPIDLE": DEAD_PEER_SECONDS,
        "TCP_KEEPINTVL": 5,
        "TCP_KEEPCNT": 3,
        "TCP_USER_TIMEOUT": 2 * DEAD_PEER_SECONDS * 1000,
    }
    for name, value in options.items():
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


CONNECTIONS: dict[str, Any] = {
    "http": LimitedHttpProtocol,
    "ws": LimitedWebSocketProtocol,
    "ws_max_size": FRAME_BYTES_MAX,
    "ws_ping_interval": 15.0,
    "ws_ping_timeout": 15.0,
    "ws_per_message_deflate": False,
}
"""uvicorn's settings for connections."""
