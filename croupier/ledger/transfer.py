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
from croupier.ledger.log import Head, Store
from croupier.ledger.log.database.url import Place
from croupier.ledger.log.transfer import backup, jsonl
from croupier.ledger.log.transfer.jsonl import Progress
from croupier.ledger.log.transparency import proofs
from croupier.ledger.queries.periods import verified_size
from croupier.ledger.queries.rounds import RebuiltRound

RETENTION_YEARS = 5  # COMAR 36.03.10.08: how long records are kept


def message_schemas() -> Iterator[dict[str, Any]]:
    """The shape of every kind of command and event, so that an export explains itself."""
    for what, kinds in (("command", ent.ALL_COMMANDS), ("event", ent.ALL_EVENTS)):
        for kind in kinds:
            tag = kind.__struct_config__.tag
            yield {"kind": tag, "of": what, "shape": msgspec.json.schema(kind)}


def export_file(
    ledger: Ledger, path: str | Path, *, progress: Progress | None = None
) -> dict[str, int]:
    """Write the whole record as JSON Lines to a new file; returns the lines of each type."""
    return jsonl.export_file(ledger.store, path, schemas=message_schemas(), progress=progress)


def import_file(
    path: str | Path,
    place: Place,
    *,
    more: Sequence[str | Path] = (),
    progress: Progress | None = None,
) -> dict[str, int]:
    """Build a new ledger out of an export; nothing is left of one that does not check.

    `more` are the archives that continue it, such as those of later years.
    """
    return jsonl.import_file(path, place, more=more, marks=ent.expected_index_words, progress=progress)


def archive_days(
    ledger: Ledger, path: str | Path, *, first: str, last: str, progress: Progress | None = None
) -> dict[str, int]:
    """Write the stretch from one gaming day to another, both closed, with its signed checkpoint."""
    found = ledger.read_administration()
    for day in (first, last):
        administration.parse_day(day)
    if first > last:
        raise LedgerError(f"{first} is after {last}")
    closed = found.days.get(last)
    note = found.notes.get(last, [])
    if closed is None or not note:
        raise NotFound(f"day {last} has not been closed and signed")
    verified_size(ledger)
    start = max((day.size for name, day in found.days.items() if name < first), default=0)
    return backup.archive(
        ledger.store, path, note[0], schemas=message_schemas(), start=start, progress=progress
    )


def backup_to(place: Place, path: str | Path, *, progress: Progress | None = None) -> Head:
    """Copy a ledger that is in use to a new SQLite file."""
    return backup.backup(place, path, progress=progress)


def restore_from(path: str | Path, place: Place, *, progress: Progress | None = None) -> Head:
    """Build a new ledger out of a backup."""
    return backup.restore(path, place, progress=progress)


def write_round_proof(store: Store, hand: RebuiltRound, note: str, path: str | Path) -> None:
    """Write a hand with the proof that it is in the log of a signed checkpoint, to a new file."""
    proofs.write_proof(store, hand.positions, note, path, houses=[hand.house])
