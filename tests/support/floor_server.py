"""A floor to test: a server on loopback with people and tables, and clients that know passwords."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from argon2 import PasswordHasher

from croupier.games import House
from croupier.ledger import Ledger
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates.approval_messages import NoteDenied
from croupier.ledger.aggregates.approvals import STREAM
from croupier.ledger.log.failpoints import NO_FAULTS, Failpoints
from croupier.server import Accounts, Client, Floor, Settings, make_app
from croupier.server.app import Server
from croupier.server.auth.accounts import EVERY_TABLE, Office, beside
from croupier.server.client import Answered
from croupier.server.http.websocket import Socket
from croupier.server.run import address_of, listen
from croupier.submission import example
from croupier.table import Role, Service
from croupier.table.drivers.shuffler import Shuffler

Answer = TypeVar("Answer")
PASSWORD = "correct horse battery"
# Hashing is as weak as it can be here, so that tests do not wait for what nobody attacks.
WEAK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PEOPLE: dict[str, tuple[Role | Office, ...]] = {
    "ann": ("player",),
    "bob": ("player",),
    "dana": ("dealer",),
    "frank": ("floorperson",),
    "petra": ("pit_manager",),
    "paul": ("pit_manager",),
    "sam": ("surveillance",),
    "shoe 4": ("reader",),
    "olga": ("operator",),
    "otto": ("operator",),
    "tina": ("trainee",),
    "nobody": (),
}
FREE = Settings(commands="100000/second", requests="100000/second", sign_ins="1000/second")


class World:
    """One server in a thread of its own, and what a test needs to reach into it."""

    def __init__(self, folder: Path, settings: Settings = FREE, url: str = "") -> None:
        self.folder = folder
        self.url = url  # of another database than the file in the folder
        self.settings = settings
        self.faults: Failpoints = NO_FAULTS
        self.apart = False  # whether the record is written by a process of its own
        self.server: Server | None = None
        self.address = ""
        self._uvicorn: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def database(self) -> Path:
        """The ledger's file."""
        return self.folder / "floor.db"

    def start(self) -> None:
        """Start serving; returns when the floor is ready."""
        begun = threading.Event()
        listening = listen("127.0.0.1", 0)
        self.address = address_of(listening)
        ledger = self.url or self.database
        accounts = Accounts(beside(ledger), hasher=WEAK)
        for name, roles in PEOPLE.items():
            if not accounts.known(name):
                accounts.add(name, PASSWORD, [(role, EVERY_TABLE) for role in roles])
        opened = Ledger(ledger, purpose="practice", faults=self.faults)
        floor = Floor(opened, accounts, apart=self.apart)

        async def ready(server: Server) -> None:
            self.server = server
            self._loop = asyncio.get_running_loop()
            begun.set()

        config = uvicorn.Config(
            make_app(floor, self.settings, on_start=ready),
            log_config=None,
            ws=Socket,
            ws_per_message_deflate=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        self._uvicorn = uvicorn.Server(config)
        run = self._uvicorn.run
        self._thread = threading.Thread(target=run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        assert begun.wait(20), "the server does not start"

    def stop(self) -> None:
        """Stop gracefully."""
        assert self._uvicorn is not None and self._thread is not None
        self._uvicorn.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server does not stop"

    def within(self, work: Callable[[Floor], Awaitable[Answer]]) -> Answer:
        """Do something in the server's own loop."""
        assert self._loop is not None and self.server is not None
        floor = self.server.floor

        async def doing() -> Answer:
            return await work(floor)

        return asyncio.run_coroutine_threadsafe(doing(), self._loop).result(30)

    def open(
        self,
        name: str,
        game: str | House,
        *,
        service: Service = "practice",
        seed: int | None = None,
        pace: str = "at_once",
    ) -> None:
        """A table; a practice table is run by a machine whose decks come from a seed."""
        house = example(game) if isinstance(game, str) else game

        async def opening(floor: Floor) -> None:
            await floor.open(name, house, service=service, shuffler=Shuffler(seed))
            if name in floor.dealers:
                floor.dealers[name].pace = pace  # type: ignore[assignment]

        self.within(opening)

    async def client(self, name: str) -> Client:
        """Somebody who is signed in."""
        found = Client(self.address)
        await found.sign_in(name, PASSWORD)
        return found


@contextmanager
def serving(folder: Path, settings: Settings = FREE, url: str = "") -> Iterator[World]:
    """A world while this lasts."""
    world = World(folder, settings, url)
    world.start()
    try:
        yield world
    finally:
        world.stop()


def insider(world: World, *statements: str) -> None:
    """Somebody who writes to the database of the accounts."""
    with closing(sqlite3.connect(f"{world.database}.people", timeout=5)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def denials(world: World) -> Counter[tuple[str, str, str]]:
    """What was not let through, as the record has it: account, what, why."""

    async def found(floor: Floor) -> Counter[tuple[str, str, str]]:
        await floor.denials.flush(all=True)
        return await asyncio.to_thread(read, floor)

    def read(floor: Floor) -> Counter[tuple[str, str, str]]:
        told = Counter[tuple[str, str, str]]()
        for stored in floor.ledger.store.read(STREAM):
            command = ent.decode_entry(stored).envelope.command
            if isinstance(command, NoteDenied):
                for tried in command.attempts:
                    told[command.account, tried.what, tried.why] += tried.count
        return told

    return world.within(found)


def run(work: Awaitable[Answer]) -> Answer:
    """Run a test's own loop, for a minute at most."""

    async def limited() -> Answer:
        return await asyncio.wait_for(work, 60)

    return asyncio.run(limited())


async def play(client: Client, table: str, seat: int, *, rounds: int = 1) -> list[dict[str, Any]]:
    """Sit down, buy in, bet the least and take the first answer, as a bot would; every frame."""
    seen: list[dict[str, Any]] = []
    done = 0
    await client.do(table, {"kind": "sit_down", "seat": seat})
    await client.ask(table, {"kind": "buy_chips", "cash": 1_000_000})
    async with aclosing(client.feed(table)) as feed:
        async for frame in feed:
            seen.append(frame)
            for event in frame.get("events", ()):
                done += event is not None and event["kind"] == "deck_revealed"
            if done >= rounds:
                return seen
            if "state" in frame:
                try:
                    await answer(client, table, frame["state"])
                except Answered as error:  # the table had moved on: a newer frame is on its way
                    if error.status not in (409, 422):
                        raise
    raise AssertionError("the feed ended")


async def answer(client: Client, table: str, state: dict[str, Any]) -> None:
    """Do the first thing that is due, or bet the least."""
    for step in (*state["desk"]["asks"], *state["steps"]):
        if step["blocked"]:
            continue
        if step["kind"] == "deal":
            await client.ask(table, {"kind": "deal"})
            return
        if step["kind"] == "decide" and "cents" not in step["fields"]:
            await client.do(table, {"kind": "decide", **step["fixed"]})
            return
        if step["kind"] == "place_wagers" and not step["fields"]["wagers"]["lies"]:
            await client.do(table, bet(step))
            return


def bet(step: dict[str, Any]) -> dict[str, Any]:
    """The least main wagers of a form."""
    form = step["fields"]["wagers"]
    terms = form["terms"]
    least = terms[form["ante"]]["least"]
    stakes = {name: least for name, each in terms.items() if each["equals"] == form["ante"]}
    wagers = {form["ante"]: least, **stakes}
    return {"kind": "place_wagers", "seat": step["fixed"]["seat"], "wagers": wagers}
