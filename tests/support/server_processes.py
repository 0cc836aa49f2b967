"""Servers as processes that can be killed, and a round-robin proxy for them."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from croupier.server import Accounts, Client
from croupier.server.auth.accounts_database import accounts_url
from croupier.server.auth.person import EVERY_TABLE
from croupier.server.cluster.leases import Leases, TableOwner
from tests.support.floor_server import PASSWORD, PEOPLE, WEAK_HASHER
from tests.support.paths import ROOT


class Process:
    """One `croupier serve`."""

    def __init__(self, database: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "croupier.cli", "serve", *options],
            env={**os.environ, "PYTHONPATH": str(ROOT), "CROUPIER_DATABASE": database},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1]
        self.port = int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        self.process.kill()
        self.process.wait(20)

    def stop(self) -> None:
        """Stop it gracefully."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(20)
        if self.process.stdout is not None:
            self.process.stdout.close()


def documented() -> list[list[str]]:
    """The options of each server in `docs/installation.md`, for loopback."""
    text = (ROOT / "docs" / "installation.md").read_text()
    servers = []
    for line in re.findall(r"^croupier serve (.*)$", text, re.MULTILINE):
        options = shlex.split(line.replace("10.0.0.10", "127.0.0.1"))
        options[options.index("--host") + 1] = "127.0.0.1"
        options[options.index("--port") + 1] = "0"
        servers.append(options)
    return servers


def with_people(database: str) -> Accounts:
    """The accounts of a database, with all test accounts."""
    accounts = Accounts(accounts_url(database), hasher=WEAK_HASHER)
    for name, roles in PEOPLE.items():
        if not accounts.exists(name):
            accounts.add(name, PASSWORD, [(role, EVERY_TABLE) for role in roles])
    return accounts


def places(accounts: Accounts) -> dict[str, TableOwner]:
    """The owner of each table."""
    return Leases(accounts).places()


class RoundRobin:
    """Proxies connections to the servers in turn, skipping those that are down."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = list(ports)
        self.address = ""
        self._tasks: set[asyncio.Task[Any]] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[RoundRobin]:
        """Listen while the context lasts."""
        listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            listening.close()
            tasks = tuple(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        opened = [writer]
        try:
            for _ in range(len(self.ports)):
                self.ports.append(self.ports.pop(0))
                with suppress(OSError):
                    there, back = await asyncio.open_connection("127.0.0.1", self.ports[-1])
                    opened.append(back)
                    await asyncio.gather(carry(reader, back), carry(there, writer))
                    return
        finally:
            self._tasks.discard(task)
            for stream in opened:
                stream.close()
            for stream in opened:
                with suppress(OSError):
                    await stream.wait_closed()


async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Copy bytes until either side ends."""
    with suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    sink.close()


async def signed_in(address: str, name: str) -> Client:
    """A client that is signed in."""
    client = Client(address)
    await client.sign_in(name, PASSWORD)
    return client
