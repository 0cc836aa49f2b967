"""Runs complete random shifts: `python -m tools.random_shifts --shifts 2000`."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random

from tests.support.rounds import EVERY_GAME
from tests.support.shifts.casino import Shift
from tests.support.shifts.houses import houses

ACTS = 120
BLOCK = 25


def run_shift(game: str, seed: int, acts: int = ACTS) -> Counter[str]:
    """Run one shift from its seed; an exception carries a note with the game and seed."""
    rng = Random(f"{game} {seed}")
    first, second = rng.choices(houses(game), k=2)
    shift = Shift(first, rng)
    try:
        shift.run(acts, second if rng.random() < 0.3 else None)
    except Exception as error:
        error.add_note(f"game {game}, seed {seed}, after {shift.counts['commands']} commands")
        raise
    return shift.counts


def run_block(game: str, first: int, shifts: int, acts: int) -> Counter[str]:
    """Run shifts with consecutive seeds."""
    total: Counter[str] = Counter()
    for seed in range(first, first + shifts):
        total += run_shift(game, seed, acts)
    return total


def run(games: tuple[str, ...], shifts: int, seed: int, acts: int) -> dict[str, Counter[str]]:
    """Run all shifts in a process pool; returns the counts by game."""
    totals = {game: Counter[str]() for game in games}
    with ProcessPoolExecutor() as pool:
        jobs = [
            (game, pool.submit(run_block, game, first, min(BLOCK, seed + shifts - first), acts))
            for game in games
            for first in range(seed, seed + shifts, BLOCK)
        ]
        for game, job in jobs:
            totals[game] += job.result()
    return totals


def report(totals: dict[str, Counter[str]], seed: int, shifts: int) -> str:
    """Return the seeds and the counts, one line per game."""
    lines = [f"seeds {seed} to {seed + shifts - 1} of each game"]
    for game, counts in totals.items():
        listed = ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))
        lines.append(f"{game}: {listed}")
    return "\n".join(lines)


def main() -> None:
    """Parse the arguments, run the shifts and print a report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shifts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--acts", type=int, default=ACTS)
    parser.add_argument("--game", default="all", choices=("all", *EVERY_GAME))
    arguments = parser.parse_args()
    games = EVERY_GAME if arguments.game == "all" else (arguments.game,)
    start = time.perf_counter()
    totals = run(games, arguments.shifts, arguments.seed, arguments.acts)
    sys.stdout.write(report(totals, arguments.seed, arguments.shifts))
    sys.stdout.write(f"\n{time.perf_counter() - start:.0f} s\n")


if __name__ == "__main__":
    main()
