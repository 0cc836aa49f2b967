"""Bulk insert of an import: lines of an export become rows of a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from croupier.ledger.errors import LedgerError
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.compression import LATEST_DICTIONARY, compress, encode_id
from croupier.ledger.log.database.database import Connection, Row
from croupier.ledger.log.entry import NO_LEAF, Entry, StoredEntry, check_entry, entry_leaf_hash
from croupier.ledger.log.transparency.merkle import Frontier

# Derives the index terms of an entry: words, each with a number.
IndexFunction: TypeAlias = Callable[[StoredEntry], Iterable[tuple[str, int]]]
Progress: TypeAlias = Callable[[int], None]  # called with the number of entries processed so far

_BUFFER_ROWS = 2_000


def no_index_terms(stored: StoredEntry) -> Iterable[tuple[str, int]]:
    """An index function without any terms."""
    return ()


class RowLoader:
    """Inserts verified lines as rows, in batches."""

    def __init__(self, connection: Connection, index_terms: IndexFunction) -> None:
        self.connection = connection
        self.index_terms = index_terms
        self.frontier = Frontier()
        self.time = -1  # of the last head
        self.tips: dict[str, bytes] = {}
        self.numbers: dict[str, int] = {}
        self.houses: set[str] = set()
        self.rows: dict[str, list[Row]] = {
            table: [] for table in ("house", "stream", "entry", "node", "mark", "head")
        }

    def add(self, record: dict[str, Any]) -> None:
        """Add one decoded line."""
        match record["type"]:
            case "house":
                self._add_house(record["digest"], encode_canonical(record["terms"]).decode())
            case "entry":
                self._add_entry(record)
            case "head":
                head = (record["size"], bytes.fromhex(record["root"]), record["time"])
                self.time = record["time"]
                self.flush()  # a head is inserted directly after its entries
                self.rows["head"].append(head)
                self.flush()
        if len(self.rows["entry"]) >= _BUFFER_ROWS:
            self.flush()

    def _add_house(self, digest: str, terms: str) -> None:
        if digest not in self.houses:  # every archive contains all Houses
            self.houses.add(digest)
            self.rows["house"].append((bytes.fromhex(digest), terms))

    def _add_entry(self, record: dict[str, Any]) -> None:
        names = ("stream", "sequence", "id", "at")
        entry = Entry._make([*(record[name] for name in names), encode_canonical(record["body"])])
        check_entry(entry, reserved=True)
        previous = self.tips.get(entry.stream, NO_LEAF)
        leaf, position = entry_leaf_hash(entry, record["time"], previous), self.frontier.size
        self.rows["node"] += self.frontier.append(leaf)
        self.tips[entry.stream] = leaf
        number = self.numbers.get(entry.stream)
        if number is None:
            number = self.numbers[entry.stream] = len(self.numbers) + 1
            self.rows["stream"].append((number, entry.stream))
        columns = (position, entry.sequence, entry.at, record["time"], number, LATEST_DICTIONARY)
        self.rows["entry"].append((*columns, encode_id(entry.id), leaf, compress(entry.body)))
        stored = StoredEntry(entry, position, record["time"], previous, leaf)
        for word, value in self.index_terms(stored):
            self.rows["mark"].append((position, word, value, number))

    def finish(self, size: int, root: bytes) -> None:
        """Insert the remaining rows; the result must have the size and root that were verified."""
        self.flush()
        if (self.frontier.size, self.frontier.root()) != (size, root):
            raise LedgerError("the imported entries do not have the root of the file")

    def flush(self) -> None:
        """Insert the buffered rows."""
        for table, rows in self.rows.items():
            if rows:
                self.connection.insert(table, rows)
                rows.clear()
