"""Commands, events and envelopes as JSON, and back: strict types, unknown fields refused.

The JSON Schemas of `docs/schemas` are written from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Union

import msgspec

from croupier.errors import BadInput
from croupier.table.core.dispatch import PARTS
from croupier.table.core.messages import Command, Envelope, Event, checked, kind_of
from croupier.table.core.part import CommandSpec
from croupier.table.core.roles import Account
from croupier.table.core.titles import words_of


def _acts() -> Iterator[CommandSpec]:
    for part in PARTS:
        yield from part.acts


def _kinds(root: type[Event]) -> Iterator[type[Event]]:
    for kind in root.__subclasses__():
        if kind.__module__.startswith("croupier.table."):
            yield kind
        yield from _kinds(kind)


# Every command and every event of a table by the word it is written under.
COMMANDS: dict[str, type[Command]] = {kind_of(act.command): act.command for act in _acts()}
EVENTS: dict[str, type[Event]] = {kind_of(kind): kind for kind in _kinds(Event)}

AnyCommand: Any = Union[tuple(COMMANDS.values())]  # noqa: UP007  (made of what there is)
AnyEvent: Any = Union[tuple(EVENTS.values())]  # noqa: UP007


_Read = msgspec.defstruct(
    "Envelope",
    [
        ("id", str),
        ("by", Account),
        ("at", int),
        ("command", AnyCommand),
        ("entered_by", Account | None, None),
    ],
    frozen=True,
    forbid_unknown_fields=True,
)
_encode = msgspec.json.Encoder(order="sorted").encode


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """A reader of many kinds takes a while to make, and most programs need none."""
    return msgspec.json.Decoder(kind)


def encode(thing: Command | Event | Envelope) -> bytes:
    """The one way to write it: compact JSON with sorted keys."""
    return _encode(thing)


def decode_command(text: bytes | str) -> Command:
    """Read a command; BadInput if it is none."""
    found: Command = _decoded(AnyCommand, text, "command")
    return found


def decode_event(text: bytes | str) -> Event:
    """Read an event; BadInput if it is none."""
    found: Event = _decoded(AnyEvent, text, "event")
    return found


def decode_envelope(text: bytes | str) -> Envelope:
    """Read an envelope, checked in every part; BadInput if it is none."""
    read = _decoded(_Read, text, "envelope")
    return checked(Envelope(read.id, read.by, read.at, read.command, read.entered_by))


def _decoded(kind: Any, text: bytes | str, what: str) -> Any:
    try:
        return _decoder(kind).decode(text)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"not a {what}: {error}") from None


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schemas of commands, events and envelopes, by file name."""
    return {
        "commands.schema.json": _schema("Command", COMMANDS),
        "events.schema.json": _schema("Event", EVENTS),
        "envelope.schema.json": _schema("Envelope", {"envelope": _Read}),
    }


def _schema(title: str, kinds: dict[str, Any]) -> dict[str, Any]:
    found, parts = msgspec.json.schema_components(kinds.values(), ref_template="#/$defs/{name}")
    for kind in (*COMMANDS.values(), *EVENTS.values()):
        if kind.__name__ in parts:
            said = words_of(kind)
            parts[kind.__name__] |= {"title": said.title, "description": said.sentence}
    shapes = sorted(found, key=lambda shape: str(shape["$ref"]))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:croupier:{title.lower()}",
        "title": title,
        "oneOf": shapes,
        "$defs": dict(sorted(parts.items())),
    }
