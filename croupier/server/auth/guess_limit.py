"""Delays after wrong passwords, by account and client address.

Whoever guesses waits, not the owner of the account at another address. Names are stored as digests,
known or not: a wrong name waits as long as a wrong password, and a name may be a mistyped password.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from croupier.clock import HOUR, now_ms
from croupier.server.auth.accounts_database import metadata
from croupier.server.auth.session_policy import SessionPolicy
from croupier.server.auth.sessions import NotAdmitted

DELAY_MAX_MS = HOUR
FORGET_MS = 24 * HOUR  # after the last failure

guess = sa.Table(
    "floor_guess",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),  # SHA-256 of the account id
    sa.Column("address", sa.Text, primary_key=True),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),  # no attempt before
    sa.Column("last", sa.BigInteger, nullable=False),
)


class Locked(NotAdmitted):
    """Too many wrong passwords for this account from this address."""


class GuessLimit:
    """The failed attempts in an accounts database. The methods block."""

    def __init__(self, engine: Engine, policy: Callable[[], SessionPolicy]) -> None:
        self.engine = engine
        self._policy = policy

    @contextmanager
    def limited(self, id: str, address: str) -> Iterator[None]:
        """Refuse an attempt while its delay lasts; count one that ends with NotAdmitted."""
        here = sa.and_(guess.c.name == name_digest(id), guess.c.address == address[:100])
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(guess).where(here)).first()
        if row is not None and row.until > now_ms():
            raise Locked("too many wrong passwords; try again later")
        try:
            yield
        except NotAdmitted:
            self._count_failure(id, address[:100], here)
            raise
        if row is not None:
            with self.engine.begin() as connection:
                connection.execute(guess.delete().where(here))

    def delayed(self, ids: Iterable[str]) -> set[str]:
        """The accounts that cannot be tried from some address at present."""
        query = sa.select(guess.c.name).where(guess.c.until > now_ms())
        with self.engine.connect() as connection:
            digests = {row.name for row in connection.execute(query)}
        return {id for id in ids if name_digest(id) in digests}

    def _count_failure(self, id: str, address: str, here: sa.ColumnElement[bool]) -> None:
        moment = now_ms()
        with self.engine.begin() as connection:
            connection.execute(guess.delete().where(guess.c.last < moment - FORGET_MS))
            changed = connection.execute(
                guess.update().where(here).values(failures=guess.c.failures + 1, last=moment)
            )
            if not changed.rowcount:
                row = {"name": name_digest(id), "address": address, "failures": 1, "until": 0}
                connection.execute(guess.insert().values(**row, last=moment))
            failures = connection.execute(sa.select(guess.c.failures).where(here)).scalar_one()
            policy = self._policy()
            further = failures - policy.wrong_passwords
            if further >= 0:
                wait = min(policy.delay_ms << min(further, 16), DELAY_MAX_MS)
                connection.execute(guess.update().where(here).values(until=moment + wait))


def name_digest(id: str) -> str:
    """The digest under which attempts on an account are counted."""
    return hashlib.sha256(id.encode()).hexdigest()
