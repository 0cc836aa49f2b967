"""Export, import, archive, backup and restore of a ledger; proofs of rounds."""

from __future__ import annotations

import datetime as dt
import secrets
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from croupier.clock import now_ms
from croupier.ledger import entry_codec, round_index
from croupier.ledger.aggregates import administration, aggregate_types
from croupier.ledger.aggregates.administration import RestoreLedger
from croupier.ledger.errors import LedgerError, NotFound, StoreFailed, printable
from croupier.ledger.ledger import Ledger
from croupier.ledger.log import Entry, Store, TreeHead
from croupier.ledger.log.database.seal import read_seal, reset_seal
from croupier.ledger.log.database.url import DatabaseLocation, parse_location
from croupier.ledger.log.transfer import backup, jsonl
from croupier.ledger.log.transfer.atomic_file import (
    check_new_path,
    fsync_path,
    new_file,
    rename_new,
)
from croupier.ledger.log.transfer.jsonl import Progress
from croupier.ledger.log.transparency import proofs
from croupier.ledger.queries.periods import verified_size
from croupier.ledger.queries.rounds import RebuiltRound, check_over
from croupier.table import Account, Envelope, epoch_ms

ACCOUNTS = ".people"  # suffix of the accounts database of an SQLite ledger
KEYS = ".keys"  # suffix of the folder with the signing keys of a backup

INDEX_TERMS = round_index.expected_index_words

# The files that each part of a backup replaces, by suffix.
_FILES = {
    "": ("", "-wal", "-shm", "-journal", "-seal"),
    ACCOUNTS: (ACCOUNTS, f"{ACCOUNTS}-wal", f"{ACCOUNTS}-shm", f"{ACCOUNTS}-journal"),
    KEYS: (KEYS,),
}


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
    return jsonl.import_file(path, place, more=more, index_terms=INDEX_TERMS, progress=progress)


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
    place: DatabaseLocation,
    path: str | Path,
    *,
    keys: Sequence[Path] = (),
    progress: Progress | None = None,
) -> TreeHead:
    """Copy a ledger that may be in use to a new SQLite file.

    The accounts of an SQLite ledger are copied to PATH.people, and the key files `keys` to the
    folder PATH.keys. The ledger is last: if it is there, the backup is complete.
    """
    path, file = Path(path), parse_location(place).file
    for suffix in ("", ACCOUNTS, KEYS):
        check_new_path(f"{path}{suffix}")
    with ExitStack() as undo:
        undo.callback(_remove, path, ACCOUNTS, KEYS)
        if file is not None and _beside(file, ACCOUNTS).exists():
            _copy_accounts(_beside(file, ACCOUNTS), _beside(path, ACCOUNTS))
        if keys:
            _copy_keys(keys, _beside(path, KEYS))
        head = backup.backup(place, path, index_terms=INDEX_TERMS, progress=progress)
        undo.pop_all()
    return head


