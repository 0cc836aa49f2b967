"""Log entries: one command each, with its actor and its outcome.

An entry is written as one line of canonical JSON, the same line that an export contains, and its
leaf hash is the RFC 6962 hash of that line. The line includes the leaf hash of the previous entry
in the stream, so reading one stream detects any change without reading the rest of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from croupier.ledger.errors import LedgerError, printable
from croupier.ledger.log.canonical_json import (
    BODY_MAX,
    check_at,
    check_name,
    decode_json,
    encode_canonical,
)

NO_LEAF = bytes(32)  # the previous leaf hash of the first entry of a stream

_quote = msgspec.json.Encoder().encode


class Entry(NamedTuple):
    """One command and its outcome; the log does not interpret the body."""

    stream: str
    sequence: int  # position in the stream, from 1
    id: str  # of the command; unique within the stream
    at: int  # milliseconds since the epoch, according to the command
    body: bytes  # canonical JSON: {"by", "command", "events"} or {"by", "command", "refused"}

    @classmethod
    def of(cls, stream: str, sequence: int, id: str, at: int, value: object) -> Entry:
        """An entry with this value as its body, encoded canonically."""
        return cls(stream, sequence, id, at, encode_canonical(value))

    @property
    def value(self) -> Any:
        """The decoded body."""
        return decode_json(self.body)


class StoredEntry(NamedTuple):
    """An entry with its position and hashes."""

    entry: Entry
    position: int  # in the whole log, from 0
    time: int  # of the commit, in milliseconds since the epoch
    previous: bytes  # leaf hash of the previous entry in the stream
    leaf: bytes

    @property
    def line(self) -> bytes:
        """The canonical line, which is hashed and exported."""
        return entry_line(self.entry, self.time, self.previous)


class IndexTerm(NamedTuple):
    """A word and a number, derived from the body, by which an entry is looked up."""

    stream: str
    sequence: int
    word: str
    number: int = 0


class Snapshot(NamedTuple):
    """The state of a stream after an entry, so that loading need not start at the first entry."""

    stream: str
    sequence: int
    schema: int  # version of the text; readers ignore versions they do not know
    text: str


def entry_line(entry: Entry, time: int, previous: bytes) -> bytes:
    """The canonical line of an entry, committed at `time`, that follows the hash `previous`."""
    return (
        b'{"at":%d,"body":%b,"id":%b,"previous":"%b","sequence":%d,"stream":%b,"time":%d,'
        b'"type":"entry"}'
        % (
            entry.at,
            entry.body,
            _quote(entry.id),
            previous.hex().encode(),
            entry.sequence,
            _quote(entry.stream),
            time,
        )
    )


def entry_leaf_hash(entry: Entry, time: int, previous: bytes) -> bytes:
    """The leaf hash of an entry in the Merkle tree."""
    return sha256(b"\x00" + entry_line(entry, time, previous)).digest()


def check_entry(entry: Entry, *, reserved: bool = False) -> None:
    """Refuse an entry that could not be read back, or that uses a reserved name."""
    check_name("a stream", entry.stream, reserved=reserved)
    check_name("a command's id", entry.id, reserved=reserved)
    check_at(entry.at)
    if type(entry.sequence) is not int or not 1 <= entry.sequence < 2**62:
        raise LedgerError(f"{entry.stream}: sequence must count from 1, got {entry.sequence!r}")
    if not isinstance(entry.body, bytes) or entry.body[:1] != b"{":
        raise LedgerError(f"{entry.stream}: the body must be a canonical JSON object")
    if len(entry.body) > BODY_MAX:
        size = len(entry.body)
        raise LedgerError(f"{entry.stream}: the body has {size} bytes, expected at most {BODY_MAX}")


def check_attachments(
    entries: Sequence[Entry], index_terms: Sequence[IndexTerm], snapshots: Sequence[Snapshot]
) -> None:
    """Refuse index terms of other entries, and snapshots that could not be read back."""
    appended = {(entry.stream, entry.sequence) for entry in entries}
    for term in index_terms:
        if (term.stream, term.sequence) not in appended:
            place = f"{term.stream} entry {term.sequence}"
            raise LedgerError(f"{place} has an index term but is not in this append")
        check_name("an index term", term.word)
        if type(term.number) is not int or not 0 <= term.number < 2**62:
            number = printable(repr(term.number)[:40])
            raise LedgerError(f"the number of an index term must be at least 0, got {number}")
    for snapshot in snapshots:
        check_name("a stream", snapshot.stream)
        if not (1 <= snapshot.sequence < 2**62 and 0 <= snapshot.schema < 2**15):
            raise LedgerError(f"{snapshot.stream}: sequence or schema of a snapshot out of range")


def derived_id(stream: str, id: str) -> str:
    """The id, in another stream, of the entry that a command of this stream causes there.

    It is reserved, and different pairs have different ids.
    """
    return "@" + sha256(encode_canonical([stream, id])).hexdigest()[:32]
