"""Commands that wait together become durable together: the same record, the same answers."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from croupier.errors import CroupierError
from croupier.ledger import IdTaken, Ledger, StoreFailed, append_plan
from croupier.ledger import entry_codec as ent
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server.tables.host import Stale, TableHost
from croupier.server.tables.subscription import FeedEntry
from croupier.table import Account, Command, Envelope, Event, Table
from croupier.table import commands as cmd
from tests.support.recorded_rounds import ANN, AT, SYSTEM, example_house, random_round

TABLE = "T"
Answer = tuple[int, tuple[Event, ...]] | str


class Disk:
    """Looks on while entries are written, and may be full."""

    def __init__(self) -> None:
        self.full = False
        self.writes = 0
        self.look: Callable[[], None] = lambda: None

    def point(self, where: str) -> None:
        """Before and behind every write."""
        if where == "entry written":
            self.writes += 1
            self.look()
            if self.full:
                raise sqlite3.OperationalError("database or disk is full")


def script(seed: int, rounds: int = 4) -> list[Envelope]:
    """Random rounds, with commands that are refused, repeated, or under another one's id."""
    rng, found, table = random.Random(seed), list[Envelope](), Table(example_house())

    def give(command: Command, id: str) -> None:
        found.append(Envelope(id, ANN, AT + len(found), command))

    def do(command: Command) -> Sequence[Event]:
        chance = rng.random()
        if chance < 0.1:
            give(cmd.PlaceWagers(1, {"ante": 1}), f"refused {len(found)}")
        give(command, f"command {len(found)}")
        if chance > 0.9:
            found.append(found[-1])
        elif chance > 0.8:
            give(cmd.Settle(), found[-1].id)
        return table.do(command, ANN, found[-1].at)

    for _ in range(rounds):
        random_round(table, rng, do, seats=3)
    return found


def answer_of(told: FeedEntry | BaseException) -> Answer:
    """What somebody hears."""
    if isinstance(told, FeedEntry):
        return told.sequence, told.events
    assert isinstance(told, CroupierError)
    return f"{type(told).__name__}: {told}"


def at_a_desk(
    path: Path, work: Callable[[TableHost], Awaitable[None]], disk: Disk | None = None
) -> list[tuple[object, ...]]:
    """Do something at the desk of a new table; every entry of the record, refusals included."""
    with Ledger(path, faults=disk or Disk()) as ledger:

        async def working() -> None:
            opened = ledger.open_table(TABLE, example_house(), by=SYSTEM, at=AT)
            await work(TableHost(ledger, AsyncAppender(ledger.store), opened))

        asyncio.run(working())
        verdict = verify(ledger.store)
        assert verdict.ok, str(verdict)
        streams = (ent.TABLE_PREFIX + TABLE, ent.REFUSED_PREFIX + ent.TABLE_PREFIX + TABLE)
        return [tuple(stored.entry) for name in streams for stored in ledger.store.read(name)]


