"""TableHost: group commit gives the same ledger and the same results as single commands."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from croupier.errors import CroupierError
from croupier.ledger import IdTaken, Ledger, Stale, StoreFailed, snapshot_policy
from croupier.ledger import entry_codec as ent
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server.protocol import DealerCard
from croupier.server.tables.host import TableHost
from croupier.server.tables.subscription import FeedEntry
from croupier.table import Account, Command, Envelope, Event, Table
from croupier.table import commands as cmd
from tests.support.recorded_rounds import ANN, AT, SYSTEM, example_house, random_round

TABLE = "T"
Outcome = tuple[int, tuple[Event, ...]] | str


class Disk:
    """A failpoint: observes writes, and fails them when it is full."""

    def __init__(self) -> None:
        self.full = False
        self.writes = 0
        self.look: Callable[[], None] = lambda: None

    def __call__(self, where: str) -> None:
        """Called before and after every write."""
        if where == "entry written":
            self.writes += 1
            self.look()
            if self.full:
                raise sqlite3.OperationalError("database or disk is full")


def script(seed: int, rounds: int = 4) -> list[Envelope]:
    """Random rounds with refused and repeated commands, and ids that are taken."""
    rng, commands, table = random.Random(seed), list[Envelope](), Table(example_house())

    def send(command: Command, id: str) -> None:
        commands.append(Envelope(id, ANN, AT + len(commands), command))

    def do(command: Command) -> Sequence[Event]:
        chance = rng.random()
        if chance < 0.1:
            send(cmd.PlaceWagers(1, {"ante": 1}), f"refused {len(commands)}")
        send(command, f"command {len(commands)}")
        if chance > 0.9:
            commands.append(commands[-1])
        elif chance > 0.8:
            send(cmd.Settle(), commands[-1].id)
        return table.do(command, ANN, commands[-1].at)

    for _ in range(rounds):
        random_round(table, rng, do, seats=3)
    return commands


def outcome_of(result: FeedEntry | BaseException) -> Outcome:
    """An entry or an error, comparable."""
    if isinstance(result, FeedEntry):
        return result.sequence, result.events
    assert isinstance(result, CroupierError)
    return f"{type(result).__name__}: {result}"


def at_a_table(
    path: str | Path, work: Callable[[TableHost], Awaitable[None]], disk: Disk | None = None
) -> list[tuple[object, ...]]:
    """Use the host of a new table; returns every ledger entry, refusals included."""
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
def test_the_ledger_is_the_same_as_with_single_commands(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same entries, refusals and results, however many commands come at once."""
    monkeypatch.setattr(snapshot_policy, "SNAPSHOT_EVERY", 20)
    commands, rng = script(seed), random.Random(seed)
    alone: list[Outcome] = []
    together: list[Outcome] = []

    async def one_by_one(host: TableHost) -> None:
        for envelope in commands:
            (result,) = await asyncio.gather(host.execute(envelope), return_exceptions=True)
            alone.append(outcome_of(result))

    async def at_once(host: TableHost) -> None:
        left = list(commands)
        while left:
            some, left = left[: (size := rng.choice((1, 3, 8, 30)))], left[size:]
            results = await asyncio.gather(*map(host.execute, some), return_exceptions=True)
            together.extend(map(outcome_of, results))

    slow, quick = Disk(), Disk()
    first = at_a_table(tmp_path / "alone.db", one_by_one, slow)
    second = at_a_table(tmp_path / "together.db", at_once, quick)

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


def test_nothing_is_visible_before_it_is_durable(tmp_path: Path) -> None:
    """While six bets are written, the table has none, and no caller has a result."""
    disk = Disk()
    seen: list[tuple[int, int, int]] = []

    async def betting(host: TableHost) -> None:
        feed = host.subscribe(Account("sam", "surveillance"))
        pending: list[asyncio.Future[FeedEntry]] = []

        def look() -> None:
            boxes = host.table.round.boxes if host.table.round is not None else {}
            answered = sum(each.done() for each in pending)
            seen.append((len(boxes), answered, 0 if feed.caught_up else 1))

        disk.look = look
        pending += [asyncio.ensure_future(host.execute(bet)) for bet in bets(1, 2, 3, 4, 5, 6)]
        entries = await asyncio.gather(*pending)
        assert [2, 3, 4, 5, 6, 7] == [entry.sequence for entry in entries]
        assert host.table.round is not None and 6 == len(host.table.round.boxes)

    at_a_table(tmp_path / "t.db", betting, disk)

    assert [(0, 0, 0)] == seen


def test_a_failed_write_fails_the_whole_batch(tmp_path: Path) -> None:
    """Three bets are durable, three more and a refusal fail; the table goes on from the ledger."""
    disk = Disk()
    early = Envelope("early", ANN, AT, cmd.Settle())

    async def betting(host: TableHost) -> None:
        await asyncio.gather(*map(host.execute, bets(1, 2, 3)))
        disk.full = True
        failing = [*bets(4, 5, 6), early]
        results = await asyncio.gather(*map(host.execute, failing), return_exceptions=True)
        assert [StoreFailed] * 4 == list(map(type, results))
        assert 4 == host.sequence
        assert host.table.round is not None and [1, 2, 3] == sorted(host.table.round.boxes)
        disk.full = False
        entries = await asyncio.gather(*map(host.execute, bets(6, 5, 4, 1)))
        assert [5, 6, 7, 2] == [entry.sequence for entry in entries]

    entries = at_a_table(tmp_path / "t.db", betting, disk)

    assert 7 == len(entries)


