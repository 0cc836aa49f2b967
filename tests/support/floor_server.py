"""A server for tests: on loopback, in a thread, with accounts, tables and clients."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, closing, contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from argon2 import PasswordHasher

from croupier.games import House
from croupier.ledger import Ledger
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates.account_messages import NoteSignIns
from croupier.ledger.aggregates.approval_messages import NoteDenied
from croupier.ledger.aggregates.approvals import STREAM
from croupier.ledger.log.database.database import Failpoint, no_faults
from croupier.server import Accounts, Client, Floor, Settings, make_app
from croupier.server.app import Server
from croupier.server.auth.person import EVERY_TABLE, Office
from croupier.server.client import ResponseError
from croupier.server.http.connection_limits import CONNECTIONS
from croupier.server.run import listen, socket_url
from croupier.submission import example
from croupier.table import Role, Service
from croupier.table.drivers.shuffler import Shuffler

Result = TypeVar("Result")
PASSWORD = "correct horse battery"
# As weak as possible, so that tests are fast.
WEAK_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PEOPLE: dict[str, tuple[Role | Office, ...]] = {
    "ann": ("player",),
    "bob": ("player",),
    "dana": ("dealer",),
    "frank": ("floorperson",),
    "petra": ("pit_manager",),
    "paul": ("pit_manager",),
    "sam": ("surveillance",),
    "cal": ("cage",),
    "sid": ("security",),
    "shoe 4": ("reader",),
    "olga": ("operator",),
    "otto": ("operator",),
    "tina": ("trainee",),
    "nobody": (),
}
UNLIMITED = Settings(commands="100000/second", requests="1000000/second", sign_ins="1000/second")


class ServerThread:
    """A server in a thread, with access to its floor."""

    def __init__(self, folder: Path, settings: Settings = UNLIMITED, url: str = "") -> None:
        self.folder = folder
        self.url = url  # instead of a SQLite file in the folder
        self.settings = settings
        self.faults: Failpoint = no_faults
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
        started = threading.Event()
        listening = listen("127.0.0.1", 0)
        self.address = socket_url(listening)
        ledger = self.url or self.database
        opened = Ledger(ledger, purpose="practice", faults=self.faults)
        accounts = Accounts(opened, hasher=WEAK_HASHER)
        for name, roles in PEOPLE.items():
            if not accounts.exists(name):
                accounts.add(name, PASSWORD, [(role, EVERY_TABLE) for role in roles])
        floor = Floor(opened, accounts)

        async def ready(server: Server) -> None:
            self.server = server
            self._loop = asyncio.get_running_loop()
            started.set()

        config = uvicorn.Config(
            make_app(floor, self.settings, on_start=ready),
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=2,
            **CONNECTIONS,
        )
        self._uvicorn = uvicorn.Server(config)
        run = self._uvicorn.run
        self._thread = threading.Thread(target=run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        assert started.wait(20), "the server does not start"

    def stop(self) -> None:
        """Stop gracefully."""
        assert self._uvicorn is not None and self._thread is not None
        self._uvicorn.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server does not stop"

    def within(self, work: Callable[[Floor], Awaitable[Result]]) -> Result:
        """Run a coroutine in the server's event loop."""
        assert self._loop is not None and self.server is not None
        floor = self.server.floor

        async def on_floor() -> Result:
            return await work(floor)

        return asyncio.run_coroutine_threadsafe(on_floor(), self._loop).result(30)

    def open(
        self,
        name: str,
        game: str | House,
        *,
        service: Service = "practice",
        seed: int | None = None,
        pace: str = "at_once",
    ) -> None:
        """Open a table; the decks of a practice table come from the seed."""
        house = example(game) if isinstance(game, str) else game

        async def opening(floor: Floor) -> None:
            await floor.open(name, house, service=service, shuffler=Shuffler(seed))
            if name in floor.dealers:
                floor.dealers[name].pace = pace  # type: ignore[assignment]

        self.within(opening)

    async def client(self, name: str) -> Client:
        """A client that is signed in."""
        client = Client(self.address)
        await client.sign_in(name, PASSWORD)
        return client


