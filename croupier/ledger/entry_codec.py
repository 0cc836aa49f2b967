"""Codec between log entries and envelopes with their events, or refused commands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Union

import msgspec

from croupier.clock import now_ms
from croupier.errors import BadInput
from croupier.ledger.aggregates import (
    account_messages,
    administration,
    approval_messages,
    duty_roster,
    linked_meter_messages,
)
from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import Entry, Store, StoredEntry
from croupier.ledger.log.canonical_json import RESERVED, encode_canonical
from croupier.table import Account, Command, Envelope, Event, kind_of, validate_envelope
from croupier.table.core.codec import COMMANDS, EVENTS

TABLE_PREFIX = "table:"
REFUSED_PREFIX = "refused:"

_MESSAGES = (
    linked_meter_messages,
    administration,
    duty_roster,
    approval_messages,
    account_messages,
)
REFUSED_BYTES_MAX = 2048  # of a refused command that is recorded word for word


class LargeCommand(Command, frozen=True, kw_only=True, tag="large_command"):
    """A refused command that is too large to be recorded word for word."""

    refused: str  # its kind
    size: int  # bytes of its canonical JSON
    digest: str  # SHA-256 of them


ALL_COMMANDS = (
    *COMMANDS.values(),
    LargeCommand,
    *(kind for module in _MESSAGES for kind in module.COMMANDS),
)
ALL_EVENTS = (*EVENTS.values(), *(kind for module in _MESSAGES for kind in module.EVENTS))
AnyCommand: Any = Union[ALL_COMMANDS]  # noqa: UP007  (built at run time)
AnyEvent: Any = Union[ALL_EVENTS]  # noqa: UP007

_Body = msgspec.defstruct(
    "Body",
    [
        ("by", Account),
        ("command", AnyCommand),
        ("events", tuple[AnyEvent, ...]),
        ("entered_by", Account | None, None),
    ],
    frozen=True,
    forbid_unknown_fields=True,
)
_BodyWithRawEvents = msgspec.defstruct(
    "BodyWithRawEvents",
    [
        ("by", Account),
        ("command", AnyCommand),
        ("events", msgspec.Raw),
        ("entered_by", Account | None, None),
    ],
    frozen=True,
    forbid_unknown_fields=True,
)
_RefusalBody = msgspec.defstruct(
    "RefusalBody",
    [
        ("after", int),
        ("by", Account),
        ("clause", str),
        ("command", AnyCommand),
        ("id", str),
        ("read", AnyCommand | None, None),
        ("entered_by", Account | None, None),
    ],
    frozen=True,
    forbid_unknown_fields=True,
)
_NoteBody = msgspec.defstruct(
    "NoteBody",
    [("note", _RefusalBody), ("dropped", int, 0), ("repeated", int, 0)],
    frozen=True,
    forbid_unknown_fields=True,
)
_decode_body: Any = msgspec.json.Decoder(_Body).decode
_decode_command: Any = msgspec.json.Decoder(_BodyWithRawEvents).decode
_decode_any_command: Any = msgspec.json.Decoder(AnyCommand).decode
_decode_note: Any = msgspec.json.Decoder(_NoteBody).decode


def new_id() -> str:
    """A unique command id: the time and 80 random bits, in the form the log compresses best.

    Ids sort by time, so that the index of ids grows at its end and stays small.
    """
    return f"{now_ms():012x}{os.urandom(10).hex()}"


def validate_external_envelope(envelope: Envelope) -> Envelope:
    """Check the form of an envelope from outside; ids reserved for the ledger are BadInput."""
    checked_envelope = validate_envelope(envelope)
    id = checked_envelope.id
    if not id or id.startswith(RESERVED) or id != id.strip():
        raise BadInput(f"{id!r} is not an id that a command may have")
    return checked_envelope


class Recorded(msgspec.Struct, frozen=True):
    """A command on record with its events."""

    stream: str
    sequence: int
    position: int
    envelope: Envelope
    events: tuple[Event, ...]
    leaf: bytes

    @property
    def at(self) -> int:
        """When the command was given."""
        return self.envelope.at

    @property
    def by(self) -> Account:
        """Who gave the command."""
        return self.envelope.by


class RecordedRefusal(msgspec.Struct, frozen=True):
    """A refused command on record: the envelope, the clause, and the state it was decided on."""

    stream: str  # of the aggregate that refused
    sequence: int  # in the stream of refusals
    position: int
    envelope: Envelope
    clause: str
    after: int  # the last entry of the stream when the command was refused
    reading: Command | None  # linked meters that were read to decide it, and not recorded
    dropped: int  # refusals before this one that were dropped because too many arrived
    repeated: int  # further refusals of the same kind for the same clause, counted only


def encode_body(envelope: Envelope, events: Sequence[Event]) -> bytes:
    """The body of an entry; the id and time of the envelope are columns of their own."""
    body: dict[str, Any] = {"by": envelope.by, "command": envelope.command, "events": events}
    if envelope.entered_by is not None:
        body["entered_by"] = envelope.entered_by
    return encode_canonical(body)


def encode_entry(stream: str, sequence: int, envelope: Envelope, events: Sequence[Event]) -> Entry:
    """The entry of a decided command."""
    return Entry(stream, sequence, envelope.id, envelope.at, encode_body(envelope, events))


def decode_entry(stored: StoredEntry) -> Recorded:
    """The command and events of an entry; Damaged if they cannot be decoded."""
    entry = stored.entry
    body = _decode(_decode_body, entry)
    envelope = Envelope(entry.id, body.by, entry.at, body.command, body.entered_by)
    return Recorded(
        entry.stream, entry.sequence, stored.position, envelope, body.events, stored.leaf
    )


def decode_envelope(entry: Entry) -> Envelope:
    """The envelope of an entry, without decoding its events."""
    body = _decode(_decode_command, entry)
    return Envelope(entry.id, body.by, entry.at, body.command, body.entered_by)


def _decode(decode: Any, entry: Entry) -> Any:
    try:
        return decode(entry.body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Damaged(entry.stream, entry.sequence, f"cannot be read: {error}") from None


def decode_command(text: bytes) -> Command:
    """A command of any aggregate; BadInput if the text is not one."""
    try:
        command: Command = _decode_any_command(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"not a command: {error}") from None
    return command


def refusal_note(
    envelope: Envelope, clause: str, after: int, reading: Command | None
) -> dict[str, Any]:
    """A refused command as it is recorded; the wording of the refusal is not part of the record."""
    note: dict[str, Any] = {
        "after": after,
        "by": envelope.by,
        "clause": clause,
        "command": _shortened(envelope.command),
        "id": envelope.id,
    }
    if envelope.entered_by is not None:
        note["entered_by"] = envelope.entered_by
    return note if reading is None else note | {"read": reading}


def _shortened(command: Command) -> Command:
    """The command, or its digest if it is large: refusals must not fill the ledger."""
    text = encode_canonical(command)
    if len(text) <= REFUSED_BYTES_MAX:
        return command
    digest = sha256(text).hexdigest()
    return LargeCommand(refused=kind_of(command), size=len(text), digest=digest)


def record_refusal(
    store: Store,
    stream: str,
    envelope: Envelope,
    clause: str,
    after: int,
    reading: Command | None = None,
) -> None:
    """Record a refused command in the background; repeated ones are counted."""
    note = refusal_note(envelope, clause, after, reading)
    key = f"{envelope.by} {envelope.entered_by} {clause} {kind_of(envelope.command)}"
    with suppress(LedgerError):  # the refusal is raised even if it cannot be recorded
        store.append_background(REFUSED_PREFIX + stream, envelope.at, note, key=key)


def decode_refusal(stored: StoredEntry) -> RecordedRefusal:
    """A recorded refusal; Damaged if the entry is not one in canonical form."""
    entry = stored.entry
    body = _decode(_decode_note, entry)
    note = body.note
    envelope = Envelope(note.id, note.by, entry.at, note.command, note.entered_by)
    value: dict[str, Any] = {"note": refusal_note(envelope, note.clause, note.after, note.read)}
    counts = {"dropped": body.dropped, "repeated": body.repeated}
    expected = encode_canonical(value | {name: each for name, each in counts.items() if each})
    negative = min(counts.values()) < 0
    if expected != entry.body or entry.id != f"@{entry.sequence}" or negative:
        raise Damaged(entry.stream, entry.sequence, "is not in the form of a refused command")
    return RecordedRefusal(
        entry.stream.removeprefix(REFUSED_PREFIX),
        entry.sequence,
        stored.position,
        envelope,
        note.clause,
        note.after,
        note.read,
        body.dropped,
        body.repeated,
    )


def same_command(envelope: Envelope, other: Envelope) -> bool:
    """Whether two envelopes with one id hold the same command by the same account."""
    return envelope.by == other.by and encode_canonical(envelope.command) == encode_canonical(
        other.command
    )
