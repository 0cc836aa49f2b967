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
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
ANSWER_MS = 2_000
SERVER_LOCK = 0x53455256  # key of the advisory lock


class LockLost(CroupierError):
    """Another server has become the active one."""


class ServerLock(ABC):
    """The right to serve a ledger."""

    @abstractmethod
    def acquire(self, on_wait: Callable[[], None], on_loss: Callable[[], None]) -> None:
        """Take the lock.

        Calls `on_wait` once if another server has it and this one waits, and `on_loss`, in a
        thread, if another server takes it later.
        """

    @property
    @abstractmethod
    def held(self) -> bool:
        """Whether this server is the active one, as far as it can know without a query."""

    @abstractmethod
    def release(self) -> None:
        """Let another server take the lock."""


def server_lock(database: DatabaseLocation) -> ServerLock:
    """The lock of a ledger."""
    address = parse_location(database)
    if address.file is not None:
        return FileServerLock(address.file)
    assert address.server is not None, "a file or a server"
    return PostgresServerLock(address.server)


class FileServerLock(ServerLock):
    """The lock file of an SQLite ledger; a second server is refused."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = FileLock(f"{file.resolve()}-server", thread_local=False)

    def acquire(self, on_wait: Callable[[], None], on_loss: Callable[[], None]) -> None:
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise BadInput(
                f"another server is serving {self.file}; an SQLite ledger has one server"
            ) from None
        except OSError as error:
            raise BadInput(f"cannot lock {self.file}-server: {error.strerror}") from None

    @property
    def held(self) -> bool:
        return self._lock.is_locked

    def release(self) -> None:
        self._lock.release()


class PostgresServerLock(ServerLock):
    """A session-level advisory lock, on a connection of its own."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self._connection: Any = None
        self._locked = False  # whether the session of the connection has the lock
        self._confirmed = 0.0  # when the last answered heartbeat was sent, monotonic clock
        self._released = threading.Event()

    def acquire(self, on_wait: Callable[[], None], on_loss: Callable[[], None]) -> None:
        try:
            held = self._lock_session()
        except database_errors() as error:
            raise StoreFailed(f"{self.url.render_as_string()}: {error_message(error)}") from error
        if not held:
            on_wait()
        while not held:
            time.sleep(POLL_SECONDS)
            with suppress(*database_errors()):  # the database may come back
                held = self._beat()
        threading.Thread(
            target=self._keep, args=(on_loss,), name="server-lock", daemon=True
        ).start()

    @property
    def held(self) -> bool:
        return time.monotonic() < self._confirmed + CONFIRMED_SECONDS

    def release(self) -> None:
        self._released.set()
        self._disconnect()
        self._confirmed = 0.0

    def _keep(self, on_loss: Callable[[], None]) -> None:
        """Send heartbeats until the lock is released or another server has it."""
        while not self._released.wait(HEARTBEAT_SECONDS):
            with suppress(*database_errors()):  # without the database no server can take it
                if not self._beat():
                    on_loss()
                    return

    def _beat(self) -> bool:
        """Confirm the lock, in a new session if the last one has ended; False if it is taken."""
        try:
            return self._lock_session()
        except BaseException:
            self._disconnect()
            raise

    def _lock_session(self) -> bool:
        started = time.monotonic()
        if self._connection is None:
            from croupier.ledger.log.database import postgres  # needs psycopg

            self._connection = postgres.connect(
                self.url, answer_timeout_ms=ANSWER_MS, idle_session_timeout=SILENCE_MS
            )
            self._locked = False
        if self._locked:
            self._connection.execute("SELECT 1")
        else:
            statement = f"SELECT pg_try_advisory_lock({SERVER_LOCK})"
            ((self._locked,),) = self._connection.execute(statement).fetchall()
        if self._locked:
            self._confirmed = started
        return self._locked

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        with suppress(*database_errors()):
            if connection is not None:
                connection.close()
