"""Run time of the command line tools, including startup, with warm caches.

`python -m benchmarks.bench_start --against CHECKOUT LEDGER` alternates with another checkout of
Croupier and its ledger; commands that the other checkout lacks are skipped.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from croupier import submission
from croupier.games import CATALOGUE
from tests.ledger.audit import small_casino

TRIES = 7
DAY = "2026-01-06"  # a gaming day of the small casino that is not closed yet
ROOT = Path(__file__).parents[1]
Times = tuple[float, float]  # wall and CPU seconds


def run_once(command: Sequence[str], folder: Path, root: Path) -> Times | None:
    """Wall and CPU seconds of one run of a command; None if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONPYCACHEPREFIX": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # installed packages are compiled
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False, timeout=60
    )
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (wall, cpu) if not done.returncode else None


def commands(ledger: Path) -> dict[str, list[str]]:
    """Arguments by name; NEW stands for a new file, COPY for a copy of the ledger."""
    arguments = {"--help": ["--help"]}
    for game in CATALOGUE:
        arguments[f"check {game.key}"] = ["check", str(submission.example_path(game.key))]
    database = ["--database", str(ledger)]
    arguments["audit verify"] = ["audit", "verify", str(ledger)]
    arguments["audit hand"] = ["audit", "hand", "A", "1", *database]
    arguments["audit find"] = ["audit", "find", *database]
    arguments["audit refused"] = ["audit", "refused", *database]
    arguments["report wagers"] = ["report", "wagers", *database]
    arguments["close-day"] = ["audit", "close-day", DAY, "--database", "COPY"]
    arguments["export"] = ["export", "NEW", *database]
    arguments["backup"] = ["backup", "NEW", *database]
    return arguments


def measure(sides: Mapping[str, tuple[Path, Path]]) -> None:
    """Print the best of several alternating runs for each command and checkout."""
    new = (f"new{number}" for number in itertools.count())
    arguments = {side: commands(ledger) for side, (_, ledger) in sides.items()}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        runs: dict[tuple[str, str], list[Times | None]] = {}
        for _ in range(TRIES):
            bare = run_once([sys.executable, "-c", "pass"], folder, ROOT)
            runs.setdefault(("python -c pass", ""), []).append(bare)
            for name, side in itertools.product(arguments["here"], sides):
                fresh = next(new)
                if "COPY" in arguments[side][name]:
                    shutil.copy(sides[side][1], folder / fresh)
                words = [fresh if w in ("NEW", "COPY") else w for w in arguments[side][name]]
                command = [sys.executable, "-m", "croupier.cli", *words]
                runs.setdefault((name, side), []).append(run_once(command, folder, sides[side][0]))
    for (name, side), times in runs.items():
        successful = [pair for pair in times if pair is not None]
        if not successful:
            print(f"{name:34} {side:8} failed")
            continue
        wall, cpu = (min(column) for column in zip(*successful, strict=True))
        print(f"{name:34} {side:8} {wall:.3f} s, CPU {cpu:.3f} s")


def main() -> None:
    """Measure this checkout and, with --against, another one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", nargs=2, type=Path, metavar=("CHECKOUT", "LEDGER"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        ledger = Path(temporary, "casino.db")
        small_casino.build(ledger, acts=20)
        sides = {"here": (ROOT, ledger)}
        if options.against:
            sides["there"] = (options.against[0].resolve(), options.against[1].resolve())
        measure(sides)


if __name__ == "__main__":
    main()
