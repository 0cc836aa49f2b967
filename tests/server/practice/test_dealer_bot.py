"""The dealer bot: companions, players who are not ready, players who have left."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from croupier.clock import now_ms
from croupier.games import catalogue
from croupier.server import Client, Floor
from croupier.server.auth.accounts import deck
from croupier.server.client import ResponseError
from croupier.server.practice import dealer_bot
from croupier.server.practice.dealer_bot import DealerBot
from croupier.server.tables.subscription import QUEUE_MAX, FeedEntry, Subscription, TooSlow
from croupier.table import Account
from tests.support.floor_server import PASSWORD, ServerThread, bet, run, serving


async def seated(world: ServerThread, name: str, seat: int) -> Client:
    """A client seated at the table with chips."""
    client = await world.client(name)
    await client.do("T", {"kind": "sit_down", "seat": seat})
    await client.ask("T", {"kind": "buy_chips", "cash": 100_000})
    return client


async def bets(client: Client) -> None:
    """Bet the minimum on the own box."""
    state = (await client.state("T"))["state"]
    step = next(step for step in state["steps"].values() if step["kind"] == "place_wagers")
    await client.do("T", bet(step))


async def until(client: Client, kind: str) -> list[dict[str, Any]]:
    """Every event until one of this kind."""
    events: list[dict[str, Any]] = []
    async with aclosing(client.feed("T", after=1)) as feed:
        async for frame in feed:
            events += [event for event in frame.get("events", ()) if event is not None]
            if any(event["kind"] == kind for event in events):
                return events
    raise AssertionError("the feed ended")


def test_companions_come_play_and_go(tmp_path: Path) -> None:
    """They sit, buy in, bet and decide like players."""

    async def playing(world: ServerThread) -> None:
        ann = await seated(world, "ann", 1)
        await ann.ask("T", {"kind": "set_companions", "count": 3})
        while len((await ann.state("T"))["state"]["view"]["seats"]) < 4:
            await asyncio.sleep(0.01)
        await bets(ann)
        await ann.ask("T", {"kind": "deal"})
        closed = next(
            e for e in await until(ann, "betting_closed") if e["kind"] == "betting_closed"
        )
        assert 4 == len(closed["seats"])
        while (await ann.state("T"))["state"]["view"]["round"]["due"]["kind"] != "decide":
            await asyncio.sleep(0.01)
        await ann.do("T", {"kind": "decide", "seat": 1, "word": "4x"})
        events = await until(ann, "round_closed")
        assert {1, *closed["seats"]} == {e["seat"] for e in events if e["kind"] == "decided"}
        await ann.ask("T", {"kind": "set_companions", "count": 0})
        while len((await ann.state("T"))["state"]["view"]["seats"]) > 1:
            await asyncio.sleep(0.01)
        await ann.__aexit__()

    with serving(tmp_path) as world:
        world.open("T", "ultimate_texas_holdem", seed=3)
        run(playing(world))


def test_the_bot_waits_a_limited_time_for_bets(tmp_path: Path) -> None:
    """Of two present players one is ready; the other has some time to bet."""

    async def end_betting(floor: Floor) -> None:
        bot = floor.dealers["T"]
        assert bot.closes_at is not None and bot.closes_at > now_ms()
        bot.closes_at = now_ms()
        bot.wake()

    async def playing(world: ServerThread) -> None:
        ann, bob = await seated(world, "ann", 1), await seated(world, "bob", 2)
        async with aclosing(bob.feed("T")) as looking:
            await anext(looking)
            await bets(ann)
            await ann.ask("T", {"kind": "deal"})
            state = (await ann.state("T"))["state"]
            assert ["bob"] == state["desk"]["waits_for"]
            await asyncio.to_thread(world.within, end_betting)
            events = await until(ann, "betting_closed")
            assert (1,) == tuple(next(e for e in events if e["kind"] == "betting_closed")["seats"])
        for client in (ann, bob):
            await client.__aexit__()

    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=3)
        run(playing(world))


def test_an_absent_player_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot records that the player has left, and folds for them."""
    monkeypatch.setattr(dealer_bot, "DECISION_MS", 300)

    async def playing(world: ServerThread) -> None:
        ann, bob = await seated(world, "ann", 1), await seated(world, "bob", 2)
        await bets(ann)
        await bets(bob)
        await bob.ask("T", {"kind": "deal"})
        events = await until(bob, "left_during_round")
        assert "ann" == next(e for e in events if e["kind"] == "left_during_round")["player"]
        events = await until(bob, "decided")
        answers = [(e["seat"], e["word"]) for e in events if e["kind"] == "decided"]
        assert [(1, "fold")] == answers
        for client in (ann, bob):
            await client.__aexit__()

    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=3)
        run(playing(world))


