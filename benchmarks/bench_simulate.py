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

import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks import native, plain_simulators
from benchmarks.bench_study import clocked, random_hands
from croupier import submission
from croupier.analysis import lookup_tables
from croupier.analysis.parallel import cores
from croupier.analysis.simulation import blocks, executors
from croupier.analysis.simulation.simulation_setup import build_seating
from croupier.games import CATALOGUE
from croupier.ranking import rank_hands

WHOLE_ROUNDS = 100_000_000
LONG_ROUNDS = 500_000_000
GOAL = 8.0  # million one-seat rounds of Ultimate a second on two cores
TIMES_PYTHON = 200
TIMES_WORKERS = 1.8
SLOW_ROUNDS = 20_000
NATIVE_ROUNDS = 2_000_000
HANDS = 40_000_000  # long enough for two threads to find their two cores
ULTIMATE = "ultimate_texas_holdem"


def plan_of(game: str, seats: int) -> blocks.SimulationPlan:
    """An endless simulation, of which blocks are played."""
    house = submission.example(game)
    what = blocks.make_plan(house, build_seating(house, seats), 2**40, 1, blocks.TableHours())
    blocks.play_block(what._replace(rounds=1_000), 0)  # everything is solved and compiled
    return what


def rate(game: str, seats: int, lots: int = 5) -> float:
    """Million rounds a second of one core, all side wagers and the best play: the best of some."""
    what = plan_of(game, seats)
    best = min(clocked(partial(blocks.play_block, what, number))[1] for number in range(lots))
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


def command(*words: str) -> tuple[float, float]:
    """Seconds by the wall clock and of processors of a simulation of one-seat Ultimate."""
    asked = ("simulate", ULTIMATE, "--seats", "1", "--json", *words)
    wall, cpu, _ = native.clocked(
        sys.executable, "-c", "from croupier.cli import main; main()", *asked
    )
    return wall, cpu


def bench_whole() -> None:
    """`croupier simulate` from its start to its report, once the game has been solved."""
    command("--rounds", "1000")
    wall, cpu = command("--rounds", str(WHOLE_ROUNDS))
    print(
        f"croupier simulate, {WHOLE_ROUNDS:,} rounds: {wall:.1f} s, {cpu:.1f} of processors,"
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


def signed(what: blocks.SimulationPlan, number: int) -> Any:
    """A block, who played it, a thread or a process, and the CPU seconds that took."""
    start = time.thread_time()
    block = blocks.play_block(what, number)
    return (os.getpid(), threading.get_ident()), time.thread_time() - start, block


class Pace(NamedTuple):
    """How workers go on, from when every one of them has brought a block."""

    rate: float  # million rounds a second by the wall clock
    cpu: float  # seconds of a worker for a block, and of whoever takes it
    taken: float


def pace(play: Callable[..., Any], what: blocks.SimulationPlan, workers: int) -> Pace:
    """Some blocks of so many workers."""
    count = 60 * workers
    seen: set[tuple[int, int]] = set()
    spent: list[float] = []
    for _, (worker, cpu, _) in play(what, range(100 * count), workers, signed):
        if len(seen) < workers:
            seen.add(worker)
            start, here = time.perf_counter(), time.process_time()
            continue
        spent.append(cpu)
        if len(spent) == count:
            break
    wall, taken = time.perf_counter() - start, time.process_time() - here
    if worker[0] == os.getpid():  # threads: their own work is no part of taking it
        taken = max(0.0, taken - sum(spent))
    return Pace(count * what.block / wall / 1e6, statistics.median(spent), taken / count)


def bench_scaling() -> None:
    """Blocks of one-seat Ultimate by one worker and by two, then the command with them."""
    what = plan_of(ULTIMATE, 1)
    print(f"million one-seat rounds of Ultimate a second, wall clock, {cores()} cores:")
    for name, play in (("threads", executors.run_in_threads), ("processes", executors.run_in_processes)):
        found: dict[int, list[Pace]] = {1: [], 2: []}
        for _ in range(3):  # in turns, so that what else runs disturbs both
            for workers, paces in found.items():
                paces.append(pace(play, what, workers))
        one, two = (max(paces).rate for paces in found.values())
        alone, both = (min(paces, key=lambda at: at.cpu) for paces in found.values())
        print(
            f"  {name:<10} 1 worker {one:6.2f}   2 workers {two:6.2f} (goal {GOAL:.0f})"
            f"   {two / one:.2f} times (goal {TIMES_WORKERS})"
        )
        print(
            f"  {'':<10} a block takes {alone.cpu * 1e3:.1f} and {both.cpu * 1e3:.1f} ms of a"
            f" worker and {both.taken * 1e3:.1f} of who takes it:"
            f" {2 * alone.cpu / (both.cpu + both.taken):.2f} times by processor seconds"
        )
    one, two = (
        command("--rounds", str(LONG_ROUNDS), "--workers", workers)[0] for workers in ("1", "2")
    )
    print(
        f"  croupier simulate, {LONG_ROUNDS:,} rounds, from its start to its report:"
        f" --workers 1 {one:.1f} s, --workers 2 {two:.1f} s, {one / two:.2f} times"
    )


def bench_threads() -> None:
    """The same hands ranked on one core and on all of them."""
    hands = random_hands(HANDS)
    rank_hands(hands[:10])
    walls = {"one": 60.0, "all": 60.0}
    before = lookup_tables.PARALLEL
    for _ in range(8):  # in turns, so that what else runs disturbs both
        for name, least in (("one", HANDS + 1), ("all", before)):
            lookup_tables.PARALLEL = least
            walls[name] = min(walls[name], clocked(partial(rank_hands, hands))[0])
    lookup_tables.PARALLEL = before
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
    from croupier.analysis.envs import GameEnv, GameVectorEnv

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
