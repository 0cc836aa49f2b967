"""Links to shared hands: whoever has the link sees the round as its player saw it.

Only the digest of a link's token is stored. Every function blocks; call it in a thread.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from croupier.errors import Unknown
from croupier.server.auth.accounts_database import metadata
from croupier.server.auth.sessions import token_digest

shared_hand = sa.Table(
    "floor_shared_hand",
    metadata,
    sa.Column("token", sa.Text, primary_key=True),
    sa.Column("at_table", sa.Text, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("player", sa.Text, nullable=False),
)


class UnknownLink(Unknown):
    """No hand was shared under this link."""

    kind = "link"


class SharedHand(NamedTuple):
    """A round at a table, as one player saw it."""

    table: str
    round: int
    player: str


class SharedHandStore:
    """Creates links and finds the hand of a link."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def share(self, hand: SharedHand) -> str:
        """The token of a new link."""
        token = secrets.token_urlsafe(16)
        row = {"at_table": hand.table, "round": hand.round, "player": hand.player}
        with self.engine.begin() as connection:
            connection.execute(shared_hand.insert().values(token=token_digest(token), **row))
        return token

    def find(self, token: str) -> SharedHand:
        """The hand of a link; raises UnknownLink."""
        query = sa.select(shared_hand).where(shared_hand.c.token == token_digest(token))
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise UnknownLink(token[:8])
        return SharedHand(row.at_table, row.round, row.player)
