"""Accounts: passwords, roles by table, sessions, and the stored decks of practice tables.

They are in a database of their own (`accounts_database`). Of a session token only the SHA-256 is
stored. Every function here blocks; call it in a thread.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.engine import URL, make_url

from croupier.clock import now_ms
from croupier.errors import BadInput, CroupierError
from croupier.ledger.log import close_engine
from croupier.server.auth.accounts_database import accounts_url, metadata, open_engine
from croupier.table import ROLES, Role
from croupier.table.core.roles import check_id, normalize_id

# Roles for the whole property, at no table: submissions, the dealer school.
Office: TypeAlias = Literal["operator", "trainee"]
OFFICES: tuple[Office, ...] = ("operator", "trainee")
EVERY_TABLE = "*"
NO_PASSWORD = "-"  # the hash of no password
PASSWORD_MIN = 10
PASSWORD_MAX = 200  # characters; longer ones only cost time
FAILURES_MAX = 5  # wrong passwords in a row before the account is locked
LOCKED_MS = 60_000  # the first time; doubled with each further failure
LOCKED_MAX_MS = 3_600_000
SESSION_MS = 12 * 3_600_000
IDLE_MS = 4 * 3_600_000
TOKENS_PER_QUERY = 500
SEEN_EVERY_MS = 60_000  # resolution of a session's last use

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
# Decks that practice tables have committed to: secret until their round is over.
deck = sa.Table(
    "floor_kept_deck",
    metadata,
    sa.Column("at_table", sa.Text, primary_key=True),
    sa.Column("commitment", sa.Text, primary_key=True),
    sa.Column("revealed", sa.Text, nullable=False),
)

# Sessions with the roles of their accounts; compiled once.
_SESSIONS = (
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
    """Wrong name, password or token; the message does not say which."""


class Locked(NotAdmitted):
    """The account is locked after too many wrong passwords."""


class Person(msgspec.Struct, frozen=True):
    """An account with its roles by table, and its offices."""

    id: str
    roles: dict[str, tuple[Role, ...]]
    offices: tuple[Office, ...] = ()

    @property
    def serves(self) -> bool:
        """Whether the person has a staff role at any table."""
        return any(role != "player" for roles in self.roles.values() for role in roles)

    @property
    def granted(self) -> list[tuple[str, str]]:
        """Every role with its table, then the offices with an empty table."""
        roles = [(role, table) for table, roles in sorted(self.roles.items()) for role in roles]
        return [*roles, *((office, "") for office in self.offices)]

    def roles_at(self, table: str) -> tuple[Role, ...]:
        """The roles of this person at a table, in the order of ROLES."""
        granted = {*self.roles.get(table, ()), *self.roles.get(EVERY_TABLE, ())}
        return tuple(role for role in ROLES if role in granted)


class AccountSummary(msgspec.Struct, frozen=True):
    """An account in the list of an administrator."""

    person: Person
    sessions: int  # open ones
    locked: bool  # after wrong passwords


class Accounts:
    """The accounts of one floor. Close it after use.

    `url` is the accounts database, or as a Path the file of the ledger that it belongs to.
    """

    def __init__(self, url: str | Path | URL, *, hasher: PasswordHasher | None = None) -> None:
        self.url = make_url(url) if isinstance(url, str | URL) else accounts_url(url)
        self.engine = open_engine(self.url)
        self.hasher = hasher or PasswordHasher()
        # Verified for unknown names, so that they take as long as known ones.
        self._dummy_hash = self.hasher.hash(secrets.token_urlsafe(16))

    def close(self) -> None:
        """Close the connections to the database."""
        close_engine(self.engine)

    # Accounts and roles

    def add(self, name: str, password: str, roles: Iterable[tuple[Role | Office, str]] = ()) -> str:
        """Create an account, or set the password of an existing one; return its id."""
        id = normalize_id(name)
        check_id(id)
        if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
            expected = f"{PASSWORD_MIN} to {PASSWORD_MAX} characters"
            raise BadInput(f"password: {expected} expected, got {len(password)}")
        hashed = self.hasher.hash(password)
        with self.engine.begin() as connection:
            changed = connection.execute(
                account.update()
                .where(account.c.id == id)
                .values(password=hashed, failures=0, locked_until=0)
            )
            if not changed.rowcount:
                connection.execute(account.insert().values(id=id, password=hashed))
        return self.allow(id, roles)

    def allow(self, name: str, roles: Iterable[tuple[Role | Office, str]]) -> str:
        """Grant further roles and offices to an account; return its id."""
        id = self.check(name)
        for role, table in roles:
            self.grant(id, role, table or EVERY_TABLE)
        return id

    def check(self, name: str) -> str:
        """The id of an existing account; raises BadInput."""
        if not self.exists(name):
            raise BadInput(f"there is no account {name!r}; create it with `croupier admit`")
        return normalize_id(name)

    def withdraw(self, name: str, roles: Iterable[tuple[Role | Office, str]]) -> Person:
        """Revoke roles and offices, and end every session of the account."""
        id = self.check(name)
        for role, table in roles:
            self.revoke(id, role, table or EVERY_TABLE)
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.account == id))
        return self.person(id)

    def dismiss(self, name: str) -> str:
        """Remove the roles, password and sessions of an account; the ledger still names it."""
        id = self.check(name)
        with self.engine.begin() as connection:
            connection.execute(granted.delete().where(granted.c.account == id))
            connection.execute(session.delete().where(session.c.account == id))
            connection.execute(
                account.update().where(account.c.id == id).values(password=NO_PASSWORD)
            )
        return id

    def listing(self) -> list[AccountSummary]:
        """Every account, by name."""
        moment = now_ms()
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(account).order_by(account.c.id)).all()
            roles = connection.execute(sa.select(granted).order_by(granted.c.role)).all()
            counts = connection.execute(
                sa.select(session.c.account, sa.func.count())
                .where(session.c.ends >= moment, session.c.seen + IDLE_MS >= moment)
                .group_by(session.c.account)
            )
            sessions = {row[0]: int(row[1]) for row in counts}
        return [
            AccountSummary(
                person_of(row.id, [role for role in roles if role.account == row.id]),
                sessions.get(row.id, 0),
                row.locked_until > moment,
            )
            for row in rows
        ]

    def exists(self, name: str) -> bool:
        """Whether there is an account of this name."""
        query = sa.select(account.c.id).where(account.c.id == normalize_id(name))
        with self.engine.connect() as connection:
            return connection.execute(query).first() is not None

    def has_password(self, name: str) -> bool:
        """Whether there is an account of this name that has a password."""
        query = sa.select(account.c.password).where(account.c.id == normalize_id(name))
        with self.engine.connect() as connection:
            return connection.execute(query).scalar() not in (None, NO_PASSWORD)

    def grant(self, id: str, role: Role | Office, table: str = EVERY_TABLE) -> None:
        """Grant a role at a table or at every table, or an office."""
        if (role not in ROLES and role not in OFFICES) or role == "system":
            raise BadInput(f"{role!r} is not a role for a person")
        row = {"account": id, "role": role, "at_table": table}
        with self.engine.begin() as connection:
            existing = sa.select(granted).filter_by(**row)
            if connection.execute(existing).first() is None:
                connection.execute(granted.insert().values(**row))

    def revoke(self, id: str, role: Role | Office, table: str = EVERY_TABLE) -> None:
        """Revoke a role or an office."""
        with self.engine.begin() as connection:
            connection.execute(
                granted.delete().where(
                    granted.c.account == id, granted.c.role == role, granted.c.at_table == table
                )
            )

    def person(self, id: str) -> Person:
        """The person of an account, with all roles."""
        query = sa.select(granted).where(granted.c.account == id).order_by(granted.c.role)
        with self.engine.connect() as connection:
            return person_of(id, connection.execute(query))

    # Sessions

    def sign_in(self, name: str, password: str) -> tuple[Person, str]:
        """Begin a session; return the person and the token. Raises NotAdmitted or Locked."""
        id, moment = normalize_id(name), now_ms()
        with self.engine.connect() as connection:
            row: Any = connection.execute(sa.select(account).where(account.c.id == id)).first()
        matches = self._matches(row.password if row else self._dummy_hash, password)
        if row is None:
            raise NotAdmitted("wrong name or password")
        if row.locked_until > moment:
            raise Locked("too many wrong passwords; try again later")
        if not matches:
            self._count_failure(id, moment)
            raise NotAdmitted("wrong name or password")
        with self.engine.begin() as connection:
            connection.execute(
                account.update().where(account.c.id == id).values(failures=0, locked_until=0)
            )
        return self.person(id), self.begin(id)

    def _matches(self, hashed: str, password: str) -> bool:
        try:
            return self.hasher.verify(hashed, password[: PASSWORD_MAX + 1])
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
            if failures >= FAILURES_MAX:
                wait = min(LOCKED_MS << min(failures - FAILURES_MAX, 16), LOCKED_MAX_MS)
                connection.execute(
                    account.update().where(account.c.id == id).values(locked_until=moment + wait)
                )

    def begin(self, id: str) -> str:
        """Begin a session without a password; return its token, which is not stored."""
        token, moment = secrets.token_urlsafe(32), now_ms()
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.ends < moment))
            connection.execute(
                session.insert().values(
                    token=token_digest(token),
                    account=id,
                    begun=moment,
                    seen=moment,
                    ends=moment + SESSION_MS,
                )
            )
        return token

    def authenticate(self, token: str, *, used: bool = True) -> Person:
        """The person of a session; raises NotAdmitted.

        With `used` false the idle timeout is not extended, as for an open feed.
        """
        people = self.authenticate_many([token], used=used)
        if token not in people:
            raise NotAdmitted("session expired; sign in again")
        return people[token]

    def authenticate_many(self, tokens: Iterable[str], *, used: bool = True) -> dict[str, Person]:
        """The persons of many sessions by token, without those that have expired."""
        moment, by_digest = now_ms(), {token_digest(token): token for token in tokens}
        valid: dict[str, list[Any]] = {}  # the rows of each session, one per role
        with self.engine.connect() as connection:
            for some in batched(by_digest, TOKENS_PER_QUERY):
                for row in connection.execute(_SESSIONS, {"hashed": some}):
                    if row.ends >= moment and row.seen + IDLE_MS >= moment:
                        valid.setdefault(row.token, []).append(row)
        late = [hashed for hashed, rows in valid.items() if rows[0].seen + SEEN_EVERY_MS < moment]
        if used and late:
            with self.engine.begin() as connection:
                for some in batched(late, TOKENS_PER_QUERY):
                    seen = session.update().where(session.c.token.in_(some)).values(seen=moment)
                    connection.execute(seen)
        return {
            by_digest[hashed]: person_of(rows[0].who, (row for row in rows if row.role is not None))
            for hashed, rows in valid.items()
        }

    def end(self, token: str) -> None:
        """End a session."""
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.token == token_digest(token)))

    # Decks of practice tables

    def save_decks(self, table: str, decks: Mapping[str, str], played: Iterable[str] = ()) -> None:
        """Store decks by commitment before a table commits to them; delete `played` ones.

        Other decks stay: another server may have committed to them.
        """
        rows = [
            {"at_table": table, "commitment": commitment, "revealed": revealed}
            for commitment, revealed in decks.items()
        ]
        is_played = deck.c.commitment.in_(list(played))
        with self.engine.begin() as connection:
            connection.execute(deck.delete().where(deck.c.at_table == table, is_played))
            connection.execute(deck.insert(), rows)

    def saved_deck(self, table: str, commitment: str) -> str | None:
        """The deck of a commitment, as it will be revealed."""
        query = sa.select(deck.c.revealed).filter_by(at_table=table, commitment=commitment)
        with self.engine.connect() as connection:
            revealed: str | None = connection.execute(query).scalar()
        return revealed


def person_of(id: str, rows: Iterable[Any]) -> Person:
    """A person with the roles and offices of these rows."""
    roles: dict[str, tuple[Role, ...]] = {}
    offices: set[str] = set()
    for row in rows:
        if row.role in OFFICES:
            offices.add(row.role)
        else:
            roles[row.at_table] = (*roles.get(row.at_table, ()), row.role)
    return Person(id, roles, tuple(office for office in OFFICES if office in offices))


def batched(values: Iterable[str], size: int) -> Iterator[list[str]]:
    """Lists of at most `size` values."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch


def token_digest(token: str) -> str:
    """The SHA-256 of a token, under which its session is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
