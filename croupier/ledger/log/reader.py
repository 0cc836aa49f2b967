"""Paged reads of the log, decompressed and verified against the leaf hashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import compression
from croupier.ledger.log.compression import CorruptData, decode_id, decompress
from croupier.ledger.log.database.database import Database, failures
from croupier.ledger.log.entry import NO_LEAF, Entry, Snapshot, StoredEntry, entry_leaf_hash
from croupier.ledger.log.transparency import stored_tree
from croupier.ledger.log.transparency.stored_tree import TREE, StoredTree, StreamTip, TreeHead
from croupier.ledger.log.write.rows import SNAPSHOT_STREAM, snapshot_body

PAGE = 2_000  # rows per query, so that no cursor stays open in the database between pages
UNBOUNDED = 2**62

_COLUMNS = "position, sequence, id, at, time, form, leaf, body"
_STREAM_NUMBER = "(SELECT number FROM stream WHERE name = ?)"


class Reader:
    """The part of a store that reads."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tree = StoredTree(self.query)
        self._dictionaries: dict[int, bytes] = {}

    @property
    def dialect(self) -> str:
        """The SQL dialect: "sqlite" or "postgresql"."""
        return self.database.dialect

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Run a SELECT with `?` placeholders; StoreFailed if the database cannot be read."""
        with failures("the record cannot be read"), self.database.connection() as connection:
            return connection.query(statement, values)

    def paged(
        self, select: str, key: str, after: int, end: int, where: str = "", *values: object
    ) -> Iterator[Any]:
        """The rows with `after` < `key` < `end`, in the order of `key`, the first column."""
        statement = f"{select} WHERE {key} > ? AND {key} < ? {where} ORDER BY {key} LIMIT {PAGE}"
        while True:
            page = self.query(statement, (after, end, *values))
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1][0]

    def head(self) -> TreeHead:
        """The latest tree head; its size is 0 before the first entry."""
        return stored_tree.last_head(self.query)

    def heads(self, after: int = 0, until: int | None = None) -> Iterator[TreeHead]:
        """The tree heads with sizes above `after` and up to `until`, in order."""
        end = until + 1 if until is not None else UNBOUNDED
        for row in self.paged("SELECT size, root, time FROM head", "size", after, end):
            yield TreeHead(*row)

    def size_at(self, at: int) -> int:
        """How many entries were durable before a time, by the clock of the log's writers.

        Periods cut at these sizes neither miss nor repeat an entry, whatever the clocks of the
        tables say.
        """
        statement = "SELECT size, time FROM head WHERE size >= ? ORDER BY size LIMIT 1"
        low, high = 0, self.head().size
        while low < high:  # binary search, since the times of the heads increase
            middle = (low + high + 1) // 2
            ((size, time),) = self.query(statement, (middle,))
            if time < at:
                low = size
            else:
                high = middle - 1
        return low

    def stream_tip(self, stream: str) -> StreamTip:
        """The last sequence number and leaf hash of a stream."""
        return stored_tree.read_stream_tip(self.query, stream)

    def streams(self, prefix: str = "") -> list[str]:
        """The names of the streams that have entries, sorted."""
        statement = (
            "SELECT name FROM stream"
            " WHERE EXISTS (SELECT 1 FROM entry WHERE entry.stream = stream.number)"
        )
        names = (name for (name,) in self.query(statement))
        return sorted(name for name in names if isinstance(name, str) and name.startswith(prefix))

    def read(
        self, stream: str, after: int = 0, until: int | None = None, *, size: int | None = None
    ) -> Iterator[StoredEntry]:
        """The entries of a stream with sequence numbers above `after` and up to `until`.

        `size` limits the read to the first `size` entries of the log. Raises Damaged at the first
        entry that was changed or is missing.
        """
        end = until + 1 if until is not None else UNBOUNDED
        previous = self._leaf_before(stream, after + 1)
        for sequence, *row in self.paged(
            f"SELECT sequence, {_COLUMNS} FROM entry",
            "sequence",
            after,
            end,
            f"AND stream = {_STREAM_NUMBER} AND position < ?",
            stream,
            size if size is not None else UNBOUNDED,
        ):
            if sequence != after + 1:
                problem = f"is missing: the next entry on record is {sequence}"
                raise Damaged(stream, after + 1, problem)
            stored = self._verified(stream, row, previous)
            yield stored
            after, previous = sequence, stored.leaf

    def scan(self, start: int = 0, end: int | None = None) -> Iterator[StoredEntry]:
        """The entries of the whole log by position, from `start` up to but excluding `end`."""
        if end is None:
            end = self.head().size
        leaves: dict[str, bytes] = {}
        select = f"SELECT position, stream, name, {_COLUMNS} FROM entry"
        select += " LEFT JOIN stream ON stream = number"
        for position, number, stream, *row in self.paged(select, "position", start - 1, end):
            if position != start:
                break
            if not isinstance(stream, str):
                raise Damaged(TREE, start, f"stream {number} has no name")
            previous = leaves.get(stream)
            if previous is None:
                previous = self._leaf_before(stream, _integer(row[1]))
            stored = self._verified(stream, row, previous)
            yield stored
            leaves[stream] = stored.leaf
            start += 1
        if start < end:
            raise Damaged(TREE, start, "the entry at this position is missing")

    def command(self, stream: str, id: str) -> StoredEntry | None:
        """The entry of a command, by the command's id."""
        rows = self.query(
            f"SELECT {_COLUMNS} FROM entry WHERE stream = {_STREAM_NUMBER} AND id = ?",
            (stream, compression.encode_id(id)),
        )
        if not rows:
            return None
        previous = self._leaf_before(stream, _integer(rows[0][1]))
        return self._verified(stream, rows[0], previous)

    def at(self, position: int) -> StoredEntry:
        """The entry at a position."""
        return next(self.scan(position, position + 1))

    def find_positions(
        self,
        word: str,
        *,
        stream: str | None = None,
        number: int | None = None,
        start: int = 0,
        end: int | None = None,
    ) -> list[int]:
        """The positions of the entries with an index term, in order, from `start` up to `end`."""
        values: list[object] = [word, start, end if end is not None else UNBOUNDED]
        statement = "SELECT position FROM mark WHERE word = ? AND position >= ? AND position < ?"
        if stream is not None:
            statement += f" AND stream = {_STREAM_NUMBER}"
            values.append(stream)
        if number is not None:
            statement += " AND number = ?"
            values.append(number)
        return [row[0] for row in self.query(statement + " ORDER BY position", values)]

    def snapshot(self, stream: str, *, schema: int, until: int | None = None) -> Snapshot | None:
        """The newest snapshot of a stream that the log confirms; others are skipped."""
        last = until if until is not None else UNBOUNDED
        while True:
            rows = self.query(
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

    def unverified_snapshots(self) -> Iterator[tuple[str, int, str]]:
        """Snapshots that the log does not confirm: stream, sequence, problem."""
        for number, name, sequence, schema, position in self.query(
            "SELECT stream, name, sequence, schema, position FROM snapshot"
            " LEFT JOIN stream ON stream = number"
        ):
            stream = name if name is not None else f"stream {number}"
            ((data,),) = self.query(
                "SELECT data FROM snapshot WHERE stream = ? AND sequence = ? AND schema = ?",
                (number, sequence, schema),
            )
            if self._verified_snapshot(stream, sequence, schema, position, data) is None:
                yield stream, sequence, "has a snapshot that the log does not record"

    def house(self, digest: str) -> str | None:
        """The stored terms of a House."""
        try:
            key = bytes.fromhex(digest)
        except ValueError:
            raise LedgerError(f"{digest!r} is not the digest of a House") from None
        rows = self.query("SELECT data FROM house WHERE digest = ?", (key,))
        return rows[0][0] if rows else None

    def houses(self) -> dict[str, str]:
        """The terms of all stored Houses, by digest."""
        rows = self.query("SELECT digest, data FROM house ORDER BY digest")
        try:
            return {digest.hex(): data for digest, data in rows}
        except AttributeError:
            raise Damaged("@houses", 0, "a digest has the wrong type") from None

    def _dictionary(self, number: int) -> bytes:
        rows = self.query("SELECT data FROM dictionary WHERE number = ?", (number,))
        if not rows or not isinstance(rows[0][0], bytes):
            raise CorruptData(f"cannot be decompressed: dictionary {number} is missing")
        return self._dictionaries.setdefault(number, rows[0][0])

    def _verified(self, stream: str, row: Any, previous: bytes) -> StoredEntry:
        """Decode a row and verify its leaf hash after `previous`; Damaged if either fails."""
        position, sequence, id, at, time, form, leaf, body = row
        try:
            dictionary = self._dictionaries.get(form) or self._dictionary(form)
            entry = Entry(stream, sequence, decode_id(id), at, decompress(body, dictionary))
            valid = entry_leaf_hash(entry, time, previous) == leaf
        except CorruptData as error:
            raise Damaged(stream, _integer(sequence), str(error)) from None
        except (TypeError, ValueError, AttributeError):
            problem = "does not have the form of an entry"
            raise Damaged(stream, _integer(sequence), problem) from None
        if not valid:
            raise Damaged(stream, _integer(sequence), "was changed: its hash is wrong")
        return StoredEntry(entry, position, time, previous, leaf)

    def _leaf_before(self, stream: str, sequence: int) -> bytes:
        if sequence <= 1:
            return NO_LEAF
        rows = self.query(
            f"SELECT leaf FROM entry WHERE stream = {_STREAM_NUMBER} AND sequence = ?",
            (stream, sequence - 1),
        )
        leaf: bytes = rows[0][0] if rows else NO_LEAF  # then the entry itself does not verify
        return leaf

    def _verified_snapshot(
        self, stream: str, sequence: int, schema: int, position: int, data: bytes
    ) -> str | None:
        """The text of a snapshot, if the entry at `position` records exactly this snapshot."""
        try:
            text = compression.decompress_snapshot(data)
            recorded = next(self.scan(position, position + 1)).entry
            body = snapshot_body(stream, sequence, schema, text)
            if (recorded.stream, recorded.body) != (SNAPSHOT_STREAM, body):
                return None
            earlier = self.query(
                f"SELECT 1 FROM entry WHERE stream = {_STREAM_NUMBER} AND sequence = ?"
                " AND position < ?",
                (stream, sequence, position),
            )
            return text.decode() if earlier else None
        except (LedgerError, StopIteration, TypeError, ValueError):
            return None


def _integer(value: object) -> int:
    return value if isinstance(value, int) else 0
