"""How long the commands take to start and to answer, warm, as a user feels it.

`python -m benchmarks.bench_start --against CHECKOUT LEDGER` measures another checkout of Croupier
with a ledger of its own in turns with this one; commands that it does not have are left out.
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
DAY = "2026-01-06"  # which the small casino has played and not closed
ROOT = Path(__file__).parents[1]
Times = tuple[float, float]  # wall and processor seconds


def once(command: Sequence[str], folder: Path, root: Path) -> Times | None:
    """One run of a command; None where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONPYCACHEPREFIX": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed is compiled
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False, timeout=60
    )
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (wall, cpu) if not done.returncode else None


def commands(ledger: Path) -> dict[str, list[str]]:
    """What is asked for, by its name; NEW is a file to be written, COPY one of the ledger."""
    asked = {"--help": ["--help"]}
    for game in CATALOGUE:
        asked[f"check {game.key}"] = ["check", str(submission.example_path(game.key))]
    database = ["--database", str(ledger)]
    asked["audit verify"] = ["audit", "verify", str(ledger)]
    asked["audit hand"] = ["audit", "hand", "A", "1", *database]
    asked["audit find"] = ["audit", "find", *database]
    asked["audit refused"] = ["audit", "refused", *database]
    asked["report wagers"] = ["report", "wagers", *database]
    asked["close-day"] = ["audit", "close-day", DAY, "--database", "COPY"]
    asked["export"] = ["export", "NEW", *database]
    asked["backup"] = ["backup", "NEW", *database]
    return asked


def measure(sides: Mapping[str, tuple[Path, Path]]) -> None:
    """Print, for each command and side, the best of several runs in turns."""
    new = (f"new{number}" for number in itertools.count())
    asked = {side: commands(ledger) for side, (_, ledger) in sides.items()}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        runs: dict[tuple[str, str], list[Times | None]] = {}
        for _ in range(TRIES):
            bare = once([sys.executable, "-c", "pass"], folder, ROOT)
            runs.setdefault(("python -c pass", ""), []).append(bare)
            for name, side in itertools.product(asked["here"], sides):
                fresh = next(new)
                if "COPY" in asked[side][name]:
                    shutil.copy(sides[side][1], folder / fresh)
                given = [fresh if each in ("NEW", "COPY") else each for each in asked[side][name]]
                command = [sys.executable, "-m", "croupier.cli", *given]
                runs.setdefault((name, side), []).append(once(command, folder, sides[side][0]))
    for (name, side), times in runs.items():
        found = [each for each in times if each is not None]
        if not found:
            print(f"{name:34} {side:8} cannot be asked")
            continue
        wall, cpu = (min(column) for column in zip(*found, strict=True))
        print(f"{name:34} {side:8} {wall:.3f} s, processor {cpu:.3f} s")


def main() -> None:
    """Measure this checkout, and another one in turns with it where it is named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", nargs=2, type=Path, metavar=("CHECKOUT", "LEDGER"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        ledger = Path(place, "casino.db")
        small_casino.build(ledger, acts=20)
        sides = {"here": (ROOT, ledger)}
        if given.against:
            sides["there"] = (given.against[0].resolve(), given.against[1].resolve())
        measure(sides)


if __name__ == "__main__":
    main()
