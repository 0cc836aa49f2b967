"""Seal of an SQLite ledger: how far the log had come, in a file of its own (NAME-seal).

SQLite silently ignores everything behind a damaged place in its write-ahead log, and all of it if
the log is gone. The writer therefore notes size and root of the log after each commit, and the
next opening compares:

    commit (synced) --> write NAME-seal --> answer the caller        once a second: sync NAME-seal

The seal is never ahead of the database, so a crash raises no false alarm. It is written without a
sync: it survives the end of the process at once, and a power cut up to the last second.
"""

from __future__ import annotations

import errno
import itertools
import os
import time
from contextlib import closing, suppress
from fcntl import LOCK_EX, LOCK_UN, flock
from hashlib import sha256
from pathlib import Path

from croupier.ledger.errors import StoreFailed, printable
from croupier.ledger.log.database.sqlite import inode
from croupier.ledger.log.transfer.atomic_file import fsync_path
from croupier.ledger.log.transparency.stored_tree import EMPTY_HEAD, TreeHead

SYNC_SECONDS = 1.0
# Each writer has two blocks, which it writes in turn: a torn write leaves the other one. Writers of
# other processes have other blocks, so that none moves the seal back; the largest size counts.
_BLOCK = 512
_WRITERS = 8
_LENGTH = 2 * _WRITERS * _BLOCK
_opened = itertools.count()


def seal_path(file: Path) -> Path:
    """The seal of an SQLite file."""
    file = file.resolve()
    return file.with_name(f"{file.name}-seal")


def read_seal(file: Path) -> TreeHead | None:
    """The last commit that the seal confirms; None if there is no seal, or nothing in it yet."""
    path = seal_path(file)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    sealed = _decode(content)
    if sealed.size:
        return sealed
    if any(content):
        name = printable(str(path))
        raise StoreFailed(
            f"{name} is damaged: it cannot confirm that the ledger is complete. Compare the ledger "
            f"with the latest checkpoint (croupier audit verify --checkpoint); then rename {name}"
        )
    return None


def reset_seal(file: Path, head: TreeHead) -> None:
    """Replace the seal, when a ledger is restored from a backup."""
    seal_path(file).unlink(missing_ok=True)
    with closing(Seal(file)) as seal:
        seal.write(head)


class Seal:
    """The seal of one writer. Its methods are called by the writer's thread."""

    def __init__(self, file: Path) -> None:
        self._path = str(seal_path(file))
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        self._inode = inode(self._path)
        self._block = 2 * ((os.getpid() + next(_opened)) % _WRITERS)
        self._size = 0  # of the last commit noted here
        self._synced_at = time.monotonic()
        try:
            flock(self._handle, LOCK_EX)
            if os.fstat(self._handle).st_size < _LENGTH:
                self._create(os.stat(file))
            flock(self._handle, LOCK_UN)
        except BaseException:
            os.close(self._handle)
            raise

    def _create(self, ledger: os.stat_result) -> None:
        """Allocate the blocks, so that later writes need no space; same owner as the ledger."""
        with suppress(PermissionError):  # only root can give a file away
            os.fchown(self._handle, ledger.st_uid, ledger.st_gid)
        os.fchmod(self._handle, ledger.st_mode & 0o777)
        os.pwrite(self._handle, bytes(_LENGTH), 0)
        os.fsync(self._handle)
        fsync_path(Path(self._path).parent)

    @property
    def size(self) -> int:
        """The number of entries that the seal confirms."""
        return _decode(os.pread(self._handle, _LENGTH, 0)).size

    def write(self, head: TreeHead) -> None:
        """Note a commit that is durable; sync once a second.

        Call it again when nothing is committed: it also syncs what was written before.
        """
        if head.size > self._size:
            os.pwrite(self._handle, _encode(head), self._block * _BLOCK)
            self._block ^= 1
            self._size = head.size
        if time.monotonic() >= self._synced_at + SYNC_SECONDS:
            self._synced_at = time.monotonic()
            os.fsync(self._handle)
        if inode(self._path) != self._inode:
            problem = "removed or replaced; restart the server"
            raise FileNotFoundError(errno.ENOENT, problem, self._path)

    def close(self) -> None:
        """Sync and close."""
        with suppress(OSError):
            os.fsync(self._handle)
        os.close(self._handle)


def _encode(head: TreeHead) -> bytes:
    text = f"{head.size} {head.root.hex()} {head.time}"
    return f"{text} {sha256(text.encode()).hexdigest()}\n".encode().ljust(_BLOCK, b"\n")


def _decode(content: bytes) -> TreeHead:
    """The largest commit in the blocks; one that is damaged or was never written is ignored."""
    heads = [EMPTY_HEAD]
    for start in range(0, len(content), _BLOCK):
        with suppress(ValueError):  # includes UnicodeDecodeError
            text, _, digest = content[start : start + _BLOCK].decode().strip().rpartition(" ")
            if sha256(text.encode()).hexdigest() == digest:
                size, root, moment = text.split(" ")
                heads.append(TreeHead(int(size), bytes.fromhex(root), int(moment)))
    return max(heads)
