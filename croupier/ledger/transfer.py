"""Export and import: the whole record as JSON Lines, readable without Croupier.

`verifier.py` describes the format and checks it. An import goes into an empty database and takes
every line through the same checks, so what it builds verifies like the original.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import msgspec
import sqlalchemy as sa

from croupier.ledger import codec, schema, verifier
from croupier.ledger.chain import Head, Row, canonical
from croupier.ledger.errors import Damaged, LedgerError, StoreFailed
from croupier.ledger.store import Store
from croupier.ledger.writer import insert

READ_AHEAD = 2_000  # events of one stream fetched at a time


def export(store: Store, target: IO[bytes]) -> dict[str, int]:
    """Write the record as it stood at one moment; returns how many lines of each type."""
    counts: dict[str, int] = {}
    digest = sha256()
    for line in lines(store, counts):
        written = line.encode() + b"\n"
        target.write(written)
        digest.update(written)
    end = {"type": "end", "counts": counts, "digest": digest.hexdigest()}
    target.write(canonical(end).encode() + b"\n")
    return counts


def lines(store: Store, counts: dict[str, int]) -> Iterator[str]:
    """The lines of an export but the last, in the order of the transactions."""

    def counted(kind: str, line: str) -> str:
        counts[kind] = counts.get(kind, 0) + 1
        return line

    yield counted("header", canonical(verifier.HEADER))
    for kind in sorted(codec.KINDS):
        shape = msgspec.json.schema(codec.KINDS[kind])
        record = {"type": "schema", "kind": kind, "schema": codec.SCHEMAS[kind], "shape": shape}
        yield counted("schema", verifier.canonical(record))
    for digest, text in store.houses().items():
        yield counted("house", f'{{"digest":"{digest}","terms":{text},"type":"house"}}')
    for head, rows in transactions(store):
        for row in rows:
            yield counted("event", event_line(row))
        yield counted("head", head_line(head))


def transactions(store: Store) -> Iterator[tuple[Head, list[Row]]]:
    """Every head with the events that came with it."""
    read = msgspec.json.Decoder(dict[str, tuple[int, str]]).decode
    ahead: dict[str, deque[Row]] = {}
    reached: dict[str, int] = {}
    for head in store.heads():
        rows: list[Row] = []
        for stream, (last, _) in sorted(read(head.streams).items()):
            waiting = ahead.setdefault(stream, deque())
            while reached.get(stream, 0) < last:
                start = reached.get(stream, 0)
                if not waiting:  # a short query each time: a cursor per stream could be thousands
                    waiting.extend(store.read(stream, after=start, until=start + READ_AHEAD))
                if not waiting:
                    raise Damaged(stream, start + 1, "is missing: a head names it")
                rows.append(waiting.popleft())
                reached[stream] = rows[-1].sequence
        yield head, rows


def event_line(row: Row) -> str:
    """One event, its data as an object."""
    record = {name: getattr(row, name) for name in Row._fields}
    return canonical({**record, "type": "event", "data": msgspec.Raw(row.data.encode())})


def head_line(head: Head) -> str:
    """One head, its streams as an object."""
    record = head._asdict()
    return canonical({**record, "type": "head", "streams": msgspec.Raw(head.streams.encode())})


def import_log(source: IO[bytes], store: Store) -> dict[str, int]:
    """Fill an empty database from an export; nothing is kept of one that does not check."""
    if store.head() is not None or store.houses():
        raise LedgerError("an import needs an empty database; this one has a record")
    log = verifier.Log()
    try:
        with store.writing() as connection:
            for number, line in enumerate(source, start=1):
                try:
                    record = log.take(line.decode().removesuffix("\n"))
                except (verifier.Broken, UnicodeDecodeError) as broken:
                    raise LedgerError(f"line {number}: {broken}") from None
                _keep(connection, record)
            if not log.ended:
                raise LedgerError("the log breaks off")
    except sa.exc.SQLAlchemyError as error:
        raise StoreFailed(f"the import could not be stored: {schema.reason(error)}") from error
    return log.counts


def _keep(connection: sa.Connection, record: dict[str, Any]) -> None:
    match record["type"]:
        case "house":
            insert(connection, "house", [(record["digest"], verifier.canonical(record["terms"]))])
        case "event":
            record["data"] = verifier.canonical(record["data"])
            insert(connection, "event", [tuple(record[name] for name in Row._fields)])
        case "head":
            record["streams"] = verifier.canonical(record["streams"])
            insert(connection, "head", [tuple(record[name] for name in Head._fields)])


def export_file(database: str | Path, target: str | Path) -> dict[str, int]:
    """Export a database to a file."""
    with Store(database, create=False) as store, open(target, "wb") as file:
        return export(store, file)


def import_file(source: str | Path, database: str | Path) -> dict[str, int]:
    """Import a file into a new database."""
    with open(source, "rb") as file, Store(database) as store:
        return import_log(file, store)
