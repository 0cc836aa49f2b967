"""One active server and one on standby: rounds go on after a crash, a stop or a black hole."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, aclosing, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.ledger.entry_codec import decode_entry
from croupier.ledger.ledger import table_stream
from croupier.server import Client
from croupier.server.client import ResponseError
from tests.support.cli import invoke
from tests.support.floor_server import PASSWORD, answer, open_accounts, run
from tests.support.postgres import PostgresServer
from tests.support.server_processes import (
    DatabaseProxy,
    Process,
    RoundRobin,
    add_people,
    documented,
    signed_in,
)

pytestmark = pytest.mark.xdist_group("servers")
TABLE = "practice-ultimate-texas-holdem"


@contextmanager
def active_and_standby(first: str, second: str) -> Iterator[tuple[Process, Process]]:
    """The documented servers, each with its address of the database; the first one is active."""
    with ExitStack() as stack:
        servers: list[Process] = []
        for database, options in zip((first, second), documented(), strict=True):
            more = [] if servers else ["--demo"]
            servers.append(Process(database, *options, *more))
            stack.callback(servers[-1].stop)
            if len(servers) == 1:
                servers[0].serving()
                continue
            assert "Standby: another server serves" in servers[1].line()
            servers[1].port = int(options[options.index("--port") + 1])
            with pytest.raises(ConnectionRefusedError):  # so a proxy finds the active one
                socket.create_connection(("127.0.0.1", servers[1].port))
        active, standby = servers
        yield active, standby


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
            if any(step["kind"] == "decide" for step in state["steps"].values()):
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
    """The feed had every recorded entry once, and the audit verifies the ledger."""
    entries = [frame for frame in frames if frame["frame"] == "entry"]
    numbers = [frame["sequence"] for frame in entries]
    assert list(range(numbers[0], numbers[0] + len(numbers))) == numbers
    with Ledger(database, create=False) as ledger:
        stored = [decode_entry(each) for each in ledger.store.read(table_stream(TABLE))]
        verdict = verify(ledger.store)
    ids = [entry.envelope.id for entry in stored]
    assert len(set(ids)) == len(ids)
    for frame in entries:
        entry = stored[frame["sequence"] - 1]
        assert len(entry.events) == len(frame["events"]), frame["sequence"]
        assert entry.at == frame["at"]
    assert verdict.ok, str(verdict)
    assert verdict.rounds >= rounds


def play_through(
    servers: tuple[Process, Process], database: str, at_decision: Callable[[int], None]
) -> None:
    """Play two rounds through a proxy that finds the active server, and check the record."""

    async def playing() -> list[dict[str, Any]]:
        async with (
            RoundRobin([server.port for server in servers]).running() as proxy,
            await signed_in(proxy.address, "ann") as ann,
        ):
            frames = await play_on(ann, TABLE, 2, at_decision)
            (row,) = (each for each in await ann.tables() if each["id"] == TABLE)
            assert row["seats"]["3"] is True and row["rounds_played"] >= 2
            return frames

    check_whole(database, run(playing()), 2)


def test_a_standby_takes_over_after_a_crash(postgres: PostgresServer) -> None:
    """The active server is killed while a player has to decide."""
    database = postgres.new_database()
    add_people(database)
    with active_and_standby(database, database) as (active, standby):
        play_through(
            (active, standby), database, lambda number: active.kill() if number == 2 else None
        )
        assert standby.serving().address


def test_a_server_that_was_suspended_stops(postgres: PostgresServer) -> None:
    """The standby takes over meanwhile; the record stays whole when the first one wakes up."""
    database = postgres.new_database()
    add_people(database)
    with active_and_standby(database, database) as (active, standby):

        def at_decision(number: int) -> None:
            if number == 2:
                active.process.send_signal(signal.SIGSTOP)
                standby.serving()  # now it accepts connections
                active.process.send_signal(signal.SIGCONT)

        play_through((active, standby), database, at_decision)
        assert 0 != active.process.wait(20)


def test_a_black_hole_in_mid_commit_holds_up_nobody(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network of the active server is lost while it holds the writer lock."""
    monkeypatch.setattr("croupier.server.client.BACKOFF_SECONDS", ())
    database = postgres.new_database()
    name = database.partition("@/")[2].partition("?")[0]
    add_people(database)
    with (
        closing(DatabaseProxy(f"{postgres.folder}/.s.PGSQL.5432")) as network,
        active_and_standby(f"postgresql://postgres@127.0.0.1:{network.port}/{name}", database) as (
            active,
            standby,
        ),
    ):

        async def playing() -> list[dict[str, Any]]:
            async with await signed_in(active.address, "ann") as ann:
                await ann.do(TABLE, {"kind": "sit_down", "seat": 3})
                network.freeze_at(b"lost in the network")  # a row of the open transaction
                with pytest.raises(ResponseError) as error:
                    await ann.do(TABLE, {"kind": "leave", "seat": 3}, id="lost in the network")
                assert 503 == error.value.status
            standby.serving()
            async with await signed_in(standby.address, "ann") as ann:
                await ann.do(TABLE, {"kind": "leave", "seat": 3}, id="lost in the network")
                return await play_on(ann, TABLE, 1, lambda number: None)

        check_whole(database, run(playing()), 1)
        network.restore()
        assert 0 != active.process.wait(20)  # it finds out that another one is active


def test_an_sqlite_ledger_has_one_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one is refused; other commands work beside a server."""
    database = str(tmp_path / "floor.db")
    monkeypatch.setenv("CROUPIER_PASSWORD", PASSWORD)
    server = Process(database, "--demo", "--port", "0").serving()
    try:
        second = invoke(["serve", "--database", database, "--port", "0"])
        assert 2 == second.exit_code
        assert f"another server is serving {database}" in " ".join(second.output.split())
        for command in (
            ["admit", "Petra", "--role", "dealer", "--database", database],
            ["people", "--database", database],
            ["audit", "verify", database],
            ["report", "day", "--database", database],
            ["export", str(tmp_path / "record.jsonl"), "--database", database],
            ["backup", str(tmp_path / "copy.db"), "--database", database],
        ):
            done = invoke(command)
            assert 0 == done.exit_code, (command, done.output)
        found = invoke(["found", "--live", "--database", database])
        assert "a practice ledger" in found.output and "already exists" in found.output
        assert 0 == invoke(["found", "--practice", "--database", f"{tmp_path}/other.db"]).exit_code
    finally:
        server.stop()
    server = Process(database, "--port", "0").serving()  # the lock was released
    server.stop()


def test_a_server_on_a_file_goes_on_after_a_kill(tmp_path: Path) -> None:
    """Killed while a player is asked, and started again at the same address."""
    database = str(tmp_path / "floor.db")
    add_people(database)
    servers = [Process(database, "--demo", "--port", "0").serving()]

    def at_decision(number: int) -> None:
        if number == 2:
            servers[-1].kill()
            servers.append(Process(database, "--port", str(servers[0].port)).serving())

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
    with open_accounts(database) as accounts:
        person, _ = accounts.sign_in("petra", PASSWORD)
        assert ("dealer",) == person.roles_at("T")
    wrong = invoke(["admit", "Petra", "--role", "king", "--database", database])
    assert 2 == wrong.exit_code
    assert "'king' is not a role; expected one of dealer" in wrong.output