@contextmanager
def open_accounts(place: str | Path) -> Iterator[Accounts]:
    """The accounts of a ledger, which is created for practice if there is none."""
    with Ledger(place) as ledger, closing(Accounts(ledger, hasher=WEAK_HASHER)) as accounts:
        yield accounts


@contextmanager
def serving(folder: Path, settings: Settings = UNLIMITED, url: str = "") -> Iterator[ServerThread]:
    """A server while the context lasts."""
    world = ServerThread(folder, settings, url)
    world.start()
    try:
        yield world
    finally:
        world.stop()


def edit_accounts(world: ServerThread, *statements: str) -> None:
    """Run statements in the accounts database, behind the server's back."""
    with closing(sqlite3.connect(f"{world.database}.people", timeout=5)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def recorded_denials(world: ServerThread) -> Counter[tuple[str, str, str]]:
    """Counts of the denied attempts in the ledger, by account, action and reason."""

    async def flush_and_read(floor: Floor) -> Counter[tuple[str, str, str]]:
        await floor.denied_attempts.flush(all=True)
        return await asyncio.to_thread(read, floor)

    def read(floor: Floor) -> Counter[tuple[str, str, str]]:
        counts = Counter[tuple[str, str, str]]()
        for stored in floor.ledger.store.read(STREAM):
            command = ent.decode_entry(stored).envelope.command
            if isinstance(command, NoteDenied):
                for attempt in command.attempts:
                    counts[command.account, attempt.what, attempt.why] += attempt.count
        return counts

    return world.within(flush_and_read)


def recorded_sign_ins(world: ServerThread) -> list[tuple[str, str, int]]:
    """Kind, account and count of the sign-ins, sign-outs and failures on record."""

    def read(floor: Floor) -> list[tuple[str, str, int]]:
        return [
            (count.kind, count.account, count.count)
            for entry in floor.ledger.accounts.history()
            if isinstance(entry.envelope.command, NoteSignIns)
            for count in entry.envelope.command.counts
        ]

    async def flush_and_read(floor: Floor) -> list[tuple[str, str, int]]:
        await floor.sign_ins.flush(all=True)
        return await asyncio.to_thread(read, floor)

    return world.within(flush_and_read)


def run(work: Awaitable[Result]) -> Result:
    """Run a coroutine of a test, for a minute at most."""

    async def limited() -> Result:
        return await asyncio.wait_for(work, 60)

    return asyncio.run(limited())


async def play(client: Client, table: str, seat: int, *, rounds: int = 1) -> list[dict[str, Any]]:
    """Sit down, buy in, bet the minimum, take the first decision; return every frame."""
    frames: list[dict[str, Any]] = []
    done = 0
    await client.do(table, {"kind": "sit_down", "seat": seat})
    await client.ask(table, {"kind": "buy_chips", "cash": 1_000_000})
    async with aclosing(client.feed(table)) as feed:
        async for frame in feed:
            frames.append(frame)
            for event in frame.get("events", ()):
                done += event is not None and event["kind"] == "deck_revealed"
            if done >= rounds:
                return frames
            if "state" in frame:
                try:
                    await answer(client, table, frame["state"])
                except ResponseError as error:
                    # The table had changed; a newer frame follows.
                    if error.status not in (409, 422):
                        raise
    raise AssertionError("the feed ended")


async def answer(client: Client, table: str, state: dict[str, Any]) -> None:
    """Take the first step that is due, or bet the minimum."""
    steps = sorted(state["steps"].values(), key=itemgetter("order"))
    for step in (*state["desk"]["asks"], *steps):
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
    """A command with the minimum main wagers of a form."""
    form = step["fields"]["wagers"]
    terms = form["terms"]
    least = terms[form["ante"]]["least"]
    stakes = {name: least for name, each in terms.items() if each["equals"] == form["ante"]}
    wagers = {form["ante"]: least, **stakes}
    return {"kind": "place_wagers", "seat": step["fixed"]["seat"], "wagers": wagers}


async def state_where(feed: AsyncIterator[dict[str, Any]], *, unavailable: bool) -> None:
    """Wait for a state that says whether the ledger is unavailable."""
    async for frame in feed:
        if "state" in frame and frame["state"].get("unavailable", False) is unavailable:
            return