def test_a_command_for_an_older_state_is_stale(tmp_path: Path) -> None:
    """Earlier commands of the same batch count."""

    async def betting(host: TableHost) -> None:
        first, second, third = bets(1, 2, 3)
        results = await asyncio.gather(
            host.execute(first, expected=1),
            host.execute(second, expected=1),
            host.execute(third, expected=2),
            return_exceptions=True,
        )
        assert [FeedEntry, Stale, FeedEntry] == list(map(type, results))
        again = await host.execute(first, expected=1)
        assert 2 == again.sequence
        with pytest.raises(IdTaken):
            await host.execute(Envelope(first.id, ANN, AT, cmd.NoMoreBets()))

    at_a_table(tmp_path / "t.db", betting)


def test_an_abandoned_command_is_not_executed(tmp_path: Path) -> None:
    """The commands behind it are."""

    async def betting(host: TableHost) -> None:
        pending = [asyncio.ensure_future(host.execute(bet)) for bet in bets(1, 2, 3)]
        await asyncio.sleep(0)
        pending[1].cancel()
        await asyncio.wait(pending)
        assert host.table.round is not None and [1, 3] == sorted(host.table.round.boxes)

    at_a_table(tmp_path / "t.db", betting)


def test_another_writer_appended_first(tmp_path: Path) -> None:
    """The batch is decided again after its entry, once."""

    async def betting(host: TableHost) -> None:
        await asyncio.gather(*map(host.execute, bets(1, 2)))
        other = host.ledger.open_table(TABLE)
        await asyncio.to_thread(other.execute, bets(3)[0])
        entries = await asyncio.gather(*map(host.execute, bets(4, 5)))
        assert [5, 6] == [entry.sequence for entry in entries]
        assert 6 == host.sequence == len(await host.entries_after(0))

    at_a_table(tmp_path / "t.db", betting)


@pytest.mark.parametrize("in_round", [False, True])
def test_expected_is_honored_after_a_conflict(database: str, in_round: bool) -> None:
    """It was executed as entry 3 where entry 1 was expected; a repeated id has its result."""

    async def betting(host: TableHost) -> None:
        other = host.ledger.open_table(TABLE)
        first, second, third = bets(1, 2, 3)
        if in_round:  # no speculative copy: commands are executed alone
            await host.recorded_table.execute_async(host.appender, bets(6)[0])
        expected = host.recorded_table.sequence
        await asyncio.to_thread(other.execute, first)
        with pytest.raises(Stale):
            await host.execute(second, expected=expected)
        assert expected + 1 == host.sequence
        done = await host.execute(third, expected=expected + 1)
        await asyncio.to_thread(other.execute, second)
        again = await host.execute(third, expected=expected + 1)
        assert expected + 2 == done.sequence == again.sequence

    at_a_table(database, betting)


def test_a_driver_decides_again_after_a_conflict(tmp_path: Path) -> None:
    """What it decided for an older state is not executed at the newer one."""

    async def betting(host: TableHost) -> None:
        other = host.ledger.open_table(TABLE)
        driver = OneBet(lambda: other.execute(bets(1)[0]))
        host.driver = driver
        await host.execute(bets(3)[0])
        await host.drain()
        assert host.table.round is not None and [1, 3] == sorted(host.table.round.boxes)
        assert driver.awake

    at_a_table(tmp_path / "t.db", betting)


def test_a_server_that_may_not_be_active_executes_nothing(tmp_path: Path) -> None:
    """Its commands fail until the lock is confirmed again."""

    async def betting(host: TableHost) -> None:
        first = bets(1)[0]
        host.is_active = lambda: False
        with pytest.raises(StoreFailed, match="another server"):
            await host.execute(first)
        assert 1 == host.ledger.store.stream_tip(host.recorded_table.stream)[0]
        host.is_active = lambda: True
        assert 2 == (await host.execute(first)).sequence

    at_a_table(tmp_path / "t.db", betting)


class OneBet:
    """A driver that bets at seat 2 once, while another writer appends."""

    busy = instant = False

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.meanwhile = meanwhile
        self.decided = self.awake = False

    def card_for(self, account: Account) -> DealerCard:
        """Not shown."""
        raise AssertionError

    def wake(self) -> None:
        """Called when the table has changed."""
        self.awake = True

    def presence_changed(self) -> None:
        """Called when a feed is opened."""

    def batch_committed(self) -> None:
        """Not called: the batch is not committed."""

    def next_command(self, table: Table) -> Envelope | None:
        """The bet, once."""
        if self.decided:
            return None
        self.decided = True
        thread = threading.Thread(target=self.meanwhile)
        thread.start()
        thread.join()
        return bets(2)[0]
