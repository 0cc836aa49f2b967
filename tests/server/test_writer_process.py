"""A floor with a separate writer process, which is killed."""

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
from tests.support.floor_server import ServerThread, run


async def writer_of(floor: Floor) -> int:
    """The id of the writer process."""
    return floor.writer


def test_a_killed_writer_fails_one_command(tmp_path: Path) -> None:
    """503 and no entry; the same id is executed by a new writer."""
    world = ServerThread(tmp_path)
    world.writer_process = True
    world.start()
    try:
        world.open(TABLE, "top_five", seed=3)

        async def betting() -> None:
            async with await world.client("ann") as ann:
                before, chosen = await ready_to_bet(ann)
                first = await asyncio.to_thread(world.within, writer_of)
                os.kill(first, signal.SIGSTOP)  # so that it is killed before it writes
                pending = asyncio.ensure_future(ann.do(TABLE, chosen, id="one and only bet"))
                await asyncio.sleep(0.1)
                os.kill(first, signal.SIGKILL)
                with pytest.raises(ResponseError) as error:
                    await pending
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
