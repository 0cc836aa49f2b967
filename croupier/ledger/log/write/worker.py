"""A process that writes the record for another: python -m croupier.ledger.log.write.worker SOCKET.

It ends with the one it writes for, at whose socket there is nothing more to read then. Until that
it is not to be interrupted: what is on its way when a server is told to stop becomes durable.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from itertools import chain
from typing import Any

from croupier.ledger.log.append import Append
from croupier.ledger.log.database import pool, url
from croupier.ledger.log.database.wal_preallocation import WalPreallocation
from croupier.ledger.log.database.watchdog import Watchdog
from croupier.ledger.log.failpoints import NO_FAULTS
from croupier.ledger.log.write.group_commit import GROUP_MAX, TransactionWriter
from croupier.ledger.log.write.ipc import AppendResult, Frames, database_of, framed, handed_of

_AT_ONCE = 2**20  # bytes


def main(line: socket.socket) -> None:
    """Write until the other end is closed."""
    frames = _frames(line)
    first, *more = next(frames)
    asked = database_of(first)
    place, watch = url.parse_location(asked.place), Watchdog(asked.answer_timeout_ms / 1000)
    opened = pool.create_pool(
        place,
        readonly=False,
        lock_timeout_ms=asked.lock_timeout_ms,
        answer_timeout_ms=asked.answer_timeout_ms,
    )

    def watched(raw: Any) -> AbstractContextManager[None]:
        return watch.over(raw) if place.server is not None else nullcontext()

    writer = TransactionWriter(opened, NO_FAULTS, watched, WalPreallocation(place.file))
    with closing(opened), closing(watch):
        for came in chain([more], frames):
            given = [handed.append() for frame in came for handed in handed_of(frame)]
            for start in range(0, len(given), GROUP_MAX):
                line.sendall(_written(writer, given[start : start + GROUP_MAX]))
        writer.release_connection()


def _written(writer: TransactionWriter, group: list[Append]) -> bytes:
    writer.write(group)
    return framed([AppendResult.of(append) for append in group])


def _frames(line: socket.socket) -> Iterator[list[bytes]]:
    """What has come since the last look, together: it becomes durable in one commit."""
    held = Frames()
    while came := line.recv(_AT_ONCE):
        if whole := list(held.take(came)):
            yield whole


if __name__ == "__main__":
    for interruption in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(interruption, signal.SIG_IGN)
    with socket.socket(fileno=int(sys.argv[1])) as given_line:
        main(given_line)
