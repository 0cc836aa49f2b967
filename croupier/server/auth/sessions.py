"""Sessions of signed-in people: stored in the accounts database, those in use also in memory.

Of a token only its digest is stored. The methods of `SessionStore` block; call them in a thread.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable
from contextlib import suppress
from contextvars import Context
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from croupier.clock import DAY, now_ms
from croupier.errors import CroupierError
from croupier.ledger import Ledger
from croupier.ledger.errors import LedgerError
from croupier.server.auth.accounts_database import metadata
from croupier.server.auth.person import Person, person_of
from croupier.server.auth.second_factor import SecondFactors
from croupier.server.auth.session_policy import (
    PRACTICE,
    SessionPolicy,
    is_strongly_authenticated,
)

DEVICE_DAYS = 1_830  # how long the key of a device is valid
SEEN_EVERY_MS = 15_000  # resolution of a session's last use
CHECK_SECONDS = 5.0  # between checks of the sessions in use; `croupier dismiss` takes effect then

session = sa.Table(
    "floor_session",
    metadata,
    sa.Column("token", sa.Text, primary_key=True),  # its SHA-256
    sa.Column("account", sa.Text, sa.ForeignKey("floor_account.id"), nullable=False),
    sa.Column("begun", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("ends", sa.BigInteger, nullable=False),
    sa.Column("device", sa.Integer, nullable=False, default=0),  # 1: the key of a device
)


class NotAdmitted(CroupierError):
    """Wrong name, password or token; the message does not say which."""


class SessionLocked(NotAdmitted):
    """The session was idle for too long; the password or PIN of its person unlocks it."""


class SessionStore:
    """The sessions in an accounts database."""

    def __init__(self, engine: Engine, ledger: Ledger, policy: SessionPolicy = PRACTICE) -> None:
        self.engine = engine
        self.ledger = ledger
        self.register = ledger.accounts
        self.policy = policy
        self.factors = SecondFactors(engine)

    def find_person(self, id: str) -> Person | None:
        """The person of an account that may act now; None if there is none."""
        return self._people([id]).get(id)

    def _people(self, ids: Iterable[str]) -> dict[str, Person]:
        moment, accounts = now_ms(), self.register.refresh().accounts
        records = (accounts[id] for id in {*ids} if id in accounts)
        people = {each.id: person_of(each) for each in records if each.may_act(moment)}
        if self.policy.second_factor:
            strong = {person.id for person in people.values() if is_strongly_authenticated(person)}
            for id in strong - (self.factors.enrolled(strong) if strong else set()):
                people[id] = Person(id, {}, must_enroll=True)
        return people

    def begin(self, id: str, *, device: bool = False) -> str:
        """Begin a session without a password; return its token, which is not stored.

        The token of a device is a key: it is never idle, and ends with the next password.
        """
        token, moment = secrets.token_urlsafe(32), now_ms()
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.ends < moment))
            connection.execute(
                session.insert().values(
                    token=token_digest(token),
                    account=id,
                    begun=moment,
                    seen=moment,
                    ends=moment + (DEVICE_DAYS * DAY if device else self.policy.ends_ms),
                    device=int(device),
                )
            )
        return token

    def authenticate(self, token: str, *, used: bool = True) -> Person:
        """The person of a session; raises NotAdmitted.

        With `used` false the idle timeout is not extended, as for an open feed.
        """
        digest = token_digest(token)
        people = self.authenticate_many([digest], used=used)
        if digest in people:
            return people[digest]
        if self.locked_person(token) is not None:
            raise SessionLocked("session locked; enter your password or PIN")
        raise NotAdmitted("session expired; sign in again")

    def authenticate_many(self, digests: Iterable[str], *, used: bool = True) -> dict[str, Person]:
        """The persons of sessions by token digest, without those that are locked or over."""
        moment = now_ms()
        open_sessions = self._open_sessions(digests, moment)
        valid = {
            row.token: person
            for row, person in open_sessions
            if not self._is_locked(row, person, moment)
        }
        late = [
            row.token
            for row, _ in open_sessions
            if row.token in valid and row.seen + SEEN_EVERY_MS < moment
        ]
        if used and late:
            self._see(late, moment)
        return valid

    def locked_person(self, token: str) -> Person | None:
        """The person of a session that is locked; None if it is not, or over."""
        moment = now_ms()
        for row, person in self._open_sessions([token_digest(token)], moment):
            return person if self._is_locked(row, person, moment) else None
        return None

    def person_at_console(self, token: str) -> Person:
        """The person of a session, locked or not; raises NotAdmitted."""
        return self.locked_person(token) or self.authenticate(token)

    def signed_in(self) -> list[Person]:
        """The people with a session in use, that is neither locked nor the key of a device."""
        moment = now_ms()
        rows = self._sessions(session.c.device == 0, moment)
        people = [person for row, person in rows if not self._is_locked(row, person, moment)]
        return list({person.id: person for person in people}.values())

    def _open_sessions(self, digests: Iterable[str], moment: int) -> list[tuple[Any, Person]]:
        return self._sessions(session.c.token.in_(list(digests)), moment)

    def _sessions(self, which: sa.ColumnElement[bool], moment: int) -> list[tuple[Any, Person]]:
        query = sa.select(session).where(which)
        with self.engine.connect() as connection:
            rows = connection.execute(query.where(self.is_open(moment))).all()
        people = self._people(row.account for row in rows)
        for id in filter(self.ledger.is_excluded, [*people]):
            del people[id]
        return [(row, people[row.account]) for row in rows if row.account in people]

    def _is_locked(self, row: Any, person: Person, moment: int) -> bool:
        lock_ms = 0 if row.device else self.policy.locks_after_ms(person)
        return bool(lock_ms) and row.seen + lock_ms < moment

    def touch(self, token: str) -> None:
        """Count as a use of a session that was locked."""
        self._see([token_digest(token)], now_ms())

    def _see(self, digests: Iterable[str], moment: int) -> None:
        with self.engine.begin() as connection:
            connection.execute(
                session.update().where(session.c.token.in_(list(digests))).values(seen=moment)
            )

    def is_open(self, moment: int) -> sa.ColumnElement[bool]:
        """The condition that a session has neither ended nor been idle for too long."""
        used = session.c.seen + self.policy.idle_ms >= moment
        return sa.and_(session.c.ends >= moment, sa.or_(used, session.c.device == 1))

    def end_all(self, account: str) -> None:
        """End every session of an account."""
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.account == account))

    def end(self, token: str) -> None:
        """End a session."""
        with self.engine.begin() as connection:
            connection.execute(session.delete().where(session.c.token == token_digest(token)))


def token_digest(token: str) -> str:
    """The SHA-256 of a token, under which its session is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


