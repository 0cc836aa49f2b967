"""The writer of a record in a process of its own, spoken to by one event loop.

A thread that writes and a loop that serves take the interpreter from each other at every step,
and each time one of them waits. A process hashes, packs and commits on a processor of its own;
the loop hears of it as it hears of any socket.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from croupier.ledger.errors import StoreFailed
from croupier.ledger.log.append import Append
from croupier.ledger.log.store import Store
from croupier.ledger.log.write.ipc import AppendRequest, Database, Frames, framed, outcomes_of

_AT_ONCE = 2**18  # bytes
log = logging.getLogger("croupier.ledger")
POSSIBLE = os.name == "posix"  # elsewhere no socket is handed on to a new process


class WriterProcess:
    """Hands appends over and tells of those that were decided; begun when it is first needed.

    Should the process end, whatever it had is failed, as a disk would fail it: the record says
    what became of it. The next append begins another one.
    """

    def __init__(self, database: Database, decided: Callable[[list[Append]], None]) -> None:
        self._database = database
        self._decided = decided
        self._loop = asyncio.get_running_loop()
        self._pending: deque[Append] = deque()
        self._frames = Frames()
        self._unsent = bytearray()
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closing: asyncio.Event | None = None

    @property
    def process(self) -> int:
        """The number of the process; 0 while there is none."""
        return self._process.pid if self._process is not None else 0

    def submit(self, appends: Sequence[Append]) -> None:
        """Hand over appends that become durable together if they are not too many."""
        if self._closing is not None:
            raise StoreFailed("the ledger is closed")
        if self._line is None:
            self._begin()
        self._pending.extend(appends)
        self._send(framed([AppendRequest.of(append) for append in appends]))

    async def close(self) -> None:
        """Return when everything is decided and the process has ended."""
        self._closing = asyncio.Event()
        if self._pending:
            await self._closing.wait()
        if self._line is not None:
            process = self._part()
            await asyncio.to_thread(process.wait)

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        module = "croupier.ledger.log.write.worker"
        command = [sys.executable, "-P", "-m", module, str(theirs.fileno())]
        # It must find the very Croupier that runs here, wherever that was imported from.
        found = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        with theirs:
            try:
                self._process = subprocess.Popen(
                    command,
                    env=os.environ | found,
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                )
            except OSError as error:
                ours.close()
                told = f"the writer of the record cannot be started: {error.strerror}"
                raise StoreFailed(told) from error
        ours.setblocking(False)
        self._line, self._frames = ours, Frames()
        self._loop.add_reader(ours, self._hear)
        self._send(framed(self._database))

    def _send(self, data: bytes) -> None:
        if not self._unsent:  # otherwise it goes behind what waits already
            sent = self._sent(data)
            if sent == len(data):
                return
            assert self._line is not None
            self._loop.add_writer(self._line, self._send_on)
            data = data[sent:]
        self._unsent += data

    def _send_on(self) -> None:
        assert self._line is not None
        del self._unsent[: self._sent(self._unsent)]
        if not self._unsent:
            self._loop.remove_writer(self._line)

    def _sent(self, data: bytes | bytearray) -> int:
        """How much of it went; at a line that is cut all of it is lost, which is heard soon."""
        assert self._line is not None
        try:
            return self._line.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)

    def _hear(self) -> None:
        assert self._line is not None
        try:
            came = self._line.recv(_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            came = b""
        if not came:
            self._lose()
            return
        decided: list[Append] = []
        for frame in self._frames.take(came):
            for outcome in outcomes_of(frame):
                append = self._pending.popleft()
                outcome.decide(append)
                decided.append(append)
        self._tell(decided)

    def _lose(self) -> None:
        """The process has ended, or been ended."""
        process = self._part()
        process.kill()  # should it be alive, it must write nothing more
        process.wait()
        lost = list(self._pending)
        told = {"status": process.returncode, "why": f"{len(lost)} appends were on their way"}
        log.error("the writer of the record has ended; the next entry begins another", extra=told)
        self._pending.clear()
        for append in lost:
            append.resolve(StoreFailed("the record could not be written: its writer has ended"))
        self._tell(lost)

    def _part(self) -> subprocess.Popen[bytes]:
        line, process = self._line, self._process
        assert line is not None and process is not None
        self._loop.remove_reader(line)
        self._loop.remove_writer(line)
        line.close()
        self._unsent.clear()
        self._line = self._process = None
        return process

    def _tell(self, decided: list[Append]) -> None:
        with suppress(Exception):  # who has gone away meanwhile must not end it for the others
            self._decided(decided)
        if self._closing is not None and not self._pending:
            self._closing.set()


def database_of(store: Store) -> Database:
    """How another process finds the record of a store."""
    place = store.address
    if place.file is not None:
        named = str(place.file.resolve())
    else:
        assert place.server is not None, "a file or a server"
        named = place.server.render_as_string(hide_password=False)
    return Database(
        place=named,
        lock_timeout_ms=store.lock_timeout_ms,
        answer_timeout_ms=store.answer_timeout_ms,
    )
