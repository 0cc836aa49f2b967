"""Feeds: each entry once, entries of one batch together, then the state."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from croupier.cards import names
from croupier.clock import now_ms
from croupier.server import Floor
from croupier.server.tables import host
from croupier.server.tables.frames import frames
from croupier.server.tables.subscription import (
    BATCH_MAX,
    QUEUE_MAX,
    FeedEntry,
    Subscription,
    TooSlow,
)
from croupier.submission import example
from croupier.table import Account, Command, Envelope, Event, Table, Viewer, shown
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.event_text import EventText, spoken_cards
from tests.support.floor_server import run, serving
from tests.support.rounds import EVERY_GAME

ANN = Account("ann", "player")
GAME = example("top_five").game


def entry(number: int) -> FeedEntry:
    """An entry without events."""
    return FeedEntry(number, str(number), 0, (), {}, GAME)


async def sent(feed: Subscription) -> list[int | None]:
    """The sequence numbers that are sent now; None for a state without entries."""
    numbers: list[int | None] = []

    async def reading() -> None:
        async for batch in feed.batches():
            numbers.extend([each.sequence for each in batch] or [None])

    task = asyncio.ensure_future(reading())
    for _ in range(10):  # of the event loop: what is ready is sent, however slow the machine
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return numbers


def test_entries_that_come_at_once_are_sent_together() -> None:
    """Entries wait for `wake`, or until a batch is full."""

    async def pushing() -> None:
        feed = Subscription(ANN)
        feed.push(entry(1))
        feed.push(entry(2))
        assert [] == await sent(feed)
        feed.wake()
        assert [1, 2] == await sent(feed)
        for number in range(BATCH_MAX + 1):
            feed.push(entry(number))
        assert BATCH_MAX + 1 == len(await sent(feed))
        feed.state_owed = True
        feed.wake()
        assert [None] == await sent(feed)

    asyncio.run(pushing())


def test_a_reader_who_falls_behind_is_disconnected() -> None:
    """The ledger is the buffer, not the memory."""

    async def pushing() -> str:
        feed = Subscription(ANN)
        for number in range(QUEUE_MAX + 1):
            feed.push(entry(number))
        try:
            async for _ in feed.batches():
                pass
        except TooSlow:
            return "cut"
        return "sent"

    assert "cut" == asyncio.run(pushing())


@pytest.mark.parametrize("after", [None, 0])
def test_the_entries_of_a_snapshot_are_not_repeated(tmp_path: Path, after: int | None) -> None:
    """An entry is committed between the subscription and its first frame."""
    with serving(tmp_path) as world:
        world.open("T", "top_five", service="attended")

        async def looking(floor: Floor) -> list[int]:
            host = floor.table_host("T")
            feed = host.subscribe(ANN)
            sending = frames(host, feed, ("player",), after)
            taking = cmd.TakePost()
            await host.execute(Envelope("early", Account("frank", "floorperson"), now_ms(), taking))
            received = await anext(sending)
            await host.execute(Envelope("late", Account("dana", "dealer"), now_ms(), taking))
            while received[-1].sequence < host.sequence:
                received += await anext(sending)
            host.unsubscribe(feed)
            return [frame.sequence for frame in received]

        numbers = world.within(looking)

    assert list(range(1 if after == 0 else 2, 4)) == numbers


def test_the_player_who_has_to_act_is_notified_at_once_and_others_in_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two players, the one who has to decide gets the state first."""
    monkeypatch.setattr(host, "NOTIFY_SECONDS_INSTANT", 1.0)
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
            host = floor.table_host("T")
            due, current = host.table.due(), host.table.dealing
            assert current is not None
            awaited = current.boxes[due.seat].player
            feeds = {name: host.subscribe(Account(name, "player")) for name in ("ann", "bob")}
            host.state_changed()
            first = [bool(await sent(feeds[name])) for name in sorted(feeds, key=awaited.__ne__)]
            while not await sent(feeds["bob" if awaited == "ann" else "ann"]):
                await asyncio.sleep(0.01)
            return first

        assert [True, False] == world.within(looking)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_events_encoded_for_a_role_are_what_each_account_of_it_sees(game: str) -> None:
    """Events of a whole round and their sentences: "you" for the player whom they are about."""
    events, rules, boxes = round_of(game), example(game).game, {1: "ann", 2: "bob", 3: "eve"}
    for role in ("player", "dealer", "floorperson", "surveillance", "reader"):
        viewers = [
            Viewer(Account(name, role), frozenset({seat} if role == "player" else ()))
            for seat, name in enumerate(("ann", "bob", "eve"), 1)
        ]
        for events_of_entry in (events, *((event,) for event in events)):
            feed_entry = FeedEntry(1, "id", 0, events_of_entry, boxes, rules)
            for viewer in viewers:
                alone = [shown(event, viewer) for event in events_of_entry]
                text = EventText(viewer, rules, boxes, name_cards=spoken_cards)
                sentences = tuple(map(text.describe, events_of_entry))
                assert msgspec.json.encode(alone) == bytes(feed_entry.events_for(viewer.account))
                assert sentences == feed_entry.sentences_for(viewer.account)
                frame = msgspec.json.decode(feed_entry.frame_for(viewer.account).text)
                assert frame.get("sentences", []) == list(sentences)


def round_of(game: str) -> tuple[Event, ...]:
    """All events of a round of two players at a practice table."""
    table, deck = Table(example(game), service="practice"), Shuffler(1).deck()
    events: list[Event] = []
    bot, dealt = Account("dealer", "system"), 0

    def do(command: Command, by: Account = bot) -> None:
        for event in table.decide(Envelope(f"id-{len(events)}", by, 1, command)):
            table.evolve(event)
            events.append(event)

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
            do(cmd.DealCards(tuple(names(deck.cards[dealt : dealt + due.cards]))))
            dealt += due.cards
        elif due.kind == "show":
            do(cmd.ShowStreet())
        else:
            assert table.dealing.street is not None
            do(cmd.Decide(due.seat, table.dealing.street.options[0].word), players[due.seat])
    for seat in sorted(players, reverse=True):
        do(cmd.SettleSeat(seat))
    do(cmd.Settle())
    return tuple(events)