class SessionCache:
    """The sessions in use at one server, by token digest.

    One query checks all of them every `CHECK_SECONDS`, so that no request waits for the database
    but the first one after a pause.
    """

    def __init__(self, store: SessionStore) -> None:
        self.store = store
        self._people: dict[str, Person] = {}
        self._used: set[str] = set()  # since the last check
        self._checking: asyncio.Task[None] | None = None

    def find(self, digest: str) -> Person | None:
        """The person of a session that is in use and was valid at the last check."""
        return self._people.get(digest)

    def is_valid(self, digest: str) -> bool:
        """Whether a session is in use and was valid at the last check."""
        return digest in self._people

    async def person(self, token: str, digest: str, *, used: bool = True) -> Person:
        """The person of a session; raises NotAdmitted or SessionLocked."""
        person = self._people.get(digest)
        if person is None:
            person = await asyncio.to_thread(self.store.authenticate, token, used=used)
            self._people[digest] = person
        if used:
            self._used.add(digest)
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().create_task(
                self._keep_checking(), context=Context()
            )
        return person

    def forget(self, digest: str) -> None:
        """Remove a session that has ended or whose roles have changed."""
        self._people.pop(digest, None)

    async def check(self) -> None:
        """Read the sessions used since the last check again, and drop the others.

        Without the database all are dropped: the next request of each gets the error.
        """
        used, self._used = self._used, set()
        before = {digest: person for digest, person in self._people.items() if digest in used}
        self._people, people = {**before}, dict[str, Person]()
        try:
            with suppress(SQLAlchemyError, LedgerError):
                people = await asyncio.to_thread(self.store.authenticate_many, before)
        finally:
            for digest, person in before.items():
                if self._people.get(digest) is not person:
                    continue  # forgotten or read meanwhile
                if digest in people:
                    self._people[digest] = people[digest]
                else:
                    del self._people[digest]

    async def _keep_checking(self) -> None:
        while self._people:
            await asyncio.sleep(CHECK_SECONDS)
            await self.check()
