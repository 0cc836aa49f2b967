"""Who may come in: accounts, passwords, sessions, roles by table.

They stand in a database of their own: the record of a casino is handed to others, passwords are
not. Of a session only the SHA-256 of its token is kept. Every function here blocks and is called
in a thread.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.engine import URL, Engine, make_url

from croupier.clock import now_ms
from croupier.errors import BadInput, CroupierError
from croupier.ledger.log import let_go
from croupier.table import ROLES, Role
from croupier.table.core.roles import check_id, normalize_id

# What somebody does for the property and at no table: submissions, the dealer school.
Office: TypeAlias = Literal["operator", "trainee"]
OFFICES: tuple[Office, ...] = ("operator", "trainee")
EVERY_TABLE = "*"
NO_PASSWORD = "-"  # of which nothing is the hash
PASSWORD_LEAST = 10
PASSWORD_MOST = 200  # signs; a longer one only costs time
FAILURES = 5  # wrong passwords in a row before the account is locked
LOCKED_MS = 60_000  # the first time; twice as long after each further failure
LOCKED_MOST_MS = 3_600_000
SESSION_MS = 12 * 3_600_000
IDLE_MS = 4 * 3_600_000
AT_ONCE = 500  # sessions that are asked for in one statement
SEEN_EVERY_MS = 60_000  # how exactly the last use of a session is known

SCHEMA = "floor"  # of PostgreSQL
metadata = sa.MetaData()
account = sa.Table(
    "floor_account",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("password", sa.Text, nullable=False),
    sa.Column("failures", sa.Integer, nullable=False, default=0),
    sa.Column("locked_until", sa.BigInteger, nullable=False, default=0),
)
granted = sa.Table(
    "floor_granted",
    metadata,
    sa.Column("account", sa.Text, sa.ForeignKey("floor_account.id"), primary_key=True),
    sa.Column("role", sa.Text, primary_key=True),
    sa.Column("at_table", sa.Text, primary_key=True),
)
session = sa.Table(
    "floor_session",
    metadata,
    sa.Column("token", sa.Text, primary_key=True),  # its SHA-256
    sa.Column("account", sa.Text, sa.ForeignKey("floor_account.id"), nullable=False),
    sa.Column("begun", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("ends", sa.BigInteger, nullable=False),
)
# The deck that a practice table plays next: a secret until its round is over.
deck = sa.Table(
    "floor_kept_deck",
    metadata,
    sa.Column("at_table", sa.Text, primary_key=True),
    sa.Column("commitment", sa.Text, primary_key=True),
    sa.Column("revealed", sa.Text, nullable=False),
)

# A session with all roles of its account, asked for again and again.
_ADMITTED = (
    sa.select(
        session.c.token,
        session.c.account.label("who"),
        session.c.seen,
        session.c.ends,
        granted.c.role,
        granted.c.at_table,
    )
    .select_from(session.outerjoin(granted, granted.c.account == session.c.account))
    .where(session.c.token.in_(sa.bindparam("hashed", expanding=True)))
    .order_by(granted.c.role)
)


class NotAdmitted(CroupierError):
    """Nobody is let in by this name, password or token; which of them is wrong is not said."""


class Locked(NotAdmitted):
    """Too many wrong passwords; the account waits."""


class Person(msgspec.Struct, frozen=True):
    """Somebody who is signed in, and the roles that they may act in, by table."""

    id: str
    roles: dict[str, tuple[Role, ...]]
    offices: tuple[Office, ...] = ()

    @property
    def serves(self) -> bool:
        """Whether they are anything but a player somewhere."""
        return any(role != "player" for roles in self.roles.values() for role in roles)

    @property
    def granted(self) -> list[tuple[str, str]]:
        """Every role with its table, then the offices, which have none."""
        found = [(role, table) for table, roles in sorted(self.roles.items()) for role in roles]
        return [*found, *((office, "") for office in self.offices)]

    def roles_at(self, table: str) -> tuple[Role, ...]:
        """The roles of this person at a table, in the order of the staff."""
        found = {*self.roles.get(table, ()), *self.roles.get(EVERY_TABLE, ())}
        return tuple(role for role in ROLES if role in found)


class AccountSummary(msgspec.Struct, frozen=True):
    """An account as whoever keeps them sees it."""

    person: Person
    sessions: int  # that are open
    locked: bool  # after wrong passwords


def beside(ledger: str | Path | URL) -> URL:
    """Where the people of a ledger are kept: a file beside an SQLite file, or the same server."""
    if isinstance(ledger, Path) or (isinstance(ledger, str) and "://" not in ledger):
        return URL.create("sqlite", database=f"{ledger}.people")
    url = make_url(ledger)
    if url.get_backend_name() == "sqlite":
        return url.set(database=f"{url.database}.people")
    return url.set(drivername="postgresql+psycopg")


class Accounts:
    """The people of a floor. Use it as a context, or close it."""

    def __init__(self, url: str | Path | URL, *, hasher: PasswordHasher | None = None) -> None:
        self.url = make_url(url) if isinstance(url, str | URL) else beside(url)
        self.engine = _opened(self.url)
        self.hasher = hasher or PasswordHasher()
        # Checked where there is no such account, so that its absence takes as long as its presence.
        self._nobody = self.hasher.hash(secrets.token_urlsafe(16))

    def close(self) -> None:
        """Let the database go."""
        let_go(self.engine)

    # People

    def add(self, name: str, password: str, roles: Iterable[tuple[Role | Office, str]] = ()) -> str:
        """A new account, or a new password for one that is there; its id."""
        found = normalize_id(name)
        check_id(found)
        if not PASSWORD_LEAST <= len(password) <= PASSWORD_MOST:
            expected = f"{PASSWORD_LEAST} to {PASSWORD_MOST} signs"
            raise BadInput(f"a password has {expected}, got {len(password)}")
        hashed = self.hasher.hash(password)
        with self.engine.begin() as connection:
            changed = connection.execute(
                account.update()
                .where(account.c.id == found)
                .values(password=hashed, failures=0, locked_until=0)
            )
            if not changed.rowcount:
                connection.execute(account.insert().values(id=found, password=hashed))
        return self.allow(found, roles)

    def allow(self, name: str, roles: Iterable[tuple[Role | Office, str]]) -> str:
        """Further roles and offices for an account; its id."""
        found = self.check(name)
        for role, table in roles:
            self.grant(found, role, table or EVERY_TABLE)
        return found

    def check(self, name: str) -> str:
        """The id of an account that is there."""
        if not self.known(name):
            raise BadInput(f"nobody is called {name!r} here; expected somebody who was let in")
        return normalize_id(name)

    def withdraw(self, name: str, roles: Iterable[tuple[Role | Office, str]]) -> Person:
        """Take roles and offices away, and with them every session: what is seen in one may end.

        Whoever signs in again has the roles that are left.
        """
        found = self.check(name)
        for role, table in roles:
            self.revoke(found, role, table or EVERY_TABLE)
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.account == found))
        return self.person(found)

    def dismiss(self, name: str) -> str:
        """No role, no password and no session any more; the record goes on naming the account."""
        found = self.check(name)
        with self.engine.begin() as connection:
            connection.execute(granted.delete().where(granted.c.account == found))
            connection.execute(session.delete().where(session.c.account == found))
            connection.execute(
                account.update().where(account.c.id == found).values(password=NO_PASSWORD)
            )
        return found

    def listing(self) -> list[AccountSummary]:
        """Everybody, by name."""
        moment = now_ms()
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(account).order_by(account.c.id)).all()
            roles = connection.execute(sa.select(granted).order_by(granted.c.role)).all()
            open_ones = connection.execute(
                sa.select(session.c.account, sa.func.count())
                .where(session.c.ends >= moment, session.c.seen + IDLE_MS >= moment)
                .group_by(session.c.account)
            )
            sessions = {row[0]: int(row[1]) for row in open_ones}
        return [
            AccountSummary(
                person_of(row.id, [each for each in roles if each.account == row.id]),
                sessions.get(row.id, 0),
                row.locked_until > moment,
            )
            for row in rows
        ]

    def known(self, name: str) -> bool:
        """Whether there is such an account."""
        with self.engine.connect() as connection:
            asked = sa.select(account.c.id).where(account.c.id == normalize_id(name))
            return connection.execute(asked).first() is not None

    def has_password(self, name: str) -> bool:
        """Whether there is such an account, and a password lets it in."""
        with self.engine.connect() as connection:
            asked = sa.select(account.c.password).where(account.c.id == normalize_id(name))
            return connection.execute(asked).scalar() not in (None, NO_PASSWORD)

    def grant(self, id: str, role: Role | Office, table: str = EVERY_TABLE) -> None:
        """Let somebody act in a role at a table, or at every one, or in an office."""
        if (role not in ROLES and role not in OFFICES) or role == "system":
            raise BadInput(f"{role!r} is no role for a person")
        row = {"account": id, "role": role, "at_table": table}
        with self.engine.begin() as connection:
            there = sa.select(granted).filter_by(**row)
            if connection.execute(there).first() is None:
                connection.execute(granted.insert().values(**row))

    def revoke(self, id: str, role: Role | Office, table: str = EVERY_TABLE) -> None:
        """Take a role away."""
        with self.engine.begin() as connection:
            connection.execute(
                granted.delete().where(
                    granted.c.account == id, granted.c.role == role, granted.c.at_table == table
                )
            )

    def person(self, id: str) -> Person:
        """Somebody with all roles."""
        with self.engine.connect() as connection:
            asked = sa.select(granted).where(granted.c.account == id).order_by(granted.c.role)
            return person_of(id, connection.execute(asked))

    # Sessions

    def sign_in(self, name: str, password: str) -> tuple[Person, str]:
        """The person and the token of a new session, if the password is right."""
        found, moment = normalize_id(name), now_ms()
        with self.engine.connect() as connection:
            asked = sa.select(account).where(account.c.id == found)
            row: Any = connection.execute(asked).first()
        right = self._matches(row.password if row else self._nobody, password)
        if row is None:
            raise NotAdmitted("this name and password let nobody in")
        if row.locked_until > moment:
            raise Locked("too many wrong passwords; try again later")
        if not right:
            self._count_failure(found, moment)
            raise NotAdmitted("this name and password let nobody in")
        with self.engine.begin() as connection:
            connection.execute(
                account.update().where(account.c.id == found).values(failures=0, locked_until=0)
            )
        return self.person(found), self.begin(found)

    def _matches(self, hashed: str, password: str) -> bool:
        try:
            return self.hasher.verify(hashed, password[: PASSWORD_MOST + 1])
        except (VerificationError, InvalidHashError):
            return False

    def _count_failure(self, id: str, moment: int) -> None:
        with self.engine.begin() as connection:
            connection.execute(
                account.update().where(account.c.id == id).values(failures=account.c.failures + 1)
            )
            failures = connection.execute(
                sa.select(account.c.failures).where(account.c.id == id)
            ).scalar_one()
            if failures >= FAILURES:
                wait = min(LOCKED_MS << min(failures - FAILURES, 16), LOCKED_MOST_MS)
                connection.execute(
                    account.update().where(account.c.id == id).values(locked_until=moment + wait)
                )

    def begin(self, id: str) -> str:
        """A session for somebody whom we know; the token is told to nobody else."""
        token, moment = secrets.token_urlsafe(32), now_ms()
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.ends < moment))
            connection.execute(
                session.insert().values(
                    token=digest(token),
                    account=id,
                    begun=moment,
                    seen=moment,
                    ends=moment + SESSION_MS,
                )
            )
        return token

    def admitted(self, token: str, *, used: bool = True) -> Person:
        """Whose session a token is; whoever only looks on does not use it."""
        found = self.admitted_together([token], used=used)
        if token not in found:
            raise NotAdmitted("this session has ended; sign in again")
        return found[token]

    def admitted_together(self, tokens: Iterable[str], *, used: bool = True) -> dict[str, Person]:
        """The same of many at once, without those whose session has ended."""
        moment, asked = now_ms(), {digest(token): token for token in tokens}
        found: dict[str, list[Any]] = {}
        with self.engine.connect() as connection:
            for some in batched(asked, AT_ONCE):
                for row in connection.execute(_ADMITTED, {"hashed": some}):
                    if row.ends >= moment and row.seen + IDLE_MS >= moment:
                        found.setdefault(row.token, []).append(row)
        late = [each for each, rows in found.items() if rows[0].seen + SEEN_EVERY_MS < moment]
        if used and late:
            with self.engine.begin() as connection:
                for some in batched(late, AT_ONCE):
                    seen = session.update().where(session.c.token.in_(some)).values(seen=moment)
                    connection.execute(seen)
        return {
            asked[hashed]: person_of(rows[0].who, (row for row in rows if row.role is not None))
            for hashed, rows in found.items()
        }

    def end(self, token: str) -> None:
        """Sign out."""
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.token == digest(token)))

    # Decks of practice tables

    def keep_decks(self, table: str, decks: Mapping[str, str], played: Iterable[str] = ()) -> None:
        """Decks that a table will commit to, by their commitment: a round survives the server.

        Only decks that were played, by their commitment, are forgotten: any other may be one that
        another server has committed to.
        """
        rows = [
            {"at_table": table, "commitment": commitment, "revealed": revealed}
            for commitment, revealed in decks.items()
        ]
        over = deck.c.commitment.in_(list(played))
        with self.engine.begin() as connection:
            connection.execute(deck.delete().where(deck.c.at_table == table, over))
            connection.execute(deck.insert(), rows)

    def kept_deck(self, table: str, commitment: str) -> str | None:
        """What a commitment of a table is the SHA-256 of."""
        with self.engine.connect() as connection:
            asked = sa.select(deck.c.revealed).filter_by(at_table=table, commitment=commitment)
            found: str | None = connection.execute(asked).scalar()
        return found


def person_of(id: str, rows: Iterable[Any]) -> Person:
    """Somebody with the roles and offices of these rows."""
    roles: dict[str, tuple[Role, ...]] = {}
    offices: set[str] = set()
    for row in rows:
        if row.role in OFFICES:
            offices.add(row.role)
        else:
            roles[row.at_table] = (*roles.get(row.at_table, ()), row.role)
    return Person(id, roles, tuple(office for office in OFFICES if office in offices))


def batched(given: Iterable[str], most: int) -> Iterator[list[str]]:
    """So many at a time."""
    rest = iter(given)
    while some := list(islice(rest, most)):
        yield some


def digest(token: str) -> str:
    """All that is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _opened(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        # In a schema of its own: an audit of the ledger names whatever else stands in the ledger's.
        engine = sa.create_engine(url, pool_pre_ping=True)
        with engine.begin() as connection:
            connection.execute(sa.schema.CreateSchema(SCHEMA, if_not_exists=True))
        apart = engine.execution_options(schema_translate_map={None: SCHEMA})
        metadata.create_all(apart)
        return apart
    path = Path(url.database or "")
    with suppress(FileExistsError):  # nobody else on the machine reads it
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    engine = sa.create_engine(url, connect_args={"check_same_thread": False, "timeout": 5})
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
    metadata.create_all(engine)
    return engine
