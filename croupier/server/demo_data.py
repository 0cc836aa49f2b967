"""A floor to try: a practice table of every game, one table that people serve, and the people."""

from __future__ import annotations

import asyncio
import secrets

from croupier.clock import now_ms
from croupier.games import CATALOGUE
from croupier.ledger import Fenced
from croupier.server.app import Server
from croupier.server.auth.accounts import EVERY_TABLE, Accounts, Office
from croupier.server.tables.host import TableHost
from croupier.submission import example
from croupier.table import Account, Envelope, Role, Step
from croupier.table.drivers.simulated_staff import fill_step, opening_steps

PEOPLE: tuple[tuple[str, Role | Office, str], ...] = (
    ("ann", "player", "plays"),
    ("bob", "player", "plays"),
    ("dana", "dealer", "deals at Harbor 1"),
    ("frank", "floorperson", "supervises"),
    ("petra", "pit_manager", "manages the pit, examines dealers"),
    ("paul", "pit_manager", "manages the pit, the second of two people"),
    ("sam", "surveillance", "watches, and looks back at rounds"),
    ("cal", "cage", "brings and takes chips"),
    ("sid", "security", "carries and witnesses"),
    ("olga", "operator", "writes submissions"),
    ("otto", "operator", "approves submissions of others"),
    ("tina", "trainee", "learns to deal"),
)
ATTENDED = "Harbor 1"  # the table that people serve
GAME = "ultimate_texas_holdem"
STEPS = 80  # more than an opening takes


def table_of(game: str) -> str:
    """The name of a game's practice table."""
    return f"practice-{game.replace('_', '-')}"


async def set_up(server: Server) -> dict[str, str]:
    """Open the tables, let the people in; a link for each of them that works once."""
    await asyncio.to_thread(add_people, server.floor.accounts)
    for game in CATALOGUE:
        await server.floor.open(table_of(game.key), example(game.key), service="practice")
    known = ATTENDED in await asyncio.to_thread(server.floor.ledger.tables)
    desk = await server.floor.open(ATTENDED, example(GAME), service="attended")
    if not known:
        await open_up(desk)
    server.visitors.update({name: does for name, _, does in PEOPLE})
    return {name: server.let_in(name) for name, _, _ in PEOPLE}


def add_people(accounts: Accounts) -> None:
    """Those who are not there yet; their passwords are told to nobody, the links let them in."""
    for name, role, _ in PEOPLE:
        if not accounts.known(name):
            accounts.add(name, secrets.token_urlsafe(24), [(role, EVERY_TABLE)])


async def open_up(desk: TableHost) -> None:
    """Everything up to the first round, as these people would do it, with Ann at seat 1."""
    for _ in range(STEPS):
        steps = opening_steps(desk.table, now_ms())
        if not steps:
            return
        step = steps[0]
        envelope = Envelope(secrets.token_hex(12), actor(step), now_ms(), fill_step(desk.table, step))
        try:
            await desk.execute(envelope)
        except Fenced:  # another server has the table: people go on there
            return
    raise AssertionError(f"{desk.id} does not open: {steps[0]}")


def actor(step: Step) -> Account:
    """Whoever of the demonstration takes a step."""
    if step.who:
        return step.who[0]
    for name, role, _ in PEOPLE:
        if role in step.open_to and name not in step.except_for:
            return Account(name, next(one for one in step.open_to if one == role))
    raise AssertionError(f"nobody of the demonstration takes {step}")
