"""Servers as processes that can be killed or stopped, and proxies in front of them."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from croupier.server import Client
from croupier.server.auth.person import EVERY_TABLE
from tests.support.floor_server import PASSWORD, PEOPLE, open_accounts
from tests.support.paths import ROOT


class Process:
    """One `croupier serve`; `address` is known once it serves."""

    def __init__(self, database: str, *options: str, site: Path = ROOT) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "croupier.cli", "serve", *options],
            env={**os.environ, "PYTHONPATH": str(site), "CROUPIER_DATABASE": database},
            cwd=site,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.address = ""
        self.port = 0

    def line(self) -> str:
        """The next line that it prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def serving(self) -> Process:
        """Wait until it serves."""
        while not self.address:
            line = self.line()
            assert line, "the server has ended"
            if line.startswith("Croupier serves"):
                self.address = line.split()[-1]
                self.port = int(self.address.rpartition(":")[2])
        return self

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
        options[options.index("--port") + 1] = str(free_port())
        servers.append(options)
    return servers


def free_port() -> int:
    """A port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def add_people(database: str) -> None:
    """Create the missing test accounts of a ledger."""
    with open_accounts(database) as accounts:
        for name, roles in PEOPLE.items():
            if not accounts.exists(name):
                accounts.add(name, PASSWORD, [(role, EVERY_TABLE) for role in roles])


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


class DatabaseProxy:
    """A TCP proxy to the Unix socket of PostgreSQL that can turn into a black hole.

    After `freeze_at`, once a client has sent these bytes, no connection gets another byte in
    either direction, and none is closed.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.frozen = threading.Event()
        self._trigger = b""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = [self._listening]
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze_at(self, trigger: bytes) -> None:
        """Become a black hole when a client sends these bytes; at once if there are none."""
        self._trigger = trigger
        if not trigger:
            self.frozen.set()

    def restore(self) -> None:
        """Cut every connection and accept new ones."""
        self._trigger = b""
        self.frozen.clear()
        self._cut(self._sockets[1:])

    def close(self) -> None:
        """Cut every connection."""
        self._cut(self._sockets)

    def _cut(self, sockets: Sequence[socket.socket]) -> None:
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self.target)
                self._sockets += [client, server]
                for source, sink, sent in ((client, server, True), (server, client, False)):
                    threading.Thread(
                        target=self._carry, args=(source, sink, sent), daemon=True
                    ).start()

    def _carry(self, source: socket.socket, sink: socket.socket, sent: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if sent and self._trigger and self._trigger in data:
                    sink.sendall(data[: data.index(self._trigger)])
                    self.frozen.set()
                if self.frozen.is_set():
                    return
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


async def signed_in(address: str, name: str) -> Client:
    """A client that is signed in."""
    client = Client(address)
    await client.sign_in(name, PASSWORD)
    return client
