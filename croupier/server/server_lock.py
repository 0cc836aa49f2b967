"""The lock of the active server: one server at a time serves a ledger, others are on standby.

PostgreSQL holds the lock for a session that sends a query every second. It releases the lock when
the process ends, and after four seconds of silence (a stopped process, a lost network). A waiting
server then takes it and opens the tables.

Safety does not depend on the lock: every append names the position that it expects. A server that
has lost the lock without noticing can only append what follows the last entry on record.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from filelock import FileLock, Timeout

from croupier.errors import BadInput, CroupierError
from croupier.ledger import StoreFailed
from croupier.ledger.log.database.database import database_errors, error_message
from croupier.ledger.log.database.url import DatabaseLocation, parse_location

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

HEARTBEAT_SECONDS = 1.0
POLL_SECONDS = 0.5  # between attempts of a waiting server
CONFIRMED_SECONDS = 3.0  # how long the lock counts as held without a heartbeat
SILENCE_MS = 4_000  # after which PostgreSQL ends the session; more than CONFIRMED_SECONDS
# Without the lock, until it is another server's. A session of our own that was cut off ends before.
LOST_SECONDS = 6.0
ANSWER_MS = 2_000
SERVER_LOCK = 0x53455256  # key of the advisory lock


class LockLost(CroupierError):
    """Another server has become the active one."""


class FileServerLock:
    """The lock file of an SQLite ledger; a second server is refused."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = FileLock(f"{file.resolve()}-server", thread_local=False)

    def try_acquire(self) -> bool:
        """Take the lock; False if another server has it."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        except OSError as error:
            raise BadInput(f"cannot lock {self.file}-server: {error.strerror}") from None
        return True

    def acquire(self, on_wait: Callable[[], None], on_loss: Callable[[], None]) -> None:
        """Take the lock; BadInput if another server has it. It is never lost."""
        if not self.try_acquire():
            problem = f"another server is serving {self.file}; an SQLite ledger has one server"
            raise BadInput(problem)

    @property
    def held(self) -> bool:
        """Whether this server is the active one."""
        return self._lock.is_locked

    def release(self) -> None:
        """Let another server take the lock."""
        self._lock.release()


class PostgresServerLock:
    """A session-level advisory lock, on a connection of its own."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self._connection: Any = None
        self._confirmed = 0.0  # when the last answered heartbeat was sent, monotonic clock
        self._released = threading.Event()

    def try_acquire(self) -> bool:
        """Take or confirm the lock, in a new session if the last one has ended; False if taken."""
        from croupier.ledger.log.database import postgres  # needs psycopg

        sent = time.monotonic()
        try:
            if self._connection is None:
                self._connection = postgres.connect(
                    self.url, answer_timeout_ms=ANSWER_MS, idle_session_timeout=SILENCE_MS
                )
            # A session that has the lock takes it once more, so this is the heartbeat too.
            statement = f"SELECT pg_try_advisory_lock({SERVER_LOCK})"
            ((locked,),) = self._connection.execute(statement).fetchall()
        except database_errors() as error:
            self._disconnect()
            raise StoreFailed(f"{self.url.render_as_string()}: {error_message(error)}") from error
        if locked:
            self._confirmed = sent
        return bool(locked)

    def acquire(self, on_wait: Callable[[], None], on_loss: Callable[[], None]) -> None:
        """Wait for the lock, and keep it in a thread.

        Calls `on_wait` if another server has it, and `on_loss` if another one keeps it later.
        """
        locked = self.try_acquire()
        if not locked:
            on_wait()
        while not locked:
            time.sleep(POLL_SECONDS)
            with suppress(StoreFailed):  # the database may come back
                locked = self.try_acquire()
        threading.Thread(target=self._keep, args=(on_loss,), daemon=True).start()

    def _keep(self, on_loss: Callable[[], None]) -> None:
        while not self._released.wait(HEARTBEAT_SECONDS):
            with suppress(StoreFailed):  # without the database no server can take it
                if self.try_acquire():
                    continue
                if time.monotonic() > self._confirmed + LOST_SECONDS:
                    on_loss()
                    return

    @property
    def held(self) -> bool:
        """Whether this server is the active one, as far as it can know without a query."""
        return time.monotonic() < self._confirmed + CONFIRMED_SECONDS

    def release(self) -> None:
        """Let another server take the lock."""
        self._released.set()
        with suppress(*database_errors()):
            if self._connection is not None:  # a session ends some time after its connection
                self._connection.execute("SELECT pg_advisory_unlock_all()")
        self._disconnect()
        self._confirmed = 0.0

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


ServerLock: TypeAlias = FileServerLock | PostgresServerLock


def server_lock(database: DatabaseLocation) -> ServerLock:
    """The lock of a ledger."""
    address = parse_location(database)
    if address.file is not None:
        return FileServerLock(address.file)
    assert address.server is not None, "a file or a server"
    return PostgresServerLock(address.server)


def is_served(database: DatabaseLocation) -> bool:
    """Whether a server is active for a ledger."""
    lock = server_lock(database)
    free = lock.try_acquire()
    lock.release()
    return not free
