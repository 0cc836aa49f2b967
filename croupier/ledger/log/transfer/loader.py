"""Bulk insert of an import: lines of an export become rows of a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from croupier.ledger.errors import LedgerError
from croupier.ledger.log.append import Append
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.database.database import Connection
from croupier.ledger.log.entry import Entry, StoredEntry
from croupier.ledger.log.transparency.stored_tree import EMPTY_HEAD
from croupier.ledger.log.write.rows import HeadCache, TransactionRows

# Derives the index terms of an entry: words, each with a number.
IndexFunction: TypeAlias = Callable[[StoredEntry], Iterable[tuple[str, int]]]
Progress: TypeAlias = Callable[[int], None]  # called with the number of entries processed so far


def no_index_terms(stored: StoredEntry) -> Iterable[tuple[str, int]]:
    """An index function without any terms."""
    return ()


class RowLoader:
    """Inserts verified lines as rows, one tree head with its entries at a time."""

    def __init__(self, connection: Connection, index_terms: IndexFunction) -> None:
        self.connection = connection
        self.index_terms = index_terms
        self.head = EMPTY_HEAD
        self.cache = HeadCache()
        self.houses: set[str] = set()
        self.appends: list[Append] = []  # since the last head

    def add(self, record: dict[str, Any]) -> None:
        """Add one decoded line."""
        match record["type"]:
            case "house" if record["digest"] not in self.houses:  # every archive contains all
                self.houses.add(record["digest"])
                terms = encode_canonical(record["terms"]).decode()
                self.connection.insert("house", [(bytes.fromhex(record["digest"]), terms)])
            case "entry":
                names = ("stream", "sequence", "id", "at")
                values = [*(record[name] for name in names), encode_canonical(record["body"])]
                self.add_entry(Entry._make(values))
            case "head":
                self.finish(record["time"])
                if (self.head.size, self.head.root.hex()) != (record["size"], record["root"]):
                    raise LedgerError("the imported entries do not have the root of the file")

    def add_entry(self, entry: Entry) -> None:
        """Add an entry of the transaction that `finish` ends."""
        self.appends.append(Append([entry], reserved=True))

    def finish(self, time: int) -> None:
        """Insert the entries since the last tree head, and a tree head with this time."""
        rows = TransactionRows(self.cache, self.head, self.connection.query, time)
        for append in self.appends:
            if failure := rows.admit(append):
                raise failure
            (stored,) = append.stored
            for word, number in self.index_terms(stored):
                rows.add_index_term(stored, word, number)
        for table, table_rows in rows.finish().items():
            if table_rows:
                self.connection.insert(table, table_rows)
        self.head, self.cache, self.appends = rows.head, rows.updated_cache(), []
