"""A forger: edits a ledger database, recomputes all hashes and signs with another key."""

from __future__ import annotations

import json
import shutil
import sqlite3
from bisect import bisect_right
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.ledger import round_index
from croupier.ledger.errors import LedgerError
from croupier.ledger.log import Entry, Store, StoredEntry, TreeHead, compression
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.compression import (
    LATEST_DICTIONARY,
    compress,
    compress_snapshot,
    encode_id,
)
from croupier.ledger.log.entry import NO_LEAF, entry_leaf_hash
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.ledger.log.transparency.stored_tree import Frontier

OFFICE = "office"
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(32))


class ForgedEntry:
    """An entry whose fields can all be edited."""

    def __init__(self, stream: str, sequence: int, id: str, at: int, body: Any) -> None:
        self.stream, self.sequence, self.id, self.at, self.body = stream, sequence, id, at, body

    def copy(self) -> ForgedEntry:
        """A deep copy."""
        body = json.loads(json.dumps(self.body))
        return ForgedEntry(self.stream, self.sequence, self.id, self.at, body)


class Forger:
    """The content of a ledger; `write` builds a consistent database from it."""

    def __init__(self, path: Path) -> None:
        with Store(path, create=False, readonly=True) as store:
            self.lines = [
                ForgedEntry(*stored.entry[:4], json.loads(stored.entry.body))
                for stored in store.scan()
            ]
            self.heads = [(head.size, head.time) for head in store.heads()]
            self.houses = store.houses()
            self.snapshots = store.query(
                "SELECT name, sequence, schema, position, data FROM snapshot"
                " JOIN stream ON number = stream"
            )

    def copy(self) -> Forger:
        """A deep copy."""
        copy = Forger.__new__(Forger)
        copy.lines = [line.copy() for line in self.lines]
        copy.heads, copy.houses = list(self.heads), dict(self.houses)
        copy.snapshots = list(self.snapshots)
        return copy

    def find(self, stream: str, kind: str) -> ForgedEntry:
        """The first entry of a stream with a command of this kind."""
        return next(
            line
            for line in self.lines
            if line.stream == stream and line.body.get("command", {}).get("kind") == kind
        )

    def last(self, stream: str) -> int:
        """The last sequence of a stream."""
        return max((line.sequence for line in self.lines if line.stream == stream), default=0)

    def append(self, stream: str, body: Any, *, id: str = "forged", at: int | None = None) -> None:
        """Append an entry, in a transaction of its own."""
        moment = at if at is not None else self.lines[-1].at
        self.lines.append(ForgedEntry(stream, self.last(stream) + 1, id, moment, body))
        self.heads.append((len(self.lines), self.heads[-1][1] + 1))

    def repeat(self, index: int) -> None:
        """Repeat an entry under another id, in its transaction."""
        repeated = self.lines[index].copy()
        for line in self.lines[index + 1 :]:
            line.sequence += line.stream == repeated.stream
        repeated.sequence += 1
        repeated.id += " again"
        self.lines.insert(index + 1, repeated)
        self.heads = [(size + (size > index), time) for size, time in self.heads]

    def remove(self, index: int) -> None:
        """Remove an entry, and close the gap in its stream and in the transactions."""
        removed = self.lines.pop(index)
        for line in self.lines:
            if line.stream == removed.stream and line.sequence > removed.sequence:
                line.sequence -= 1
        sizes = [(size - (size > index), time) for size, time in self.heads]
        self.heads = sorted({size: time for size, time in sizes if size}.items())

    def write(self, path: Path, *, mend_days: bool = True) -> Path:
        """Write a database with consistent leaves, heads, nodes, index and roots of closed days."""
        path.unlink(missing_ok=True)
        shutil.copy(empty_database(), path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
            triggers = connection.execute(query).fetchall()
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute("BEGIN")
            self._fill(connection, mend_days)
            connection.execute("COMMIT")
            for _, statement in triggers:
                connection.execute(statement)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path

    def _fill(self, connection: sqlite3.Connection, mend_days: bool) -> None:
        insert = connection.execute
        numbers: dict[str, int] = {}
        tips: dict[str, bytes] = {}
        frontier, roots = Frontier(), {0: b""}
        sizes = dict(self.heads)
        ends = sorted(sizes)
        for digest, text in self.houses.items():
            insert("INSERT INTO house VALUES (?, ?)", (bytes.fromhex(digest), text))
        for position, line in enumerate(self.lines):
            if mend_days and line.stream == OFFICE:
                mend_day(line, roots)
            entry = Entry(line.stream, line.sequence, line.id, line.at, encode_canonical(line.body))
            if line.stream not in numbers:
                numbers[line.stream] = len(numbers) + 1
                insert("INSERT INTO stream VALUES (?, ?)", (numbers[line.stream], line.stream))
            previous = tips.get(line.stream, NO_LEAF)
            end = bisect_right(ends, position)  # the head that commits this entry
            time = sizes[ends[end]] if end < len(ends) else 0
            leaf = tips[line.stream] = entry_leaf_hash(entry, time, previous)
            for node in frontier.append(leaf):
                insert("INSERT INTO node VALUES (?, ?, ?)", node)
            roots[frontier.size] = frontier.root()
            number = numbers[line.stream]
            row = (
                position,
                line.sequence,
                line.at,
                time,
                number,
                LATEST_DICTIONARY,
                encode_id(line.id),
                leaf,
            )
            statement = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            insert(statement, (*row, compress(entry.body)))
            for word, value in round_index.expected_index_words(
                StoredEntry(entry, position, time, previous, leaf)
            ):
                insert("INSERT INTO mark VALUES (?, ?, ?, ?)", (position, word, value, number))
            if frontier.size in sizes:
                head = (frontier.size, frontier.root(), sizes[frontier.size])
                insert("INSERT INTO head VALUES (?, ?, ?)", head)
        for name, sequence, schema, position, data in self.snapshots:
            if name in numbers:
                values = (numbers[name], sequence, schema, position, data)
                insert("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)", values)


def mend_day(line: ForgedEntry, roots: dict[int, bytes]) -> None:
    """Correct the root in the close of a day, and sign its checkpoint again."""
    command = line.body["command"]
    parts = (command, *line.body["events"])
    field = {"close_day": "root", "keep_checkpoint": "note"}.get(command["kind"], "kind")
    if len({part[field] for part in parts}) != 1:
        return  # this is the edited entry, or the founding
    if command["kind"] == "close_day" and command.get("size") in roots:
        for part in parts:
            part["root"] = roots[command["size"]].hex()
    elif command["kind"] == "keep_checkpoint":
        with suppress(LedgerError):  # the edit made the note invalid
            known = checkpoint.parse(signed_note.parse(command["note"]).text)
            head = TreeHead(known.size, roots[known.size], 0)
            signed = checkpoint.sign(head, known.origin, STRANGER, extensions=known.extensions)
            for part in parts:
                part["note"] = str(signed)


@cache
def empty_database() -> Path:
    """An empty database, created once."""
    path = Path(mkdtemp(prefix="croupier-forger-")) / "empty.db"
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def insert_snapshot(path: Path, stream: str, sequence: int, text: str, position: int) -> None:
    """Insert a snapshot by SQL, which no trigger forbids."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        ((number,),) = connection.execute("SELECT number FROM stream WHERE name = ?", (stream,))
        row = (number, sequence, 1, position, compress_snapshot(text.encode()))
        connection.execute("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)", row)


def snapshot_note(stream: str, sequence: int, text: str) -> dict[str, Any]:
    """The body of an entry that records a snapshot."""
    digest = sha256(text.encode()).hexdigest()
    return {"digest": digest, "schema": 1, "sequence": sequence, "stream": stream}


def snapshot_text(path: Path, stream: str) -> tuple[int, str]:
    """The sequence and text of the newest snapshot of a stream."""
    with closing(sqlite3.connect(path)) as connection:
        sequence, data = connection.execute(
            "SELECT sequence, data FROM snapshot JOIN stream ON number = stream"
            " WHERE name = ? ORDER BY sequence DESC LIMIT 1",
            (stream,),
        ).fetchone()
    return sequence, compression.decompress_snapshot(data).decode()
