"""Sessions of signed-in people: their duration, idle timeout and tokens, stored and cached.

Of a token only the SHA-256 is stored. The methods of `SessionStore` block; call them in a thread.
Without the cache, a client that acts every second would wait for the database with every request.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from croupier.clock import now_ms
from croupier.errors import CroupierError
from croupier.server.auth.accounts_database import metadata
from croupier.server.auth.person import Person, granted, person_of

SESSION_MS = 12 * 3_600_000
IDLE_MS = 4 * 3_600_000
TOKENS_PER_QUERY = 500
SEEN_EVERY_MS = 60_000  # resolution of a session's last use
CACHE_SECONDS = 5.0
RENEW_BEFORE_SECONDS = 2.5  # remaining time at which a session in use is renewed
BATCH_SECONDS = 0.25  # in which renewals are collected for one query
SESSIONS_MAX = 10_000

session = sa.Table(
    "floor_session",
    metadata,
    sa.Column("token", sa.Text, primary_key=True),  # its SHA-256
    sa.Column("account", sa.Text, sa.ForeignKey("floor_account.id"), nullable=False),
    sa.Column("begun", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("ends", sa.BigInteger, nullable=False),
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


class SessionStore:
    """The sessions in an accounts database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

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


def is_open(moment: int) -> sa.ColumnElement[bool]:
    """The condition that a session has neither ended nor been idle for too long."""
    return sa.and_(session.c.ends >= moment, session.c.seen + IDLE_MS >= moment)


def batched(values: Iterable[str], size: int) -> Iterator[list[str]]:
    """Lists of at most `size` values."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch


def token_digest(token: str) -> str:
    """The SHA-256 of a token, under which its session is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


class CachedSession(NamedTuple):
    """The person of a session, valid until a time of the monotonic clock."""

    until: float
    person: Person


class SessionCache:
    """The sessions that one server has authenticated, by token digest.

    Sessions in use are renewed in batches before they expire from the cache.
    """

    def __init__(self, store: SessionStore) -> None:
        self.store = store
        self._sessions: dict[str, CachedSession] = {}
        self._due: dict[str, str] = {}  # tokens to renew, by digest
        self._renewing: asyncio.Task[None] | None = None

    def is_valid(self, digest: str) -> bool:
        """Whether a session is cached and has not expired."""
        cached = self._sessions.get(digest)
        return cached is not None and cached.until > time.monotonic()

    async def person(self, token: str, digest: str) -> Person:
        """The person of a session; raises NotAdmitted."""
        cached, moment = self._sessions.get(digest), time.monotonic()
        if cached is not None and cached.until > moment:
            if cached.until - moment < RENEW_BEFORE_SECONDS:
                self._renew_soon(token, digest)
            return cached.person
        try:
            person = await asyncio.to_thread(self.store.authenticate, token)
        except NotAdmitted:
            self.forget(digest)
            raise
        if len(self._sessions) > SESSIONS_MAX:
            self._sessions.clear()
        self._add(digest, person)
        return person

    def forget(self, digest: str) -> None:
        """Remove a session that has ended."""
        self._sessions.pop(digest, None)
        self._due.pop(digest, None)

    def _add(self, digest: str, person: Person) -> None:
        self._sessions[digest] = CachedSession(time.monotonic() + CACHE_SECONDS, person)

    def _renew_soon(self, token: str, digest: str) -> None:
        self._due[digest] = token
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        await asyncio.sleep(BATCH_SECONDS)
        due, self._due = self._due, {}
        with suppress(SQLAlchemyError):  # the sessions expire from the cache instead
            people = await asyncio.to_thread(self.store.authenticate_many, due.values())
            for digest, token in due.items():
                if digest not in self._sessions:
                    continue  # signed out meanwhile
                if token in people:
                    self._add(digest, people[token])
                else:
                    self.forget(digest)
