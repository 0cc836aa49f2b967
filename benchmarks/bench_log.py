"""The log under load: durable appends, bytes per round.

    python -m benchmarks.bench_log [--folder DIR]

Appends are compared in the same run, on the same disk, with the plain way of storing the same
rows: one row per commit on SQLite, and `pgbench` inserting one row per transaction on PostgreSQL.
Times on shared machines are noisy; ratios count.
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

from croupier.ledger.log import Entry, Store, Waiting
from croupier.ledger.log.entry import NO_LEAF
from croupier.ledger.log.packing import NEWEST, pack, pack_id
from croupier.ledger.log.text import now
from tests.ledger.log.samples import round_entries, six_seat_round
from tests.ledger.postgres import Server

TABLES = 64
SECONDS = 3.0
ROUNDS = 200  # for the bytes of a round


class Client:
    """One table that appends one command after the other, each when the last is durable."""

    def __init__(self, name: str, script: list[bytes]) -> None:
        self.name, self.script, self.sent = name, script, 0

    def next_entry(self) -> Entry:
        """The next command; ids as clients make them."""
        self.sent += 1
        id = os.urandom(16).hex()
        return Entry(self.name, self.sent, id, now(), self.script[self.sent % len(self.script)])


def script() -> list[bytes]:
    """The bodies of real rounds, to be repeated."""
    rng = random.Random(1)
    return [body for number in range(20) for body in six_seat_round(rng, number)]


def single_commits(path: Path, bodies: list[bytes]) -> float:
    """Rows per second when SQLite commits each row by itself, as durably as the ledger does."""
    Store(path).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    client, done, started = Client("single", bodies), 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        entry = client.next_entry()
        row = (done, entry.sequence, entry.at, 1, NEWEST, pack_id(entry.id), NO_LEAF)
        connection.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, pack(entry.body))
        )
        done += 1
    rate = done / (time.perf_counter() - started)
    connection.close()
    return rate


def single_inserts(server: Server, clients: int) -> float:
    """Rows per second of `pgbench`, each in its own transaction, into the ledger's own table."""
    url = server.new_database()
    Store(url).close()
    packed = pack(script()[10]).hex()
    statement = server.folder / "insert.sql"
    statement.write_text(
        "\\set id random(1, 1000000000000)\n"
        "INSERT INTO entry VALUES (:id, :id, 1767614400000, :client_id, 1, "
        f"decode(md5(:id::text), 'hex'), sha256(:id::text::bytea), '\\x{packed}');\n"
    )
    told = subprocess.run(
        [
            *(server.binaries / "pgbench", "-n", "-M", "prepared", "-f", statement),
            *("-c", str(clients), "-j", "2", "-T", str(int(SECONDS))),
            *("-h", server.folder, "-U", "postgres", str(make_url(url).database)),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    line = next(line for line in told.splitlines() if line.startswith("tps"))
    return float(line.split()[2])


def by_tasks(store: Store, bodies: list[bytes]) -> tuple[int, float]:
    """64 tables in one event loop, as the floor runs them; entries and seconds."""
    clients = [Client(f"table:task {i}", bodies) for i in range(TABLES)]

    async def play(client: Client, waiting: Waiting, deadline: float) -> None:
        while time.perf_counter() < deadline:
            await waiting.append([client.next_entry()])

    async def everybody() -> None:
        deadline, waiting = time.perf_counter() + SECONDS, Waiting(store)
        await asyncio.gather(*(play(client, waiting, deadline) for client in clients))

    started = time.perf_counter()
    asyncio.run(everybody())
    return sum(client.sent for client in clients), time.perf_counter() - started


def by_threads(store: Store, bodies: list[bytes]) -> tuple[int, float]:
    """64 tables, each with a thread of its own."""
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


def grouped(url: str | Path, drive: Drive, bodies: list[bytes]) -> tuple[float, float]:
    """Entries per second through the log, and entries per commit."""
    with Store(url) as store:
        stored, seconds = drive(store, bodies)
        commits = sum(1 for _ in store.heads())
    return stored / seconds, stored / commits


def appends(folder: Path) -> None:
    """Both stores against their plain twins."""
    bodies = script()
    print(f"appends, {TABLES} tables at once, all durable:")
    plain = single_commits(folder / "single.db", bodies)
    print(f"  SQLite, one row per commit:              {plain:10,.0f} entries/s")
    for how, drive in DRIVES:
        rate, size = grouped(folder / f"{drive.__name__}.db", drive, bodies)
        told = f"{rate / plain:.1f}x, {size:.0f} entries a commit"
        print(f"  SQLite, group commit, {how + ':':19}{rate:10,.0f} entries/s  {told}")
    server = Server(str(folder))
    try:
        plain, many = single_inserts(server, 1), single_inserts(server, TABLES)
        print(f"  PostgreSQL, pgbench single inserts:      {plain:10,.0f} entries/s")
        print(f"  PostgreSQL, pgbench, {TABLES} clients:         {many:10,.0f} entries/s")
        for how, drive in DRIVES:
            rate, size = grouped(server.new_database(), drive, bodies)
            told = f"{rate / plain:.1f}x, {size:.0f} entries a commit"
            print(f"  PostgreSQL, group commit, {how + ':':15}{rate:10,.0f} entries/s  {told}")
        processes(server)
        sizes(folder, server)
    finally:
        server.close()


def processes(server: Server) -> None:
    """Tables of several processes on one PostgreSQL: what the one lock of all writers costs."""
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
        rate = sum(float(each.communicate()[0]) for each in started)
        print(f"  PostgreSQL, {count} process(es) of {TABLES} tables: {rate:10,.0f} entries/s")


def client_process(url: str, number: str) -> None:
    """One of several processes; prints its entries per second."""
    bodies = script()
    clients = [Client(f"table:{number}.{i}", bodies) for i in range(TABLES)]

    async def play(client: Client, waiting: Waiting, deadline: float) -> None:
        while time.perf_counter() < deadline:
            await waiting.append([client.next_entry()])

    async def everybody(store: Store) -> None:
        deadline, waiting = time.perf_counter() + SECONDS, Waiting(store)
        await asyncio.gather(*(play(client, waiting, deadline) for client in clients))

    with Store(url) as store:
        asyncio.run(everybody(store))
    print(sum(client.sent for client in clients) / SECONDS)


def sizes(folder: Path, server: Server) -> None:
    """What a six-seat round costs on the disk, one commit per command, indexes included."""
    path, url = folder / "sizes.db", server.new_database()
    for address in (path, url):
        rng, sequence = random.Random(2), 0
        with Store(address) as store:
            for number in range(ROUNDS):
                made = round_entries("table:UTH-1", sequence, rng, number)
                for entry in made:
                    store.append([entry])
                sequence += len(made)
            if address == url:
                ((total,),) = store.ask("SELECT pg_database_size(current_database())")
                ((empty,),) = store.ask(
                    "SELECT pg_database_size('postgres')"  # what every database has from the start
                )
                print(f"  PostgreSQL: {(total - empty) / ROUNDS:,.0f} bytes a six-seat round")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    print(f"  SQLite: {path.stat().st_size / ROUNDS:,.0f} bytes a six-seat round")


def main(folder: str | None = None) -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=folder) as made:
        os.chmod(made, 0o755)  # the server's user must be able to enter
        appends(Path(made))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--client", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        client_process(*given.client)
    else:
        main(given.folder)
