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

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import plain_simulators
from benchmarks.bench_study import clocked, random_hands
from croupier import submission
from croupier.games import CATALOGUE
from croupier.ranking import rank_hands
from croupier.study import tables
from croupier.study.simulation import blocks, running
from croupier.study.simulation.setup import table_of
from croupier.study.workers import cores

WHOLE_ROUNDS = 100_000_000
GOAL = 8.0  # million one-seat rounds of Ultimate a second on two cores
TIMES_PYTHON = 200
SLOW_ROUNDS = 20_000
NATIVE_ROUNDS = 2_000_000
HANDS = 40_000_000  # long enough for two threads to find their two cores
ULTIMATE = "ultimate_texas_holdem"

# A plain native program: the main game of Ultimate with a simple chart, hands ranked by counting.
NATIVE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static uint64_t s = 88172645463325252ull;
static inline uint32_t draw(uint32_t n) {
  s ^= s << 13; s ^= s >> 7; s ^= s << 17;
  return (uint32_t)(((s >> 32) * n) >> 32);
}
static int straight(int m) {
  int l = m << 1 | m >> 12;
  for (int t = 12; t >= 3; t--) if ((l >> (t - 3) & 31) == 31) return t;
  return 0;
}
static int value(const int *c) {
  int n[13] = {0}, suit[4] = {0}, all = 0;
  for (int i = 0; i < 7; i++) {
    n[c[i] >> 2]++; suit[c[i] & 3] |= 1 << (c[i] >> 2); all |= 1 << (c[i] >> 2);
  }
  int flush = 0;
  for (int i = 0; i < 4; i++) if (__builtin_popcount(suit[i]) >= 5) flush = suit[i];
  if (flush) { int t = straight(flush); if (t) return 8 << 20 | t << 16; }
  int four = -1, three = -1, three2 = -1, pair = -1, pair2 = -1;
  for (int r = 12; r >= 0; r--) {
    if (n[r] == 4) four = r;
    else if (n[r] == 3) { if (three < 0) three = r; else three2 = r; }
    else if (n[r] == 2) { if (pair < 0) pair = r; else if (pair2 < 0) pair2 = r; }
  }
  int base, left, used;
  if (four >= 0) { base = 7 << 20 | four << 16; used = 1 << four; left = 1; }
  else if (three >= 0 && (three2 >= 0 || pair >= 0))
    return 6 << 20 | three << 16 | (three2 > pair ? three2 : pair) << 12;
  else if (flush) { base = 5 << 20; used = 0; left = 5; all = flush; }
  else {
    int t = straight(all);
    if (t) return 4 << 20 | t << 16;
    if (three >= 0) { base = 3 << 20 | three << 16; used = 1 << three; left = 2; }
    else if (pair2 >= 0) {
      base = 2 << 20 | pair << 16 | pair2 << 12; used = 1 << pair | 1 << pair2; left = 1;
    }
    else if (pair >= 0) { base = 1 << 20 | pair << 16; used = 1 << pair; left = 3; }
    else { base = 0; used = 0; left = 5; }
  }
  int kickers = 0;
  for (int r = 12; r >= 0 && left; r--)
    if ((all & ~used) >> r & 1) { kickers = kickers << 4 | r; left--; }
  return base | kickers >> 4;
}
int main(int argc, char **argv) {
  long rounds = atol(argv[1]), net = 0;
  for (long k = 0; k < rounds; k++) {
    int d[52];
    for (int i = 0; i < 52; i++) d[i] = i;
    for (int i = 0; i < 9; i++) { int j = i + draw(52 - i), t = d[i]; d[i] = d[j]; d[j] = t; }
    int p[7] = {d[0], d[1], d[4], d[5], d[6], d[7], d[8]};
    int q[7] = {d[2], d[3], d[4], d[5], d[6], d[7], d[8]};
    int a = d[0] >> 2, b = d[1] >> 2, high = a > b ? a : b, play = 0;
    if (a == b || high >= 10) play = 4;
    else for (int i = 4; i < 9; i++)
      if (d[i] >> 2 == a || d[i] >> 2 == b) { play = i < 7 ? 2 : 1; break; }
    int v = value(p), w = value(q);
    if (!play) { net -= 2; continue; }
    if (v > w) net += play + ((w >> 20) > 0);
    else if (v < w) net -= play + 1 + ((w >> 20) > 0);
  }
  printf("%ld\n", net);
  return 0;
}
"""


def plan_of(game: str, seats: int) -> blocks.Plan:
    """An endless simulation, of which blocks are played."""
    house = submission.example(game)
    what = blocks.plan(house, table_of(house, seats), 2**40, 1, blocks.Hours())
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
        cpu, wall = _children(), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        cpu, wall = _children() - cpu, time.perf_counter() - wall
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
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("  no C compiler here: the native program is left out")
        return
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "plain.c", Path(folder) / "plain"
        source.write_text(NATIVE)
        subprocess.run([compiler, "-O3", "-march=native", source, "-o", program], check=True)
        times = []
        for _ in range(3):
            before = _children()
            subprocess.run([program, str(NATIVE_ROUNDS)], check=True, stdout=subprocess.DEVNULL)
            times.append(_children() - before)
    native = NATIVE_ROUNDS / min(times) / 1e6
    print(
        f"  {'a plain native program, main game, simple chart':<52}{native:9.4f} M/s"
        f"   croupier has {ours / native:.2f} times it"
    )


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
