"""Sessions of signed-in people: their duration, their idle timeout, their tokens.

Of a token only the SHA-256 is stored. Every function here blocks; call it in a thread.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from croupier.clock import now_ms
from croupier.errors import CroupierError
from croupier.server.auth.accounts_database import metadata
from croupier.server.auth.person import Person, granted, person_of

SESSION_MS = 12 * 3_600_000
IDLE_MS = 4 * 3_600_000
TOKENS_PER_QUERY = 500
SEEN_EVERY_MS = 60_000  # resolution of a session's last use

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
