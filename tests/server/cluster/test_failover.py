"""Several servers on one PostgreSQL: every table one server's at a time, and on with another."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, aclosing, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger import Fenced, Ledger
from croupier.ledger.audit.verify import verify
from croupier.ledger.entry_codec import decode_entry
from croupier.ledger.ledger import table_stream
from croupier.server import Accounts, Client
from croupier.server.auth.accounts_database import accounts_url
from croupier.server.client import ResponseError
from croupier.server.cluster.leases import Leases
from croupier.submission import example
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.cli import invoke
from tests.support.floor_server import PASSWORD, answer, run
from tests.support.postgres import PostgresServer
from tests.support.server_processes import (
    Process,
    RoundRobin,
    documented,
    places,
    signed_in,
    with_people,
)

pytestmark = pytest.mark.xdist_group("servers")
FLOOR = Account("floor", "system")
TABLE = "practice-ultimate-texas-holdem"


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A server of databases, really started."""
    server = PostgresServer()
    yield server
    server.close()


@contextmanager
def started(database: str) -> Iterator[list[Process]]:
    """The documented servers on one database; the first opens tables to play at."""
    with ExitStack() as stack:
        servers = []
        for number, options in enumerate(documented()):
            more = ["--demo"] if number == 0 else []
            servers.append(Process(database, *options, *more))
            stack.callback(servers[-1].stop)
        assert 2 == len(servers)
        yield servers


