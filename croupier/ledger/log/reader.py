"""How entries come back: in pages, unpacked, and checked against their hashes on the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from croupier.ledger.errors import Damaged, LedgerError, StoreFailed
from croupier.ledger.log import compression
from croupier.ledger.log.compression import CorruptData, decode_id, decompress
from croupier.ledger.log.database.connection import DatabaseConnection, RowsRejected
from croupier.ledger.log.database.pool import ConnectionPool, database_errors, error_message
from croupier.ledger.log.entry import NO_LEAF, Entry, Snapshot, StoredEntry, entry_leaf_hash
from croupier.ledger.log.transparency.stored_tree import SELECT_LAST_HEAD, TREE, Query, TreeHead
from croupier.ledger.log.write.rows import SNAPSHOT_STREAM, snapshot_body
from croupier.ledger.log.write.transaction import Watch

PAGE = 2_000  # rows fetched at a time, so that no cursor stays open in the database meanwhile
UNBOUNDED = 2**62

_COLUMNS = "position, sequence, id, at, form, leaf, body"
_NUMBER = "(SELECT number FROM stream WHERE name = ?)"


@contextmanager
def write_transaction(connections: ConnectionPool, watched: Watch) -> Iterator[DatabaseConnection]:
    """A transaction that holds the right to write."""
    try:
        lent = connections.lend()
        try:
            with watched(lent.raw):
                line = DatabaseConnection(lent.raw)
                line.begin(SELECT_LAST_HEAD)
                yield line
                line.run("COMMIT")
        except BaseException:
            lent.cut()  # and with it whatever was begun
            raise
        lent.give_back()
    except (RowsRejected, StoreFailed) + database_errors() as error:
        raise StoreFailed(f"the record could not be written: {error_message(error)}") from error


class Reader:
    """Reads one database."""

    def __init__(self, ask: Query) -> None:
        self._ask = ask
        self._dictionaries: dict[int, bytes] = {}

    def _dictionary(self, form: int) -> bytes:
        found = self._ask("SELECT data FROM dictionary WHERE number = ?", (form,))
        if not found or not isinstance(found[0][0], bytes):
            raise CorruptData(f"cannot be unpacked: there is no dictionary {form}")
        words: bytes = found[0][0]
        self._dictionaries[form] = words
        return words

    def checked(self, stream: str, row: Any, previous: bytes) -> StoredEntry:
        """A row as an entry that follows this leaf; Damaged if its hash says otherwise."""
        position, sequence, id, at, form, leaf, body = row
        try:
            words = self._dictionaries.get(form) or self._dictionary(form)
            entry = Entry(stream, sequence, decode_id(id), at, decompress(body, words))
        except CorruptData as error:
            raise Damaged(stream, _number(sequence), str(error)) from None
        except (TypeError, ValueError, AttributeError):
            raise Damaged(stream, _number(sequence), "is not what an entry looks like") from None
        try:
            right = entry_leaf_hash(entry, previous) == leaf
        except (TypeError, ValueError, AttributeError):
            right = False
        if not right:
            raise Damaged(stream, _number(sequence), "was changed: its hash is wrong")
        return StoredEntry(entry, position, previous, leaf)

    def stream(
        self, stream: str, after: int, until: int | None, size: int | None
    ) -> Iterator[StoredEntry]:
        """A stream in order, each entry following the one before."""
        last, within = (
            until if until is not None else UNBOUNDED,
            size if size is not None else UNBOUNDED,
        )
        previous = self._leaf_before(stream, after + 1)
        statement = (
            f"SELECT {_COLUMNS} FROM entry WHERE stream = {_NUMBER} AND sequence > ?"
            f" AND sequence <= ? AND position < ? ORDER BY sequence LIMIT {PAGE}"
        )
        while True:
            page = self._ask(statement, (stream, after, last, within))
            for row in page:
                if row[1] != after + 1:
                    told = f"is missing: the next entry on record is {row[1]}"
                    raise Damaged(stream, after + 1, told)
                stored = self.checked(stream, row, previous)
                yield stored
                after, previous = stored.entry.sequence, stored.leaf
            if len(page) < PAGE:
                return

    def _leaf_before(self, stream: str, sequence: int) -> bytes:
        if sequence <= 1:
            return NO_LEAF
        found = self._ask(
            f"SELECT leaf FROM entry WHERE stream = {_NUMBER} AND sequence = ?",
            (stream, sequence - 1),
        )
        if not found:
            return NO_LEAF  # then the entry itself will not follow it
        leaf: bytes = found[0][0]
        return leaf

    def scan(self, start: int, end: int) -> Iterator[StoredEntry]:
        """The log in order of positions."""
        names: dict[int, str] = {}
        leaves: dict[str, bytes] = {}
        statement = (
            f"SELECT stream, {_COLUMNS} FROM entry WHERE position >= ? AND position < ?"
            f" ORDER BY position LIMIT {PAGE}"
        )
        while start < end:
            page = self._ask(statement, (start, end))
            for number, *row in page:
                if row[0] != start:
                    break
                stream = names.get(number)
                if stream is None:
                    stream = names[number] = self._name(number, start)
                previous = leaves.get(stream)
                if previous is None:
                    previous = self._leaf_before(stream, _number(row[1]))
                stored = self.checked(stream, row, previous)
                yield stored
                leaves[stream] = stored.leaf
                start += 1
            else:
                if len(page) == PAGE or start == end:
                    continue
            raise Damaged(TREE, start, "the entry at this position is missing")

    def _name(self, number: int, position: int) -> str:
        found = self._ask("SELECT name FROM stream WHERE number = ?", (number,))
        if not found or not isinstance(found[0][0], str):
            raise Damaged(TREE, position, f"stream {number} has no name")
        name: str = found[0][0]
        return name

    def command(self, stream: str, id: str) -> StoredEntry | None:
        """The entry of a command."""
        found = self._ask(
            f"SELECT {_COLUMNS} FROM entry WHERE stream = {_NUMBER} AND id = ?",
            (stream, compression.encode_id(id)),
        )
        if not found:
            return None
        previous = self._leaf_before(stream, _number(found[0][1]))
        return self.checked(stream, found[0], previous)

    def heads(self, after: int, until: int | None) -> Iterator[TreeHead]:
        """The heads in order."""
        last = until if until is not None else UNBOUNDED
        statement = (
            "SELECT size, root, time FROM head WHERE size > ? AND size <= ?"
            f" ORDER BY size LIMIT {PAGE}"
        )
        while True:
            page = [TreeHead(*row) for row in self._ask(statement, (after, last))]
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].size

    def size_at(self, at: int) -> int:
        """The size of the last head before a moment, by halving: heads are in order of time."""
        low, high = 0, (self._ask("SELECT coalesce(max(size), 0) FROM head", ()))[0][0]
        while low < high:  # the answer is a head's size in [low, high]
            middle = (low + high + 1) // 2
            statement = "SELECT size, time FROM head WHERE size >= ? ORDER BY size LIMIT 1"
            size, time = self._ask(statement, (middle,))[0]
            if time < at:
                low = size
            else:
                found = self._ask(
                    "SELECT coalesce(max(size), 0) FROM head WHERE size < ?", (middle,)
                )
                high = found[0][0]
        return low

    def marked(
        self, word: str, stream: str | None, number: int | None, start: int, end: int | None
    ) -> list[int]:
        """The positions of marked entries."""
        last = end if end is not None else UNBOUNDED
        values: list[object] = [word, start, last]
        statement = "SELECT position FROM mark WHERE word = ? AND position >= ? AND position < ?"
        if stream is not None:
            statement += f" AND stream = {_NUMBER}"
            values.append(stream)
        if number is not None:
            statement += " AND number = ?"
            values.append(number)
        return [row[0] for row in self._ask(statement + " ORDER BY position", values)]

    def marks(self, start: int, end: int) -> dict[int, set[tuple[str, str, int]]]:
        """What the entries of a stretch are found by."""
        found: dict[int, set[tuple[str, str, int]]] = {}
        for position, name, word, number in self._ask(
            "SELECT position, name, word, mark.number FROM mark LEFT JOIN stream"
            " ON stream.number = mark.stream WHERE position >= ? AND position < ?",
            (start, end),
        ):
            found.setdefault(position, set()).add((name, word, number))
        return found

    def odd_snapshots(self) -> Iterator[tuple[str, int, str]]:
        """Snapshots that the log does not vouch for."""
        places = self._ask("SELECT stream, sequence, schema, position FROM snapshot", ())
        for number, sequence, form, position in places:
            names = self._ask("SELECT name FROM stream WHERE number = ?", (number,))
            stream = names[0][0] if names else f"stream {number}"
            ((data,),) = self._ask(
                "SELECT data FROM snapshot WHERE stream = ? AND sequence = ? AND schema = ?",
                (number, sequence, form),
            )
            if self.vouched(stream, sequence, form, position, data) is None:
                yield stream, sequence, "there is a snapshot that the log knows nothing of"

    def snapshot(self, stream: str, schema: int, until: int | None) -> Snapshot | None:
        """The newest snapshot that the log vouches for."""
        before = until if until is not None else UNBOUNDED
        while True:
            found = self._ask(
                f"SELECT sequence, position, data FROM snapshot WHERE stream = {_NUMBER}"
                " AND schema = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1",
                (stream, schema, before),
            )
            if not found:
                return None
            sequence, position, data = found[0]
            text = self.vouched(stream, sequence, schema, position, data)
            if text is not None:
                return Snapshot(stream, sequence, schema, text)
            before = sequence - 1

    def vouched(
        self, stream: str, sequence: int, schema: int, position: int, data: bytes
    ) -> str | None:
        """The text of a snapshot if the log says that it was taken, there and like this."""
        try:
            text = compression.decompress_snapshot(data)
            noted = next(self.scan(position, position + 1))
            same = noted.entry.body == snapshot_body(stream, sequence, schema, text)
            if noted.entry.stream != SNAPSHOT_STREAM or not same:
                return None
            reached = self._ask(
                f"SELECT 1 FROM entry WHERE stream = {_NUMBER} AND sequence = ? AND position < ?",
                (stream, sequence, position),
            )
            return text.decode() if reached else None
        except (LedgerError, StopIteration, TypeError, ValueError):
            return None


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
