"""An entry of the log is one command: who asked for what, and what came of it, in one piece.

Its line is canonical JSON, the line an export prints; its leaf is the RFC 6962 hash of that line.
A line also names the leaf of the entry before it in its stream, so that whoever reads a stream
sees at once whether something was changed, without reading the rest of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from croupier.ledger.errors import LedgerError, printable
from croupier.ledger.log.canonical_json import (
    BODY_MAX,
    canonical,
    check_at,
    check_name,
    check_stream,
    read_json,
)

NO_LEAF = bytes(32)  # what the first entry of a stream follows

_quote = msgspec.json.Encoder().encode


class Entry(NamedTuple):
    """One command with its consequences; the storage does not look into the body."""

    stream: str
    sequence: int  # the place in its stream, from 1
    id: str  # of the command; it belongs to its stream
    at: int  # milliseconds since the epoch, as the command says
    body: bytes  # canonical JSON: {"by", "command", "events"} or {"by", "command", "refused"}

    @classmethod
    def of(cls, stream: str, sequence: int, id: str, at: int, value: object) -> Entry:
        """An entry whose body is this value, written canonically."""
        return cls(stream, sequence, id, at, canonical(value))

    @property
    def value(self) -> Any:
        """The body, read."""
        return read_json(self.body)


class Stored(NamedTuple):
    """An entry in its place."""

    entry: Entry
    position: int  # the place in the whole log, from 0
    previous: bytes  # the leaf of the entry before it in its stream
    leaf: bytes

    @property
    def line(self) -> bytes:
        """What is hashed and exported."""
        return line(self.entry, self.previous)


class IndexTerm(NamedTuple):
    """What an entry is found by without being read: a word, and a number where that helps.

    Marks are derived from bodies by whoever appends; an audit derives them again.
    """

    stream: str
    sequence: int
    word: str
    number: int = 0


class Snapshot(NamedTuple):
    """The state of a stream after an entry, so that opening it need not begin at the beginning."""

    stream: str
    sequence: int
    schema: int  # of the text; one that the reader does not know is as good as none
    text: str


def line(entry: Entry, previous: bytes) -> bytes:
    """The canonical line of an entry."""
    return (
        b'{"at":%d,"body":%b,"id":%b,"previous":"%b","sequence":%d,"stream":%b,"type":"entry"}'
        % (
            entry.at,
            entry.body,
            _quote(entry.id),
            previous.hex().encode(),
            entry.sequence,
            _quoted_stream(entry.stream),
        )
    )


@lru_cache(maxsize=10_000)
def _quoted_stream(stream: str) -> bytes:
    return _quote(stream)


def leaf_of(entry: Entry, previous: bytes) -> bytes:
    """The leaf of an entry in the Merkle tree."""
    return sha256(b"\x00" + line(entry, previous)).digest()


def check(entry: Entry, *, reserved: bool = False) -> None:
    """Refuse an entry that could not be read back, or that takes one of the ledger's own names."""
    if type(entry.stream) is not str:
        raise LedgerError(f"a stream must be text, got {type(entry.stream).__name__}")
    check_stream(entry.stream, reserved=reserved)
    check_name("a command's id", entry.id, reserved=reserved)
    check_at(entry.at)
    if type(entry.sequence) is not int or not 1 <= entry.sequence < 2**62:
        raise LedgerError(f"{entry.stream}: a sequence counts from 1, got {entry.sequence!r}")
    if not isinstance(entry.body, bytes) or entry.body[:1] != b"{":
        raise LedgerError(f"{entry.stream}: a body is a canonical JSON object")
    if len(entry.body) > BODY_MAX:
        told = f"a body has at most {BODY_MAX} bytes, got {len(entry.body)}"
        raise LedgerError(f"{entry.stream}: {told}")


def check_beside(
    entries: Sequence[Entry], marks: Sequence[IndexTerm], snapshots: Sequence[Snapshot]
) -> None:
    """Refuse marks of other entries, and snapshots that could not be read back."""
    places = {(each.stream, each.sequence) for each in entries}
    for mark in marks:
        if (mark.stream, mark.sequence) not in places:
            raise LedgerError(f"{mark.stream} entry {mark.sequence} is marked, but not appended")
        check_name("a mark's word", mark.word)
        if type(mark.number) is not int or not 0 <= mark.number < 2**62:
            raise LedgerError(f"a mark's number counts from 0, got {printable(repr(mark.number)[:40])}")
    for taken in snapshots:
        check_name("a stream", taken.stream)
        if type(taken.sequence) is not int or type(taken.schema) is not int:
            raise LedgerError(f"{taken.stream}: a snapshot has a sequence and a schema, by number")
        if not 1 <= taken.sequence < 2**62 or not 0 <= taken.schema < 2**15:
            raise LedgerError(f"{taken.stream}: no snapshot has sequence {taken.sequence}")
        try:
            taken.text.encode()
        except (UnicodeError, AttributeError):
            raise LedgerError(f"{taken.stream}: a snapshot is text") from None


def derived_id(stream: str, id: str) -> str:
    """The id, in another stream, of what a command of this stream led to there.

    Nobody else can have it: it is reserved, and different pairs have different ones.
    """
    return "@" + sha256(canonical([stream, id])).hexdigest()[:32]
