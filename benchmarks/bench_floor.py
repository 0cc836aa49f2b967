"""The floor under load: bots over real sockets, six-seat Ultimate rounds, every command durable.

    python -m benchmarks.bench_floor [--seconds 10] [--rates 50 100] [--tables 25] [--humans 1]

A server is a process of its own (`croupier serve`), the bots are another one on the same machine.
At each table so many players have a socket of their own, and companions play the other seats. Each
table begins a round when its time has come, so that all together are asked for the wanted rate; a
server that cannot keep up is late, and nothing else. Everything is bounded by `--seconds`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from croupier.floor import Accounts, Floor
from croupier.floor.accounts import EVERY_TABLE, beside
from croupier.ledger import Ledger
from croupier.submission import example
from tests.floor.servers import Process
from tests.ledger.postgres import Server

GAME = "ultimate_texas_holdem"
COMPANIONS = 5
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


class Step(msgspec.Struct):
    """A form, as far as a bot reads it."""

    kind: str
    fixed: dict[str, Any]
    fields: dict[str, Any]
    blocked: str


class Machine(msgspec.Struct):
    """What the machine dealer may be asked."""

    asks: list[Step]


class Told(msgspec.Struct):
    """A state."""

    steps: list[Step]
    desk: Machine


class Frame(msgspec.Struct):
    """A frame of a feed."""

    sequence: int
    state: Told | None = None
    events: list[dict[str, Any] | None] = []


_frames = msgspec.json.Decoder(Frame)


class Line:
    """One connection to a server that is kept: requests one after the other."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n".encode()
        self._pipe: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: Any, id: str) -> int:
        """The status of the answer; sent again if the server had hung up on an idle line."""
        try:
            return await self._post(path, body, id)
        except (asyncio.IncompleteReadError, OSError):
            self.close()
            return await self._post(path, body, id)

    async def _post(self, path: str, body: Any, id: str) -> int:
        if self._pipe is None:
            self._pipe = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._pipe
        data = msgspec.json.encode(body)
        writer.write(
            b"POST %s HTTP/1.1\r\n%sContent-Type: application/json\r\n"
            b"Idempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s"
            % (path.encode(), self.head, id.encode(), len(data), data)
        )
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        return int(head[9:12])

    def close(self) -> None:
        """Hang up."""
        if self._pipe is not None:
            self._pipe[1].close()
            self._pipe = None


class Load:
    """What all bots of a run have measured."""

    def __init__(self, period: float, until: float) -> None:
        self.period, self.until = period, until
        self.seconds: list[float] = []
        self.rounds = 0
        self.refused = 0


class Bot:
    """One player at one table."""

    def __init__(self, load: Load, port: int, token: str, table: str, seat: int) -> None:
        self.load, self.port, self.token, self.table, self.seat = load, port, token, table, seat
        self.line = Line(port, token)
        self.numbers = 0
        self.next = time.perf_counter() + load.period * (hash(table) % 100 / 100)
        self.leads = False  # counts the rounds of its table

    async def act(self, command: dict[str, Any], where: str = "commands") -> None:
        """Send one thing; how long a command took is what is measured."""
        self.numbers += 1
        id = f"{self.token[:16]}-{self.numbers}"
        began = time.perf_counter()
        status = await self.line.post(f"/tables/{self.table}/{where}", command, id)
        if where == "commands":
            self.load.seconds.append(time.perf_counter() - began)
        if status not in (200, 409, 422):
            self.load.refused += 1

    async def play(self) -> None:
        """Until the time is over."""
        await self.act({"kind": "sit_down", "seat": self.seat})
        await self.act({"kind": "buy_chips", "cash": 50_000_000}, "asks")
        if self.leads:
            await self.act({"kind": "set_pace", "pace": "at_once"}, "asks")
            await self.act({"kind": "set_companions", "count": COMPANIONS}, "asks")
        address = f"ws://127.0.0.1:{self.port}/tables/{self.table}/feed"
        headers = {"authorization": f"Bearer {self.token}"}
        try:
            async with asyncio.timeout(self.left):
                # A feed ends when its table goes to another server: the next one goes on there.
                async for socket in connect(address, additional_headers=headers, compression=None):
                    async for text in socket:
                        await self.hear(_frames.decode(text))
        except TimeoutError:
            pass
        finally:
            self.line.close()

    async def hear(self, frame: Frame) -> None:
        """Count rounds, and do what there is to do."""
        self.load.rounds += self.leads and any(
            event is not None and event["kind"] == "deck_revealed" for event in frame.events
        )
        if frame.state is not None:
            await self.answer(frame.state)

    @property
    def left(self) -> float:
        """Seconds until the run is over."""
        return max(0.1, self.load.until - time.perf_counter())

    async def answer(self, state: Told) -> None:
        """Do the first thing that can be done."""
        for step in (*state.desk.asks, *state.steps):
            if step.blocked:
                continue
            if step.kind == "deal":
                await self.act({"kind": "deal"}, "asks")
                return
            if step.kind == "decide" and "cents" not in step.fields:
                await self.act({"kind": "decide", **step.fixed})
                return
            if step.kind == "place_wagers" and not step.fields["wagers"]["lies"]:
                await asyncio.sleep(self.next - time.perf_counter())
                self.next = max(self.next + self.load.period, time.perf_counter() - 1)
                stakes = {"ante": 1500, "blind": 1500}
                await self.act(
                    {"kind": "place_wagers", "seat": step.fixed["seat"], "wagers": stakes}
                )
                return


