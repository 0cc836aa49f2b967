"""Sessions that were asked for lately; those in use are asked for again together, and in time.

Whoever acts every second would otherwise wait every few seconds for a thread and a database. What
is renewed while it still counts keeps nobody waiting, and one question does for everybody.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from croupier.server.auth.accounts import Accounts, NotAdmitted, Person

CACHE_SECONDS = 5.0  # for how long a session counts without being asked for
RENEW_BEFORE_SECONDS = 2.5  # of these left when one that is used is asked for again
BATCH_SECONDS = 0.25  # in which those that are to be renewed come together
SESSIONS_MAX = 10_000


class CachedSession(NamedTuple):
    """Somebody who was admitted, and until when that counts."""

    until: float  # by the monotonic clock
    person: Person


class SessionCache:
    """What one server knows of the sessions of all."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self._known: dict[str, CachedSession] = {}  # by the digest of a token
        self._due: dict[str, str] = {}  # tokens in use that are asked for next, by digest
        self._renewing: asyncio.Task[None] | None = None

    def knows(self, hashed: str) -> bool:
        """Whether a session counts now."""
        found = self._known.get(hashed)
        return found is not None and found.until > time.monotonic()

    async def person(self, token: str, hashed: str) -> Person:
        """Whose session it is; NotAdmitted if it has ended."""
        found, moment = self._known.get(hashed), time.monotonic()
        if found is not None and found.until > moment:
            if found.until - moment < RENEW_BEFORE_SECONDS:
                self._renew_soon(token, hashed)
            return found.person
        try:
            person = await asyncio.to_thread(self.accounts.authenticate, token)
        except NotAdmitted:
            self.forget(hashed)
            raise
        if len(self._known) > SESSIONS_MAX:
            self._known.clear()
        self._know(hashed, person)
        return person

    def forget(self, hashed: str) -> None:
        """It has ended."""
        self._known.pop(hashed, None)
        self._due.pop(hashed, None)

    def _know(self, hashed: str, person: Person) -> None:
        self._known[hashed] = CachedSession(time.monotonic() + CACHE_SECONDS, person)

    def _renew_soon(self, token: str, hashed: str) -> None:
        self._due[hashed] = token
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        await asyncio.sleep(BATCH_SECONDS)
        due, self._due = self._due, {}
        with suppress(SQLAlchemyError):  # the database is away: each is asked for when it is over
            admitted = await asyncio.to_thread(self.accounts.authenticate_many, due.values())
            for hashed, token in due.items():
                if hashed not in self._known:
                    continue  # signed out meanwhile
                if token in admitted:
                    self._know(hashed, admitted[token])
                else:
                    self.forget(hashed)
