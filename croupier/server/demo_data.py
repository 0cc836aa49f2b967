"""Demo data: a practice table of every game, one attended table, and an account per role."""

from __future__ import annotations

import asyncio
import secrets

from croupier.clock import now_ms
from croupier.games import CATALOGUE
from croupier.server.app import Server
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.person import EVERY_TABLE, Office
from croupier.server.practice.demo_staff import DemoStaff, actor
from croupier.server.tables.host import TableHost
from croupier.submission import example
from croupier.table import Account, Envelope, Role
from croupier.table.drivers.simulated_staff import fill_step, opening_steps

PEOPLE: tuple[tuple[str, Role | Office, str], ...] = (
    ("ann", "player", "plays at the practice tables and at Harbor 1"),
    ("bob", "player", "another player"),
    ("dana", "dealer", "deals at Harbor 1"),
    ("frank", "floorperson", "supervises the dealers"),
    ("petra", "pit_manager", "manages the pit, examines dealers"),
    ("paul", "pit_manager", "manages the pit, agrees as second person"),
    ("sam", "surveillance", "watches all tables, reviews rounds"),
    ("cal", "cage", "works in the cage: chips in and out"),
    ("sid", "security", "escorts chips, witnesses counts"),
    ("olga", "operator", "writes Rules Submissions"),
    ("otto", "operator", "approves submissions of others"),
    ("tina", "trainee", "learns to deal"),
)
ACCOUNTS = tuple(
    Account(name, role)
    for name, role, _ in PEOPLE
    if role != "operator" and role != "trainee" and role != "supplier"
)
STAFF = tuple(account for account in ACCOUNTS if account.role != "player")
ATTENDED = "Harbor 1"  # the attended table
GAME = "ultimate_texas_holdem"
STEPS_MAX = 80  # more than opening a table takes


def practice_table_id(game: str) -> str:
    """The table id of a game's practice table."""
    return f"practice-{game.replace('_', '-')}"


async def set_up(server: Server) -> dict[str, str]:
    """Open the tables and create the accounts; return a one-time sign-in link for each."""
    await asyncio.to_thread(add_people, server.floor.accounts)
    for game in CATALOGUE:
        await server.floor.open(practice_table_id(game.key), example(game.key), service="practice")
    exists = ATTENDED in await asyncio.to_thread(server.floor.ledger.tables)
    host = await server.floor.open(ATTENDED, example(GAME), service="attended")
    if not exists:
        await open_attended_table(host)
    server.floor.start_task("demo staff", DemoStaff(host, STAFF).run)
    server.visitors.update({name: does for name, _, does in PEOPLE})
    return {name: server.sign_in_link(name) for name, _, _ in PEOPLE}


def add_people(accounts: Accounts) -> None:
    """Create the missing accounts, with random passwords: they sign in by link."""
    for name, role, _ in PEOPLE:
        if not accounts.exists(name):
            accounts.add(name, secrets.token_urlsafe(24), [(role, EVERY_TABLE)])


async def open_attended_table(host: TableHost) -> None:
    """Open the attended table up to the first round, with Ann at seat 1."""
    for _ in range(STEPS_MAX):
        steps = opening_steps(host.table, now_ms())
        if not steps:
            return
        step = steps[0]
        envelope = Envelope(
            secrets.token_hex(12), actor(step, ACCOUNTS), now_ms(), fill_step(host.table, step)
        )
        await host.execute(envelope)
    raise AssertionError(f"{host.id} does not open: {steps[0]}")