def test_time_to_decide_ends_while_others_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A present player has a limit that the state shows; alone at the table there is none."""
    monkeypatch.setattr(dealer_bot, "DECISION_MS", 0)

    async def end_decision(floor: Floor) -> None:
        monkeypatch.setattr(dealer_bot, "DECISION_MS", 0)
        floor.dealers["T"].wake()

    async def playing(world: ServerThread) -> None:
        ann, bob = await seated(world, "ann", 1), await world.client("bob")
        async with aclosing(ann.feed("T")) as looking:
            await anext(looking)
            await bets(ann)
            await ann.ask("T", {"kind": "deal"})
            await until(ann, "cards_dealt")
            await asyncio.sleep(0.3)
            desk = (await ann.state("T"))["state"]["desk"]
            assert desk["decide_by"] is None
            monkeypatch.setattr(dealer_bot, "DECISION_MS", 60_000)
            await bob.do("T", {"kind": "sit_down", "seat": 2})
            async with aclosing(bob.feed("T")) as watching:
                await anext(watching)
                await bob.ask("T", {"kind": "set_pace", "pace": "fast"})
                while (await bob.state("T"))["state"]["desk"]["decide_by"] is None:
                    await asyncio.sleep(0.01)
                await asyncio.to_thread(world.within, end_decision)
                events = await until(bob, "left_during_round")
                assert (
                    "ann" == next(e for e in events if e["kind"] == "left_during_round")["player"]
                )
        for client in (ann, bob):
            await client.__aexit__()

    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=3)
        run(playing(world))


@pytest.mark.parametrize("when", ["before betting", "with bets", "in the round"])
def test_a_player_can_always_leave(tmp_path: Path, when: str) -> None:
    """Bets are withdrawn; a hand in play is finished without another bet."""

    async def playing(world: ServerThread) -> None:
        async with await world.client("ann") as ann:
            await ann.do("T", {"kind": "sit_down", "seat": 1})
            await ann.ask("T", {"kind": "buy_chips", "cash": 100_000})
            if when != "before betting":
                await bets(ann)
            if when == "in the round":
                await ann.ask("T", {"kind": "deal"})
                await until(ann, "cards_dealt")
            await ann.ask("T", {"kind": "leave_table"})
            assert {} == (await ann.state("T"))["state"]["view"]["seats"]

    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=3)
        run(playing(world))


def test_refused_requests(tmp_path: Path) -> None:
    """A deal without a wager, too many chips, a player who is not seated, an attended table."""

    async def asking(world: ServerThread) -> None:
        ann, bob = await seated(world, "ann", 1), await world.client("bob")
        for client, request in (
            (ann, {"kind": "deal"}),
            (ann, {"kind": "buy_chips", "cash": 10**12}),
            (ann, {"kind": "set_drill", "on": True}),  # others play there too
            (bob, {"kind": "set_pace", "pace": "fast"}),
        ):
            with pytest.raises(ResponseError) as error:
                await client.ask("T", request)
            assert 422 == error.value.status
        with pytest.raises(ResponseError) as error:
            await ann.ask("T", {"kind": "set_pace", "pace": "backwards"})
        assert 400 == error.value.status
        with pytest.raises(ResponseError) as error:
            await ann.ask("A", {"kind": "deal"})
        assert 422 == error.value.status
        for client in (ann, bob):
            await client.__aexit__()

    with serving(tmp_path) as world:
        world.open("T", "top_five")
        world.open("A", "top_five", service="attended")
        run(asking(world))


def test_a_subscription_that_overflows_is_closed() -> None:
    """The queue is bounded; missed entries are in the ledger."""

    game = catalogue()[0]

    async def reading(count: int) -> list[FeedEntry]:
        feed = Subscription(Account("ann", "player"))
        for number in range(count):
            feed.push(FeedEntry(number, "", 0, (), {}, game))
        return await anext(feed.batches())

    first = run(reading(QUEUE_MAX))
    assert list(range(QUEUE_MAX)) == [entry.sequence for entry in first]
    with pytest.raises(TooSlow):
        run(reading(QUEUE_MAX + 1))


def test_an_account_named_like_a_companion_is_a_person(tmp_path: Path) -> None:
    """The bot waits for its bets, and does not decide for it."""

    async def playing(world: ServerThread) -> None:
        ada = await seated(world, "ada", 1)
        await ada.ask("T", {"kind": "set_companions", "count": 5})
        while len((await ada.state("T"))["state"]["view"]["seats"]) < 4:
            await asyncio.sleep(0.01)
        await bets(ada)
        await ada.ask("T", {"kind": "deal"})
        events = await until(ada, "betting_closed")
        await asyncio.sleep(0.5)
        state = (await ada.state("T"))["state"]
        assert "decide" in {step["kind"] for step in state["steps"].values()}
        assert not [event for event in events if event["kind"] == "left"]
        await ada.__aexit__()

    with serving(tmp_path) as world:
        assert world.server is not None
        world.server.floor.accounts.add("Ada", PASSWORD, [("player", "*")])
        world.open("T", "top_five", seed=3)
        run(playing(world))


def test_a_stored_deck_that_was_changed_is_not_dealt(tmp_path: Path) -> None:
    """It does not match its commitment: the bot treats it as lost and commits to another one."""
    with serving(tmp_path) as world:
        world.open("T", "top_five", seed=3)
        assert world.server is not None
        host = world.server.floor.table_host("T")

        async def committed(floor: Floor) -> str:
            while not host.table.fairness.commitment:
                await asyncio.sleep(0.01)
            return host.table.fairness.commitment

        commitment = world.within(committed)
        accounts = world.server.floor.accounts
        saved = accounts.saved_deck("T", commitment)
        assert saved is not None
        salt, _, cards = saved.partition(" ")
        turned = " ".join(reversed(cards.split()))
        with accounts.engine.begin() as connection:
            connection.execute(
                deck.update()
                .where(deck.c.commitment == commitment)
                .values(revealed=f"{salt} {turned}")
            )

        async def loaded(floor: Floor) -> bool:
            bot = DealerBot(floor.table_host("T"), accounts, floor.solved_games)
            await bot._ensure_deck()
            return commitment in bot._decks

        assert not world.within(loaded)
