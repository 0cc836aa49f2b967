"""Export and import: the record as JSON Lines, readable and provable without Croupier.

`verifier.py` describes the format and checks it. An import takes every line through those checks,
so what it builds has the entries, heads and roots of the original.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from croupier.ledger.errors import Damaged, LedgerError, StoreFailed, printable
from croupier.ledger.log.canonical_json import canonical
from croupier.ledger.log.database import schema
from croupier.ledger.log.database.connection import DatabaseConnection
from croupier.ledger.log.database.pool import connect, database_errors, reason
from croupier.ledger.log.database.url import Address, Place, parse
from croupier.ledger.log.failpoints import NO_FAULTS
from croupier.ledger.log.store import Store
from croupier.ledger.log.transfer.atomic_file import check_new, new_file
from croupier.ledger.log.transfer.loader import Loader, Marks, no_marks
from croupier.ledger.log.transparency import verifier
from croupier.ledger.log.transparency.merkle import Frontier
from croupier.ledger.log.transparency.stored_tree import TREE, Head

LOCK_TIMEOUT_MS, ANSWER_TIMEOUT_MS = 5_000, 600_000  # an import is one long transaction

Progress = Callable[[int], None]  # told how many entries have been dealt with so far


def export(
    store: Store,
    target: IO[bytes],
    *,
    schemas: Iterable[Mapping[str, Any]] = (),
    start: int = 0,
    end: int | None = None,
    note: str = "",
    progress: Progress | None = None,
) -> dict[str, int]:
    """Write the record, or the stretch of it between two heads; returns the lines of each type.

    What is written is what one head stands for, while others go on appending; everything is
    checked against its hashes on the way. `note` is a signed checkpoint to be put at the end.
    """
    counts: dict[str, int] = {}
    made = lines(store, schemas=schemas, start=start, end=end, note=note, progress=progress)
    for line in ended(made, counts):
        target.write(line)
    return counts


def export_file(store: Store, path: str | Path, **options: Any) -> dict[str, int]:
    """Export to a new file; see `export`."""
    with new_file(path) as beside, beside.open("xb") as target:
        return export(store, target, **options)


def ended(made: Iterable[bytes], counts: dict[str, int]) -> Iterator[bytes]:
    """Lines and the one that ends them; `counts` is filled on the way."""
    digest = sha256()
    for line in made:
        # The last "type" of a line is its own, so that none need be read again.
        kind = line.rpartition(b'"type":"')[2].partition(b'"')[0].decode()
        counts[kind] = counts.get(kind, 0) + 1
        digest.update(line)
        yield line
    yield canonical({"type": "end", "counts": counts, "digest": digest.hexdigest()}) + b"\n"


def lines(
    store: Store,
    *,
    schemas: Iterable[Mapping[str, Any]] = (),
    start: int = 0,
    end: int | None = None,
    note: str = "",
    progress: Progress | None = None,
) -> Iterator[bytes]:
    """The lines of an export but the last, in the order of the transactions."""
    last = store.head().size if end is None else end
    frontier = store.tree.frontier(start)
    before = [node.hex() for node in frontier.hashes]
    header = {"format": verifier.LOG, "frontier": before, "start": start, "type": "header"}
    yield canonical({**header, "version": verifier.VERSION}) + b"\n"
    for shape in schemas:
        yield canonical({**shape, "type": "schema"}) + b"\n"
    for digest, text in store.houses().items():
        yield house_line(digest, text)
    entries = store.scan(start, last)
    for head in store.heads(after=start, until=last):
        while frontier.size < head.size:
            stored = next(entries, None)
            if stored is None:
                raise Damaged(TREE, frontier.size, "the entry at this position is missing")
            frontier.append(stored.leaf)
            yield stored.line + b"\n"
        yield head_line(head, frontier)
        if progress:
            progress(frontier.size - start)
    if frontier.size != last:
        raise LedgerError(f"no head ends at {last}; a stretch of the record lies between two heads")
    if note:
        yield canonical({"note": note, "type": "checkpoint"}) + b"\n"


def house_line(digest: str, text: str) -> bytes:
    """A House's terms, as they are stored."""
    if sha256(text.encode()).hexdigest() != digest:
        raise Damaged(f"house:{digest[:12]}", 0, "the stored terms do not have this digest")
    return f'{{"digest":"{digest}","terms":{text},"type":"house"}}\n'.encode()


