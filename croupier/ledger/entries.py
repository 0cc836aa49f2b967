"""An entry of the log, read: the envelope and the events it led to, or why it was refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, Union

import msgspec

from croupier.errors import Refusal
from croupier.ledger import meters, office
from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import Mark, Stored
from croupier.ledger.log.text import canonical
from croupier.table import Account, Envelope, Event
from croupier.table import events as ev
from croupier.table.wire import COMMANDS, EVENTS

TABLE = "table:"
REFUSED = "refused:"
ROUND, CLOSED, VOID = "round", "closed", "void"  # marks

AnyCommand: Any = Union[(*COMMANDS.values(), *meters.COMMANDS, *office.COMMANDS)]
AnyEvent: Any = Union[(*EVENTS.values(), *meters.EVENTS, *office.EVENTS)]

_Body = msgspec.defstruct(
    "Body",
    [("by", Account), ("command", AnyCommand), ("events", tuple[AnyEvent, ...])],
    frozen=True,
    forbid_unknown_fields=True,
)
_decode: Any = msgspec.json.Decoder(_Body).decode
_encode = msgspec.json.Encoder(order="sorted").encode


class Machine(Protocol):
    """What every stream is folded into."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]: ...

    def evolve(self, event: Event) -> None: ...


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


def body_of(envelope: Envelope, events: Sequence[Event]) -> bytes:
    """What an entry holds of a command; its id and time stand beside it."""
    return _encode({"by": envelope.by, "command": envelope.command, "events": events})


def read(stored: Stored) -> Recorded:
    """The command of an entry; Damaged if it cannot be read."""
    entry = stored.entry
    try:
        body = _decode(entry.body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Damaged(entry.stream, entry.sequence, f"cannot be read: {error}") from None
    envelope = Envelope(entry.id, body.by, entry.at, body.command)
    return Recorded(
        entry.stream, entry.sequence, stored.position, envelope, body.events, stored.leaf
    )


def refused_value(envelope: Envelope, refusal: Refusal) -> dict[str, Any]:
    """A refused attempt as it is noted: who, what, and the clause."""
    return {
        "id": envelope.id,
        "by": envelope.by,
        "command": envelope.command,
        "problem": refusal.problem,
        "clause": refusal.clause,
    }


def marks_of(recorded_events: Sequence[Event]) -> Iterator[tuple[str, int]]:
    """What an entry is found by without being read."""
    for event in recorded_events:
        match event:
            case ev.RoundOpened():
                yield ROUND, event.number
            case ev.RoundClosed():
                yield CLOSED, 0
            case ev.RoundVoided():
                yield VOID, 0


def marks(stream: str, sequence: int, events: Sequence[Event]) -> list[Mark]:
    """The marks of a new entry."""
    return [Mark(stream, sequence, word, number) for word, number in marks_of(events)]


def stored_marks(stored: Stored) -> list[tuple[str, int]]:
    """The marks that an entry must have, derived again for an audit or an import."""
    if not stored.entry.stream.startswith(TABLE):
        return []
    try:
        return list(marks_of(read(stored).events))
    except LedgerError:
        return []  # what is wrong with it is said where it is read


def same_command(envelope: Envelope, other: Envelope) -> bool:
    """Whether an id stands for the same command of the same person."""
    return envelope.by == other.by and canonical_command(envelope) == canonical_command(other)


def canonical_command(envelope: Envelope) -> bytes:
    """A command as it is written."""
    return canonical(envelope.command)
