"""Recorded tables in an event loop: the same guarantees without blocking threads."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from croupier.ledger import (
    IdTaken,
    Ledger,
    MeterUnreachable,
    StoreFailed,
    TableStopped,
)
from croupier.ledger.aggregates.linked_meter_messages import HaltMeters
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.table import Command, Envelope, Event
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.support.recorded_rounds import ANN, AT, MAX, SYSTEM, example_house
from tests.support.rounds import UTH, house, refuses

BET = cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000})


def test_tables_play_in_one_event_loop(ledger: Ledger) -> None:
    """Eight tables, four of them linked, with refusals and repeated commands."""
    rules = house(UTH)
    names = [f"T{number}" for number in range(8)]
    for number, name in enumerate(names):
        ledger.open_table(name, rules, by=SYSTEM, group="g" if number % 2 else "")

    async def play(name: str, appender: AsyncAppender) -> None:
        table = ledger.open_table(name)
        script = random.Random(name)

        async def execute(command: Command, id: str) -> tuple[Event, ...]:
            return await table.execute_async(appender, Envelope(id, ANN, AT, command))

        for number in range(2):
            commands = [cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000, "progressive": 100})]
            first = await execute(commands[0], f"{number} bet")
            assert first == await execute(commands[0], f"{number} bet")
            with pytest.raises(IdTaken):
                await execute(cmd.NoMoreBets(), f"{number} bet")
            with refuses("10.A.2.a"):
                await execute(cmd.Settle(), f"{number} early")
            await execute(cmd.NoMoreBets(), f"{number} close")
            deck = script.sample([r + s for r in "23456789TJQKA" for s in "cdhs"], 52)
            step = 0
            while (due := table.table.due()).kind != "closed" and table.table.open_round:
                step += 1
                command: Command = cmd.Settle()
                if due.kind == "deal":
                    command = cmd.DealCards(tuple(deck.pop() for _ in range(due.cards)))
                elif due.kind == "show":
                    command = cmd.ShowStreet()
                elif due.kind == "decide":
                    command = cmd.Decide(due.seat, script.choice(table.table.options()).word)
                await execute(command, f"{number} step {step}")

    async def play_all() -> None:
        appender = AsyncAppender(ledger.store)
        await asyncio.gather(*(play(name, appender) for name in names))

    asyncio.run(play_all())
    verdict = verify(ledger.store)

    assert verdict.ok, str(verdict)
    assert 16 == verdict.rounds


def test_a_conflict_in_an_event_loop_is_retried(ledger: Ledger) -> None:
    """A second handle appends in between; no entry is lost or overwritten."""
    first, second = ledger.open_table("A", example_house(), by=SYSTEM), ledger.open_table("A")

    async def run() -> None:
        appender = AsyncAppender(ledger.store)
        for seat in range(1, 7):
            table = first if seat % 2 else second
            bet = cmd.PlaceWagers(seat, {"ante": 1000, "blind": 1000})
            await table.execute_async(appender, Envelope(f"bet {seat}", ANN, AT, bet))

    asyncio.run(run())
    again = ledger.open_table("A").table

    assert again.round is not None
    assert set(range(1, 7)) == set(again.round.boxes)


def test_two_tasks_at_one_table_queue(lite: Ledger) -> None:
    """A thread that uses the same table waits too."""
    table = lite.open_table("A", example_house(), by=SYSTEM)

    async def run() -> None:
        appender = AsyncAppender(lite.store)
        bets = [
            table.execute_async(
                appender,
                Envelope(f"b{n}", ANN, AT, cmd.PlaceWagers(n, {"ante": 1000, "blind": 1000})),
            )
            for n in range(1, 6)
        ]
        last = cmd.PlaceWagers(6, {"ante": 1000, "blind": 1000})
        await asyncio.gather(*bets, asyncio.to_thread(table.do, last, ANN))

    asyncio.run(run())

    assert table.table.round is not None
    assert set(range(1, 7)) == set(table.table.round.boxes)
    assert verify(lite.store).ok


def test_a_cancelled_command_leaves_the_table_usable(lite: Ledger) -> None:
    """Sending it again under its id tells whether it became durable."""
    table = lite.open_table("A", example_house(), by=SYSTEM)

    async def run() -> tuple[Event, ...]:
        appender = AsyncAppender(lite.store)
        task = asyncio.create_task(table.execute_async(appender, Envelope("bet", ANN, AT, BET)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await table.execute_async(appender, Envelope("bet", ANN, AT, BET))

    events = asyncio.run(run())

    assert isinstance(events[-1], ev.WagersPlaced)
    assert 2 == table.sequence == lite.open_table("A").sequence


def test_halted_meters_and_a_closed_ledger_in_a_loop(tmp_path: Path) -> None:
    """The command is refused, or the table stops, as in a thread."""
    wager = cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000, "progressive": 100})
    ledger = Ledger(tmp_path / "ledger.db")
    table = ledger.open_table("A", house(UTH), by=SYSTEM, group="g")
    ledger.execute_on_group("g", HaltMeters("being replaced"), by=MAX)

    async def run() -> None:
        appender = AsyncAppender(ledger.store)
        with pytest.raises(MeterUnreachable, match="being replaced"):
            await table.execute_async(appender, Envelope("1", ANN, AT, wager))
        assert verify(ledger.store).ok
        ledger.close()
        with pytest.raises(StoreFailed):
            await table.execute_async(appender, Envelope("2", ANN, AT, BET))
        with pytest.raises(TableStopped):
            await table.execute_async(appender, Envelope("2", ANN, AT, BET))

    asyncio.run(run())
