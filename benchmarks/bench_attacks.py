"""One client attacks the server: how long do the commands of another player take meanwhile?

    python -m benchmarks.bench_attacks [--seconds 4] [--only pings]

For each attack it prints the median and the 99th percentile of the player's commands during the
attack, and those of the same time before and after it. Server, attacker and player are separate
processes on this machine; everything stays on loopback, is bounded in count and time, and ends by
itself.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.server import Client
from croupier.server.auth.person import EVERY_TABLE
from croupier.server.client import ResponseError
from tests.support.floor_server import PASSWORD, open_accounts
from tests.support.server_processes import Process

TABLE, HISTORY = "practice-top-five", 600  # entries that a resumption can read
PAUSE_SECONDS = 0.02  # between two commands of the player
COUNT_MAX = 20_000  # messages, requests or connections of one attack
ERRORS = (OSError, ConnectionClosed, InvalidStatus, ResponseError, httpx.HTTPError)


class Attacker:
    """A signed-in player who attacks for some seconds."""

    def __init__(self, client: Client, seconds: float) -> None:
        self.client = client
        self.until = time.monotonic() + seconds
        self.left = COUNT_MAX

    def goes_on(self) -> bool:
        """Count one message; False when time or number is used up."""
        self.left -= 1
        return self.left > 0 and time.monotonic() < self.until

    @property
    def headers(self) -> dict[str, str]:
        """The credentials."""
        return {"authorization": f"Bearer {self.client.token}"}

    def feed(self, query: str = "") -> connect:
        """A feed of the table."""
        url = self.client.address.replace("http", "ws") + f"/tables/{TABLE}/feed{query}"
        return connect(url, additional_headers=self.headers, max_size=2**24)

    async def connection(self) -> asyncio.StreamWriter:
        """A raw connection."""
        host, port = self.client.address.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        return writer


async def pings(attacker: Attacker) -> None:
    """WebSocket pings from one socket, again and again."""
    ping = b"\x89\x80\0\0\0\0" * 5_000
    while attacker.goes_on():
        with suppress(*ERRORS):
            async with attacker.feed() as socket:
                while attacker.goes_on() and not socket.transport.is_closing():
                    socket.transport.write(ping)
                    await asyncio.sleep(0.005)
        await asyncio.sleep(0.01)


async def resumes(attacker: Attacker) -> None:
    """Feeds that resume as far back as possible."""

    async def resume() -> None:
        while attacker.goes_on():
            with suppress(*ERRORS):
                async with attacker.feed("?after=1") as socket:
                    await socket.recv()
            await asyncio.sleep(0.01)

    await asyncio.gather(*(resume() for _ in range(4)))


async def sign_ins(attacker: Attacker) -> None:
    """Sixty wrong sign-ins from three addresses at once."""

    async def guess(number: int) -> None:
        transport = httpx.AsyncHTTPTransport(
            local_address=f"127.0.0.{2 + number % 3}", verify=False
        )
        body = {"name": f"name {number}", "password": "wrong password"}
        async with httpx.AsyncClient(transport=transport, timeout=30, verify=False) as http:
            with suppress(*ERRORS):
                await http.post(f"{attacker.client.address}/tokens", json=body)

    await asyncio.gather(*(guess(number) for number in range(60)))


async def headers(attacker: Attacker) -> None:
    """Headers without an end, from one socket that is opened again."""
    while attacker.goes_on():
        with suppress(*ERRORS):
            writer = await attacker.connection()
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            while attacker.goes_on() and not writer.is_closing():
                writer.write(b"X-Flood: " + b"a" * 8_000 + b"\r\n")
                await writer.drain()
            writer.close()
        await asyncio.sleep(0.005)


async def half_open(attacker: Attacker) -> None:
    """Up to 500 connections that begin a request and never end it."""
    opened = []
    for _ in range(500):
        if not attacker.goes_on():
            break
        writer = await attacker.connection()
        writer.write(b"GET / HTTP/1.1\r\nHost: ")
        opened.append(writer)
    await asyncio.sleep(max(0.0, attacker.until - time.monotonic()))
    for writer in opened:
        writer.close()


async def large_refusals(attacker: Attacker) -> None:
    """Refused commands of 60 KB."""
    command = {"kind": "place_wagers", "seat": 1, "wagers": {"x" * 60_000: 1}}

    async def send() -> None:
        while attacker.goes_on():
            with suppress(*ERRORS):
                await attacker.client.do(TABLE, command)
            await asyncio.sleep(0.001)

    await asyncio.gather(*(send() for _ in range(8)))


async def garbage(attacker: Attacker) -> None:
    """Messages over a feed that are no commands."""
    while attacker.goes_on():
        with suppress(*ERRORS):
            async with attacker.feed() as socket:
                while attacker.goes_on():
                    await socket.send("{")
        await asyncio.sleep(0.01)


ATTACKS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    each.__name__: each
    for each in (pings, resumes, sign_ins, headers, half_open, large_refusals, garbage)
}


def attack(name: str, address: str, seconds: float) -> None:
    """Run one attack in this process."""

    async def run() -> None:
        async with Client(address) as client:
            await client.sign_in("mallory", PASSWORD)
            await ATTACKS[name](Attacker(client, seconds))

    asyncio.run(run())


async def measure(player: Client, seconds: float) -> list[float]:
    """How long the commands of a player take, in milliseconds."""
    until, taken = time.monotonic() + seconds, list[float]()
    command: dict[str, Any] = {"kind": "sit_down", "seat": 3}
    while time.monotonic() < until:
        started = time.perf_counter()
        await player.do(TABLE, command)
        taken.append((time.perf_counter() - started) * 1000)
        command["kind"] = "leave" if command["kind"] == "sit_down" else "sit_down"
        await asyncio.sleep(PAUSE_SECONDS)
    if command["kind"] == "leave":
        await player.do(TABLE, command)
    return taken


def percentile_99(values: list[float]) -> float:
    """The 99th percentile."""
    return sorted(values)[int(len(values) * 0.99)]


async def compare(address: str, name: str, seconds: float) -> str:
    """Measure before, during and after an attack."""
    async with Client(address) as player:
        await player.sign_in("ann", PASSWORD)
        usual = await measure(player, seconds / 2)
        process = multiprocessing.get_context("spawn").Process(
            target=attack, args=(name, address, seconds), daemon=True
        )
        process.start()
        await asyncio.sleep(1.5)  # until it has started and signed in
        under = await measure(player, seconds)
        await asyncio.to_thread(process.join, seconds + 30)
        process.kill()
        await asyncio.sleep(0.5)
        usual += await measure(player, seconds / 2)
    figures = [
        statistics.median(under),
        statistics.median(usual),
        percentile_99(under),
        percentile_99(usual),
    ]
    ratio = figures[0] / figures[1]
    median, base, late, base_late = (f"{each:8.1f}" for each in figures)
    return f"{name:<16}{median}{base}{ratio:7.1f}x{late}{base_late}"


async def fill_history(address: str) -> None:
    """Entries that a resumption can read."""
    async with Client(address) as player:
        await player.sign_in("ann", PASSWORD)
        for number in range(HISTORY):
            await player.do(TABLE, {"kind": "leave" if number % 2 else "sit_down", "seat": 3})
            await asyncio.sleep(PAUSE_SECONDS)


def main() -> None:
    """Run every attack, one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each attack, at most 20")
    parser.add_argument("--only", choices=sorted(ATTACKS), action="append")
    options, _ = parser.parse_known_args()
    seconds = min(options.seconds, 20.0)
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "floor.db")
        with open_accounts(database) as accounts:
            for name in ("ann", "mallory"):
                accounts.add(name, PASSWORD, [("player", EVERY_TABLE)])
        server = Process(database, "--demo", "--port", "0").serving()
        try:
            asyncio.run(fill_history(server.address))
            print(f"{'':<16}{'median':>8}{'usual':>8}{'':>8}{'p99':>8}{'usual':>8}  milliseconds")
            for name in options.only or ATTACKS:
                print(asyncio.run(compare(server.address, name, seconds)), flush=True)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
