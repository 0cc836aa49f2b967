"""Copies of the record: export, import, backup, restore, archive, with what tables need of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import administration
from croupier.ledger.errors import LedgerError, NotFound
from croupier.ledger.ledger import Ledger
from croupier.ledger.log import Store, TreeHead
from croupier.ledger.log.database.url import DatabaseLocation
from croupier.ledger.log.transfer import backup, jsonl
from croupier.ledger.log.transfer.loader import Progress
from croupier.ledger.log.transparency import proofs
from croupier.ledger.queries.periods import whole
from croupier.ledger.queries.rounds import RebuiltRound

RETENTION_YEARS = 5  # COMAR 36.03.10.08: how long records are kept


def shapes() -> Iterator[dict[str, Any]]:
    """The shape of every kind of command and event, so that an export explains itself."""
    for what, kinds in (("command", ent.ALL_COMMANDS), ("event", ent.ALL_EVENTS)):
        for kind in kinds:
            tag = kind.__struct_config__.tag
            yield {"kind": tag, "of": what, "shape": msgspec.json.schema(kind)}


def export_file(
    ledger: Ledger, path: str | Path, *, progress: Progress | None = None
) -> dict[str, int]:
    """Write the whole record as JSON Lines to a new file; returns the lines of each type."""
    return jsonl.export_file(ledger.store, path, schemas=shapes(), progress=progress)


def import_file(
    path: str | Path,
    place: DatabaseLocation,
    *,
    more: Sequence[str | Path] = (),
    progress: Progress | None = None,
) -> dict[str, int]:
    """Build a new ledger out of an export; nothing is left of one that does not check.

    `more` are the archives that continue it, such as those of later years.
    """
    return jsonl.import_file(
        path, place, more=more, index_terms=ent.stored_marks, progress=progress
    )


def archive_days(
    ledger: Ledger, path: str | Path, *, first: str, last: str, progress: Progress | None = None
) -> dict[str, int]:
    """Write the stretch from one gaming day to another, both closed, with its signed checkpoint."""
    found = ledger.read_office()
    for day in (first, last):
        administration.check_day(day)
    if first > last:
        raise LedgerError(f"{first} is after {last}")
    closed = found.days.get(last)
    note = found.notes.get(last, [])
    if closed is None or not note:
        raise NotFound(f"day {last} has not been closed and signed")
    whole(ledger)
    start = max((day.size for name, day in found.days.items() if name < first), default=0)
    return backup.archive(
        ledger.store, path, note[0], schemas=shapes(), start=start, progress=progress
    )


def backup_to(
    place: DatabaseLocation, path: str | Path, *, progress: Progress | None = None
) -> TreeHead:
    """Copy a ledger that is in use to a new SQLite file."""
    return backup.backup(place, path, progress=progress)


def restore_from(
    path: str | Path, place: DatabaseLocation, *, progress: Progress | None = None
) -> TreeHead:
    """Build a new ledger out of a backup."""
    return backup.restore(path, place, progress=progress)


def prove_hand(store: Store, hand: RebuiltRound, note: str, path: str | Path) -> None:
    """Write a hand with the proof that it is in the log of a signed checkpoint, to a new file."""
    proofs.write_proof(store, hand.positions, note, path, houses=[hand.house])
