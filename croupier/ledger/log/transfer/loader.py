"""Lines of an export as rows of a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from croupier.ledger.errors import LedgerError
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.compression import LATEST_DICTIONARY, compress, encode_id
from croupier.ledger.log.database.connection import DatabaseConnection, Row
from croupier.ledger.log.entry import NO_LEAF, Entry, StoredEntry, check_entry, entry_leaf_hash
from croupier.ledger.log.transparency.merkle import Frontier

# What an entry is found by: words, each with a number.
IndexFunction: TypeAlias = Callable[[StoredEntry], Iterable[tuple[str, int]]]

_ROWS = 2_000  # held back at most before they are written


def no_index_terms(stored: StoredEntry) -> Iterable[tuple[str, int]]:
    """Entries that are found by nothing but their place."""
    return ()


class RowLoader:
    """Takes lines that were checked and writes their rows, many at a time."""

    def __init__(self, line: DatabaseConnection, marks: IndexFunction) -> None:
        self.line = line
        self.marks = marks
        self.frontier = Frontier()
        self.tips: dict[str, bytes] = {}
        self.numbers: dict[str, int] = {}
        self.houses: set[str] = set()
        self.rows: dict[str, list[Row]] = {
            table: [] for table in ("house", "stream", "entry", "node", "mark", "head")
        }

    def take(self, record: dict[str, Any]) -> None:
        """One line, read."""
        match record["type"]:
            case "house":
                self._take_house(record["digest"], encode_canonical(record["terms"]).decode())
            case "entry":
                self._take_entry(record)
            case "head":
                head = (record["size"], bytes.fromhex(record["root"]), record["time"])
                self.flush()  # a head comes to stand right behind its entries
                self.rows["head"].append(head)
                self.flush()
        if len(self.rows["entry"]) >= _ROWS:
            self.flush()

    def _take_house(self, digest: str, terms: str) -> None:
        if digest not in self.houses:  # every archive has all of them
            self.houses.add(digest)
            self.rows["house"].append((bytes.fromhex(digest), terms))

    def _take_entry(self, record: dict[str, Any]) -> None:
        names = ("stream", "sequence", "id", "at")
        entry = Entry._make([*(record[name] for name in names), encode_canonical(record["body"])])
        check_entry(entry, reserved=True)
        previous = self.tips.get(entry.stream, NO_LEAF)
        leaf, position = entry_leaf_hash(entry, previous), self.frontier.size
        self.rows["node"] += self.frontier.append(leaf)
        self.tips[entry.stream] = leaf
        number = self.numbers.get(entry.stream)
        if number is None:
            number = self.numbers[entry.stream] = len(self.numbers) + 1
            self.rows["stream"].append((number, entry.stream))
        where = (position, entry.sequence, entry.at, number, LATEST_DICTIONARY)
        self.rows["entry"].append((*where, encode_id(entry.id), leaf, compress(entry.body)))
        for word, value in self.marks(StoredEntry(entry, position, previous, leaf)):
            self.rows["mark"].append((position, word, value, number))

    def finish(self, size: int, root: bytes) -> None:
        """Write the rest; what was taken must be what was checked."""
        self.flush()
        if (self.frontier.size, self.frontier.root()) != (size, root):
            raise LedgerError("the entries were not taken as they are written")

    def flush(self) -> None:
        """Write what is held back."""
        for table, rows in self.rows.items():
            if rows:
                self.line.insert(table, rows)
                rows.clear()
