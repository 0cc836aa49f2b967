"""How fast full tables are simulated, beside a plain native program and Python, in one run.

python -m benchmarks.bench_simulate            everything
python -m benchmarks.bench_simulate rates      every game, one and six seats
python -m benchmarks.bench_simulate whole      the command as one types it, settling and report
python -m benchmarks.bench_simulate scaling    one and two workers, threads and processes
python -m benchmarks.bench_simulate others     a native program, Python with a compiled evaluator
python -m benchmarks.bench_simulate threads    rank_hands on one core and on all
python -m benchmarks.bench_simulate steps      environments

Rates of one core are by CPU seconds of this process, what is spread over cores is by the wall
clock: on a busy machine compare ratios, and those only within one run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks import native, plain_simulators
from benchmarks.bench_study import clocked, random_hands
from croupier import submission
from croupier.games import CATALOGUE
from croupier.ranking import rank_hands
from croupier.study import tables
from croupier.study.simulation import blocks, running
from croupier.study.simulation.setup import seating_of
from croupier.study.workers import cores

WHOLE_ROUNDS = 100_000_000
GOAL = 8.0  # million one-seat rounds of Ultimate a second on two cores
TIMES_PYTHON = 200
SLOW_ROUNDS = 20_000
NATIVE_ROUNDS = 2_000_000
HANDS = 40_000_000  # long enough for two threads to find their two cores
ULTIMATE = "ultimate_texas_holdem"


def plan_of(game: str, seats: int) -> blocks.Plan:
    """An endless simulation, of which blocks are played."""
    house = submission.example(game)
    what = blocks.plan(house, seating_of(house, seats), 2**40, 1, blocks.Hours())
    blocks.play(what._replace(rounds=1_000), 0)  # everything is solved and compiled
    return what


def rate(game: str, seats: int, lots: int = 5) -> float:
    """Million rounds a second of one core, all side wagers and the best play: the best of some."""
    what = plan_of(game, seats)
    best = min(clocked(partial(blocks.play, what, number))[1] for number in range(lots))
    return what.block / best / 1e6


def bench_rates() -> float:
    """Every game; says how many million one-seat rounds of Ultimate a core plays in a second."""
    print("million rounds a second and core, all wagers, best play:")
    ours = 0.0
    for game in CATALOGUE:
        one, six = rate(game.key, 1), rate(game.key, 6, 3)
        print(f"  {game.key:<24} one seat {one:6.2f}   six seats {six:6.2f}")
        ours = one if game.key == ULTIMATE else ours
    return ours


def bench_whole() -> None:
    """`croupier simulate` from its start to its report, once the game has been solved."""
    for rounds in (1_000, WHOLE_ROUNDS):
        words = ("simulate", ULTIMATE, "--rounds", str(rounds), "--seats", "1", "--json")
        command = [sys.executable, "-c", "from croupier.cli import main; main()", *words]
        wall, cpu, _ = native.clocked(*command)
    print(
        f"croupier {' '.join(words)}: {wall:.1f} s, {cpu:.1f} of processors,"
        f" {WHOLE_ROUNDS / wall / 1e6:.2f} million rounds a second (goal {GOAL:.0f})"
    )


def bench_others(ours: float) -> None:
    """The same game in other hands; whoever writes Python has one core, ours has all."""
    every = cores()
    print(f"Ultimate, one seat, on one core, and ours on {every} against one of Python's:")
    print(f"  {'croupier, best play, all side wagers':<52}{ours:9.4f} M/s")
    house = submission.example(ULTIMATE)
    for name, work, goal in (
        ("Python with eval7, the same play and side wagers",
         plain_simulators.Same(house).play, f" (goal {TIMES_PYTHON})"),
        ("Python with eval7, main game, simple chart", plain_simulators.chart, ""),
    ):  # fmt: skip
        cpu = min(clocked(partial(work, SLOW_ROUNDS))[1] for _ in range(3))
        python = SLOW_ROUNDS / cpu / 1e6
        print(
            f"  {name:<52}{python:9.4f} M/s   croupier has {ours / python:,.0f} times it,"
            f" {every * ours / python:,.0f} times{goal}"
        )
    program = native.compiled("native_rounds")
    if program is None:
        print("  no C compiler here: the native program is left out")
        return
    seconds = min(native.clocked(program, str(NATIVE_ROUNDS))[1] for _ in range(3))
    rate_of_native = NATIVE_ROUNDS / seconds / 1e6
    print(
        f"  {'a plain native program, main game, simple chart':<52}{rate_of_native:9.4f} M/s"
        f"   croupier has {ours / rate_of_native:.2f} times it"
    )


def wall_rate(
    play: Callable[[blocks.Plan, range, int], running.Played], what: blocks.Plan, workers: int
) -> float:
    """Million rounds a second by the wall clock, once every worker has brought its first blocks."""
    count, warm = 60 * workers, 4 * workers
    start = 0.0
    for done, _ in enumerate(play(what, range(count), workers), 1):
        if done == warm:
            start = time.perf_counter()
    return (count - warm) * what.block / (time.perf_counter() - start) / 1e6


def bench_scaling() -> None:
    """Blocks of one-seat Ultimate by one worker and by two."""
    what = plan_of(ULTIMATE, 1)
    print(f"million one-seat rounds of Ultimate a second, wall clock, {cores()} cores:")
    for name, play in (("threads", running.in_threads), ("processes", running.in_processes)):
        one, two = (max(wall_rate(play, what, workers) for _ in range(2)) for workers in (1, 2))
        print(
            f"  {name:<10} 1 worker {one:6.2f}   2 workers {two:6.2f} (goal {GOAL:.0f})"
            f"   {two / one:.2f} times (goal 1.8)"
        )


def bench_threads() -> None:
    """The same hands ranked on one core and on all of them."""
    hands = random_hands(HANDS)
    rank_hands(hands[:10])
    walls = {"one": 60.0, "all": 60.0}
    before = tables.PARALLEL
    for _ in range(8):  # in turns, so that what else runs disturbs both
        for name, least in (("one", HANDS + 1), ("all", before)):
            tables.PARALLEL = least
            walls[name] = min(walls[name], clocked(partial(rank_hands, hands))[0])
    tables.PARALLEL = before
    one, many = (HANDS / walls[name] / 1e6 for name in ("one", "all"))
    print(
        f"rank_hands, {HANDS:,} hands: one core {one:.0f} M/s, {cores()} cores {many:.0f} M/s,"
        f" {many / one:.2f} times (goal 1.7)"
    )


def take_steps(many: Any, answers: np.ndarray) -> None:
    """One row of answers after the other."""
    for row in answers:
        many.step(row)


def bench_steps() -> None:
    """Random answers in many environments at once, and in one."""
    from croupier.study.envs import GameEnv, GameVectorEnv

    for count, steps in ((4096, 100), (256, 400)):
        many: Any = GameVectorEnv(ULTIMATE, count)
        many.reset(seed=1)
        answers = np.random.default_rng(1).integers(0, 3, (steps, count))
        cpu = clocked(partial(take_steps, many, answers))[1]
        print(f"GameVectorEnv with {count} tables: {count * steps / cpu / 1e6:.2f} million steps/s")
    one: Any = GameEnv(ULTIMATE)

    def play() -> None:
        for _ in range(2_000):
            one.reset()
            while not one.step(0)[2]:
                pass

    one.reset(seed=1)
    print(f"GameEnv: {2_000 * 3 / clocked(play)[1]:,.0f} steps/s")


def main() -> None:
    """Run what is asked for."""
    wanted = sys.argv[1:] or ["rates", "whole", "others", "scaling", "threads", "steps"]
    ours = 0.0
    if "rates" in wanted:
        ours = bench_rates()
    if "whole" in wanted:
        bench_whole()
    if "others" in wanted:
        bench_others(ours or rate(ULTIMATE, 1))
    if "scaling" in wanted:
        bench_scaling()
    if "threads" in wanted:
        bench_threads()
    if "steps" in wanted:
        bench_steps()


if __name__ == "__main__":
    main()
