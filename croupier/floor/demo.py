"""A floor to try: a practice table of every game, and people of every role."""

from __future__ import annotations

import asyncio
import secrets

from croupier.floor.accounts import EVERY_TABLE, Accounts
from croupier.floor.app import Server
from croupier.games import CATALOGUE
from croupier.submission import example
from croupier.table import Role

PEOPLE: tuple[tuple[str, Role], ...] = (
    ("ann", "player"),
    ("bob", "player"),
    ("dana", "dealer"),
    ("frank", "floorperson"),
    ("petra", "pit_manager"),
    ("sam", "surveillance"),
)


def table_of(game: str) -> str:
    """The name of a game's practice table."""
    return f"practice-{game.replace('_', '-')}"


async def set_up(server: Server) -> dict[str, str]:
    """Open the tables, let the people in; a link for each of them that works once."""
    await asyncio.to_thread(add_people, server.floor.accounts)
    for game in CATALOGUE:
        await server.floor.open(table_of(game.key), example(game.key), service="practice")
    return {name: server.let_in(name) for name, _ in PEOPLE}


def add_people(accounts: Accounts) -> None:
    """Those who are not there yet; their passwords are told to nobody, the links let them in."""
    for name, role in PEOPLE:
        if not accounts.known(name):
            accounts.add(name, secrets.token_urlsafe(24), [(role, EVERY_TABLE)])