def restore_from(
    path: str | Path,
    place: DatabaseLocation,
    *,
    by: Account,
    at: dt.datetime | int | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> TreeHead:
    """Create a ledger from a backup, with its accounts and keys if it is an SQLite file.

    The restoration is the last entry, and the seal starts again with it. `replace` allows a ledger
    at this place: its files are renamed to NAME.replaced-TIME, and the entry says how many entries
    its seal confirmed.
    """
    path, address = Path(path), parse_location(place)
    file = address.file
    with Store(path, create=False, readonly=True) as store:
        sealed = _sealed_size(file) if file is not None else 0
        entry = _restored_entry(store, path.name, sealed, by, at)
        size = store.head().size
    if file is None:
        return backup.restore(
            path, address, index_terms=INDEX_TERMS, entry=entry, progress=progress
        )
    present = [suffix for suffix in ("", ACCOUNTS, KEYS) if _beside(path, suffix).exists()]
    replaced = [
        name for suffix in present for name in _FILES[suffix] if _beside(file, name).exists()
    ]
    if replaced and not replace:
        name = printable(str(_beside(file, replaced[0])))
        ahead = f" {printable(str(file))} once had {sealed} entries, the backup has {size}."
        raise LedgerError(
            f"{name} exists already; nothing is overwritten.{ahead if sealed else ''} To restore "
            "here, stop the server and use --replace, which renames the present files"
        )
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}.restored")
    try:
        head = backup.restore(path, fresh, index_terms=INDEX_TERMS, entry=entry, progress=progress)
        if ACCOUNTS in present:
            _copy_accounts(_beside(path, ACCOUNTS), _beside(fresh, ACCOUNTS))
        if KEYS in present:
            _copy_keys(sorted(_beside(path, KEYS).iterdir()), _beside(fresh, KEYS))
        aside = f"{file.name}.replaced-{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%SZ}"
        for suffix in replaced:
            _beside(file, suffix).rename(_beside(file.with_name(aside), suffix))
        if KEYS in present:
            _beside(fresh, KEYS).rename(_beside(file, KEYS))
        if ACCOUNTS in present:
            rename_new(_beside(fresh, ACCOUNTS), _beside(file, ACCOUNTS))
        rename_new(fresh, file)
        reset_seal(file, head)
        fsync_path(file.parent)
    except OSError as error:
        raise LedgerError(f"{printable(str(file))}: cannot be restored: {error}") from error
    finally:
        _remove(fresh, *chain(*_FILES.values()))
    return head


def accounts_file(place: DatabaseLocation) -> Path | None:
    """Where the accounts of an SQLite ledger are; those of PostgreSQL are in its database."""
    file = parse_location(place).file
    return _beside(file, ACCOUNTS) if file is not None else None


def other_parts(path: Path, place: DatabaseLocation) -> list[Path]:
    """Where the accounts and keys of a backup are beside an SQLite ledger, if it has them."""
    file = parse_location(place).file
    if file is None:
        return []
    return [_beside(file, part) for part in (ACCOUNTS, KEYS) if _beside(path, part).exists()]


def _restored_entry(
    store: Store, name: str, sealed: int, by: Account, at: dt.datetime | int | None
) -> Entry:
    stream, head = administration.STREAM, store.head()
    state, sequence, _ = aggregate_types.recover(store, stream, aggregate_types.no_house)
    command = RestoreLedger(backup=name, size=head.size, root=head.root.hex(), sealed=sealed)
    moment = now_ms() if at is None else epoch_ms(at)
    envelope = Envelope(entry_codec.new_id(), by, moment, command)
    return entry_codec.encode_entry(stream, sequence + 1, envelope, state.decide(envelope))


def _sealed_size(file: Path) -> int:
    """The number of entries that the seal at a place confirms; 0 if there is no usable seal."""
    with suppress(StoreFailed):
        sealed = read_seal(file)
        return sealed.size if sealed is not None else 0
    return 0


def _copy_accounts(source: Path, target: Path) -> None:
    """Copy an accounts database that may be in use; only its owner can read the copy."""
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as accounts,
            new_file(target) as temporary,
        ):
            backup.copy_pages(accounts, temporary)
    except sqlite3.Error as error:
        raise StoreFailed(f"{printable(str(source))} cannot be copied: {error}") from error


def _copy_keys(files: Sequence[Path], folder: Path) -> None:
    folder.mkdir(mode=0o700)
    for file in files:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise LedgerError(f"{printable(str(file))}: {error.strerror}") from error
        with new_file(folder / file.name) as temporary:
            temporary.write_bytes(content)


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)


def _remove(file: Path, *suffixes: str) -> None:
    """Remove what an operation that failed has written."""
    for suffix in suffixes:
        path = _beside(file, suffix)
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def write_round_proof(store: Store, built: RebuiltRound, note: str, path: str | Path) -> None:
    """Write a round and the proof that a signed checkpoint covers it to a new file."""
    check_over(built)
    content = proofs.build_proof(store, built.positions, note, houses=[built.house])
    with new_file(path) as temporary:
        temporary.write_bytes(content)
