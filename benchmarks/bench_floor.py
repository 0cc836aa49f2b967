"""The floor under load: bots over real sockets, six-seat Ultimate rounds, every command durable.

    python -m benchmarks.bench_floor [--seconds 10] [--rates 50 100] [--tables 25] [--humans 6]

A server is a process of its own (`croupier serve`), the bots are another one on the same machine.
At each table so many players have a socket of their own, and companions play the other seats. Each
table begins a round when its time has come, so that all together are asked for the wanted rate; a
server that cannot keep up is late, and nothing else. Everything is bounded by `--seconds`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from croupier.ledger import Ledger
from croupier.server import Accounts, Floor
from croupier.server.auth.accounts import EVERY_TABLE, beside
from croupier.submission import example
from tests.support.floor_server import WEAK
from tests.support.postgres import PostgresServer
from tests.support.server_processes import Process

GAME = "ultimate_texas_holdem"
COMPANIONS = 5
WEIGHED_SECONDS = 10.0
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


class Step(msgspec.Struct):
    """A form, as far as a bot reads it."""

    kind: str
    fixed: dict[str, Any]
    fields: dict[str, Any]
    blocked: str


class Told(msgspec.Struct):
    """A state."""

    steps: list[Step]


class Frame(msgspec.Struct):
    """A frame of a feed; its state is read when there is nothing newer."""

    frame: str
    sequence: int = 0
    state: msgspec.Raw = msgspec.Raw(b"null")
    id: str = ""
    status: int = 0


_frames = msgspec.json.Decoder(list[Frame])
_states = msgspec.json.Decoder(Told)


class Load:
    """What all bots of a run have measured."""

    def __init__(self, period: float) -> None:
        self.period, self.until = period, 0.0
        self.id = secrets.token_hex(4)  # the same people play in every run
        self.processor = (0.0, 0.0)  # seconds that servers used, and their writers
        self.seconds: list[float] = []
        self.rounds = 0
        self.refused = 0
        self.memory: list[float] = []  # megabytes, now and again
        self.gaps = 0  # entries that a reader was not told of, or twice


class Feed(WSListener):
    """One socket: every number is looked at, of states only the newest is kept."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A frame came."""
        if frame.msg_type == WSMsgType.TEXT:
            self.bot.hear(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()


class Bot:
    """One player at one table."""

    def __init__(self, load: Load, port: int, token: str, table: str, seat: int) -> None:
        self.load, self.port, self.token, self.table, self.seat = load, port, token, table, seat
        self.numbers = 0
        self.next = 0.0
        self.leads = False  # counts the rounds of its table
        self.last = -1  # entry that it was told of
        self.done = -1  # entry of its own last command
        self.rounds = 0
        self.state = msgspec.Raw()
        self.news = asyncio.Event()
        self.line: WSTransport | None = None
        self.said: tuple[str, bytes] = ("", b"")  # what is not answered yet, with its id
        self.answered: asyncio.Future[Frame] | None = None

    async def act(self, command: dict[str, Any], what: str = "command") -> None:
        """Say one thing over the feed; how long its answer took is what is measured."""
        self.numbers += 1
        id = f"{self.load.id}-{self.token[:16]}-{self.numbers}"
        self.said = (id, msgspec.json.encode({"id": id, what: command}))
        self.answered = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        self.say()
        answer = await self.answered
        self.load.seconds.append(time.perf_counter() - began)
        if answer.status == 200:
            self.done = answer.sequence
        elif answer.status not in (409, 422):
            self.load.refused += 1

    def say(self) -> None:
        """Say what is not answered yet; once more, under its id, where the line broke."""
        if self.line is not None and self.said[0]:
            self.line.send(WSMsgType.TEXT, self.said[1])

    async def sit(self) -> None:
        """Before anything is measured."""
        while self.line is None:
            await asyncio.sleep(0.01)
        await self.act({"kind": "sit_down", "seat": self.seat})
        await self.act({"kind": "buy_chips", "cash": 50_000_000}, "ask")
        if self.leads:
            await self.act({"kind": "set_pace", "pace": "at_once"}, "ask")
            await self.act({"kind": "set_companions", "count": COMPANIONS}, "ask")

    async def play(self) -> None:
        """Until the time is over."""
        begins = int(self.table[1:]) * 0.618 % 1  # spread over the period
        self.next = time.perf_counter() + self.load.period * begins
        try:
            async with asyncio.timeout(self.left):
                await self.answer()
        except TimeoutError:
            pass

    async def look(self) -> None:
        """A feed ends when its table goes to another server: the next one goes on there."""
        address = f"ws://127.0.0.1:{self.port}/tables/{self.table}/feed?together=true&acts=true"
        headers = {"authorization": f"Bearer {self.token}"}
        while True:
            where = address if self.last < 0 else f"{address}&after={self.last}"
            self.line, _ = await ws_connect(lambda: Feed(self), where, extra_headers=headers)
            self.say()
            try:
                await self.line.wait_disconnected()
            finally:
                self.line.disconnect()
                self.line = None

    def hear(self, text: bytes) -> None:
        """Look whether something is missing, count rounds, keep the newest state."""
        frames = _frames.decode(text)
        for frame in frames:
            if frame.frame == "answer":
                if frame.id == self.said[0] and self.answered is not None:
                    self.said = ("", b"")
                    if not self.answered.done():  # given up, when the time was over
                        self.answered.set_result(frame)
                continue
            if frame.frame == "entry":
                self.load.gaps += self.last >= 0 and frame.sequence != self.last + 1
            self.last = frame.sequence
        self.load.rounds += self.leads and b'"deck_revealed"' in text
        if bytes(frames[-1].state) != b"null":
            self.state = frames[-1].state
            self.news.set()

    @property
    def left(self) -> float:
        """Seconds until the run is over."""
        return max(0.1, self.load.until - time.perf_counter())

    async def answer(self) -> None:
        """Whenever there is news, do the first thing that can be done."""
        while True:
            await self.news.wait()
            self.news.clear()
            if self.last < self.done:
                continue  # what it has done is not in this state yet
            told = _states.decode(self.state)
            steps = [step for step in told.steps if not step.blocked]
            # Half of them raise at once, the others check to the end and call.
            if (self.rounds + self.seat) % 2:
                steps.reverse()
            for step in steps:
                if await self.take(step):
                    break

    def is_free(self, step: Step) -> bool:
        """Whether a wager is asked for where the bot sits, and none lies there."""
        return step.fixed["seat"] == self.seat and not step.fields["wagers"]["lies"]

    async def take(self, step: Step) -> bool:
        """Whether a step is one that a bot takes."""
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


class Used:
    """What servers and their writers use: memory now, and processor time so far."""

    def __init__(self, processes: Sequence[Process]) -> None:
        self.servers = [process.process.pid for process in processes]

    @property
    def writers(self) -> list[int]:
        """The processes that servers have begun."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # gone meanwhile
                if int(fields_of(status)[1]) in self.servers:
                    found.append(int(status.parent.name))
        return found

    @property
    def memory(self) -> float:
        """Megabytes."""
        pids = (*self.servers, *self.writers)
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
        return sum(pages) * PAGE / 2**20

    @property
    def processor(self) -> tuple[float, float]:
        """Seconds of servers, and of writers."""
        return seconds_of(self.servers), seconds_of(self.writers)


def seconds_of(pids: Sequence[int]) -> float:
    """Of processor that processes have used."""
    total = 0.0
    for pid in pids:
        fields = fields_of(Path(f"/proc/{pid}/stat"))
        total += (int(fields[11]) + int(fields[12])) / TICK
    return total


def fields_of(status: Path) -> list[str]:
    """What the system says of a process, behind its name."""
    return status.read_text().rpartition(")")[2].split()


def prepare(database: str, tables: int, humans: int) -> list[list[str]]:
    """Tables and people in a new database; the tokens of each table's players."""

    async def opening() -> None:
        floor = Floor(Ledger(database, purpose="practice"), Accounts(beside(database)))
        await floor.start()
        for number in range(tables):
            await floor.open(f"T{number}", example(GAME))
        await floor.stop()

    asyncio.run(opening())
    accounts = Accounts(beside(database), hasher=WEAK)
    found = []
    for table in range(tables):
        names = [f"p{table}-{number}" for number in range(humans)]
        for name in names:
            accounts.add(name, "not told to anybody", [("player", EVERY_TABLE)])
        found.append([accounts.begin(name) for name in names])
    accounts.close()
    return found


async def run(
    ports: Sequence[int], tokens: list[list[str]], rate: float, seconds: float, used: Used
) -> Load:
    """All bots at once, for so long."""
    load = Load(len(tokens) / rate)
    bots = []
    for table, players in enumerate(tokens):
        for number, token in enumerate(players):
            bots.append(Bot(load, ports[table % len(ports)], token, f"T{table}", number + 1))
            bots[-1].leads = number == 0
    looking = [asyncio.ensure_future(bot.look()) for bot in bots]
    await asyncio.gather(*(bot.sit() for bot in bots))
    before, load.until = used.processor, time.perf_counter() + seconds
    load.seconds.clear()
    weighing = asyncio.ensure_future(weigh(load, used))
    await asyncio.gather(*(bot.play() for bot in bots))
    servers, writers = used.processor
    load.processor = (servers - before[0], writers - before[1])
    for task in (weighing, *looking):
        task.cancel()
    await asyncio.gather(weighing, *looking, return_exceptions=True)
    return load


async def weigh(load: Load, used: Used) -> None:
    """The memory of the servers, now and again: what grows without an end would be seen."""
    while True:
        load.memory.append(used.memory)
        await asyncio.sleep(WEIGHED_SECONDS)


def measure(database: str, servers: int, given: argparse.Namespace) -> None:
    """Every rate against so many servers, and whether the record has every round."""
    tokens = prepare(database, given.tables, given.humans)
    processes = [Process(database, "--port", "0") for _ in range(servers)]
    played = 0
    try:
        if servers > 1:
            time.sleep(5)  # until tables are spread
        used = Used(processes)
        for rate in given.rates:
            ports = [process.port for process in processes]
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                load = runner.run(run(ports, tokens, rate, given.seconds, used))
            played += load.rounds
            served, written = (each / max(load.rounds, 1) * 1000 for each in load.processor)
            assert not load.gaps, f"{load.gaps} entries were missed or told twice"
            ordered = sorted(load.seconds)
            p50, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
            print(
                f"  {servers} server(s), {rate:g} rounds/s wanted: "
                f"{load.rounds / given.seconds:.1f} rounds/s, command p50 {p50 * 1000:.1f} ms, "
                f"p99 {p99 * 1000:.1f} ms, {served:.1f} + {written:.1f} ms of processor a round, "
                f"{load.refused} not done; memory every {WEIGHED_SECONDS:g} s, in MB: "
                f"{' '.join(f'{each:.0f}' for each in (*load.memory, used.memory))}"
            )
    finally:
        for process in processes:
            process.stop()
    with Ledger(database, create=False, readonly=True) as ledger:
        kept = sum(ledger.open_table(name).table.rounds_played for name in ledger.tables())
    assert kept >= played, f"{played} rounds were seen and {kept} are on record"


def main(given: argparse.Namespace | None = None) -> None:
    """Print every figure."""
    given = given or options().parse_args([])
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=given.folder) as made:
        os.chmod(made, 0o755)  # the server's user must be able to enter
        print(f"{given.tables} tables, {given.humans} of six seats played over sockets; SQLite:")
        measure(str(Path(made) / "floor.db"), 1, given)
        if given.postgresql:
            server = PostgresServer(made)
            try:
                print("PostgreSQL:")
                for servers in (1, 2):
                    measure(server.new_database(), servers, given)
            finally:
                server.close()


def options() -> argparse.ArgumentParser:
    """What may be said on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rates", type=float, nargs="+", default=[50.0, 100.0])
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument("--humans", type=int, default=6, choices=range(1, 7))
    parser.add_argument("--folder", default=None)
    parser.add_argument("--postgresql", action=argparse.BooleanOptionalAction, default=True)
    return parser


if __name__ == "__main__":
    main(options().parse_args())
