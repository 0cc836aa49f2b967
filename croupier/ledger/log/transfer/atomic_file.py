"""New files: written beside, made durable, then given their name; nothing is ever overwritten."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.ledger.errors import LedgerError, shown


def check_new_path(path: str | Path) -> Path:
    """A path at which nothing stands and something can be written; refused otherwise."""
    path = Path(path)
    told = shown(str(path))
    if path.exists() or path.is_symlink():
        raise LedgerError(f"{told} exists already; nothing is overwritten")
    for suffix in ("-wal", "-shm", "-journal"):
        if path.name.endswith(suffix):
            raise LedgerError(f"{told} is a name that a database keeps for itself")
    if not path.parent.is_dir():
        raise LedgerError(f"{shown(str(path.parent))} is no folder to write to")
    return path


@contextmanager
def new_file(path: str | Path) -> Iterator[Path]:
    """A path to write to, which becomes the file if all goes well and leaves nothing if not."""
    path = check_new_path(path)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield beside
        fsync_path(beside)
        _name(beside, path)
        fsync_path(path.parent)
    except OSError as error:
        raise LedgerError(f"{shown(str(path))} cannot be written: {error.strerror}") from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                beside.with_name(beside.name + suffix).unlink()


def _name(beside: Path, path: Path) -> None:
    """Give a file its name unless another has got it in the meantime."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise LedgerError(f"{shown(str(path))} exists already; nothing is overwritten") from None
    except OSError:  # a file system without links
        check_new_path(path)
        os.rename(beside, path)


def fsync_path(path: Path) -> None:
    """Make a file or a folder durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
