"""Request parsing: body, idempotency key, query parameters, client address."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request

from croupier.errors import BadInput
from croupier.server import protocol as msg
from croupier.server.http.errors import BodyTooLarge, NotJson, RequestError

MAX_BODY_BYTES = 64 * 1024
MAX_INT_DIGITS = 15

Body = TypeVar("Body", bound=msgspec.Struct)
_decoder = cache(msgspec.json.Decoder)


async def read_body(request: Request) -> bytes:
    """The body of a JSON request; NotJson, BodyTooLarge, or RequestError if it is incomplete."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise NotJson(f"expected application/json, got {content_type[:40] or 'nothing'}")
    body, more = b"", True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise RequestError("the request ended before its body was complete")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY_BYTES:
            raise BodyTooLarge(f"a message has at most {MAX_BODY_BYTES} bytes")
    return body


async def read_json(request: Request, kind: type[Body]) -> Body:
    """The body of a request as a message; BadInput if it does not match exactly."""
    message: Body = decode(await read_body(request), kind)
    return message


def decode(data: bytes | str, kind: Any, name: str = "") -> Any:
    """Decode a JSON message of a Struct or a union, which `name` names in errors."""
    try:
        return _decoder(kind).decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"not a valid {name or kind.__name__}: {error}") from None


def idempotency_key(request: Request) -> str:
    """The id of the command in a request."""
    return check_key(request.headers.get("idempotency-key", ""), "Idempotency-Key")


def check_key(key: str, name: str = "id") -> str:
    """Check the length of a command's id, and that it is printable."""
    if not msg.KEY_MIN <= len(key) <= msg.KEY_MAX or not key.isprintable():
        expected = f"{msg.KEY_MIN} to {msg.KEY_MAX} printable characters"
        raise BadInput(f"{name}: expected {expected}, got {len(key)}")
    return key


def int_param(connection: HTTPConnection, name: str) -> int | None:
    """A nonnegative number of the query, or None if it is not there."""
    text = connection.query_params.get(name)
    return None if text is None else parse_int(text, name)


def parse_int(text: str, name: str) -> int:
    """A nonnegative number of the path or the query."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_INT_DIGITS):
        raise BadInput(f"{name}: expected a number, got {text[:20]!r}")
    return int(text)


def client_address(connection: HTTPConnection) -> str:
    """The IP address of the client."""
    return connection.client.host if connection.client else "unknown"
