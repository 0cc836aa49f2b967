"""Accounts: passwords and lock-out, roles by table, and the stored decks of practice tables.

They are in a database of their own (`accounts_database`). Every function here blocks; call it in a
thread.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.engine import URL, make_url

from croupier.clock import now_ms
from croupier.errors import BadInput
from croupier.server.auth.accounts_database import accounts_url, metadata, open_engine
from croupier.server.auth.person import (
    EVERY_TABLE,
    OFFICES,
    Office,
    Person,
    account,
    granted,
    person_of,
)
from croupier.server.auth.sessions import NotAdmitted, SessionStore, is_open, session
from croupier.table import ROLES, Role
from croupier.table.core.roles import check_id, normalize_id

NO_PASSWORD = "-"  # the hash of no password
PASSWORD_MIN = 10
PASSWORD_MAX = 200  # characters; longer ones only cost time
FAILURES_MAX = 5  # wrong passwords in a row before the account is locked
LOCKED_MS = 60_000  # the first time; doubled with each further failure
LOCKED_MAX_MS = 3_600_000

# Decks that practice tables have committed to: secret until their round is over.
deck = sa.Table(
    "floor_kept_deck",
    metadata,
    sa.Column("at_table", sa.Text, primary_key=True),
    sa.Column("commitment", sa.Text, primary_key=True),
    sa.Column("revealed", sa.Text, nullable=False),
)


class Locked(NotAdmitted):
    """The account is locked after too many wrong passwords."""


class AccountSummary(msgspec.Struct, frozen=True):
    """An account in the list of an administrator."""

    person: Person
    sessions: int  # open ones
    locked: bool  # after wrong passwords


class Accounts(SessionStore):
    """The accounts of one floor. Close it after use.

    `url` is the accounts database, or as a Path the file of the ledger that it belongs to.
    """

    def __init__(self, url: str | Path | URL, *, hasher: PasswordHasher | None = None) -> None:
        self.url = make_url(url) if isinstance(url, str | URL) else accounts_url(url)
        super().__init__(open_engine(self.url))
        self.hasher = hasher or PasswordHasher()
        # Verified for unknown names, so that they take as long as known ones.
        self._dummy_hash = self.hasher.hash(secrets.token_urlsafe(16))

    def close(self) -> None:
        """Close the connections to the database, those of other threads when they are returned."""
        sa.event.listen(self.engine.pool, "checkin", lambda raw, record: record.invalidate())
        self.engine.dispose()

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
                .where(is_open(moment))
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
