"""An entry of the log, read: the envelope and the events it led to, or that it was refused."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Union

import msgspec

from croupier.clock import now_ms
from croupier.errors import BadInput
from croupier.ledger.aggregates import (
    administration,
    approval_messages,
    duty_roster,
    linked_meter_messages,
)
from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import Entry, IndexTerm, Stored
from croupier.ledger.log.canonical_json import RESERVED, canonical
from croupier.table import Account, Command, Envelope, Event, validate_envelope
from croupier.table import events as ev
from croupier.table.core.codec import COMMANDS, EVENTS

TABLE = "table:"
REFUSED = "refused:"
ROUND, CLOSED, VOID = "round", "closed", "void"  # marks

# Whatever a stream may hold, its machine's own and those of tables.
_MACHINES = (linked_meter_messages, administration, duty_roster, approval_messages)
ALL_COMMANDS = (*COMMANDS.values(), *(kind for part in _MACHINES for kind in part.COMMANDS))
ALL_EVENTS = (*EVENTS.values(), *(kind for part in _MACHINES for kind in part.EVENTS))
AnyCommand: Any = Union[ALL_COMMANDS]  # noqa: UP007  (made of what there is)
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
_Asked = msgspec.defstruct(
    "Asked",
    [
        ("by", Account),
        ("command", AnyCommand),
        ("events", msgspec.Raw),
        ("entered_by", Account | None, None),
    ],
    frozen=True,
    forbid_unknown_fields=True,
)
_Refused = msgspec.defstruct(
    "Refused",
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
_Noted = msgspec.defstruct(
    "Noted", [("note", _Refused), ("dropped", int, 0)], frozen=True, forbid_unknown_fields=True
)
_decode: Any = msgspec.json.Decoder(_Body).decode
_decode_asked: Any = msgspec.json.Decoder(_Asked).decode
_decode_noted: Any = msgspec.json.Decoder(_Noted).decode


def new_id() -> str:
    """An id that nobody has: the moment and 80 random bits, as short as the log can keep it.

    New ids come behind old ones, so that the index of all ids grows at its end and stays small.
    """
    return f"{now_ms():012x}{os.urandom(10).hex()}"


def accepted(envelope: Envelope) -> Envelope:
    """The envelope, if its form and its id are those that somebody may send."""
    given = validate_envelope(envelope)
    if not given.id or given.id.startswith(RESERVED) or given.id != given.id.strip():
        raise BadInput(f"{given.id!r} is not an id that a command may have")
    return given


class Recorded(msgspec.Struct, frozen=True):
    """One command of the record with everything it led to."""

    stream: str
    sequence: int
    position: int
    envelope: Envelope
    events: tuple[Event, ...]
    leaf: bytes

    @property
    def at(self) -> int:
        """When it was given."""
        return self.envelope.at

    @property
    def by(self) -> Account:
        """Who gave it."""
        return self.envelope.by


class Refused(msgspec.Struct, frozen=True):
    """An attempt that was refused: who, what, the clause, and where its stream stood."""

    stream: str  # of the machine that refused
    sequence: int  # in the stream of refusals
    position: int
    envelope: Envelope
    clause: str
    after: int  # the last entry of the stream that the refusal was decided after
    read: Command | None  # shared meters that were read for it, and not recorded
    dropped: int  # attempts before it that a flood left no room for


def body_of(envelope: Envelope, events: Sequence[Event]) -> bytes:
    """What an entry holds of a command; its id and time stand beside it."""
    body: dict[str, Any] = {"by": envelope.by, "command": envelope.command, "events": events}
    if envelope.entered_by is not None:
        body["entered_by"] = envelope.entered_by
    return canonical(body)


def entry_of(stream: str, sequence: int, envelope: Envelope, events: Sequence[Event]) -> Entry:
    """A decided command as an entry."""
    return Entry(stream, sequence, envelope.id, envelope.at, body_of(envelope, events))


def read(stored: Stored) -> Recorded:
    """The command of an entry; Damaged if it cannot be read."""
    entry = stored.entry
    body = _read(_decode, entry)
    envelope = Envelope(entry.id, body.by, entry.at, body.command, body.entered_by)
    return Recorded(
        entry.stream, entry.sequence, stored.position, envelope, body.events, stored.leaf
    )


def asked(entry: Entry) -> Envelope:
    """The envelope alone; what it led to is left unread."""
    body = _read(_decode_asked, entry)
    return Envelope(entry.id, body.by, entry.at, body.command, body.entered_by)


def _read(decode: Any, entry: Entry) -> Any:
    try:
        return decode(entry.body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Damaged(entry.stream, entry.sequence, f"cannot be read: {error}") from None


def refused_value(
    envelope: Envelope, clause: str, after: int, read: Command | None
) -> dict[str, Any]:
    """A refused attempt as it is noted; how it was worded is not part of the record."""
    value: dict[str, Any] = {
        "after": after,
        "by": envelope.by,
        "clause": clause,
        "command": envelope.command,
        "id": envelope.id,
    }
    if envelope.entered_by is not None:
        value["entered_by"] = envelope.entered_by
    return value if read is None else value | {"read": read}


def read_refused(stored: Stored) -> Refused:
    """A noted refusal; Damaged if it is not written as one is."""
    entry = stored.entry
    noted = _read(_decode_noted, entry)
    note = noted.note
    envelope = Envelope(note.id, note.by, entry.at, note.command, note.entered_by)
    value: dict[str, Any] = {"note": refused_value(envelope, note.clause, note.after, note.read)}
    written = canonical({"dropped": noted.dropped, **value} if noted.dropped else value)
    if written != entry.body or entry.id != f"@{entry.sequence}" or noted.dropped < 0:
        raise Damaged(entry.stream, entry.sequence, "is not written as a refused attempt is")
    return Refused(
        entry.stream.removeprefix(REFUSED),
        entry.sequence,
        stored.position,
        envelope,
        note.clause,
        note.after,
        note.read,
        noted.dropped,
    )


def marks_of(events: Sequence[Event]) -> list[tuple[str, int]]:
    """What an entry is found by without being read."""
    # Types, not isinstance, which is slow for these: this is asked of every event of a long record.
    found: list[tuple[str, int]] = []
    if _WORDS.keys().isdisjoint(map(type, events)):
        return found
    for event in events:
        word = _WORDS.get(type(event))
        if word is not None:
            found.append((word, event.number if type(event) is ev.RoundOpened else 0))
    return found


_WORDS: dict[type[Event], str] = {
    ev.RoundOpened: ROUND,
    ev.RoundClosed: CLOSED,
    ev.RoundVoided: VOID,
}


def marks(stream: str, sequence: int, events: Sequence[Event]) -> list[IndexTerm]:
    """The marks of a new entry."""
    return [IndexTerm(stream, sequence, word, number) for word, number in marks_of(events)]


def stored_marks(stored: Stored) -> list[tuple[str, int]]:
    """The marks that an entry must have, derived again for an audit or an import."""
    if not stored.entry.stream.startswith(TABLE):
        return []
    try:
        return marks_of(read(stored).events)
    except LedgerError:
        return []  # what is wrong with it is said where it is read


def same_command(envelope: Envelope, other: Envelope) -> bool:
    """Whether an id stands for the same command of the same person."""
    return envelope.by == other.by and canonical(envelope.command) == canonical(other.command)
