"""Backup, restore and archive: self-contained copies of a log."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from croupier.ledger.errors import LedgerError, StoreFailed, printable
from croupier.ledger.log.database.database import failures
from croupier.ledger.log.database.seal import reset_seal
from croupier.ledger.log.database.url import DatabaseLocation, parse_location
from croupier.ledger.log.entry import Entry
from croupier.ledger.log.store import Store
from croupier.ledger.log.transfer import jsonl
from croupier.ledger.log.transfer.atomic_file import check_new_path, new_file
from croupier.ledger.log.transfer.jsonl import IndexFunction, Progress, no_index_terms
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.ledger.log.transparency.stored_tree import TreeHead


def backup(
    location: DatabaseLocation,
    path: str | Path,
    *,
    index_terms: IndexFunction = no_index_terms,
    progress: Progress | None = None,
) -> TreeHead:
    """Copy a ledger that may be in use to a new SQLite file; returns its tree head.

    The copy is itself a ledger, with a seal: it can be verified, reported on and restored from.
    """
    check_new_path(path)
    with Store(location, create=False, readonly=True) as store, new_file(path) as temporary:
        if store.dialect == "sqlite":
            with store.database.connection() as connection:
                copy_pages(connection.raw, temporary)
        else:
            temporary.unlink()  # the import creates it
            jsonl.import_lines(
                jsonl.with_end_line(jsonl.export_lines(store, progress=progress), {}),
                temporary,
                index_terms=index_terms,
            )
        with Store(temporary, create=False, readonly=True) as copy:
            head = copy.head()
            problem = store.tree.extension_problem(head.size, head.root) if head.size else ""
        if problem:
            raise StoreFailed(f"the copy differs from the ledger: {problem}")
    reset_seal(Path(path), head)
    return head


def restore(
    path: str | Path,
    location: DatabaseLocation,
    *,
    index_terms: IndexFunction = no_index_terms,
    entry: Entry | None = None,
    progress: Progress | None = None,
) -> TreeHead:
    """Create a ledger from a backup, verified line by line; returns its tree head.

    `entry` is appended to it, in the same transaction.
    """
    address = parse_location(location)
    if address.file is not None:
        check_new_path(address.file)
    with Store(Path(path), create=False, readonly=True) as store:
        saved = store.head()
        jsonl.import_lines(
            jsonl.with_end_line(jsonl.export_lines(store, end=saved.size), {}),
            address,
            index_terms=index_terms,
            progress=progress,
            entry=entry,
        )
    with Store(address, create=False, readonly=True) as restored:
        head = restored.head()
        differs = restored.tree.extension_problem(saved.size, saved.root)
    if differs or head.size != saved.size + (entry is not None):
        raise StoreFailed(f"the backup ends with {saved}, the restored ledger with {head}")
    return head


def archive(
    store: Store, path: str | Path, note: str, *, start: int = 0, **options: Any
) -> dict[str, int]:
    """Export the log from `start` up to a signed checkpoint, such as that of a closed year.

    The archive can be verified against the checkpoint; its header says what it continues.
    """
    signed = checkpoint.parse(signed_note.parse(note).text)
    checkpoint.check_extends(store.tree, signed)
    if not 0 <= start < signed.size:
        raise LedgerError(
            f"there is nothing between entry {start} and the checkpoint of {signed.size}"
        )
    return jsonl.export_file(store, path, start=start, end=signed.size, note=note, **options)


def copy_pages(source: sqlite3.Connection, path: Path) -> None:
    """SQLite's online backup, in one step, which is consistent and blocks no writer."""
    with (
        failures(f"{printable(str(path))}: the backup failed"),
        closing(sqlite3.connect(path, isolation_level=None)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
