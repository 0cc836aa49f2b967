"""Server load test: bots play six-seat Ultimate rounds over WebSockets, every command durable.

    python -m benchmarks.bench_floor [--seconds 10] [--rates 50 100] [--tables 25] [--humans 6]

The server (`croupier serve`) and the bots are separate processes on the same machine. At each
table `--humans` players have a WebSocket each, and companions play the other seats. Tables start
rounds on a schedule that adds up to the target rate; an overloaded server falls behind but loses
nothing. Each run takes `--seconds`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import statistics
import tempfile
import time
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from croupier.ledger import Ledger
from croupier.server import Floor
from croupier.server.auth.person import EVERY_TABLE
from croupier.server.client import apply_patch
from croupier.submission import example
from tests.support.floor_server import open_accounts
from tests.support.postgres import PostgresServer
from tests.support.server_processes import Process

GAME = "ultimate_texas_holdem"
COMPANIONS = 5
MEMORY_INTERVAL_SECONDS = 10.0
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


class Step(msgspec.Struct):
    """The fields of a step that bots read."""

    kind: str
    fixed: dict[str, Any]
    fields: dict[str, Any]
    blocked: str


class Changed(msgspec.Struct):
    """The steps of a state, or of the patch of one."""

    steps: dict[str, Any] = {}


class Frame(msgspec.Struct):
    """A frame of the feed."""

    frame: str
    sequence: int = 0
    state: Changed | None = None
    patch: Changed | None = None
    id: str = ""
    status: int = 0


_frames = msgspec.json.Decoder(list[Frame])


class Load:
    """Measurements of all bots of one run."""

    def __init__(self, period: float) -> None:
        self.period, self.until = period, 0.0
        self.id = secrets.token_hex(
            4
        )  # distinguishes runs, since the same accounts play in all of them
        self.cpu = 0.0  # seconds of the server
        self.seconds: list[float] = []
        self.rounds = 0
        self.refused = 0
        self.memory: list[float] = []  # megabytes, sampled
        self.gaps = 0  # entries that a feed missed or repeated


class Feed(WSListener):
    """WebSocket listener: checks every sequence number and keeps only the latest state."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a text frame on to the bot."""
        if frame.msg_type == WSMsgType.TEXT:
            self.bot.receive(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()


class Bot:
    """One player at one table."""

    def __init__(self, load: Load, port: int, token: str, table: str, seat: int) -> None:
        self.load, self.port, self.token, self.table, self.seat = load, port, token, table, seat
        self.commands = 0
        self.next = 0.0
        self.leads = False  # counts the rounds of its table
        self.last = -1  # latest entry received
        self.done = -1  # entry of its own last command
        self.rounds = 0
        self.steps: dict[str, Any] = {}
        self.updated = asyncio.Event()
        self.socket: WSTransport | None = None
        self.pending: tuple[str, bytes] = ("", b"")  # id and text of the unanswered command
        self.response: asyncio.Future[Frame] | None = None

    async def act(self, command: dict[str, Any], what: str = "command") -> None:
        """Send a command over the feed and record its response time."""
        self.commands += 1
        id = f"{self.load.id}-{self.token[:16]}-{self.commands}"
        self.pending = (id, msgspec.json.encode({"id": id, what: command}))
        self.response = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        self.send()
        answer = await self.response
        self.load.seconds.append(time.perf_counter() - began)
        if answer.status == 200:
            self.done = answer.sequence
        elif answer.status not in (409, 422):
            self.load.refused += 1

    def send(self) -> None:
        """Send the pending command; again, under the same id, after a reconnect."""
        if self.socket is not None and self.pending[0]:
            self.socket.send(WSMsgType.TEXT, self.pending[1])

    async def sit(self) -> None:
        """Sit down and buy chips, before the measurement starts."""
        while self.socket is None:
            await asyncio.sleep(0.01)
        await self.act({"kind": "sit_down", "seat": self.seat})
        await self.act({"kind": "buy_chips", "cash": 50_000_000}, "ask")
        if self.leads:
            await self.act({"kind": "set_pace", "pace": "at_once"}, "ask")
            await self.act({"kind": "set_companions", "count": COMPANIONS}, "ask")

    async def play(self) -> None:
        """Play until the run is over."""
        offset = int(self.table[1:]) * 0.618 % 1  # spreads the tables over the period
        self.next = time.perf_counter() + self.load.period * offset
        try:
            async with asyncio.timeout(self.left):
                await self.respond()
        except TimeoutError:
            pass

    async def follow(self) -> None:
        """Read the feed; reconnect when it ends because the table moved to another server."""
        address = f"ws://127.0.0.1:{self.port}/tables/{self.table}/feed"
        headers = {"authorization": f"Bearer {self.token}"}
        while True:
            where = address if self.last < 0 else f"{address}&after={self.last}"
            self.socket, _ = await ws_connect(lambda: Feed(self), where, extra_headers=headers)
            self.send()
            try:
                await self.socket.wait_disconnected()
            finally:
                self.socket.disconnect()
                self.socket = None

    def receive(self, text: bytes) -> None:
        """Check for missing entries, count rounds, keep the latest state."""
        frames = _frames.decode(text)
        for frame in frames:
            if frame.frame == "answer":
                if frame.id == self.pending[0] and self.response is not None:
                    self.pending = ("", b"")
                    if not self.response.done():  # cancelled when the run ended
                        self.response.set_result(frame)
                continue
            if frame.frame == "entry":
                self.load.gaps += self.last >= 0 and frame.sequence != self.last + 1
            self.last = frame.sequence
            if frame.state is not None:
                self.steps = frame.state.steps
            elif frame.patch is not None:
                self.steps = apply_patch(self.steps, frame.patch.steps)
        self.load.rounds += self.leads and b'"deck_revealed"' in text
        if frames[-1].state is not None or frames[-1].patch is not None:
            self.updated.set()

    @property
    def left(self) -> float:
        """Seconds until the run is over."""
        return max(0.1, self.load.until - time.perf_counter())

    async def respond(self) -> None:
        """On every update, take the first possible step."""
        while True:
            await self.updated.wait()
            self.updated.clear()
            if self.last < self.done:
                continue  # this state precedes the bot's own last command
            every = sorted(self.steps.values(), key=itemgetter("order"))
            steps = [msgspec.convert(step, Step) for step in every if not step["blocked"]]
            # Half of the bots raise at once, the others check to the river and call.
            if (self.rounds + self.seat) % 2:
                steps.reverse()
            for step in steps:
                if await self.take(step):
                    break

    def is_free(self, step: Step) -> bool:
        """Whether the step is a wager at the bot's own seat, where none has been placed."""
        return step.fixed["seat"] == self.seat and not step.fields["wagers"]["lies"]

    async def take(self, step: Step) -> bool:
        """Take a step; returns False if it is not one that bots take."""
        if step.kind == "decide" and "cents" not in step.fields:
            await self.act({"kind": "decide", **step.fixed})
        elif step.kind == "place_wagers" and self.is_free(step):
            await asyncio.sleep(self.next - time.perf_counter())
            self.next = max(self.next + self.load.period, time.perf_counter() - 1)
            stakes = {"ante": 1500, "blind": 1500}
            self.rounds += 1
            await self.act({"kind": "deal", "wagers": stakes}, "ask")
        else:
            return False
        return True


class ResourceUsage:
    """Memory and CPU time of a process."""

    def __init__(self, pid: int) -> None:
        self.folder = Path(f"/proc/{pid}")

    @property
    def memory(self) -> float:
        """Resident memory in megabytes."""
        return int((self.folder / "statm").read_text().split()[1]) * PAGE / 2**20

    @property
    def cpu(self) -> float:
        """CPU seconds so far."""
        fields = (self.folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK


def prepare(database: str, tables: int, humans: int) -> list[list[str]]:
    """Create tables and accounts in a new database; returns the tokens of each table's players."""

    async def open_tables() -> None:
        floor = Floor.at(database)
        await floor.start()
        for number in range(tables):
            await floor.open(f"T{number}", example(GAME))
        await floor.stop()

    asyncio.run(open_tables())
    tokens = []
    with open_accounts(database) as accounts:
        for table in range(tables):
            names = [f"p{table}-{number}" for number in range(humans)]
            for name in names:
                accounts.add(name, "a long password", [("player", EVERY_TABLE)])
            tokens.append([accounts.begin(name) for name in names])
    return tokens


async def run(
    port: int, tokens: list[list[str]], rate: float, seconds: float, usage: ResourceUsage
) -> Load:
    """Run all bots for a number of seconds."""
    load = Load(len(tokens) / rate)
    bots = []
    for table, players in enumerate(tokens):
        for number, token in enumerate(players):
            bots.append(Bot(load, port, token, f"T{table}", number + 1))
            bots[-1].leads = number == 0
    feeds = [asyncio.ensure_future(bot.follow()) for bot in bots]
    await asyncio.gather(*(bot.sit() for bot in bots))
    before, load.until = usage.cpu, time.perf_counter() + seconds
    load.seconds.clear()
    sampling = asyncio.ensure_future(sample_memory(load, usage))
    await asyncio.gather(*(bot.play() for bot in bots))
    load.cpu = usage.cpu - before
    for task in (sampling, *feeds):
        task.cancel()
    await asyncio.gather(sampling, *feeds, return_exceptions=True)
    return load


async def sample_memory(load: Load, usage: ResourceUsage) -> None:
    """Sample the memory of the server, to reveal leaks."""
    while True:
        load.memory.append(usage.memory)
        await asyncio.sleep(MEMORY_INTERVAL_SECONDS)


def measure(database: str, options: argparse.Namespace) -> None:
    """Measure every rate, then check that the ledger has every round."""
    tokens = prepare(database, options.tables, options.humans)
    server = Process(database, "--port", "0").serving()
    played = 0
    try:
        usage = ResourceUsage(server.process.pid)
        for rate in options.rates:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                load = runner.run(run(server.port, tokens, rate, options.seconds, usage))
            played += load.rounds
            assert not load.gaps, f"{load.gaps} entries were missed or repeated"
            ordered = sorted(load.seconds)
            p50, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
            print(
                f"  {rate:g} rounds/s requested: {load.rounds / options.seconds:.1f} rounds/s, "
                f"command p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms, "
                f"{load.cpu / max(load.rounds, 1) * 1000:.1f} ms of CPU per round, "
                f"{load.refused} failed; memory every {MEMORY_INTERVAL_SECONDS:g} s, in MB: "
                f"{' '.join(f'{size:.0f}' for size in (*load.memory, usage.memory))}"
            )
    finally:
        server.stop()
    with Ledger(database, create=False, readonly=True) as ledger:
        recorded = sum(ledger.open_table(name).table.rounds_played for name in ledger.tables())
    assert recorded >= played, f"{played} rounds were played, {recorded} are on record"


def main(options: argparse.Namespace | None = None) -> None:
    """Print every figure."""
    options = options or option_parser().parse_args([])
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=options.folder) as temporary:
        os.chmod(temporary, 0o755)  # the PostgreSQL user must be able to enter
        print(f"{options.tables} tables, {options.humans} of six seats over WebSockets; SQLite:")
        measure(str(Path(temporary) / "floor.db"), options)
        if options.postgresql:
            server = PostgresServer(temporary)
            try:
                print("PostgreSQL:")
                measure(server.new_database(), options)
            finally:
                server.close()


def option_parser() -> argparse.ArgumentParser:
    """The command line options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rates", type=float, nargs="+", default=[50.0, 100.0])
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument("--humans", type=int, default=6, choices=range(1, 7))
    parser.add_argument("--folder", default=None)
    parser.add_argument("--postgresql", action=argparse.BooleanOptionalAction, default=True)
    return parser


if __name__ == "__main__":
    main(option_parser().parse_args())
