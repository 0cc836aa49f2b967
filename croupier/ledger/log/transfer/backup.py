"""Backup, restore and archive: copies of the record that can be used, and proved, by themselves."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from croupier.ledger.errors import LedgerError, StoreFailed, printable
from croupier.ledger.log.database.pool import reason
from croupier.ledger.log.database.url import Place, parse
from croupier.ledger.log.entry import Stored
from croupier.ledger.log.store import Store
from croupier.ledger.log.transfer import jsonl
from croupier.ledger.log.transfer.atomic_file import check_new, new_file
from croupier.ledger.log.transfer.jsonl import Progress
from croupier.ledger.log.transfer.loader import Marks
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.ledger.log.transparency.stored_tree import Head

_MARKS = 5_000  # entries whose marks are fetched at a time


def backup(place: Place, path: str | Path, *, progress: Progress | None = None) -> Head:
    """Copy a ledger that is in use to a new SQLite file; returns the head that it ends with.

    The copy is a ledger: it can be verified, reported on and restored from.
    """
    check_new(path)
    with Store(place, create=False, readonly=True) as store, new_file(path) as beside:
        if store.dialect == "sqlite":
            _copy_pages(store, beside)
        else:
            jsonl.import_lines(
                jsonl.ended(jsonl.lines(store, progress=progress), {}),
                beside,
                marks=marks_of(store),
            )
        with Store(beside, create=False, readonly=True) as copy:
            head = copy.head()
            problem = store.tree.extends(head.size, head.root) if head.size else ""
    if problem:
        raise StoreFailed(f"the copy differs from the ledger: {problem}")
    return head


def restore(path: str | Path, place: Place, *, progress: Progress | None = None) -> Head:
    """Build a new ledger out of a backup, checked line by line; returns the head it ends with."""
    address = parse(place)
    if address.file is not None:
        check_new(address.file)
    with Store(Path(path), create=False, readonly=True) as store:
        expected = store.head()
        jsonl.import_lines(
            jsonl.ended(jsonl.lines(store), {}),
            address,
            marks=marks_of(store),
            progress=progress,
        )
    with Store(address, create=False, readonly=True) as restored:
        head = restored.head()
    if head != expected:
        raise StoreFailed(f"the backup ends with {expected}, what was restored with {head}")
    return head


def archive(
    store: Store,
    path: str | Path,
    note: str,
    *,
    schemas: Iterable[Mapping[str, Any]] = (),
    start: int = 0,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Write the stretch of the record up to a signed checkpoint, such as a closed year's.

    It proves itself by that checkpoint, and says by its first line what it continues.
    """
    kept = checkpoint.read(signed_note.parse(note).text)
    checkpoint.check_extends(store.tree, kept)
    if not 0 <= start < kept.size:
        raise LedgerError(f"nothing lies between entry {start} and the checkpoint of {kept.size}")
    return jsonl.export_file(
        store, path, schemas=schemas, start=start, end=kept.size, note=note, progress=progress
    )


def marks_of(store: Store) -> Marks:
    """The marks that a store has, to be taken over with its entries."""
    page: dict[int, set[tuple[str, str, int]]] = {}
    known = 0

    def found(stored: Stored) -> Iterable[tuple[str, int]]:
        nonlocal page, known
        if stored.position >= known:
            known = stored.position + _MARKS
            page = store.marks(stored.position, known)
        return [(word, number) for _, word, number in page.get(stored.position, ())]

    return found


def _copy_pages(store: Store, path: Path) -> None:
    """SQLite's own way: one step, so that it is one state, and nobody who writes has to wait."""
    with store.connections.lent() as source:
        assert isinstance(source, sqlite3.Connection)
        try:
            target = sqlite3.connect(path, isolation_level=None)
            try:
                source.backup(target)
                target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                target.close()
        except sqlite3.Error as error:
            raise StoreFailed(f"{printable(str(path))}: no backup: {reason(error)}") from error
