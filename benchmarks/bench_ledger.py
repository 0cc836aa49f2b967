"""The ledger under load: durable appends, verification, opening a long table.

    python -m benchmarks.bench_ledger [--rounds 100000] [--folder DIR]

Appends are compared in the same run, on the same disk, with the plain way of storing the same
rows: one row per commit on SQLite, and `pgbench` inserting one row per transaction on PostgreSQL.
Times on shared machines are noisy; ratios count.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import os
import random
import resource
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from croupier.ledger.chain import GENESIS, Row, stamp
from croupier.ledger.waiting import Waiting
from sqlalchemy.engine import make_url

from croupier.ledger import Ledger, Store, codec
from croupier.ledger.verify import verify
from croupier.table.events import Event
from croupier.table.table import Table
from tests.ledger.postgres import Server
from tests.ledger.record import ACTOR, TIME, example, fill, random_round

TABLES = 64
SECONDS = 3.0
MARKS = ", ".join("?" * len(Row._fields))


def commands() -> list[list[Event]]:
    """The events of real commands, to be repeated."""
    table, rng = Table(example()), random.Random(1)
    return [events for _ in range(20) for events in random_round(table, rng, seats=3)]


class Client:
    """One table that appends one command after the other, each when the last is durable."""

    def __init__(self, name: str, script: list[list[Event]]) -> None:
        self.name, self.script = name, script
        self.tip: tuple[int, str] = (0, GENESIS)
        self.sent = 0

    def next_rows(self) -> list[Row]:
        events = self.script[self.sent % len(self.script)]
        key = f"{self.sent}"
        # A clock that stood still would scatter the entries of the time index.
        now = stamp(dt.datetime.now(dt.UTC))
        rows = codec.rows(self.name, self.tip, events, time=now, actor=ACTOR, command_id=key)
        self.sent += 1
        self.tip = (rows[-1].sequence, rows[-1].hash)
        return rows


def single_commits(path: Path, script: list[list[Event]]) -> float:
    """Rows per second when SQLite commits each row by itself, as durably as the ledger does."""
    Store(path).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    client = Client("table:single", script)
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        for row in client.next_rows():
            connection.execute(f"INSERT INTO event VALUES ({MARKS})", row)
            done += 1
    rate = done / (time.perf_counter() - started)
    connection.close()
    return rate


def single_inserts(server: Server, clients: int) -> float:
    """Rows per second of `pgbench`, each in its own transaction, into the ledger's own table."""
    url = server.new_database()
    Store(url).close()
    (row,) = Client("x", [commands()[4][:1]]).next_rows()
    data = row.data.replace("'", "''")
    script = server.folder / "insert.sql"
    script.write_text(
        "\\set id random(1, 1000000000000)\n"
        f"INSERT INTO event VALUES ('table:' || :client_id, :id, '{row.kind}', 1, '{data}', "
        f"'{TIME}', '{ACTOR}', :id, 0, '{row.previous_hash}', '{row.hash}');\n"
    )
    told = subprocess.run(
        [
            *(server.binaries / "pgbench", "-n", "-M", "prepared", "-f", script),
            *("-c", str(clients), "-j", "2", "-T", str(int(SECONDS))),
            *("-h", server.folder, "-U", "postgres", str(make_url(url).database)),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    line = next(line for line in told.splitlines() if line.startswith("tps"))
    return float(line.split()[2])


def by_tasks(store: Store, script: list[list[Event]]) -> tuple[int, float]:
    """64 tables in one event loop, as the floor runs them; events and seconds."""
    clients = [Client(f"table:task {i}", script) for i in range(TABLES)]
    stored = 0

    async def play(client: Client, waiting: Waiting, deadline: float) -> None:
        nonlocal stored
        while time.perf_counter() < deadline:
            rows = client.next_rows()
            await waiting.append(rows)
            stored += len(rows)

    async def everybody() -> None:
        deadline, waiting = time.perf_counter() + SECONDS, Waiting(store)
        await asyncio.gather(*(play(client, waiting, deadline) for client in clients))

    started = time.perf_counter()
    asyncio.run(everybody())
    return stored, time.perf_counter() - started


def by_threads(store: Store, script: list[list[Event]]) -> tuple[int, float]:
    """64 tables, each with a thread of its own."""
    counts = [0] * TABLES
    deadline = time.perf_counter() + SECONDS

    def play(index: int) -> None:
        client = Client(f"table:thread {index}", script)
        while time.perf_counter() < deadline:
            rows = client.next_rows()
            store.append(rows)
            counts[index] += len(rows)

    started = time.perf_counter()
    threads = [threading.Thread(target=play, args=(index,)) for index in range(TABLES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts), time.perf_counter() - started


Drive = Callable[[Store, list[list[Event]]], tuple[int, float]]


def grouped(url: str | Path, drive: Drive, script: list[list[Event]]) -> tuple[float, float]:
    """Events per second through the ledger, and events per commit."""
    with Store(url) as store:
        before = store.head()
        stored, seconds = drive(store, script)
        head = store.head()
        assert head is not None
        commits = head.number - (before.number if before else 0)
    return stored / seconds, stored / commits


def appends(folder: Path) -> None:
    """Both stores against their plain twins."""
    script = commands()
    events = sum(map(len, script)) / len(script)
    print(f"appends, {TABLES} tables at once, {events:.1f} events a command, all durable:")
    plain = single_commits(folder / "single.db", script)
    print(f"  SQLite, one row per commit:              {plain:10,.0f} events/s")
    drives: tuple[tuple[str, Drive], ...] = (
        ("one event loop", by_tasks),
        ("a thread each", by_threads),
    )
    for how, drive in drives:
        rate, size = grouped(folder / f"{drive.__name__}.db", drive, script)
        told = f"{rate / plain:.1f}x, {size:.0f} events a commit"
        print(f"  SQLite, group commit, {how + ':':19}{rate:10,.0f} events/s  {told}")
    server = Server(str(folder))
    try:
        plain = single_inserts(server, 1)
        many = single_inserts(server, TABLES)
        print(f"  PostgreSQL, pgbench single inserts:      {plain:10,.0f} events/s")
        print(f"  PostgreSQL, pgbench, {TABLES} clients:         {many:10,.0f} events/s")
        for how, drive in drives:
            rate, size = grouped(server.new_database(), drive, script)
            told = f"{rate / plain:.1f}x, {size:.0f} events a commit"
            print(f"  PostgreSQL, group commit, {how + ':':15}{rate:10,.0f} events/s  {told}")
    finally:
        server.close()


def long_table(folder: Path, rounds: int) -> None:
    """Open and verify a table with many past rounds."""
    path = folder / "long.db"
    with Ledger(path) as ledger:
        events = fill(ledger, "UTH-1", example(), rounds, seats=1)
    print(f"a table with {rounds:,} past rounds, {events:,} events:")
    started = time.perf_counter()
    with Ledger(path) as ledger:
        table = ledger.open_table("UTH-1")
        opened = time.perf_counter() - started
        assert rounds == table.table.rounds_played
    print(f"  opened in {opened:.3f} s")
    for workers in dict.fromkeys((1, os.cpu_count() or 1)):
        used, started = processor_seconds(), time.perf_counter()
        verdict = verify(path, workers=workers)
        seconds, used = time.perf_counter() - started, processor_seconds() - used
        assert verdict.ok, str(verdict)
        rate, free = verdict.events / seconds, verdict.events / used
        told = f"{rate:,.0f} events/s, {free:,.0f} per second of processor"
        print(f"  verified by {workers} process(es): {told}")


def processor_seconds() -> float:
    """What this process and its finished children have used: the same on a busy machine."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main(rounds: int = 100_000, folder: str | None = None) -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=folder) as made:
        os.chmod(made, 0o755)  # the server's user must be able to enter
        appends(Path(made))
        if rounds:
            long_table(Path(made), rounds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--folder", default=None)
    given = parser.parse_args()
    main(given.rounds, given.folder)
