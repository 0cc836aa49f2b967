"""Export and import of a log as JSON Lines, which can be read and verified without Croupier.

`verifier.py` documents the format. An import verifies every line with it, so the new database has
the entries, tree heads and roots of the original.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from croupier.ledger.errors import Damaged, LedgerError, printable
from croupier.ledger.log.append import Append
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.database import schema
from croupier.ledger.log.database.database import Connection, failures
from croupier.ledger.log.database.opening import Timeouts, connect_to
from croupier.ledger.log.database.url import DatabaseAddress, DatabaseLocation, parse_location
from croupier.ledger.log.entry import Entry, StoredEntry
from croupier.ledger.log.store import Store
from croupier.ledger.log.transfer.atomic_file import check_new_path, new_file
from croupier.ledger.log.transparency import verifier
from croupier.ledger.log.transparency.stored_tree import EMPTY_HEAD, TREE, Frontier
from croupier.ledger.log.write.rows import HeadCache, TransactionRows

# Derives the index terms of an entry: words, each with a number.
IndexFunction: TypeAlias = Callable[[StoredEntry], Iterable[tuple[str, int]]]
Progress: TypeAlias = Callable[[int], None]  # called with the number of entries processed so far

TIMEOUTS = Timeouts(answer=600_000)  # an import is one long transaction
NO_TRANSACTION_TIMEOUT = (  # a setting of PostgreSQL 17 and later
    "SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'"
)


def export_file(store: Store, path: str | Path, **options: Any) -> dict[str, int]:
    """Export to a new file; returns the number of lines by type. Options as for `export_lines`."""
    counts: dict[str, int] = {}
    with new_file(path) as temporary, temporary.open("wb") as target:
        target.writelines(with_end_line(export_lines(store, **options), counts))
    return counts


def is_export(path: str | Path) -> bool:
    """Whether a file is an export, an archive or a proof, and not a database."""
    try:
        with open(path, "rb") as file:
            return file.read(20).startswith(b'{"format":"croupier-')
    except OSError:
        return False


def with_end_line(lines: Iterable[bytes], counts: dict[str, int]) -> Iterator[bytes]:
    """Lines followed by the end line; counts the lines by type in `counts`."""
    digest = sha256()
    for line in lines:
        # The last "type" in a line is the line's own, so it need not be decoded.
        kind = line.rpartition(b'"type":"')[2].partition(b'"')[0].decode()
        counts[kind] = counts.get(kind, 0) + 1
        digest.update(line)
        yield line
    yield encode_canonical({"type": "end", "counts": counts, "digest": digest.hexdigest()}) + b"\n"


def export_lines(
    store: Store,
    *,
    schemas: Iterable[Mapping[str, Any]] = (),
    start: int = 0,
    end: int | None = None,
    note: str = "",
    progress: Progress | None = None,
) -> Iterator[bytes]:
    """The lines of an export except the end line, in order of the transactions.

    `start` and `end` are the sizes of two tree heads; without `end`, the export ends at the latest
    one, while others may keep appending. Every entry is verified against its hashes. `note` is a
    signed checkpoint to append.
    """
    last = store.head().size if end is None else end
    frontier = store.tree.frontier(start)
    hashes = [node.hex() for node in frontier.hashes]
    header = {"format": verifier.LOG, "frontier": hashes, "start": start, "type": "header"}
    yield encode_canonical({**header, "version": verifier.VERSION}) + b"\n"
    for definition in schemas:
        yield encode_canonical({**definition, "type": "schema"}) + b"\n"
    for digest, text in store.houses().items():
        yield house_line(digest, text)
    entries = store.scan(start, last)
    for head in store.heads(after=start, until=last):
        while frontier.size < head.size:
            stored = next(entries, None)
            if stored is None:
                raise Damaged(TREE, frontier.size, "the entry at this position is missing")
            if stored.time != head.time:
                problem = f"has another time than the entry at position {stored.position}"
                raise Damaged(TREE, head.size, f"the tree head {problem}")
            frontier.append(stored.leaf)
            yield stored.line + b"\n"
        if frontier.root() != head.root:
            raise Damaged(TREE, head.size, "the tree head contradicts the entries before it")
        line = {"root": head.root.hex(), "size": head.size, "time": head.time, "type": "head"}
        yield encode_canonical(line) + b"\n"
        if progress:
            progress(frontier.size - start)
    if frontier.size != last:
        raise LedgerError(f"there is no tree head of size {last}; a range must end at a tree head")
    if note:
        yield encode_canonical({"note": note, "type": "checkpoint"}) + b"\n"


def house_line(digest: str, text: str) -> bytes:
    """The line of a House and its terms."""
    if sha256(text.encode()).hexdigest() != digest:
        raise Damaged(f"house:{digest[:12]}", 0, "the stored terms do not have this digest")
    return f'{{"digest":"{digest}","terms":{text},"type":"house"}}\n'.encode()


def no_index_terms(stored: StoredEntry) -> Iterable[tuple[str, int]]:
    """An index function without any terms."""
    return ()


def import_lines(
    source: Iterable[bytes],
    location: DatabaseLocation,
    *,
    more: Sequence[Iterable[bytes]] = (),
    index_terms: IndexFunction = no_index_terms,
    progress: Progress | None = None,
    entry: Entry | None = None,
) -> dict[str, int]:
    """Create a database from an export; an export that fails verification leaves nothing behind.

    `more` are archives that continue it, in order; `index_terms` derives the index terms; `entry`
    is appended. An SQLite file is created atomically; in PostgreSQL the import is one transaction.
    """
    address = parse_location(location)
    with ExitStack() as stack:
        if address.file is not None:
            address = DatabaseAddress(stack.enter_context(new_file(address.file)))
        database = connect_to(address, TIMEOUTS)
        stack.callback(database.close)
        counts: Counter[str] = Counter()
        with failures("the import could not be stored"):
            with database.transaction() as connection:
                if database.dialect == "postgresql":
                    connection.query(NO_TRANSACTION_TIMEOUT)
                if schema.current_revision(connection.raw) is None:
                    schema.upgrade(database, connection)
                if connection.query("SELECT 1 FROM entry UNION ALL SELECT 1 FROM house LIMIT 1"):
                    raise LedgerError("an import needs an empty database; this one has a ledger")
                loader = RowLoader(connection, index_terms)
                for lines in (source, *more):
                    counts.update(_load(loader, lines, progress))
                if entry is not None:
                    loader.add_entry(entry)
                    # Whether the clock is right, after what may be a long time, is decided at the
                    # next commit, and not by one person who restores a backup.
                    loader.finish(loader.head.time + 1)
            if database.dialect == "sqlite":
                with database.connection() as writer:
                    writer.query("PRAGMA wal_checkpoint(TRUNCATE)")
        return dict(counts)


def import_file(
    path: str | Path, location: DatabaseLocation, *, more: Sequence[str | Path] = (), **options: Any
) -> dict[str, int]:
    """Import a file, and archives that continue it, into a new database; see `import_lines`."""
    address = parse_location(location)
    if address.file is not None:
        check_new_path(address.file)
    with ExitStack() as open_files:
        try:
            first, *rest = [open_files.enter_context(open(file, "rb")) for file in (path, *more)]
        except OSError as error:
            problem = f"{printable(str(error.filename))} cannot be read: {error.strerror}"
            raise LedgerError(problem) from None
        return import_lines(first, address, more=rest, **options)


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


def _load(loader: RowLoader, source: Iterable[bytes], progress: Progress | None) -> dict[str, int]:
    """Import one file, which must continue where the previous one ended."""
    log = verifier.LogVerifier()
    try:
        for record in verifier.verified_lines(source, log):
            if record["type"] == "header":
                _check_continues(log, loader.cache.frontier)
                log.time = loader.head.time if log.start else log.time
            loader.add(record)
            if progress and record["type"] == "head":
                progress(log.size)
    except verifier.VerificationError as error:
        raise LedgerError(printable(str(error))) from None
    return log.counts


def _check_continues(log: verifier.LogVerifier, frontier: Frontier) -> None:
    if log.format != verifier.LOG or (log.start and not frontier.size):
        raise LedgerError("this is only a part of a log, and cannot be imported by itself")
    if (log.start, log.subtrees) != (frontier.size, frontier.hashes):
        raise LedgerError(f"this continues a log of {log.start} entries, not the file before it")
