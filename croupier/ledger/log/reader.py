"""Paged reads of the log, decompressed and verified against the leaf hashes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import compression
from croupier.ledger.log.compression import CorruptData, decode_id, decompress
from croupier.ledger.log.entry import NO_LEAF, Entry, Snapshot, StoredEntry, entry_leaf_hash
from croupier.ledger.log.transparency.stored_tree import TREE, Query, TreeHead
from croupier.ledger.log.write.rows import SNAPSHOT_STREAM, snapshot_body

PAGE = 2_000  # rows per query, so that no cursor stays open in the database between pages
UNBOUNDED = 2**62

_COLUMNS = "position, sequence, id, at, time, form, leaf, body"
_STREAM_NUMBER = "(SELECT number FROM stream WHERE name = ?)"


class Reader:
    """Reads one database; see `Store` for the methods."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._dictionaries: dict[int, bytes] = {}

    def _dictionary(self, number: int) -> bytes:
        rows = self._query("SELECT data FROM dictionary WHERE number = ?", (number,))
        if not rows or not isinstance(rows[0][0], bytes):
            raise CorruptData(f"cannot be decompressed: dictionary {number} is missing")
        dictionary: bytes = rows[0][0]
        self._dictionaries[number] = dictionary
        return dictionary

    def _verified(self, stream: str, row: Any, previous: bytes) -> StoredEntry:
        """Decode a row and verify its leaf hash after `previous`; Damaged if either fails."""
        position, sequence, id, at, time, form, leaf, body = row
        try:
            dictionary = self._dictionaries.get(form) or self._dictionary(form)
            entry = Entry(stream, sequence, decode_id(id), at, decompress(body, dictionary))
        except CorruptData as error:
            raise Damaged(stream, _integer(sequence), str(error)) from None
        except (TypeError, ValueError, AttributeError):
            raise Damaged(
                stream, _integer(sequence), "does not have the form of an entry"
            ) from None
        try:
            valid = entry_leaf_hash(entry, time, previous) == leaf
        except (TypeError, ValueError, AttributeError):
            valid = False
        if not valid:
            raise Damaged(stream, _integer(sequence), "was changed: its hash is wrong")
        return StoredEntry(entry, position, time, previous, leaf)

    def stream(
        self, stream: str, after: int, until: int | None, size: int | None
    ) -> Iterator[StoredEntry]:
        last = until if until is not None else UNBOUNDED
        end = size if size is not None else UNBOUNDED
        previous = self._leaf_before(stream, after + 1)
        statement = (
            f"SELECT {_COLUMNS} FROM entry WHERE stream = {_STREAM_NUMBER} AND sequence > ?"
            f" AND sequence <= ? AND position < ? ORDER BY sequence LIMIT {PAGE}"
        )
        while True:
            page = self._query(statement, (stream, after, last, end))
            for row in page:
                if row[1] != after + 1:
                    problem = f"is missing: the next entry on record is {row[1]}"
                    raise Damaged(stream, after + 1, problem)
                stored = self._verified(stream, row, previous)
                yield stored
                after, previous = stored.entry.sequence, stored.leaf
            if len(page) < PAGE:
                return

    def _leaf_before(self, stream: str, sequence: int) -> bytes:
        if sequence <= 1:
            return NO_LEAF
        rows = self._query(
            f"SELECT leaf FROM entry WHERE stream = {_STREAM_NUMBER} AND sequence = ?",
            (stream, sequence - 1),
        )
        if not rows:
            return NO_LEAF  # the entry itself then fails verification
        leaf: bytes = rows[0][0]
        return leaf

    def scan(self, start: int, end: int) -> Iterator[StoredEntry]:
        names: dict[int, str] = {}
        leaves: dict[str, bytes] = {}
        statement = (
            f"SELECT stream, {_COLUMNS} FROM entry WHERE position >= ? AND position < ?"
            f" ORDER BY position LIMIT {PAGE}"
        )
        while start < end:
            page = self._query(statement, (start, end))
            for number, *row in page:
                if row[0] != start:
                    break
                stream = names.get(number)
                if stream is None:
                    stream = names[number] = self._stream_name(number, start)
                previous = leaves.get(stream)
                if previous is None:
                    previous = self._leaf_before(stream, _integer(row[1]))
                stored = self._verified(stream, row, previous)
                yield stored
                leaves[stream] = stored.leaf
                start += 1
            else:
                if len(page) == PAGE or start == end:
                    continue
            raise Damaged(TREE, start, "the entry at this position is missing")

    def _stream_name(self, number: int, position: int) -> str:
        rows = self._query("SELECT name FROM stream WHERE number = ?", (number,))
        if not rows or not isinstance(rows[0][0], str):
            raise Damaged(TREE, position, f"stream {number} has no name")
        name: str = rows[0][0]
        return name

    def command(self, stream: str, id: str) -> StoredEntry | None:
        rows = self._query(
            f"SELECT {_COLUMNS} FROM entry WHERE stream = {_STREAM_NUMBER} AND id = ?",
            (stream, compression.encode_id(id)),
        )
        if not rows:
            return None
        previous = self._leaf_before(stream, _integer(rows[0][1]))
        return self._verified(stream, rows[0], previous)

    def heads(self, after: int, until: int | None) -> Iterator[TreeHead]:
        last = until if until is not None else UNBOUNDED
        statement = (
            "SELECT size, root, time FROM head WHERE size > ? AND size <= ?"
            f" ORDER BY size LIMIT {PAGE}"
        )
        while True:
            page = [TreeHead(*row) for row in self._query(statement, (after, last))]
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].size

    def size_at(self, at: int) -> int:
        """Binary search over the tree heads, whose times increase."""
        low, high = 0, (self._query("SELECT coalesce(max(size), 0) FROM head", ()))[0][0]
        while low < high:  # the answer is the size of a head in [low, high]
            middle = (low + high + 1) // 2
            statement = "SELECT size, time FROM head WHERE size >= ? ORDER BY size LIMIT 1"
            size, time = self._query(statement, (middle,))[0]
            if time < at:
                low = size
            else:
                rows = self._query(
                    "SELECT coalesce(max(size), 0) FROM head WHERE size < ?", (middle,)
                )
                high = rows[0][0]
        return low

    def find_positions(
        self, word: str, stream: str | None, number: int | None, start: int, end: int | None
    ) -> list[int]:
        values: list[object] = [word, start, end if end is not None else UNBOUNDED]
        statement = "SELECT position FROM mark WHERE word = ? AND position >= ? AND position < ?"
        if stream is not None:
            statement += f" AND stream = {_STREAM_NUMBER}"
            values.append(stream)
        if number is not None:
            statement += " AND number = ?"
            values.append(number)
        return [row[0] for row in self._query(statement + " ORDER BY position", values)]

    def index_terms(self, start: int, end: int) -> dict[int, set[tuple[str, str, int]]]:
        terms: dict[int, set[tuple[str, str, int]]] = {}
        for position, name, word, number in self._query(
            "SELECT position, name, word, mark.number FROM mark LEFT JOIN stream"
            " ON stream.number = mark.stream WHERE position >= ? AND position < ?",
            (start, end),
        ):
            terms.setdefault(position, set()).add((name, word, number))
        return terms

    def unverified_snapshots(self) -> Iterator[tuple[str, int, str]]:
        rows = self._query("SELECT stream, sequence, schema, position FROM snapshot", ())
        for number, sequence, schema, position in rows:
            names = self._query("SELECT name FROM stream WHERE number = ?", (number,))
            stream = names[0][0] if names else f"stream {number}"
            ((data,),) = self._query(
                "SELECT data FROM snapshot WHERE stream = ? AND sequence = ? AND schema = ?",
                (number, sequence, schema),
            )
            if self._verified_snapshot(stream, sequence, schema, position, data) is None:
                yield stream, sequence, "has a snapshot that the log does not record"

    def snapshot(self, stream: str, schema: int, until: int | None) -> Snapshot | None:
        last = until if until is not None else UNBOUNDED
        while True:
            rows = self._query(
                f"SELECT sequence, position, data FROM snapshot WHERE stream = {_STREAM_NUMBER}"
                " AND schema = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1",
                (stream, schema, last),
            )
            if not rows:
                return None
            sequence, position, data = rows[0]
            text = self._verified_snapshot(stream, sequence, schema, position, data)
            if text is not None:
                return Snapshot(stream, sequence, schema, text)
            last = sequence - 1

    def _verified_snapshot(
        self, stream: str, sequence: int, schema: int, position: int, data: bytes
    ) -> str | None:
        """The text of a snapshot, if the entry at `position` records exactly this snapshot."""
        try:
            text = compression.decompress_snapshot(data)
            recorded = next(self.scan(position, position + 1)).entry
            if recorded.stream != SNAPSHOT_STREAM:
                return None
            if recorded.body != snapshot_body(stream, sequence, schema, text):
                return None
            earlier = self._query(
                f"SELECT 1 FROM entry WHERE stream = {_STREAM_NUMBER} AND sequence = ?"
                " AND position < ?",
                (stream, sequence, position),
            )
            return text.decode() if earlier else None
        except (LedgerError, StopIteration, TypeError, ValueError):
            return None


def _integer(value: object) -> int:
    return value if isinstance(value, int) else 0
