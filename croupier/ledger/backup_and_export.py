"""Export, import, archive, backup and restore of a ledger; proofs of rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from croupier.ledger import entry_codec
from croupier.ledger.aggregates import administration
from croupier.ledger.errors import LedgerError, NotFound
from croupier.ledger.ledger import Ledger
from croupier.ledger.log import Store, TreeHead
from croupier.ledger.log.database.url import DatabaseLocation
from croupier.ledger.log.transfer import backup, jsonl
from croupier.ledger.log.transfer.loader import Progress
from croupier.ledger.log.transparency import proofs
from croupier.ledger.queries.periods import verified_size
from croupier.ledger.queries.rounds import RebuiltRound


def message_schemas() -> Iterator[dict[str, Any]]:
    """The JSON schema of every command and event, so that an export is self-describing."""
    for category, kinds in (
        ("command", entry_codec.ALL_COMMANDS),
        ("event", entry_codec.ALL_EVENTS),
    ):
        for kind in kinds:
            tag = kind.__struct_config__.tag
            yield {"kind": tag, "of": category, "shape": msgspec.json.schema(kind)}


def export_file(
    ledger: Ledger, path: str | Path, *, progress: Progress | None = None
) -> dict[str, int]:
    """Write the whole log as JSON Lines to a new file; returns the number of lines by type."""
    return jsonl.export_file(ledger.store, path, schemas=message_schemas(), progress=progress)


def import_file(
    path: str | Path,
    place: DatabaseLocation,
    *,
    more: Sequence[str | Path] = (),
    progress: Progress | None = None,
) -> dict[str, int]:
    """Create a ledger from an export; if the export does not verify, nothing is created.

    `more` are archives that continue it, for example those of later years.
    """
    return jsonl.import_file(
        path, place, more=more, index_terms=entry_codec.expected_index_words, progress=progress
    )


def archive_days(
    ledger: Ledger, path: str | Path, *, first: str, last: str, progress: Progress | None = None
) -> dict[str, int]:
    """Write the log from one closed gaming day through another, with its signed checkpoint."""
    state = ledger.read_administration()
    for day in (first, last):
        administration.parse_day(day)
    if first > last:
        raise LedgerError(f"{first} is after {last}")
    closed = state.days.get(last)
    notes = state.notes.get(last)
    if closed is None or not notes:
        raise NotFound(f"day {last} has not been closed and signed")
    verified_size(ledger)
    start = max((day.size for name, day in state.days.items() if name < first), default=0)
    return backup.archive(
        ledger.store, path, notes[0], schemas=message_schemas(), start=start, progress=progress
    )


def backup_to(
    place: DatabaseLocation, path: str | Path, *, progress: Progress | None = None
) -> TreeHead:
    """Copy a ledger to a new SQLite file; it may be in use."""
    return backup.backup(place, path, progress=progress)


def restore_from(
    path: str | Path, place: DatabaseLocation, *, progress: Progress | None = None
) -> TreeHead:
    """Create a ledger from a backup."""
    return backup.restore(path, place, progress=progress)


def write_round_proof(store: Store, built: RebuiltRound, note: str, path: str | Path) -> None:
    """Write a round and the proof that a signed checkpoint covers it to a new file."""
    proofs.write_proof(store, built.positions, note, path, houses=[built.house])
