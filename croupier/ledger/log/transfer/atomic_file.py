"""New files: written beside, made durable, then given their name; nothing is ever overwritten."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.ledger.errors import LedgerError, printable


def check_new(path: str | Path) -> Path:
    """A path at which nothing stands and something can be written; refused otherwise."""
    path = Path(path)
    told = printable(str(path))
    if path.exists() or path.is_symlink():
        raise LedgerError(f"{told} exists already; nothing is overwritten")
    for suffix in ("-wal", "-shm", "-journal"):
        if path.name.endswith(suffix):
            raise LedgerError(f"{told} is a name that a database keeps for itself")
    if not path.parent.is_dir():
        raise LedgerError(f"{printable(str(path.parent))} is no folder to write to")
    return path


@contextmanager
def new_file(path: str | Path) -> Iterator[Path]:
    """A path to write to, which becomes the file if all goes well and leaves nothing if not."""
    path = check_new(path)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield beside
        sync(beside)
        _name(beside, path)
        sync(path.parent)
    except OSError as error:
        raise LedgerError(f"{printable(str(path))} cannot be written: {error.strerror}") from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                beside.with_name(beside.name + suffix).unlink()


def _name(beside: Path, path: Path) -> None:
    """Give a file its name unless another has got it in the meantime."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise LedgerError(f"{printable(str(path))} exists already; nothing is overwritten") from None
    except OSError:  # a file system without links
        check_new(path)
        os.rename(beside, path)


def sync(path: Path) -> None:
    """Make a file or a folder durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