def head_line(head: Head, frontier: Frontier) -> bytes:
    """A head that the entries before it bear out."""
    if frontier.root() != head.root:
        raise Damaged(TREE, head.size, "the head contradicts the entries before it")
    record = {"root": head.root.hex(), "size": head.size, "time": head.time, "type": "head"}
    return canonical(record) + b"\n"


def import_lines(
    source: Iterable[bytes],
    place: Place,
    *,
    more: Sequence[Iterable[bytes]] = (),
    marks: Marks = no_marks,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Build a new database out of an export; nothing is kept of one that does not check.

    `more` are archives that continue it, one after the other. `marks` derives what entries are
    found by. An SQLite file appears when it is whole; in PostgreSQL everything is one transaction.
    """
    address = parse(place)
    if address.file is None:
        return _fill(address, (source, *more), marks, progress)
    with new_file(address.file) as beside:
        return _fill(Address(beside), (source, *more), marks, progress)


def import_file(
    path: str | Path,
    place: Place,
    *,
    more: Sequence[str | Path] = (),
    marks: Marks = no_marks,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Import a file, and archives that continue it, into a new database."""
    address = parse(place)
    if address.file is not None:
        check_new(address.file)
    with ExitStack() as opened:
        sources = []
        for each in (path, *more):
            try:
                sources.append(opened.enter_context(open(each, "rb")))
            except OSError as error:
                told = f"{printable(str(each))} cannot be read: {error.strerror}"
                raise LedgerError(told) from None
        first, *rest = sources
        return import_lines(first, address, more=rest, marks=marks, progress=progress)


def _fill(
    address: Address, sources: Sequence[Iterable[bytes]], marks: Marks, progress: Progress | None
) -> dict[str, int]:
    connections = connect(
        address,
        readonly=False,
        lock_timeout_ms=LOCK_TIMEOUT_MS,
        answer_timeout_ms=ANSWER_TIMEOUT_MS,
    )
    try:
        with schema.remaking(connections, NO_FAULTS) as connection:
            line = DatabaseConnection(connection.connection.driver_connection)
            if schema.version(line.raw) is None:
                schema.upgrade(connection)
            _check_empty(line)
            loader = Loader(line, marks)
            counts: Counter[str] = Counter()
            for source in sources:
                counts.update(_load(loader, source, progress))
        if connections.dialect == "sqlite":
            with connections.lent() as raw:
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return dict(counts)
    except database_errors() as error:
        raise StoreFailed(f"the import could not be stored: {reason(error)}") from error
    finally:
        connections.close()


def _load(loader: Loader, source: Iterable[bytes], progress: Progress | None) -> dict[str, int]:
    """One file, which must go on where the one before ended."""
    log = verifier.Log()
    for number, line in enumerate(source, start=1):
        try:
            if not line.endswith(b"\n"):
                raise verifier.Broken("the line is cut off")
            record = log.take(line[:-1].decode())
            if number == 1:
                _check_continues(log, loader.frontier)
            loader.take(record)
        except StoreFailed:
            raise
        except (verifier.Broken, UnicodeDecodeError, LedgerError) as broken:
            raise LedgerError(f"line {number}: {printable(str(broken))}") from None
        if progress and record["type"] == "head":
            progress(log.size)
    if not log.ended:
        raise LedgerError("the log breaks off")
    loader.finish(log.size, verifier.root_of(log.subtrees))
    return log.counts


def _check_continues(log: verifier.Log, frontier: Frontier) -> None:
    if log.format != verifier.LOG or (log.start and not frontier.size):
        raise verifier.Broken("a part of a record; only a whole one can be imported")
    if (log.start, log.subtrees) != (frontier.size, frontier.hashes):
        raise verifier.Broken(
            f"this continues a record of {log.start} entries, not the one before it"
        )


def _check_empty(line: DatabaseConnection) -> None:
    for table in ("entry", "house"):
        if line.ask(f"SELECT 1 FROM {table} LIMIT 1"):
            raise LedgerError("an import needs an empty database; this one has a record")
