"""JSON codec of commands, events and envelopes: strict types, unknown fields refused.

The JSON Schemas in `docs/schemas` are generated from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Union

import msgspec

from croupier.errors import BadInput
from croupier.table.core.dispatch import PARTS
from croupier.table.core.messages import Command, Envelope, Event, kind_of, validate_envelope
from croupier.table.core.part import CommandSpec
from croupier.table.core.roles import Account
from croupier.table.core.titles import title_of


def _command_specs() -> Iterator[CommandSpec]:
    for part in PARTS:
        yield from part.commands


def _event_types(root: type[Event]) -> Iterator[type[Event]]:
    for kind in root.__subclasses__():
        if kind.__module__.startswith("croupier.table."):
            yield kind
        yield from _event_types(kind)


# Every command and event type of a table, by its tag.
COMMANDS: dict[str, type[Command]] = {
    kind_of(spec.command): spec.command for spec in _command_specs()
}
EVENTS: dict[str, type[Event]] = {kind_of(kind): kind for kind in _event_types(Event)}

AnyCommand: Any = Union[tuple(COMMANDS.values())]  # noqa: UP007  (built at run time)
AnyEvent: Any = Union[tuple(EVENTS.values())]  # noqa: UP007


_TypedEnvelope = msgspec.defstruct(
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
    # Cached and built on demand: a decoder of a large union is slow to build.
    return msgspec.json.Decoder(kind)


def encode(message: Command | Event | Envelope) -> bytes:
    """Encode canonically: compact JSON with sorted keys."""
    return _encode(message)


def decode_command(text: bytes | str) -> Command:
    """Decode a command; raises BadInput if the text is not one."""
    command: Command = _decode(AnyCommand, text, "command")
    return command


def decode_event(text: bytes | str) -> Event:
    """Decode an event; raises BadInput if the text is not one."""
    event: Event = _decode(AnyEvent, text, "event")
    return event


def decode_envelope(text: bytes | str) -> Envelope:
    """Decode and validate an envelope; raises BadInput if the text is not one."""
    read = _decode(_TypedEnvelope, text, "envelope")
    return validate_envelope(Envelope(read.id, read.by, read.at, read.command, read.entered_by))


def _decode(kind: Any, text: bytes | str, description: str) -> Any:
    try:
        return _decoder(kind).decode(text)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"not a {description}: {error}") from None


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schemas of commands, events and envelopes, by file name."""
    return {
        "commands.schema.json": _schema("Command", COMMANDS),
        "events.schema.json": _schema("Event", EVENTS),
        "envelope.schema.json": _schema("Envelope", {"envelope": _TypedEnvelope}),
    }


def _schema(title: str, kinds: dict[str, Any]) -> dict[str, Any]:
    refs, definitions = msgspec.json.schema_components(
        kinds.values(), ref_template="#/$defs/{name}"
    )
    for kind in (*COMMANDS.values(), *EVENTS.values()):
        if kind.__name__ in definitions:
            words = title_of(kind)
            definitions[kind.__name__] |= {"title": words.title, "description": words.sentence}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:croupier:{title.lower()}",
        "title": title,
        "oneOf": sorted(refs, key=lambda ref: str(ref["$ref"])),
        "$defs": dict(sorted(definitions.items())),
    }
