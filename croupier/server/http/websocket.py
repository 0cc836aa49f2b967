"""uvicorn's WebSocket protocol with a fast path for text messages."""

from __future__ import annotations

import struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_TEXT = 0x81  # a whole text message in one unmasked frame (RFC 6455, 5.2)
_MAX_7_BIT, _MAX_16_BIT = 125, 2**16 - 1  # longer payloads have a 16-bit or a 64-bit length


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Writes a text message directly to the transport where no extension changes its frame."""

    async def send(self, message: Any) -> None:
        """Send an ASGI message; anything but plain text on an open socket goes through uvicorn."""
        text = message.get("text") if message["type"] == "websocket.send" else None
        blocked = self.close_sent or self.disconnected or not self.writable.is_set()
        if not isinstance(text, str) or blocked or not self.handshake_complete:
            await super().send(message)
        elif self.initial_response is None and not self.conn.extensions:
            self.transport.write(text_frame(text.encode()))
        else:
            await super().send(message)


def text_frame(data: bytes) -> bytes:
    """Encode a text message as one WebSocket frame."""
    length = len(data)
    if length <= _MAX_7_BIT:
        return struct.pack("!BB", _TEXT, length) + data
    if length <= _MAX_16_BIT:
        return struct.pack("!BBH", _TEXT, 126, length) + data
    return struct.pack("!BBQ", _TEXT, 127, length) + data
