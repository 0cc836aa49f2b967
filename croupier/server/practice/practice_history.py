"""Practice history: the coach's totals of each player by game and day, in the accounts database.

Players can delete their own. Every function blocks; call it in a thread.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from croupier.clock import now_ms
from croupier.coach import add_round, coach_messages
from croupier.games import find
from croupier.money import Cents
from croupier.server.auth.accounts_database import metadata

practice_day = sa.Table(
    "floor_practice_day",
    metadata,
    sa.Column("player", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("totals", sa.Text, nullable=False),
)


def today() -> str:
    """The day in UTC, in ISO format."""
    return dt.datetime.fromtimestamp(now_ms() / 1000, dt.UTC).date().isoformat()


class PracticeHistoryStore:
    """Reads and adds to the totals of players."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def totals(self, player: str, game: str) -> coach_messages.MistakeTotals:
        """The totals of today."""
        query = sa.select(practice_day.c.totals).filter_by(player=player, game=game, day=today())
        with self.engine.connect() as connection:
            stored = connection.execute(query).scalar()
        if stored is None:
            return coach_messages.NO_MISTAKES
        return msgspec.json.decode(stored, type=coach_messages.MistakeTotals)

    def add(
        self,
        player: str,
        game: str,
        choices: Sequence[coach_messages.ReviewedChoice],
        *,
        net: Cents,
        expected: Fraction,
    ) -> None:
        """Add a reviewed round to the totals of today."""
        totals = add_round(self.totals(player, game), choices, net=net, expected=expected)
        row = {"player": player, "game": game, "day": today()}
        text = msgspec.json.encode(totals).decode()
        with self.engine.begin() as connection:
            connection.execute(practice_day.delete().where(_matches(row)))
            connection.execute(practice_day.insert().values(**row, totals=text))

    def history(self, player: str) -> coach_messages.PracticeHistory:
        """The totals of every day and game, the latest first."""
        query = (
            sa.select(practice_day)
            .filter_by(player=player)
            .order_by(practice_day.c.day.desc(), practice_day.c.game)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return coach_messages.PracticeHistory(
            tuple(
                coach_messages.PracticeDay(
                    day=row.day,
                    game=row.game,
                    title=find(row.game).title,
                    totals=msgspec.json.decode(row.totals, type=coach_messages.MistakeTotals),
                )
                for row in rows
            )
        )

    def delete(self, player: str) -> None:
        """Delete everything of a player."""
        with self.engine.begin() as connection:
            connection.execute(practice_day.delete().where(practice_day.c.player == player))


def _matches(row: dict[str, str]) -> sa.ColumnElement[bool]:
    return sa.and_(*(practice_day.c[name] == value for name, value in row.items()))
