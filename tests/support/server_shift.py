"""An attended table made ready for its first round by the people of the test floor."""

from __future__ import annotations

import secrets

from croupier.clock import now_ms
from croupier.server import Floor
from croupier.server.tables.host import TableHost
from croupier.table import Account, Envelope, Role, Step
from croupier.table.drivers.simulated_staff import fill_step, staff_steps, opening_steps
from tests.support.floor_server import World

STAFF: dict[Role, str] = {
    "dealer": "dana",
    "floorperson": "frank",
    "pit_manager": "petra",
    "player": "ann",
    "cage": "cal",
    "security": "sid",
}


def actor(step: Step) -> Account:
    """Whoever takes a step here."""
    if step.who:
        return step.who[0]
    role = next(role for role in step.open_to if role != "system")
    name = STAFF[role] if STAFF[role] not in step.except_for else "paul"
    return Account(name, role)


async def take(desk: TableHost, step: Step) -> None:
    """One step, as honest people take it."""
    command = fill_step(desk.table, step)
    await desk.execute(Envelope(secrets.token_hex(8), actor(step), now_ms(), command))


def make_ready(world: World, table: str) -> None:
    """Everything up to the moment when a round may begin, with Ann at seat 1."""

    async def opening(floor: Floor) -> None:
        desk = floor.desk(table)
        for _ in range(60):
            steps = opening_steps(desk.table, now_ms())
            if not steps:
                return
            await take(desk, steps[0])
        raise AssertionError("the table does not open")

    world.within(opening)


def serve_house(world: World, table: str, but: tuple[str, ...]) -> None:
    """What everybody but these people has to do around a round."""

    async def serving(floor: Floor) -> None:
        desk = floor.desk(table)
        for _ in range(20):
            steps = [s for s in staff_steps(desk.table, now_ms()) if actor(s).id not in but]
            if not steps:
                return
            await take(desk, steps[0])

    world.within(serving)


def bet(world: World, table: str, *, progressive: bool = False) -> None:
    """Ann lays the least down, with a progressive chip if that is asked for and offered."""

    async def betting(floor: Floor) -> None:
        desk = floor.desk(table)
        steps = desk.table.next_steps(now_ms())
        step = next(step for step in steps if step.kind == "place_wagers")
        stakes = dict(step.fields["wagers"].example())
        if progressive and desk.table.house.progressive is not None:
            stakes["progressive"] = desk.table.house.progressive.stake
        command = step.filled(wagers=stakes)
        await desk.execute(Envelope(secrets.token_hex(8), actor(step), now_ms(), command))

    world.within(betting)
