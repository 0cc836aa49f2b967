"""Opens an attended table of the test server up to its first round."""

from __future__ import annotations

import secrets
from random import Random

from croupier.cards import DECK
from croupier.clock import now_ms
from croupier.server import Floor
from croupier.server.tables.host import TableHost
from croupier.table import Account, Command, Envelope, Role, Step, next_dealer_command
from croupier.table import commands as cmd
from croupier.table.drivers.shoe import Shoe
from croupier.table.drivers.simulated_staff import fill_step, opening_steps, staff_steps
from tests.support.floor_server import ServerThread

STAFF: dict[Role, str] = {
    "dealer": "dana",
    "floorperson": "frank",
    "pit_manager": "petra",
    "player": "ann",
    "cage": "cal",
    "security": "sid",
}


def actor(step: Step) -> Account:
    """The test account that takes a step."""
    if step.who:
        return step.who[0]
    role = next(role for role in step.open_to if role != "system")
    name = STAFF[role] if STAFF[role] not in step.except_for else "paul"
    return Account(name, role)


async def take(host: TableHost, step: Step) -> None:
    """Take one step with valid values."""
    command = fill_step(host.table, step)
    await host.execute(Envelope(secrets.token_hex(8), actor(step), now_ms(), command))


def make_ready(world: ServerThread, table: str, until: str = "") -> None:
    """Take every step until a round can begin, with Ann at seat 1, or up to a step of a deck."""

    async def opening(floor: Floor) -> None:
        host = floor.table_host(table)
        for _ in range(60):
            steps = opening_steps(host.table, now_ms())
            if not steps or (until and steps[0].fixed.get("step") == until):
                return
            await take(host, steps[0])
        raise AssertionError("the table does not open")

    world.within(opening)


def serve_house(world: ServerThread, table: str, but: tuple[str, ...]) -> None:
    """Take the steps around a round that are due from all but these accounts."""

    async def serving(floor: Floor) -> None:
        host = floor.table_host(table)
        for _ in range(20):
            steps = [s for s in staff_steps(host.table, now_ms()) if actor(s).id not in but]
            if not steps:
                return
            await take(host, steps[0])

    world.within(serving)


def seat_bob(world: ServerThread, table: str) -> None:
    """Bob sits down at seat 2 with chips."""

    async def seating(floor: Floor) -> None:
        host, bob, dana = (
            floor.table_host(table),
            Account("bob", "player"),
            Account("dana", "dealer"),
        )
        for command, by in ((cmd.SitDown(2), bob), (cmd.BuyIn(2, 500_000), dana)):
            await host.execute(Envelope(secrets.token_hex(8), by, now_ms(), command))

    world.within(seating)


def decide(world: ServerThread, table: str) -> None:
    """The player whose turn it is checks or makes the lowest bet, from their phone."""

    async def deciding(floor: Floor) -> None:
        host = floor.table_host(table)
        steps = [step for step in host.table.next_steps(now_ms()) if step.kind == "decide"]
        step = next(each for each in steps if each.fixed.get("word") not in ("fold", ""))
        await take(host, step)

    world.within(deciding)


def bet(world: ServerThread, table: str, *, progressive: bool = False, player: str = "ann") -> None:
    """A player bets the minimum, with a progressive chip if requested and offered."""

    async def betting(floor: Floor) -> None:
        host = floor.table_host(table)
        steps = host.table.next_steps(now_ms())
        step = next(
            step for step in steps if step.kind == "place_wagers" and actor(step).id == player
        )
        stakes = dict(step.fields["wagers"].example())
        if progressive and host.table.house.progressive is not None:
            stakes["progressive"] = host.table.house.progressive.stake
        command = step.filled(wagers=stakes)
        await host.execute(Envelope(secrets.token_hex(8), actor(step), now_ms(), command))

    world.within(betting)


def play_round(world: ServerThread, table: str, seed: int = 1) -> int:
    """Play the round that is open to its end, with the weakest decisions; return its number."""
    deck = list(DECK)
    Random(seed).shuffle(deck)
    shoe = Shoe(deck)

    async def playing(floor: Floor) -> int:
        host = floor.table_host(table)
        number = host.table.rounds_played
        while host.table.open_round is not None:
            due = host.table.due()
            decisions = [each for each in host.table.next_steps(now_ms()) if each.kind == "decide"]
            if steps := staff_steps(host.table, now_ms()) or decisions:
                await take(host, steps[0])
            else:
                command = next_dealer_command(due, shoe.draw)
                command = cmd.NoMoreBets() if due.kind == "wagers" else command
                assert command is not None, f"nothing to do at {due}"
                dealer = Account(STAFF["dealer"], "dealer")
                await host.execute(Envelope(secrets.token_hex(8), dealer, now_ms(), command))
        return number

    return world.within(playing)


def act(world: ServerThread, table: str, name: str, command: Command) -> None:
    """A person gives a command in the role of their test account."""
    role = next(role for role, each in STAFF.items() if each == name)

    async def acting(floor: Floor) -> None:
        envelope = Envelope(secrets.token_hex(8), Account(name, role), now_ms(), command)
        await floor.table_host(table).execute(envelope)

    world.within(acting)
