"""What requests bring along: ids, numbers, and messages read strictly."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import HTTPConnection, Request

from croupier.coach import coach_messages
from croupier.errors import BadInput
from croupier.server import protocol as msg


def key_of(request: Request) -> str:
    """The id under which a command is carried out once."""
    return check_key(request.headers.get("idempotency-key", ""), "Idempotency-Key")


def check_key(key: str, name: str = "id") -> str:
    """An id that a command may be given under."""
    if not msg.KEY_MIN <= len(key) <= msg.KEY_MAX or not key.isprintable():
        expected = f"{msg.KEY_MIN} to {msg.KEY_MAX} signs are expected"
        raise BadInput(f"{name}: {expected}, got {len(key)}")
    return key


def number_of(connection: HTTPConnection, name: str) -> int | None:
    """A number of the query, if it is there."""
    text = connection.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise BadInput(f"{name}: a number is expected, got {text[:20]!r}")
    return int(text)


def truth_of(connection: HTTPConnection, name: str) -> bool:
    """Whether the query says that something is wanted."""
    text = connection.query_params.get(name, "false")
    if text not in ("true", "false"):
        raise BadInput(f"{name}: true or false is expected, got {text[:20]!r}")
    return text == "true"


def _decoded(decoder: msgspec.json.Decoder[Any], body: bytes, what: str) -> Any:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"not {what}: {error}") from None


_asks: msgspec.json.Decoder[Any] = msgspec.json.Decoder(msg.AnyAsk)
_agains: msgspec.json.Decoder[Any] = msgspec.json.Decoder(coach_messages.PlayAgain)
_said = msgspec.json.Decoder(msg.FeedCommand)
_sign_ins = msgspec.json.Decoder(msg.SignIn)


def decode_ask(body: bytes) -> msg.Ask:
    """What is asked of a machine dealer."""
    found: msg.Ask = _decoded(_asks, body, "something that can be asked")
    return found


def decode_said(text: str) -> msg.FeedCommand:
    """What is said over a feed: either a command or something asked of a machine dealer."""
    try:
        found = _said.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"not a message of ours: {error}") from None
    if (found.command is msgspec.UNSET) == (found.ask is msgspec.UNSET):
        raise BadInput("either a command or an ask is expected")
    return found


def decode_again(body: bytes) -> coach_messages.PlayAgain:
    """Which round is played again, and how."""
    found: coach_messages.PlayAgain = _decoded(_agains, body, "a round to play again")
    return found


def decode_sign_in(body: bytes) -> msg.SignIn:
    """A name and a password; what was wrong with them is not repeated."""
    try:
        return _sign_ins.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise BadInput("a name and a password are expected") from None
