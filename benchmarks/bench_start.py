"""How long the commands take to start, warm, as a user feels it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from croupier import submission
from croupier.games import CATALOGUE

TRIES = 7


def best_of(command: Sequence[str]) -> float:
    """The best wall time of several runs, in seconds: what is left when nothing else runs."""
    times = []
    for _ in range(TRIES):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Print the start-up of each command, and a bare interpreter for comparison."""
    run = [sys.executable, "-m", "croupier.cli"]
    bare = best_of([sys.executable, "-c", "pass"])
    print(f"python -c pass: {bare:.3f} s")
    commands = {"croupier --help": ["--help"]}
    for game in CATALOGUE:
        commands[f"croupier check {game.key}"] = ["check", str(submission.example_path(game.key))]
    for name, arguments in commands.items():
        print(f"{name}: {best_of([*run, *arguments]):.3f} s")


if __name__ == "__main__":
    main()
