"""Atomic, durable creation of files: write a temporary file, fsync, link; never overwrite."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.ledger.errors import LedgerError, printable


def check_new_path(path: str | Path) -> Path:
    """Return a path at which a file can be created, or raise."""
    path = Path(path)
    name = printable(str(path))
    if path.exists() or path.is_symlink():
        raise LedgerError(f"{name} exists already; nothing is overwritten")
    for suffix in ("-wal", "-shm", "-journal"):
        if path.name.endswith(suffix):
            raise LedgerError(f"{name} is a name that SQLite uses for its own files")
    for suffix in ("-wal", "-journal", "-seal"):
        if path.with_name(path.name + suffix).exists():
            raise LedgerError(f"{name}{suffix} belongs to a ledger that was here; rename it first")
    if not path.parent.is_dir():
        raise LedgerError(f"{printable(str(path.parent))} is not a folder")
    return path


@contextmanager
def new_file(path: str | Path, *, mode: int = 0o600) -> Iterator[Path]:
    """Yield an empty temporary file, renamed to `path` on success and deleted on an error.

    Only its owner can read it, unless `mode` says otherwise: copies of a ledger have the cards
    that lie face down.
    """
    path = check_new_path(path)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        yield temporary
        fsync_path(temporary)
        rename_new(temporary, path)
        fsync_path(path.parent)
    except OSError as error:
        raise LedgerError(f"{printable(str(path))} cannot be written: {error.strerror}") from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                temporary.with_name(temporary.name + suffix).unlink()


def rename_new(temporary: Path, path: Path) -> None:
    """Rename without overwriting a file that was created meanwhile."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise LedgerError(
            f"{printable(str(path))} exists already; nothing is overwritten"
        ) from None
    except OSError:  # a file system without hard links
        check_new_path(path)
        os.rename(temporary, path)


def fsync_path(path: Path) -> None:
    """Flush a file or a folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
