"""The ledger under load: verification, opening a long table.

    python -m benchmarks.bench_ledger [--rounds 100000] [--folder DIR]

Durable appends are measured by `benchmarks.bench_log`. Times on shared machines are noisy.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from croupier.ledger import Ledger
from croupier.ledger.verify import verify
from tests.ledger.record import example, fill


def long_table(folder: Path, rounds: int) -> None:
    """Open and verify a table with many past rounds."""
    path = folder / "long.db"
    with Ledger(path) as ledger:
        entries = fill(ledger, "UTH-1", example(), rounds, seats=1)
    print(f"a table with {rounds:,} past rounds, {entries:,} entries:")
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
        long_table(Path(made), rounds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--folder", default=None)
    given = parser.parse_args()
    main(given.rounds, given.folder)