class Used:
    """What processes use: memory now, and processor time since."""

    def __init__(self, processes: Sequence[Process]) -> None:
        self.pids = [process.process.pid for process in processes]
        self.began = self.processor

    @property
    def memory(self) -> float:
        """Megabytes."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.pids]
        return sum(pages) * PAGE / 2**20

    @property
    def processor(self) -> float:
        """Seconds."""
        total = 0.0
        for pid in self.pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / TICK
        return total


def prepare(database: str, tables: int, humans: int) -> list[list[str]]:
    """Tables and people in a new database; the tokens of each table's players."""

    async def opening() -> None:
        floor = Floor(Ledger(database, purpose="practice"), Accounts(beside(database)))
        await floor.start()
        for number in range(tables):
            await floor.open(f"T{number}", example(GAME))
        await floor.stop()

    asyncio.run(opening())
    accounts = Accounts(beside(database))
    found = []
    for table in range(tables):
        names = [f"p{table}-{number}" for number in range(humans)]
        for name in names:
            accounts.add(name, "not told to anybody", [("player", EVERY_TABLE)])
        found.append([accounts.begin(name) for name in names])
    accounts.close()
    return found


async def run(ports: Sequence[int], tokens: list[list[str]], rate: float, seconds: float) -> Load:
    """All bots at once, for so long."""
    load = Load(len(tokens) / rate, time.perf_counter() + seconds)
    bots = []
    for table, players in enumerate(tokens):
        for number, token in enumerate(players):
            bots.append(Bot(load, ports[table % len(ports)], token, f"T{table}", number + 1))
            bots[-1].leads = number == 0
    await asyncio.gather(*(bot.play() for bot in bots))
    return load


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
            memory, before = used.memory, used.processor
            ports = [process.port for process in processes]
            load = asyncio.run(run(ports, tokens, rate, given.seconds))
            played += load.rounds
            cost = (used.processor - before) / max(load.rounds, 1) * 1000
            ordered = sorted(load.seconds)
            p50, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
            print(
                f"  {servers} server(s), {rate:g} rounds/s wanted: "
                f"{load.rounds / given.seconds:.1f} rounds/s, command p50 {p50 * 1000:.1f} ms, "
                f"p99 {p99 * 1000:.1f} ms, {cost:.1f} ms of processor a round, "
                f"memory {memory:.0f} to {used.memory:.0f} MB, {load.refused} not done"
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
            server = Server(made)
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
    parser.add_argument("--humans", type=int, default=1, choices=range(1, 7))
    parser.add_argument("--folder", default=None)
    parser.add_argument("--postgresql", action=argparse.BooleanOptionalAction, default=True)
    return parser


if __name__ == "__main__":
    main(options().parse_args())
