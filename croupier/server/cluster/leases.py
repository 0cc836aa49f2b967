"""Which server has which table: a lease in the database, renewed, and taken over when it ends.

A table is one server's at a time. Its lease has a term that only grows; the record takes an entry
only while the lease of its writer stands in the same database (`fence`), and a lease changes hands
only while nobody appends. So a server that lost a table writes nothing more, however late it is.
"""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Collection, Iterable
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from croupier.clock import now_ms
from croupier.ledger.log import Fence
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.accounts_database import SCHEMA, metadata

LEASE_MS = 4_000  # from one renewal; whoever is silent for longer has lost its tables
BEAT_SECONDS = 1.0  # between renewals

server = sa.Table(
    "floor_server",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),  # known to the other servers alone
    sa.Column("machine", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)
lease = sa.Table(
    "floor_lease",
    metadata,
    sa.Column("at_table", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("term", sa.BigInteger, nullable=False),
)


class TableOwner(msgspec.Struct, frozen=True):
    """Where a table is: the server that has it, and how other servers reach that one."""

    owner: str
    address: str


class Leases:
    """The tables that one server has, and where the others are."""

    def __init__(self, accounts: Accounts, address: str = "") -> None:
        self.accounts = accounts
        self.engine = accounts.engine
        self.address = address  # how other servers reach this one; "" while there are none
        self.id = secrets.token_hex(16)
        self._machine = socket.gethostname()
        self._known = False
        self._lock = threading.Lock()
        self.terms: dict[str, int] = {}  # of the tables that are ours
        self._until = 0.0  # by our own clock, which never runs ahead of what the database knows
        self._postgresql = self.engine.dialect.name == "postgresql"

    def holds(self, table: str) -> bool:
        """Whether a table is ours, as far as we can know without asking."""
        return table in self.terms and time.monotonic() < self._until

    def fence(self, table: str) -> Fence | None:
        """What the record asks for before it takes an entry; only within one database."""
        if not self._postgresql or table not in self.terms:
            return None
        question = f"SELECT at_table, term FROM {SCHEMA}.floor_lease WHERE owner = ?"
        return Fence(question, (self.id,), (table, self.terms[table]))

    # Asked of the database: never in the thread of an event loop

    def beat(self) -> set[str]:
        """Say that we are there; the tables that somebody took over meanwhile."""
        with self._lock:
            return self._beat()

    def _beat(self) -> set[str]:
        begun = time.monotonic()
        with self.engine.begin() as connection:
            moment = self._moment(connection)
            if not self._known:
                self._clear(connection, moment)
                self._known = True
            until = moment + LEASE_MS
            mine = server.update().where(server.c.id == self.id).values(until=until)
            if not connection.execute(mine).rowcount:
                row = {"id": self.id, "machine": self._machine, "address": self.address}
                connection.execute(server.insert().values(**row, until=until))
            asked = sa.select(lease.c.at_table, lease.c.term).where(lease.c.owner == self.id)
            ours = {row.at_table: row.term for row in connection.execute(asked)}
        lost = {table for table, term in self.terms.items() if ours.get(table) != term}
        for table in lost:
            del self.terms[table]
        self._until = begun + LEASE_MS / 1000
        return lost

    def _clear(self, connection: Connection, moment: int) -> None:
        """Forget servers that are gone; so is whoever listened where we do now."""
        here = sa.and_(
            server.c.machine == self._machine,
            server.c.address == self.address,
            server.c.address != "",
        )
        connection.execute(server.delete().where(sa.or_(here, server.c.until < moment)))

    def claim(self, table: str) -> bool:
        """Take a table that nobody has; called while nobody appends to the record."""
        with self._lock:
            return self._claim(table)

    def _claim(self, table: str) -> bool:
        with self.engine.begin() as connection:
            self._insert(connection, table)
            alive = sa.select(server.c.id).where(server.c.until >= self._moment(connection))
            taken = connection.execute(
                lease.update()
                .where(lease.c.at_table == table, lease.c.owner.not_in(alive))
                .values(owner=self.id, term=lease.c.term + 1)
            )
            if not taken.rowcount:
                return table in self.terms
            asked = sa.select(lease.c.term).where(lease.c.at_table == table)
            term: int = connection.execute(asked).scalar_one()
        self.terms[table] = term
        return True

    def give_up(self, tables: Iterable[str]) -> None:
        """Let others have tables; they need not wait."""
        with self._lock, self.engine.begin() as connection:
            given = [table for table in tables if self.terms.pop(table, None) is not None]
            connection.execute(
                lease.update()
                .where(lease.c.at_table.in_(given), lease.c.owner == self.id)
                .values(owner="")
            )

    def leave(self) -> None:
        """Let everything go: this server stops."""
        self.give_up(tuple(self.terms))
        with self.engine.begin() as connection:
            connection.execute(server.delete().where(server.c.id == self.id))

    def places(self) -> dict[str, TableOwner]:
        """Where every table is that some server has."""
        with self.engine.connect() as connection:
            found: Any = connection.execute(
                sa.select(lease.c.at_table, server.c.id, server.c.address)
                .join(server, server.c.id == lease.c.owner)
                .where(server.c.until >= self._moment(connection))
            )
            return {table: TableOwner(owner, address) for table, owner, address in found}

    def servers(self) -> int:
        """How many servers there are."""
        with self.engine.connect() as connection:
            asked = sa.select(sa.func.count()).select_from(server)
            alive = asked.where(server.c.until >= self._moment(connection))
            return int(connection.execute(alive).scalar_one())

    def _insert(self, connection: Connection, table: str) -> None:
        insert = postgresql.insert if self._postgresql else sqlite.insert
        row = {"at_table": table, "owner": "", "term": 0}
        connection.execute(insert(lease).values(**row).on_conflict_do_nothing())

    def _moment(self, connection: Connection) -> int:
        """By the one clock that all servers share."""
        if not self._postgresql:
            return now_ms()  # one machine
        asked = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
        return int(connection.exec_driver_sql(asked).scalar_one())


def share(tables: Collection[str], servers: int) -> int:
    """How many tables a server should have, of so many servers."""
    return -(-len(tables) // max(servers, 1))
