"""uvicorn's WebSocket, with a short way for what is sent most: a text to somebody who reads."""

from __future__ import annotations

import struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_TEXT = 0x81  # a whole message, in one frame that is not masked (RFC 6455, 5.2)
_SHORT, _LONG = 126, 2**16  # lengths from which on two, and eight, bytes say how long it is


class Socket(WebSocketsSansIOProtocol):
    """The same protocol; no extension is in use that would write a text otherwise."""

    async def send(self, message: Any) -> None:
        """Send a text as one frame; whatever else there is goes the usual way."""
        text = message.get("text") if message["type"] == "websocket.send" else None
        usual = self.close_sent or self.disconnected or not self.writable.is_set()
        if not isinstance(text, str) or usual or not self.handshake_complete:
            await super().send(message)
        elif self.initial_response is None and not self.conn.extensions:
            self.transport.write(framed(text.encode()))
        else:
            await super().send(message)


def framed(data: bytes) -> bytes:
    """A text as a frame of the protocol."""
    length = len(data)
    if length < _SHORT:
        return struct.pack("!BB", _TEXT, length) + data
    if length < _LONG:
        return struct.pack("!BBH", _TEXT, 126, length) + data
    return struct.pack("!BBQ", _TEXT, 127, length) + data
