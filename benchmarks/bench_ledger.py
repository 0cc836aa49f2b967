"""Throughput of the ledger: durable rounds, verification, loading a long table, bytes per round.

    python -m benchmarks.bench_ledger [--rounds 100000] [--folder DIR]

`bench_log` compares appends with plain inserts. Compare rates per CPU second and ratios of one
run, since absolute times on shared machines are noisy.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from croupier.cards import DECK, names
from croupier.clock import now_ms
from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.table import Command, Envelope, Table
from croupier.table import commands as cmd
from tests.support.postgres import PostgresServer
from tests.support.recorded_rounds import ANN, SYSTEM, example_house, fill_table

SECONDS = 4.0
SEATS = 6
SIZED = 500  # rounds that the bytes per round are averaged over, since pages are large


def script(rounds: int = 50) -> list[list[Command]]:
    """The commands of six-seat Ultimate rounds, to be repeated."""
    table, rng = Table(example_house()), random.Random(3)
    result = []
    for _ in range(rounds):
        played: list[Command] = []

        def do(command: Command, played: list[Command] = played) -> None:
            table.do(command, ANN, 1)
            played.append(command)

        deck = names(rng.sample(DECK, len(DECK)))
        for seat in range(1, SEATS + 1):
            do(cmd.PlaceWagers(seat, {"ante": 1000, "blind": 1000, "trips": 500}, f"p{seat}"))
        do(cmd.NoMoreBets())
        while (current := table.open_round) is not None:
            due = current.due()
            match due.kind:
                case "deal":
                    do(cmd.DealCards(tuple(deck.pop() for _ in range(due.cards))))
                case "show":
                    do(cmd.ShowStreet())
                case "decide":
                    do(cmd.Decide(due.seat, rng.choice(table.options()).word))
                case _:
                    do(cmd.Settle())
        result.append(played)
    return result


def play_for(table: RecordedTable, rounds: list[list[Command]], deadline: float) -> int:
    """Play rounds until the deadline, waiting for each command; returns the number of rounds."""
    played = 0
    while time.perf_counter() < deadline:
        for command in rounds[played % len(rounds)]:
            table.do(command, ANN)
        played += 1
    return played


def by_threads(tables: list[RecordedTable], rounds: list[list[Command]]) -> float:
    """Rounds per second with one thread per table."""
    counts = [0] * len(tables)
    began = time.perf_counter()

    def play(index: int) -> None:
        counts[index] = play_for(tables[index], rounds, began + SECONDS)

    threads = [threading.Thread(target=play, args=(index,)) for index in range(len(tables))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - began)


def by_loop(tables: list[RecordedTable], rounds: list[list[Command]]) -> float:
    """Rounds per second with all tables in one event loop, as the server runs them."""
    played = 0

    async def play(table: RecordedTable, appender: AsyncAppender, deadline: float) -> None:
        nonlocal played
        number = 0
        while time.perf_counter() < deadline:
            for command in rounds[number % len(rounds)]:
                id = os.urandom(16).hex()
                await table.execute_async(appender, Envelope(id, ANN, now_ms(), command))
            number += 1
            played += 1

    async def play_all() -> None:
        appender, deadline = AsyncAppender(tables[0].store), time.perf_counter() + SECONDS
        await asyncio.gather(*(play(table, appender, deadline) for table in tables))

    began = time.perf_counter()
    asyncio.run(play_all())
    return played / (time.perf_counter() - began)


Drive = Callable[[list[RecordedTable], list[list[Command]]], float]
DRIVES: tuple[tuple[str, Drive], ...] = (("threads", by_threads), ("one loop", by_loop))


def durable_rounds(url: str | Path, name: str, rounds: list[list[Command]]) -> None:
    """Six-seat Ultimate rounds per second through recorded tables, every command durable."""
    for count in (1, 8):
        for how, drive in DRIVES:
            with Ledger(url) as ledger:
                tables = [
                    ledger.open_table(f"{how} {count} {i}", example_house(), by=SYSTEM)
                    for i in range(count)
                ]
                sized = ledger.store.dialect == "postgresql"
                size = postgresql_size(ledger) if sized else 0
                used = cpu_seconds()
                rate = drive(tables, rounds)
                used = cpu_seconds() - used
                size = postgresql_size(ledger) - size if sized else 0
            per_cpu = f"{rate * SECONDS / used:,.0f} per CPU second"
            bytes_each = f", {size / (rate * SECONDS):,.0f} bytes per round" if sized else ""
            print(f"  {name}, {count} table(s), {how}: {rate:,.0f} rounds/s, {per_cpu}{bytes_each}")


def memory_rounds(rounds: list[list[Command]]) -> None:
    """The same rounds without recording: the cost of the rules alone."""
    table, played, used = Table(example_house()), 0, cpu_seconds()
    while cpu_seconds() - used < SECONDS / 2:
        for command in rounds[played % len(rounds)]:
            table.do(command, ANN, 1)
        played += 1
    print(f"  not recorded: {played / (cpu_seconds() - used):,.0f} rounds/s")


def sizes(folder: Path, server: PostgresServer, rounds: list[list[Command]]) -> None:
    """Disk space of a six-seat round with one commit per command, including indexes."""
    path, url = folder / "sizes.db", server.new_database()
    for address in (path, url):
        with Ledger(address) as ledger:
            table = ledger.open_table("UTH-1", example_house(), by=SYSTEM)
            before = postgresql_size(ledger) if address == url else 0
            for number in range(SIZED):
                for command in rounds[number % len(rounds)]:
                    table.do(command, ANN)
            if address == url:
                grown = postgresql_size(ledger) - before
                print(f"  PostgreSQL: {grown / SIZED:,.0f} bytes per six-seat round")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    entries = sum(map(len, rounds)) / len(rounds)
    commands = f"{entries:.1f} commands each"
    print(f"  SQLite: {path.stat().st_size / SIZED:,.0f} bytes per six-seat round, {commands}")


def postgresql_size(ledger: Ledger) -> int:
    """The size of the ledger's tables and indexes, in bytes."""
    ((size,),) = ledger.store.query(
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
        " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
    )
    return int(size)


