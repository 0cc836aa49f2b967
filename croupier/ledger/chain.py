"""Canonical bytes and the hash chain over them.

A canonical text is JSON with sorted keys, no spaces and no escapes but the compulsory ones. An
event's hash is the SHA-256 of the canonical list of its columns, a line feed and its data; each
event names the hash before it, so that no event can change without all later ones. `verifier.py`
states the same rule independently, in the standard library alone.
"""

from __future__ import annotations

import datetime as dt
from hashlib import sha256
from typing import NamedTuple

import msgspec

GENESIS = "0" * 64  # what the first event of a stream, and the first head, follow

_encoder = msgspec.json.Encoder(order="sorted")
_header = msgspec.json.Encoder().encode


class Row(NamedTuple):
    """One event as it is stored, the columns in their order."""

    stream: str
    sequence: int
    kind: str
    schema: int
    data: str
    time: str
    actor: str
    command_id: str
    part: int  # the place among the events of one command, from 0
    previous_hash: str
    hash: str


class Head(NamedTuple):
    """The state of the whole database after one transaction, chained like the events."""

    number: int
    previous_hash: str
    streams: str  # canonical {stream: [sequence, hash]} of the streams appended to
    time: str
    hash: str


def canonical(value: object) -> str:
    """The one way to write a value down."""
    return _encoder.encode(value).decode()


def hash_event(
    stream: str,
    sequence: int,
    kind: str,
    schema: int,
    data: str,
    time: str,
    actor: str,
    command_id: str,
    part: int,
    previous_hash: str,
) -> str:
    """The hash of an event's columns, the argument order being that of the table."""
    header = _header((stream, sequence, kind, schema, time, actor, command_id, part, previous_hash))
    return sha256(header + b"\n" + data.encode()).hexdigest()


def break_in(row: Row, sequence: int, previous: str) -> str:
    """Why a row does not continue the chain after this tip, or nothing."""
    stream, own_sequence, kind, schema, data, time, actor, command_id, part, before, own = row
    if own_sequence != sequence + 1:
        return f"is missing: the next event on record is {own_sequence}"
    if before != previous:
        return "does not follow the event before it"
    # As in `hash_event`; a call per event would cost an audit as much as the hash itself.
    header = _header((stream, own_sequence, kind, schema, time, actor, command_id, part, before))
    if sha256(header + b"\n" + data.encode()).hexdigest() != own:
        return "was changed: its hash is wrong"
    return ""


def hash_head(number: int, previous_hash: str, streams: str, time: str) -> str:
    """The hash of a database head."""
    header = _header((number, previous_hash, time))
    return sha256(header + b"\n" + streams.encode()).hexdigest()


def stamp(at: dt.datetime) -> str:
    """A moment as it is stored: UTC, of one width, so that text sorts as time does."""
    assert at.tzinfo is not None, f"{at} has no time zone"
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment(text: str) -> dt.datetime:
    """Read what `stamp` writes."""
    return dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=dt.UTC)
