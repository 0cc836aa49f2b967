"""How fast full tables are simulated, beside a plain native program and plain Python, in one run.

python benchmarks/bench_simulate.py            everything
python benchmarks/bench_simulate.py rates      every game, one and six seats
python benchmarks/bench_simulate.py scaling    one and two workers
python benchmarks/bench_simulate.py others     a native program, Python with a compiled evaluator

Times are CPU seconds of this process on one core: on a busy machine compare ratios.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path

from benchmarks.bench_study import clocked
from croupier import submission
from croupier.games import CATALOGUE
from croupier.study import simulate
from croupier.study.simulation import blocks
from croupier.study.simulation.setup import table_of

GOAL = 4.0  # million one-seat rounds of Ultimate a second and core
SLOW_ROUNDS = 20_000
NATIVE_ROUNDS = 2_000_000
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


def rate(game: str, seats: int, lots: int = 3) -> float:
    """Million rounds a second of one core, all side wagers and the best play: the best of some."""
    house = submission.example(game)
    what = blocks.plan(house, table_of(house, seats), 2**40, 1, blocks.Hours())
    blocks.play(what._replace(rounds=1_000), 0)
    best = min(clocked(partial(blocks.play, what, number))[1] for number in range(lots))
    return what.block / best / 1e6


def bench_rates() -> float:
    """Every game; says how many million one-seat rounds of Ultimate a core plays in a second."""
    print("million rounds a second and core, all wagers, best play:")
    ours = 0.0
    for game in CATALOGUE:
        one, six = rate(game.key, 1), rate(game.key, 6, 2)
        goal = f"   (goal {GOAL} with one seat)" if game.key == ULTIMATE else ""
        print(f"  {game.key:<24} one seat {one:6.2f}   six seats {six:6.2f}{goal}")
        ours = one if game.key == ULTIMATE else ours
    return ours


def plain_python(rounds: int) -> int:
    """A simulator as one writes it with a compiled evaluator from the package index."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import eval7

    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    draw, evaluate, net = random.Random(1).sample, eval7.evaluate, 0
    for _ in range(rounds):
        cards = draw(deck, 9)
        board = cards[4:]
        one, two = cards[0].rank, cards[1].rank
        play = 4 if one == two or max(one, two) >= 10 else 0
        if not play:
            ranks = [card.rank for card in board]
            play = 2 if one in ranks[:3] or two in ranks[:3] else int(one in ranks or two in ranks)
        if not play:
            net -= 2
            continue
        own, dealer = evaluate(cards[:2] + board), evaluate(cards[2:4] + board)
        qualifies = eval7.handtype(dealer) != "High Card"
        if own > dealer:
            net += play + qualifies
        elif own < dealer:
            net -= play + 1 + qualifies
    return net


def bench_others(ours: float) -> None:
    """The same game in other hands; they play the main game alone, by a simple chart."""
    print("Ultimate, one seat, on one core:")
    print(f"  {'croupier, best play, all side wagers':<44}{ours:9.4f} M/s")
    _, cpu = min(
        (clocked(partial(plain_python, SLOW_ROUNDS)) for _ in range(3)), key=lambda t: t[1]
    )
    python = SLOW_ROUNDS / cpu / 1e6
    print(f"  {'Python with eval7, main game, simple chart':<44}{python:9.4f} M/s"
          f"   croupier has {ours / python:,.0f} times its rate")  # fmt: skip
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
        f"  {'a plain native program, the same':<44}{native:9.4f} M/s"
        f"   croupier has {ours / native:.2f} times its rate"
    )


def _children() -> float:
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bench_scaling() -> None:
    """The same simulation in one process and in two, after everybody has compiled."""
    house = submission.example(ULTIMATE)
    rounds = 8 * 2**18
    walls = {}
    for workers in (1, 2):
        start = time.perf_counter()
        simulate(house, rounds, seats=6, workers=workers)
        walls[workers] = time.perf_counter() - start
    print(f"{rounds:,} six-seat rounds of Ultimate: 1 worker {walls[1]:.1f} s, "
          f"2 workers {walls[2]:.1f} s, {walls[1] / walls[2]:.2f} times (goal 1.8)")  # fmt: skip


def main() -> None:
    """Run what is asked for."""
    wanted = sys.argv[1:] or ["rates", "others", "scaling"]
    ours = 0.0
    if "rates" in wanted:
        ours = bench_rates()
    if "others" in wanted:
        bench_others(ours or rate(ULTIMATE, 1))
    if "scaling" in wanted:
        bench_scaling()


if __name__ == "__main__":
    main()
