"""What a reader is told: entries once each, those that come at once together, then the state."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from croupier.cards import names
from croupier.clock import now_ms
from croupier.server import Floor
from croupier.server.tables.frames import frames
from croupier.server.tables.host import GATHERED_AT_ONCE
from croupier.server.tables.subscription import LONGEST, TOGETHER, FeedEntry, Subscription, TooSlow
from croupier.submission import example
from croupier.table import Account, Command, Envelope, Event, Table, Viewer, shown
from croupier.table import commands as cmd
from croupier.table.core.views import is_viewer_specific
from croupier.table.drivers.shuffler import Shuffler
from tests.support.floor_server import run, serving
from tests.support.rounds import EVERY_GAME

ANN = Account("ann", "player")


def line(number: int) -> FeedEntry:
    """An entry without events."""
    return FeedEntry(number, str(number), 0, (), {})


async def told(feed: Subscription) -> list[int | None]:
    """The numbers of all that is sent now."""
    found: list[int | None] = []

    async def reading() -> None:
        async for news in feed.news():
            found.extend([one.sequence for one in news] or [None])

    task = asyncio.ensure_future(reading())
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return found


def test_entries_that_come_at_once_are_sent_together() -> None:
    """Held back until no more come, or until there are many."""

    async def telling() -> None:
        feed = Subscription(ANN)
        feed.tell(line(1))
        feed.tell(line(2))
        assert [] == await told(feed)
        feed.wake()
        assert [1, 2] == await told(feed)
        for number in range(TOGETHER + 1):
            feed.tell(line(number))
        assert TOGETHER + 1 == len(await told(feed))
        feed.owed = True
        feed.wake()
        assert [None] == await told(feed)

    asyncio.run(telling())


def test_a_reader_who_falls_behind_is_cut() -> None:
    """The record is the buffer, the memory is not."""

    async def telling() -> str:
        feed = Subscription(ANN)
        for number in range(LONGEST + 1):
            feed.tell(line(number))
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
            await desk.execute(Envelope("early", Account("frank", "floorperson"), now_ms(), taking))
            found = await anext(sending)
            await desk.execute(Envelope("late", Account("dana", "dealer"), now_ms(), taking))
            while found[-1].sequence < desk.sequence:
                found += await anext(sending)
            desk.close_feed(feed)
            return [frame.sequence for frame in found]

        numbers = world.within(looking)

    assert list(range(1 if after == 0 else 2, 4)) == numbers


def test_whoever_is_asked_is_told_at_once_and_the_others_together(tmp_path: Path) -> None:
    """Two players: the state comes to the one whose turn it is while the other still waits."""
    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=1)

        async def seated() -> None:
            async with await world.client("ann") as ann, await world.client("bob") as bob:
                for seat, client in ((1, ann), (2, bob)):
                    await client.do("T", {"kind": "sit_down", "seat": seat})
                    await client.ask("T", {"kind": "buy_chips", "cash": 100_000})
                    bets = {"kind": "place_wagers", "seat": seat, "wagers": {"ante": 1500}}
                    await client.do("T", bets)
                await ann.ask("T", {"kind": "deal"})
                while (await ann.state("T"))["state"]["view"]["round"]["due"]["kind"] != "decide":
                    await asyncio.sleep(0.005)

        run(seated())

        async def looking(floor: Floor) -> list[bool]:
            desk = floor.desk("T")
            due, current = desk.table.due(), desk.table.dealing
            assert current is not None
            asked = current.boxes[due.seat].player
            feeds = {name: desk.open_feed(Account(name, "player")) for name in ("ann", "bob")}
            desk.change()
            found = [bool(await told(feeds[name])) for name in sorted(feeds, key=asked.__ne__)]
            await asyncio.sleep(GATHERED_AT_ONCE + 0.1)
            return [*found, bool(await told(feeds["bob" if asked == "ann" else "ann"]))]

        assert [True, False, True] == world.within(looking)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_what_is_written_once_for_a_role_is_what_each_of_them_may_see(game: str) -> None:
    """Events of a whole round: but for personal ones, boxes and names make no difference."""
    events = round_of(game)
    assert any(map(is_viewer_specific, events)) and not all(map(is_viewer_specific, events))
    for role in ("player", "dealer", "floorperson", "surveillance", "reader"):
        viewers = [
            Viewer(Account(name, role), frozenset({seat} if role == "player" else ()))
            for seat, name in enumerate(("ann", "bob", "eve"), 1)
        ]
        for entry in ((event,) for event in events):
            line = FeedEntry(1, "id", 0, entry, {1: "ann", 2: "bob", 3: "eve"})
            for viewer in viewers:
                alone = [shown(event, viewer) for event in entry]
                assert msgspec.json.encode(alone) == bytes(line.seen_by(viewer.account))


def round_of(game: str) -> tuple[Event, ...]:
    """Everything that happens in a round of two players at a practice table."""
    table, deck = Table(example(game), service="practice"), Shuffler(1).deck()
    found: list[Event] = []
    machine, gone = Account("dealer", "system"), 0

    def do(command: Command, by: Account = machine) -> None:
        for event in table.decide(Envelope(f"id-{len(found)}", by, 1, command)):
            table.evolve(event)
            found.append(event)

    players = {1: Account("ann", "player"), 2: Account("bob", "player")}
    for seat, player in players.items():
        do(cmd.SitDown(seat), player)
        do(cmd.BuyIn(seat, 1_000_000))
    do(cmd.CommitDeck(deck.commitment))
    for seat, player in players.items():
        offers = (s for s in table.next_steps() if s.kind == "place_wagers" and s.seat == seat)
        do(next(step for step in offers if step.is_for(player)).filled(), player)
    do(cmd.NoMoreBets())
    while (due := table.due()).kind != "settle":
        assert table.dealing is not None
        if due.kind == "deal":
            do(cmd.DealCards(tuple(names(deck.cards[gone : gone + due.cards]))))
            gone += due.cards
        elif due.kind == "show":
            do(cmd.ShowStreet())
        else:
            assert table.dealing.street is not None
            do(cmd.Decide(due.seat, table.dealing.street.options[0].word), players[due.seat])
    do(cmd.Showdown())
    do(cmd.Settle())
    return tuple(found)
