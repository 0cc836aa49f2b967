"""A floor whose record is written by a process of its own, and what happens when that is killed."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from croupier.ledger.audit.verify import verify
from croupier.server import Floor
from croupier.server.client import ResponseError
from tests.server.test_full_disk import TABLE, ready_to_bet
from tests.support.floor_server import World, run


async def writer_of(floor: Floor) -> int:
    """The process that writes."""
    return floor.writer


def test_a_killed_writer_costs_one_answer(tmp_path: Path) -> None:
    """503, and nobody is told anything; the same id is carried out, by another process."""
    world = World(tmp_path)
    world.apart = True
    world.start()
    try:
        world.open(TABLE, "top_five", seed=3)

        async def betting() -> None:
            async with await world.client("ann") as ann:
                before, chosen = await ready_to_bet(ann)
                first = await asyncio.to_thread(world.within, writer_of)
                os.kill(first, signal.SIGSTOP)  # so that it is killed before it writes
                said = asyncio.ensure_future(ann.do(TABLE, chosen, id="one and only bet"))
                await asyncio.sleep(0.1)
                os.kill(first, signal.SIGKILL)
                with pytest.raises(ResponseError) as error:
                    await said
                assert 503 == error.value.status
                assert before["state"]["view"] == (await ann.state(TABLE))["state"]["view"]
                done = await ann.do(TABLE, chosen, id="one and only bet")
                assert before["sequence"] + 1 == done["sequence"]
                assert done == await ann.do(TABLE, chosen, id="one and only bet")
                second = await asyncio.to_thread(world.within, writer_of)
                assert second and second != first

        run(betting())
    finally:
        world.stop()
    assert verify(world.database).ok