def until(what: Callable[[], bool], seconds: float = 15.0) -> None:
    """Wait for something."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.1)


def shared(accounts: Accounts, servers: list[Process]) -> bool:
    """Whether every server has some tables, and the one that is played is on no way between."""
    found = places(accounts)
    here = {place.address for place in found.values()}
    return TABLE in found and {server.address for server in servers} == here


def owner(accounts: Accounts, servers: list[Process], table: str = TABLE) -> Process:
    """The server that has a table."""
    address = places(accounts)[table].address
    return next(server for server in servers if server.address == address)


async def play_on(
    client: Client, table: str, rounds: int, at_decision: Callable[[int], None]
) -> list[dict[str, Any]]:
    """Rounds as a bot plays them, however often a server dies; every frame of the feed."""
    seen: list[dict[str, Any]] = []
    done = decisions = 0
    await client.do(table, {"kind": "sit_down", "seat": 3})
    await client.ask(table, {"kind": "buy_chips", "cash": 1_000_000})
    async with aclosing(client.feed(table)) as feed:
        async for frame in feed:
            seen.append(frame)
            for event in frame.get("events", ()):
                done += event is not None and event["kind"] == "deck_revealed"
            if done >= rounds:
                return seen
            state = frame.get("state")
            if state is None:
                continue
            if any(step["kind"] == "decide" for step in state["steps"]):
                decisions += 1
                at_decision(decisions)
            try:
                if state["desk"]["pace"] != "at_once":  # forgotten with the server
                    await client.ask(table, {"kind": "set_pace", "pace": "at_once"})
                await answer(client, table, state)
            except ResponseError as error:  # the table had moved on: a newer frame is on its way
                if error.status not in (409, 422):
                    raise
    raise AssertionError("the feed ended")


def check_whole(database: str, frames: list[dict[str, Any]], rounds: int) -> None:
    """What the bot was told is what the record has, once each, and an audit decides all anew."""
    told = [frame for frame in frames if frame["frame"] == "entry"]
    numbers = [frame["sequence"] for frame in told]
    assert list(range(numbers[0], numbers[0] + len(numbers))) == numbers
    with Ledger(database, create=False) as ledger:
        stored = [decode_entry(each) for each in ledger.store.read(table_stream(TABLE))]
        verdict = verify(ledger.store)
    ids = [entry.envelope.id for entry in stored]
    assert len(set(ids)) == len(ids)
    for frame in told:
        entry = stored[frame["sequence"] - 1]
        assert len(entry.events) == len(frame["events"]), frame["sequence"]
        assert entry.at == frame["at"]
    assert verdict.ok, str(verdict)
    assert verdict.rounds >= rounds


def test_two_servers_and_then_one(postgres: PostgresServer) -> None:
    """Any server answers for every table; when one is killed, its rounds go on at the other.

    The servers are started as the documentation of an installation says.
    """
    database = postgres.new_database()
    with (
        closing(with_people(database)) as accounts,
        started(database) as servers,
    ):
        until(lambda: shared(accounts, servers))
        check_any_server(servers, owner(accounts, servers))
        check_kill(servers, accounts, database)


def check_any_server(servers: list[Process], here: Process) -> None:
    """Half of the tables are elsewhere: commands, feeds, refusals and lists are the same."""
    (there,) = (server for server in servers if server is not here)

    async def looking() -> None:
        async with (
            await signed_in(here.address, "bob") as bob,
            await signed_in(there.address, "bob") as away,
        ):
            await away.do(TABLE, {"kind": "sit_down", "seat": 1}, id="sits down once")
            assert (
                1
                == (await bob.do(TABLE, {"kind": "leave", "seat": 1}))["sequence"]
                - (await bob.do(TABLE, {"kind": "sit_down", "seat": 1}, id="sits down once"))[
                    "sequence"
                ]
            )
            async with aclosing(away.feed(TABLE, after=1)) as feed:
                assert 2 == (await anext(feed))["sequence"]
            for client in (bob, away):
                with pytest.raises(ResponseError) as error:
                    await client.do(TABLE, {"kind": "no_more_bets"})
                assert 403 == error.value.status
                with pytest.raises(ResponseError) as error:
                    await client.do("nowhere", {"kind": "no_more_bets"})
                assert 404 == error.value.status
                with pytest.raises(ResponseError) as error:
                    async with aclosing(client.feed(TABLE, after=999)) as feed:
                        await anext(feed)
                assert 403 == error.value.status
                assert 6 == len(await client.tables())

    run(looking())


def check_kill(servers: list[Process], accounts: Accounts, database: str) -> None:
    """The server that has the table is killed while a player is asked: nothing lost or doubled."""
    killed: list[str] = []

    def at_decision(number: int) -> None:
        if number == 2:
            dying = owner(accounts, servers)
            dying.kill()
            killed.append(dying.address)

    async def playing() -> list[dict[str, Any]]:
        async with (
            RoundRobin([server.port for server in servers]).running() as proxy,
            await signed_in(proxy.address, "ann") as ann,
        ):
            frames = await play_on(ann, TABLE, 2, at_decision)
            tables = await ann.tables()
            (row,) = (each for each in tables if each["id"] == TABLE)
            assert row["seats"]["3"] is True and row["rounds_played"] >= 2
            return frames

    frames = run(playing())
    assert killed and killed[0] != places(accounts)[TABLE].address
    check_whole(database, frames, 2)


def test_who_has_lost_a_table_writes_nothing_more(postgres: PostgresServer) -> None:
    """The record itself refuses it, in the transaction, though nobody else has written yet."""
    database = postgres.new_database()
    with (
        closing(with_people(database)) as accounts,
        Ledger(database, purpose="practice") as ledger,
    ):
        late, new = Leases(accounts, "http://late"), Leases(accounts, "http://new")
        late.beat()
        assert late.claim("T")
        table = ledger.open_table("T", example("top_five"), by=FLOOR, service="practice")
        table.fence = late.fence("T")
        player = Account("ann", "player")
        table.do(cmd.SitDown(1), player)
        new.beat()
        assert not new.claim("T")
        late.leave()
        late.terms["T"] = 1  # it was asleep, and believes that nothing has happened
        assert new.claim("T")
        with pytest.raises(Fenced):
            table.do(cmd.Leave(1), player)
        assert {"T"} == late.beat()
        assert 2 == new.terms["T"]
        assert {1: "ann"} == ledger.open_table("T").table.seats.taken


def test_a_server_on_a_file_goes_on_after_a_kill(tmp_path: Path) -> None:
    """Killed while a player is asked, and started again at the same address."""
    database = str(tmp_path / "floor.db")
    with_people(database).close()
    servers = [Process(database, "--demo", "--port", "0")]

    def at_decision(number: int) -> None:
        if number == 2:
            servers[-1].kill()
            servers.append(Process(database, "--port", str(servers[0].port)))

    async def playing() -> list[dict[str, Any]]:
        async with await signed_in(servers[0].address, "ann") as ann:
            return await play_on(ann, TABLE, 2, at_decision)

    try:
        frames = run(playing())
    finally:
        for server in servers:
            server.stop()
    assert 2 == len(servers)
    check_whole(database, frames, 2)


def test_somebody_is_let_in_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a role that there is, and a password that is long enough."""
    database = str(tmp_path / "floor.db")
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)
    done = invoke(["admit", "Petra", "--role", "dealer", "--database", database])
    assert (0, "petra: dealer at *\n") == (done.exit_code, done.output)
    with closing(Accounts(accounts_url(database))) as accounts:
        person, _ = accounts.sign_in("petra", PASSWORD)
        assert ("dealer",) == person.roles_at("T")
    wrong = invoke(["admit", "Petra", "--role", "king", "--database", database])
    assert 2 == wrong.exit_code
    assert "'king' is no role; expected one of dealer" in wrong.output
