"""Seal of an SQLite ledger: how far the log had come, in a file of its own (NAME-seal).

SQLite silently ignores everything behind a damaged place in its write-ahead log, and all of it if
the log is gone. The writer therefore notes size and root of the log after each commit, and the
next opening compares:

    commit (synced) --> write NAME-seal --> answer the caller        once a second: sync NAME-seal

The seal is never ahead of the database, so a crash raises no false alarm. It is written without a
sync: it survives the end of the process at once, and a power cut up to the last second.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from croupier.ledger.log.transparency.stored_tree import StoredTree, TreeHead

SYNC_SECONDS = 1.0
_BLOCK = 4096  # two blocks, written in turn: a torn write leaves the other one


class SealedHead(NamedTuple):
    """Size and root of a log at its last commit."""

    size: int
    root: bytes


def seal_path(file: Path) -> Path:
    """The seal of an SQLite file."""
    file = file.resolve()
    return file.with_name(f"{file.name}-seal")


def read_seal(file: Path) -> SealedHead | None:
    """The later of the two blocks; None if there is no valid one."""
    try:
        content = seal_path(file).read_bytes()
    except FileNotFoundError:
        return None
    heads = [_decode(content[start : start + _BLOCK]) for start in (0, _BLOCK)]
    return max((head for head in heads if head is not None), default=None)


def seal_problem(sealed: SealedHead, tree: StoredTree) -> str:
    """Why a log is not the one that was sealed, or a longer one; empty if it is."""
    return tree.extension_problem(sealed.size, sealed.root)


def reset_seal(file: Path, head: TreeHead) -> None:
    """Replace the seal, when a ledger is restored from a backup."""
    seal_path(file).unlink(missing_ok=True)
    seal = Seal(file)
    seal.write(head)
    seal.close()


class Seal:
    """The seal of one writer. Its methods are called by the writer's thread."""

    def __init__(self, file: Path) -> None:
        self._handle = os.open(seal_path(file), os.O_RDWR | os.O_CREAT, 0o600)
        if os.fstat(self._handle).st_size < 2 * _BLOCK:
            os.pwrite(self._handle, bytes(2 * _BLOCK), 0)  # later writes need no more space
        self._turn = 0
        self._unsynced = False
        self._synced_at = time.monotonic()

    def write(self, head: TreeHead) -> None:
        """Note a commit that is durable."""
        os.pwrite(self._handle, _encode(head), self._turn * _BLOCK)
        self._turn = 1 - self._turn
        self._unsynced = True
        self.sync_if_due()

    @property
    def seconds_to_sync(self) -> float | None:
        """When `sync_if_due` has to be called; None if everything is synced."""
        if not self._unsynced:
            return None
        return max(0.0, self._synced_at + SYNC_SECONDS - time.monotonic())

    def sync_if_due(self) -> None:
        """Sync if there is something to sync, once a second."""
        if self.seconds_to_sync == 0.0:
            os.fsync(self._handle)
            self._synced_at, self._unsynced = time.monotonic(), False

    def close(self) -> None:
        """Sync and close."""
        with suppress(OSError):
            os.fsync(self._handle)
        os.close(self._handle)


def _encode(head: TreeHead) -> bytes:
    text = f"{head.size} {head.root.hex()} {head.time}"
    return f"{text} {sha256(text.encode()).hexdigest()}\n".encode().ljust(_BLOCK, b"\n")


def _decode(block: bytes) -> SealedHead | None:
    with suppress(ValueError, UnicodeDecodeError):
        text, _, digest = block.decode().strip().rpartition(" ")
        if sha256(text.encode()).hexdigest() == digest:
            size, root, _ = text.split(" ")
            return SealedHead(int(size), bytes.fromhex(root))
    return None