def long_table(folder: Path, rounds: int) -> None:
    """Load and verify a table with many past rounds."""
    path = folder / "long.db"
    with Ledger(path) as ledger:
        entries = fill_table(ledger, "UTH-1", example_house(), rounds, seats=1)
    print(f"a table with {rounds:,} past rounds, {entries:,} entries:")
    with Ledger(path) as ledger:
        times = []
        for _ in range(5):
            began = time.perf_counter()
            assert rounds == ledger.open_table("UTH-1").table.rounds_played
            times.append(time.perf_counter() - began)
    print(f"  opened in {min(times) * 1000:.0f} ms")
    for workers in (1, 2):
        used, began = cpu_seconds(), time.perf_counter()
        verdict = verify(path, workers=workers)
        seconds, used = time.perf_counter() - began, cpu_seconds() - used
        assert verdict.ok, str(verdict)
        rate, per_cpu = verdict.events / seconds, verdict.events / used
        rates = f"{rate:,.0f} events/s, {per_cpu:,.0f} per CPU second"
        print(f"  verified by {workers} process(es): {rates}")


def cpu_seconds() -> float:
    """CPU time of this process and its finished children, which other load affects little."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main(rounds: int = 100_000, folder: str | None = None) -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=folder) as temporary:
        os.chmod(temporary, 0o755)  # the PostgreSQL user must be able to enter
        played = script()
        print(f"six-seat Ultimate rounds, {sum(map(len, played)) / len(played):.1f} commands each:")
        memory_rounds(played)
        durable_rounds(Path(temporary) / "rounds.db", "SQLite", played)
        server = PostgresServer(temporary)
        try:
            durable_rounds(server.new_database(), "PostgreSQL", played)
            sizes(Path(temporary), server, played)
        finally:
            server.close()
        if rounds:
            long_table(Path(temporary), rounds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--folder", default=None)
    options = parser.parse_args()
    main(options.rounds, options.folder)
