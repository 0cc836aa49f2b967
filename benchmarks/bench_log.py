"""Throughput of durable appends to the log.

    python -m benchmarks.bench_log [--folder DIR]

Appends are compared, in the same run and on the same disk, with plain inserts of the same rows:
one row per commit on SQLite, and `pgbench` with one row per transaction on PostgreSQL. Compare
ratios, since absolute times are noisy. The gain of group commit depends on the cost of a commit,
so it is also measured with artificially slower commits.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.engine import make_url

from croupier.clock import now_ms
from croupier.ledger.log import Entry, Store
from croupier.ledger.log.compression import LATEST_DICTIONARY, compress, encode_id
from croupier.ledger.log.entry import NO_LEAF
from croupier.ledger.log.write.async_append import AsyncAppender
from tests.ledger.log.sample_entries import six_seat_round
from tests.support.postgres import PostgresServer

TABLES = 64
SECONDS = 3.0
DELAYS = (1, 2, 5)  # additional milliseconds per commit, as on slower disks


class Client:
    """A table that appends its next command as soon as the last one is durable."""

    def __init__(self, name: str, script: list[bytes]) -> None:
        self.name, self.script, self.sent = name, script, 0
        self.random = random.Random(name)

    def next_entry(self) -> Entry:
        """The next command, with a random id like those of real clients."""
        self.sent += 1
        id = f"{self.random.getrandbits(128):032x}"
        return Entry(self.name, self.sent, id, now_ms(), self.script[self.sent % len(self.script)])


def script() -> list[bytes]:
    """The bodies of realistic rounds, to be repeated."""
    rng = random.Random(1)
    return [body for number in range(20) for body in six_seat_round(rng, number)]


class SlowCommit:
    """Failpoints that delay every commit, like a slower disk."""

    def __init__(self, milliseconds: int) -> None:
        self.seconds = milliseconds / 1000

    def __call__(self, where: str) -> None:
        """Sleep before the commit."""
        if self.seconds and where == "head written":
            time.sleep(self.seconds)


def single_commits(path: Path, bodies: list[bytes], delay: int = 0) -> float:
    """Rows per second when SQLite commits each row separately, as durably as the ledger."""
    Store(path).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    slow, client, done, started = (
        SlowCommit(delay),
        Client("single", bodies),
        0,
        time.perf_counter(),
    )
    while time.perf_counter() - started < SECONDS:
        entry = client.next_entry()
        row = (done, entry.sequence, entry.at, entry.at, 1, LATEST_DICTIONARY)
        packed = (encode_id(entry.id), NO_LEAF, compress(entry.body))
        slow("head written")
        connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, *packed))
        done += 1
    rate = done / (time.perf_counter() - started)
    connection.close()
    return rate


def single_inserts(server: PostgresServer, clients: int) -> float:
    """Rows per second of `pgbench`, one transaction each, into the ledger's own table."""
    url = server.new_database()
    Store(url).close()
    packed = compress(script()[10]).hex()
    statement = server.folder / "insert.sql"
    statement.write_text(
        "\\set id random(1, 1000000000000)\n"
        "INSERT INTO entry VALUES (:id, :id, 1767614400000, 1767614400000, :client_id, 1, "
        f"decode(md5(:id::text), 'hex'), sha256(:id::text::bytea), '\\x{packed}');\n"
    )
    output = subprocess.run(
        [
            *(server.binaries / "pgbench", "-n", "-M", "prepared", "-f", statement),
            *("-c", str(clients), "-j", "2", "-T", str(int(SECONDS))),
            *("-h", server.folder, "-U", "postgres", str(make_url(url).database)),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    line = next(line for line in output.splitlines() if line.startswith("tps"))
    return float(line.split()[2])


def by_tasks(store: Store, bodies: list[bytes]) -> tuple[int, float]:
    """64 tables in one event loop, as the server runs them; returns entries and seconds."""
    clients = [Client(f"table:task {i}", bodies) for i in range(TABLES)]

    async def play(client: Client, appender: AsyncAppender, deadline: float) -> None:
        while time.perf_counter() < deadline:
            await appender.append([client.next_entry()])

    async def play_all() -> None:
        deadline, appender = time.perf_counter() + SECONDS, AsyncAppender(store)
        await asyncio.gather(*(play(client, appender, deadline) for client in clients))

    started = time.perf_counter()
    asyncio.run(play_all())
    return sum(client.sent for client in clients), time.perf_counter() - started


def by_threads(store: Store, bodies: list[bytes]) -> tuple[int, float]:
    """64 tables with one thread each; returns entries and seconds."""
    clients = [Client(f"table:thread {i}", bodies) for i in range(TABLES)]
    deadline = time.perf_counter() + SECONDS

    def play(client: Client) -> None:
        while time.perf_counter() < deadline:
            store.append([client.next_entry()])

    started = time.perf_counter()
    threads = [threading.Thread(target=play, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(client.sent for client in clients), time.perf_counter() - started


Drive = Callable[[Store, list[bytes]], tuple[int, float]]
DRIVES: tuple[tuple[str, Drive], ...] = (
    ("one event loop", by_tasks),
    ("a thread each", by_threads),
)


def grouped(
    url: str | Path, drive: Drive, bodies: list[bytes], plain: float, delay: int = 0
) -> str:
    """Entries per second through the log, and the ratio to plain inserts."""
    with Store(url, faults=SlowCommit(delay)) as store:
        used = time.process_time()
        stored, seconds = drive(store, bodies)
        used = time.process_time() - used
        commits = sum(1 for _ in store.heads())
    rate, size = stored / seconds, stored / commits
    ratio = f"{rate / plain:.1f}x, {size:.0f} entries per commit"
    return f"{rate:10,.0f} entries/s  {ratio}, {used / stored * 1e6:.0f} us of CPU each"


def appends(folder: Path) -> None:
    """Compare both databases with plain inserts."""
    bodies = script()
    print(f"appends, {TABLES} tables at once, all durable:")
    plain = single_commits(folder / "single.db", bodies)
    print(f"  SQLite, one row per commit:              {plain:10,.0f} entries/s")
    for how, drive in DRIVES:
        result = grouped(folder / f"{drive.__name__}.db", drive, bodies, plain)
        print(f"  SQLite, group commit, {how + ':':19}{result}")
    slower_disks(folder, bodies)
    server = PostgresServer(str(folder))
    try:
        plain, many = single_inserts(server, 1), single_inserts(server, TABLES)
        print(f"  PostgreSQL, pgbench single inserts:      {plain:10,.0f} entries/s")
        print(f"  PostgreSQL, pgbench, {TABLES} clients:         {many:10,.0f} entries/s")
        for how, drive in DRIVES:
            result = grouped(server.new_database(), drive, bodies, plain)
            print(f"  PostgreSQL, group commit, {how + ':':15}{result}")
        processes(server)
    finally:
        server.close()


def slower_disks(folder: Path, bodies: list[bytes]) -> None:
    """Repeat with slower commits."""
    for delay in DELAYS:
        plain = single_commits(folder / f"single {delay}.db", bodies, delay)
        print(f"  SQLite, commits {delay} ms slower, alone:     {plain:10,.0f} entries/s")
        for how, drive in DRIVES:
            path = folder / f"{drive.__name__} {delay}.db"
            result = grouped(path, drive, bodies, plain, delay)
            print(f"  SQLite, {delay} ms slower, {how + ':':20}{result}")


def processes(server: PostgresServer) -> None:
    """Several processes on one PostgreSQL database: the cost of the shared writer lock."""
    for count in (1, 2, 4):
        url = server.new_database()
        Store(url).close()
        started = [
            subprocess.Popen(
                [sys.executable, "-m", "benchmarks.bench_log", "--client", url, str(number)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(count)
        ]
        rate = sum(float(process.communicate()[0]) for process in started)
        print(f"  PostgreSQL, {count} process(es) of {TABLES} tables: {rate:10,.0f} entries/s")


def client_process(url: str, number: str) -> None:
    """Body of one of several processes; prints its entries per second."""
    bodies = script()
    clients = [Client(f"table:{number}.{i}", bodies) for i in range(TABLES)]

    async def play(client: Client, appender: AsyncAppender, deadline: float) -> None:
        while time.perf_counter() < deadline:
            await appender.append([client.next_entry()])

    async def play_all(store: Store) -> None:
        deadline, appender = time.perf_counter() + SECONDS, AsyncAppender(store)
        await asyncio.gather(*(play(client, appender, deadline) for client in clients))

    with Store(url) as store:
        asyncio.run(play_all(store))
    print(sum(client.sent for client in clients) / SECONDS)


def main(folder: str | None = None) -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=folder) as temporary:
        os.chmod(temporary, 0o755)  # the PostgreSQL user must be able to enter
        appends(Path(temporary))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--client", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        client_process(*options.client)
    else:
        main(options.folder)
