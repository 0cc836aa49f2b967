"""What a reader is told: entries once each, those that come at once together, then the state."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from croupier.floor import Floor
from croupier.floor.accounts import now
from croupier.floor.feeds import LONGEST, TOGETHER, Feed, Line, TooSlow
from croupier.floor.speaking import frames
from croupier.table import Account, Envelope
from croupier.table import commands as cmd
from tests.floor.world import serving

ANN = Account("ann", "player")


def line(number: int) -> Line:
    """An entry without events."""
    return Line(number, str(number), 0, (), {})


async def told(feed: Feed) -> list[int | None]:
    """The numbers of all that is sent now."""
    found: list[int | None] = []

    async def reading() -> None:
        async for news in feed.news():
            found.append(news.sequence if news else None)

    task = asyncio.ensure_future(reading())
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return found


def test_entries_that_come_at_once_are_sent_together() -> None:
    """Held back until no more come, or until there are many."""

    async def telling() -> None:
        feed = Feed(ANN)
        feed.tell(line(1), more=True)
        feed.tell(line(2), more=True)
        assert [] == await told(feed)
        feed.rest()
        assert [1, 2] == await told(feed)
        for number in range(TOGETHER + 1):
            feed.tell(line(number), more=True)
        assert TOGETHER + 1 == len(await told(feed))
        feed.owed = True
        feed.rest()
        assert [None] == await told(feed)

    asyncio.run(telling())


def test_a_reader_who_falls_behind_is_cut() -> None:
    """The record is the buffer, the memory is not."""

    async def telling() -> str:
        feed = Feed(ANN)
        for number in range(LONGEST + 1):
            feed.tell(line(number), more=True)
        try:
            async for _ in feed.news():
                pass
        except TooSlow:
            return "cut"
        return "told"

    assert "cut" == asyncio.run(telling())


@pytest.mark.parametrize("after", [None, 0])
def test_what_is_told_at_the_beginning_is_not_told_again(tmp_path: Path, after: int | None) -> None:
    """An entry is made after a reader came and before it was told anything."""
    with serving(tmp_path) as world:
        world.open("T", "top_five", service="attended")

        async def looking(floor: Floor) -> list[int]:
            desk = floor.desk("T")
            feed = desk.open_feed(ANN)
            sending = frames(desk, feed, ("player",), after)
            taking = cmd.TakePost()
            await desk.carry_out(Envelope("early", Account("frank", "floorperson"), now(), taking))
            found = [await anext(sending)]
            await desk.carry_out(Envelope("late", Account("dana", "dealer"), now(), taking))
            while found[-1].sequence < desk.sequence:
                found.append(await anext(sending))
            desk.close_feed(feed)
            return [frame.sequence for frame in found]

        numbers = world.within(looking)

    assert list(range(1 if after == 0 else 2, 4)) == numbers
