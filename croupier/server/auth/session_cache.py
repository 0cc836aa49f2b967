"""In-memory session cache; sessions in use are renewed in batches before they expire from it.

Without it, a client that acts every second would wait for the database with every request.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from croupier.server.auth.accounts import Accounts
from croupier.server.auth.person import Person
from croupier.server.auth.sessions import NotAdmitted

CACHE_SECONDS = 5.0
RENEW_BEFORE_SECONDS = 2.5  # remaining time at which a session in use is renewed
BATCH_SECONDS = 0.25  # in which renewals are collected for one query
SESSIONS_MAX = 10_000


class CachedSession(NamedTuple):
    """The person of a session, valid until a time of the monotonic clock."""

    until: float
    person: Person


class SessionCache:
    """The sessions that one server has authenticated, by token digest."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
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
            person = await asyncio.to_thread(self.accounts.authenticate, token)
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
            people = await asyncio.to_thread(self.accounts.authenticate_many, due.values())
            for digest, token in due.items():
                if digest not in self._sessions:
                    continue  # signed out meanwhile
                if token in people:
                    self._add(digest, people[token])
                else:
                    self.forget(digest)