@pytest.mark.parametrize("seed", range(4))
def test_the_record_is_as_if_one_had_come_after_the_other(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same entries, refusals at their place and answers, however many come at once."""
    monkeypatch.setattr(append_plan, "SNAPSHOT_EVERY", 20)
    given, rng = script(seed), random.Random(seed)
    alone: list[Answer] = []
    together: list[Answer] = []

    async def one_by_one(desk: TableHost) -> None:
        for envelope in given:
            (told,) = await asyncio.gather(desk.execute(envelope), return_exceptions=True)
            alone.append(answer_of(told))

    async def at_once(desk: TableHost) -> None:
        left = list(given)
        while left:
            some, left = left[: (size := rng.choice((1, 3, 8, 30)))], left[size:]
            told = await asyncio.gather(*map(desk.execute, some), return_exceptions=True)
            together.extend(map(answer_of, told))

    slow, quick = Disk(), Disk()
    first = at_a_desk(tmp_path / "alone.db", one_by_one, slow)
    second = at_a_desk(tmp_path / "together.db", at_once, quick)

    assert first == second
    assert alone == together
    assert any(isinstance(each, str) for each in alone)
    assert quick.writes < slow.writes * 0.8


def bets(*seats: int) -> list[Envelope]:
    """A wager on each of these boxes."""
    stakes = {"ante": 1000, "blind": 1000}
    return [
        Envelope(f"bet of {seat}", ANN, AT + seat, cmd.PlaceWagers(seat, stakes, f"player {seat}"))
        for seat in seats
    ]


def test_nobody_sees_what_is_not_durable(tmp_path: Path) -> None:
    """While six bets are written the table has none; nobody was told, nobody answered."""
    disk = Disk()
    seen: list[tuple[int, int, int]] = []

    async def betting(desk: TableHost) -> None:
        feed = desk.open_feed(Account("sam", "surveillance"))
        told: list[asyncio.Future[FeedEntry]] = []

        def look() -> None:
            boxes = desk.table.round.boxes if desk.table.round is not None else {}
            answered = sum(each.done() for each in told)
            seen.append((len(boxes), answered, 0 if feed.caught_up else 1))

        disk.look = look
        told += [asyncio.ensure_future(desk.execute(bet)) for bet in bets(1, 2, 3, 4, 5, 6)]
        lines = await asyncio.gather(*told)
        assert [2, 3, 4, 5, 6, 7] == [line.sequence for line in lines]
        assert desk.table.round is not None and 6 == len(desk.table.round.boxes)

    at_a_desk(tmp_path / "t.db", betting, disk)

    assert [(0, 0, 0)] == seen


def test_a_failed_write_is_everybodys_and_the_record_says_where_to_go_on(tmp_path: Path) -> None:
    """Three bets stand; of three more, and a refusal behind them, nothing happened."""
    disk = Disk()
    early = Envelope("early", ANN, AT, cmd.Settle())

    async def betting(desk: TableHost) -> None:
        await asyncio.gather(*map(desk.execute, bets(1, 2, 3)))
        disk.full = True
        failing = [*bets(4, 5, 6), early]
        told = await asyncio.gather(*map(desk.execute, failing), return_exceptions=True)
        assert [StoreFailed] * 4 == list(map(type, told))
        assert 4 == desk.sequence
        assert desk.table.round is not None and [1, 2, 3] == sorted(desk.table.round.boxes)
        disk.full = False
        lines = await asyncio.gather(*map(desk.execute, bets(6, 5, 4, 1)))
        assert [5, 6, 7, 2] == [line.sequence for line in lines]

    found = at_a_desk(tmp_path / "t.db", betting, disk)

    assert 7 == len(found)


def test_who_looked_at_an_older_table_is_stale(tmp_path: Path) -> None:
    """Those before it in the same moment count."""

    async def betting(desk: TableHost) -> None:
        first, second, third = bets(1, 2, 3)
        told = await asyncio.gather(
            desk.execute(first, expected=1),
            desk.execute(second, expected=1),
            desk.execute(third, expected=2),
            return_exceptions=True,
        )
        assert [FeedEntry, Stale, FeedEntry] == list(map(type, told))
        again = await desk.execute(first, expected=1)
        assert 2 == again.sequence
        with pytest.raises(IdTaken):
            await desk.execute(Envelope(first.id, ANN, AT, cmd.NoMoreBets()))

    at_a_desk(tmp_path / "t.db", betting)


def test_who_gives_up_waiting_is_not_carried_out_and_holds_nobody_up(tmp_path: Path) -> None:
    """Before its turn came; those behind it go on."""

    async def betting(desk: TableHost) -> None:
        told = [asyncio.ensure_future(desk.execute(bet)) for bet in bets(1, 2, 3)]
        await asyncio.sleep(0)
        told[1].cancel()
        await asyncio.wait(told)
        assert desk.table.round is not None and [1, 3] == sorted(desk.table.round.boxes)

    at_a_desk(tmp_path / "t.db", betting)


def test_another_handle_that_wrote_first(tmp_path: Path) -> None:
    """Everything is decided anew behind it, once."""

    async def betting(desk: TableHost) -> None:
        await asyncio.gather(*map(desk.execute, bets(1, 2)))
        other = desk.ledger.open_table(TABLE)
        await asyncio.to_thread(other.execute, bets(3)[0])
        lines = await asyncio.gather(*map(desk.execute, bets(4, 5)))
        assert [5, 6] == [line.sequence for line in lines]
        assert 6 == desk.sequence == len(await desk.missed(0))

    at_a_desk(tmp_path / "t.db", betting)
