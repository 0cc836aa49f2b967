"""Speed of the simulator, compared with a plain C program and Python in the same run.

python -m benchmarks.bench_simulate            everything
python -m benchmarks.bench_simulate rates      every game, one and six seats
python -m benchmarks.bench_simulate whole      the complete command, with settlement and report
python -m benchmarks.bench_simulate scaling    one and two workers, threads and processes
python -m benchmarks.bench_simulate others     a C program, Python with a compiled evaluator
python -m benchmarks.bench_simulate threads    rank_hands on one core and on all
python -m benchmarks.bench_simulate steps      environments

Single-core rates use CPU seconds, multi-core rates the wall clock. Compare only ratios of the
same run, since absolute times are noisy.
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
from benchmarks.bench_study import random_hands, time_call
from croupier import submission
from croupier.analysis import lookup_tables
from croupier.analysis.parallel import cores
from croupier.analysis.simulation import blocks, executors
from croupier.analysis.simulation.simulation_setup import build_seating
from croupier.games import CATALOGUE
from croupier.ranking import rank_hands

WHOLE_ROUNDS = 100_000_000
LONG_ROUNDS = 500_000_000
BLACKJACK = "Blackjack-v1"
SINGLE_STEPS = 20_000
SINGLE_GOAL = 1 / 3  # of Blackjack's steps per second
GOAL = 8.0  # million one-seat rounds of Ultimate per second on two cores
TIMES_PYTHON = 200
TIMES_WORKERS = 1.8
SLOW_ROUNDS = 20_000
NATIVE_ROUNDS = 2_000_000
HANDS = 40_000_000  # long enough for two threads to be scheduled on two cores
ULTIMATE = "ultimate_texas_holdem"


def plan_of(game: str, seats: int) -> blocks.SimulationPlan:
    """A simulation with an unlimited number of blocks."""
    house = submission.example(game)
    plan = blocks.make_plan(house, build_seating(house, seats), 2**40, 1, blocks.TableHours())
    blocks.play_block(plan._replace(rounds=1_000), 0)  # solve and compile everything
    return plan


def rate(game: str, seats: int, repeats: int = 5) -> float:
    """Million rounds per CPU second with all side wagers and the best play; the best repeat."""
    plan = plan_of(game, seats)
    best = min(time_call(partial(blocks.play_block, plan, number))[1] for number in range(repeats))
    return plan.block / best / 1e6


def bench_rates() -> float:
    """Print the rates of all games; returns that of one-seat Ultimate."""
    print("million rounds per second and core, all wagers, best play:")
    ours = 0.0
    for game in CATALOGUE:
        one, six = rate(game.key, 1), rate(game.key, 6, 3)
        print(f"  {game.key:<24} one seat {one:6.2f}   six seats {six:6.2f}")
        ours = one if game.key == ULTIMATE else ours
    return ours


def command(*words: str) -> tuple[float, float]:
    """Wall and CPU seconds of a simulation of one-seat Ultimate."""
    arguments = ("simulate", ULTIMATE, "--seats", "1", "--json", *words)
    wall, cpu, _ = native.time_command(
        sys.executable, "-c", "from croupier.cli import main; main()", *arguments
    )
    return wall, cpu


def bench_whole() -> None:
    """Time `croupier simulate` from start to report, for a game that is already solved."""
    command("--rounds", "1000")
    wall, cpu = command("--rounds", str(WHOLE_ROUNDS))
    print(
        f"croupier simulate, {WHOLE_ROUNDS:,} rounds: {wall:.1f} s, {cpu:.1f} s of CPU,"
        f" {WHOLE_ROUNDS / wall / 1e6:.2f} million rounds per second (goal {GOAL:.0f})"
    )


def bench_others(ours: float) -> None:
    """Compare with other simulators of the game; Croupier also on all cores against one."""
    every = cores()
    print(f"Ultimate, one seat, on one core; Croupier also on {every} against one of Python:")
    print(f"  {'croupier, best play, all side wagers':<52}{ours:9.4f} M/s")
    house = submission.example(ULTIMATE)
    for name, work, goal in (
        ("Python with eval7, the same play and side wagers",
         plain_simulators.BestPlaySimulator(house).play, f" (goal {TIMES_PYTHON})"),
        ("Python with eval7, main game, simple chart", plain_simulators.play_chart, ""),
    ):  # fmt: skip
        cpu = min(time_call(partial(work, SLOW_ROUNDS))[1] for _ in range(3))
        python = SLOW_ROUNDS / cpu / 1e6
        print(
            f"  {name:<52}{python:9.4f} M/s   croupier is {ours / python:,.0f} times as fast,"
            f" {every * ours / python:,.0f} times{goal}"
        )
    program = native.compile_program("native_rounds")
    if program is None:
        print("  no C compiler: the C program is skipped")
        return
    seconds = min(native.time_command(program, str(NATIVE_ROUNDS))[1] for _ in range(3))
    native_rate = NATIVE_ROUNDS / seconds / 1e6
    print(
        f"  {'a plain C program, main game, simple chart':<52}{native_rate:9.4f} M/s"
        f"   croupier is {ours / native_rate:.2f} times as fast"
    )


def timed_block(plan: blocks.SimulationPlan, number: int) -> Any:
    """Play a block; returns the worker (process and thread id), its CPU seconds, and the block."""
    start = time.thread_time()
    block = blocks.play_block(plan, number)
    return (os.getpid(), threading.get_ident()), time.thread_time() - start, block


class Pace(NamedTuple):
    """Throughput of workers, measured once each of them has returned a block."""

    rate: float  # million rounds per second by the wall clock
    cpu: float  # CPU seconds of a worker per block
    receiving: float  # CPU seconds of the main process per block


def pace(play: Callable[..., Any], plan: blocks.SimulationPlan, workers: int) -> Pace:
    """Measure 60 blocks per worker."""
    count = 60 * workers
    started: set[tuple[int, int]] = set()
    spent: list[float] = []
    for _, (worker, cpu, _) in play(plan, range(100 * count), workers, timed_block):
        if len(started) < workers:
            started.add(worker)
            start, cpu_start = time.perf_counter(), time.process_time()
            continue
        spent.append(cpu)
        if len(spent) == count:
            break
    wall, receiving = time.perf_counter() - start, time.process_time() - cpu_start
    if worker[0] == os.getpid():  # exclude the work of threads of this process
        receiving = max(0.0, receiving - sum(spent))
    return Pace(count * plan.block / wall / 1e6, statistics.median(spent), receiving / count)


def bench_scaling() -> None:
    """Compare one and two workers: blocks of one-seat Ultimate, then the complete command."""
    plan = plan_of(ULTIMATE, 1)
    print(f"million one-seat rounds of Ultimate per second, wall clock, {cores()} cores:")
    for name, play in (
        ("threads", executors.run_in_threads),
        ("processes", executors.run_in_processes),
    ):
        measured: dict[int, list[Pace]] = {1: [], 2: []}
        for _ in range(3):  # alternating, so that other load affects both
            for workers, paces in measured.items():
                paces.append(pace(play, plan, workers))
        one, two = (max(paces).rate for paces in measured.values())
        alone, both = (min(paces, key=lambda at: at.cpu) for paces in measured.values())
        print(
            f"  {name:<10} 1 worker {one:6.2f}   2 workers {two:6.2f} (goal {GOAL:.0f})"
            f"   {two / one:.2f} times (goal {TIMES_WORKERS})"
        )
        print(
            f"  {'':<10} a block takes {alone.cpu * 1e3:.1f} and {both.cpu * 1e3:.1f} ms of a"
            f" worker and {both.receiving * 1e3:.1f} of the main process:"
            f" {2 * alone.cpu / (both.cpu + both.receiving):.2f} times by CPU seconds"
        )
    one, two = (
        command("--rounds", str(LONG_ROUNDS), "--workers", workers)[0] for workers in ("1", "2")
    )
    print(
        f"  croupier simulate, {LONG_ROUNDS:,} rounds, from start to report:"
        f" --workers 1 {one:.1f} s, --workers 2 {two:.1f} s, {one / two:.2f} times"
    )


def bench_threads() -> None:
    """Rank the same hands on one core and on all cores."""
    hands = random_hands(HANDS)
    rank_hands(hands[:10])
    walls = {"one": 60.0, "all": 60.0}
    before = lookup_tables.PARALLEL
    for _ in range(8):  # alternating, so that other load affects both
        for name, least in (("one", HANDS + 1), ("all", before)):
            lookup_tables.PARALLEL = least
            walls[name] = min(walls[name], time_call(partial(rank_hands, hands))[0])
    lookup_tables.PARALLEL = before
    one, many = (HANDS / walls[name] / 1e6 for name in ("one", "all"))
    print(
        f"rank_hands, {HANDS:,} hands: one core {one:.0f} M/s, {cores()} cores {many:.0f} M/s,"
        f" {many / one:.2f} times (goal 1.7)"
    )


def take_steps(many: Any, actions: np.ndarray) -> None:
    """Step through the rows of actions."""
    for row in actions:
        many.step(row)


def bench_steps() -> None:
    """Random actions in vector environments, then in single ones beside Gymnasium's own."""
    import gymnasium as gym

    from croupier.analysis.envs import GameVectorEnv, register_environments

    for count, steps in ((4096, 100), (256, 400)):
        many: Any = GameVectorEnv(ULTIMATE, count)
        many.reset(seed=1)
        actions = np.random.default_rng(1).integers(0, 3, (steps, count))
        cpu = time_call(partial(take_steps, many, actions))[1]
        print(f"GameVectorEnv with {count} tables: {count * steps / cpu / 1e6:.2f} million steps/s")
    own = register_environments()
    rates: dict[str, list[float]] = {}
    for _ in range(3):  # alternating, so that other load affects all
        for name in (BLACKJACK, *own):
            one: Any = gym.make(name)
            one.reset(seed=1)
            rates.setdefault(name, []).append(steps_per_second(one))
    for name, measured in rates.items():
        relative = statistics.median(measured) / statistics.median(rates[BLACKJACK])
        print(
            f"{name}: {statistics.median(measured):,.0f} steps/s, {relative:.2f} of {BLACKJACK}"
            f"{'' if name == BLACKJACK else f' (goal {SINGLE_GOAL:.2f})'}"
        )


def steps_per_second(one: Any) -> float:
    """Steps per CPU second of random actions in a single environment, resets included."""
    actions = np.random.default_rng(1).integers(0, one.action_space.n, SINGLE_STEPS).tolist()

    def play() -> None:
        for action in actions:
            _, _, over, truncated, _ = one.step(action)
            if over or truncated:
                one.reset()

    return SINGLE_STEPS / time_call(play)[1]


def main() -> None:
    """Run the benchmarks named on the command line, or all of them."""
    selected = sys.argv[1:] or ["rates", "whole", "others", "scaling", "threads", "steps"]
    ours = 0.0
    if "rates" in selected:
        ours = bench_rates()
    if "whole" in selected:
        bench_whole()
    if "others" in selected:
        bench_others(ours or rate(ULTIMATE, 1))
    if "scaling" in selected:
        bench_scaling()
    if "threads" in selected:
        bench_threads()
    if "steps" in selected:
        bench_steps()


if __name__ == "__main__":
    main()
