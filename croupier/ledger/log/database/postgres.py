"""PostgreSQL: connections with synchronous commits and a time limit for every answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg import pq
from psycopg.abc import PQGen

from croupier.ledger.errors import StoreFailed
from croupier.ledger.log.database.database import Connection, Database, Failpoint, Row

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

TRANSACTION_TIMEOUT_VERSION = 17_00_00
WRITER_LOCK = 0x43524F55  # advisory lock that all writers of a database take; fair

Result = TypeVar("Result")


class TimeoutConnection(psycopg.Connection[Any]):
    """Gives up an answer that does not come.

    The server's own time limits do not help against a server that is stopped, nor do those of TCP.
    """

    answer_timeout = 10.0  # seconds

    def wait(
        self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None
    ) -> Result:
        """Wait for an answer; after the time limit close, and raise OperationalError."""
        try:
            return super().wait(gen, interval, timeout or self.answer_timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.close()  # the answer may still come
            raise


def connect(
    url: URL,
    *,
    autocommit: bool = True,
    lock_timeout_ms: int = 5_000,
    answer_timeout_ms: int = 8_000,
    **settings: object,
) -> TimeoutConnection:
    """Open a connection with durable commits and time limits on both ends.

    A server process that waits for a client which has vanished holds its locks; the keepalives of
    the server, and its limit for idle transactions, end it within seconds.
    """
    settings = {
        "lock_timeout": lock_timeout_ms,
        "statement_timeout": answer_timeout_ms,
        "idle_in_transaction_session_timeout": min(5_000, answer_timeout_ms),
        "tcp_keepalives_idle": 2,
        "tcp_keepalives_interval": 1,
        "tcp_keepalives_count": 3,
        "tcp_user_timeout": 5_000,
        "synchronous_commit": "on",
        "timezone": "UTC",
        "default_transaction_isolation": "read\\ committed",
        **settings,
    }
    raw = TimeoutConnection.connect(
        url.set(drivername="postgresql").render_as_string(hide_password=False),
        autocommit=autocommit,
        options=" ".join(f"-c {name}={value}" for name, value in settings.items()),
        connect_timeout=max(2, answer_timeout_ms // 3000),
        tcp_user_timeout=answer_timeout_ms,
        keepalives_idle=2,
        keepalives_interval=1,
        keepalives_count=3,
    )
    raw.answer_timeout = answer_timeout_ms / 1000
    if autocommit and raw.info.server_version >= TRANSACTION_TIMEOUT_VERSION:
        # The limit for idle transactions does not apply in the middle of a message.
        raw.execute(f"SET transaction_timeout = {answer_timeout_ms}")
    return raw


class PostgresConnection(Connection):
    """A connection to a PostgreSQL database."""

    def begin(self, query: str) -> list[Any]:
        with self._ledger_errors():
            with self.raw.pipeline():  # one round trip for all three
                self.raw.execute("BEGIN")
                self.raw.execute(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
                cursor = self.raw.execute(self._sql(query))
            return list(cursor.fetchall())

    def commit(self, tables: Mapping[str, Sequence[Row]], failpoint: Failpoint) -> None:
        with self._ledger_errors(), self.raw.pipeline():  # one round trip for all rows
            super().commit(tables, failpoint)

    def _sql(self, statement: str) -> str:
        return statement.replace("?", "%s")


def _check_triggers_fire(raw: TimeoutConnection) -> None:
    """Refuse a session that a setting of its role or database exempts from triggers.

    Only a superuser may set it back, so the connection cannot do that by itself.
    """
    ((role,),) = raw.execute("SHOW session_replication_role").fetchall()
    if role != "origin":
        raw.close()
        raise StoreFailed(
            f"session_replication_role is {role}, expected origin: the triggers that protect the"
            " ledger do not fire. Reset it by ALTER ROLE or ALTER DATABASE"
        )


class PostgresDatabase(Database):
    """Connections to a PostgreSQL database."""

    dialect = "postgresql"

    def __init__(self, url: URL, **options: Any) -> None:
        super().__init__()
        self._url = url
        self._options = options  # of `connect`

    def connect(self) -> PostgresConnection:
        raw = connect(self._url, **self._options)
        _check_triggers_fire(raw)
        return PostgresConnection(raw)
