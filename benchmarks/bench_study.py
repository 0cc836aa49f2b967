"""Speed of hand ranking and solvers, compared with other packages in the same run.

python -m benchmarks.bench_study            everything
python -m benchmarks.bench_study ranking    evaluators only
python -m benchmarks.bench_study solvers    solvers, and a plain C program
python -m benchmarks.bench_study questions  all readings of Run 'Em Twice, an exposed dealer card,
                                            the cost of strategies

Times are wall and CPU seconds; compare ratios, since absolute times are noisy.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import native
from croupier.analysis import (
    analyze_exposure,
    analyze_game,
    practical_strategy,
    solve,
    strategy_cost,
    variants,
)
from croupier.analysis.parallel import cores
from croupier.cards import names
from croupier.ranking import poker_value, rank_hands

ULTIMATE = "ultimate_texas_holdem"
HANDS = 5_000_000
SLOW_HANDS = 20_000
TARGETS = {
    "ultimate_texas_holdem": 3.0,
    "texas_holdem_bonus": 4.0,
    "jackpot_holdem": 3.0,
    "run_em_twice": 4.0,
    "top_five": 1.0,
}
PRICED = "ultimate_texas_holdem", "texas_holdem_bonus"
PRICE = """
import sys
from croupier.analysis import practical_strategy, strategy_cost, variants
strategy_cost(variants.standard_house(sys.argv[1]), practical_strategy(sys.argv[1]))
"""


def time_call(work: Callable[[], Any]) -> tuple[float, float]:
    """Wall and CPU seconds of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def random_hands(count: int) -> np.ndarray:
    """Random seven-card hands from a fixed seed."""
    sample = np.random.default_rng(1).random((min(count, 200_000), 52)).argsort(axis=1)[:, :7]
    hands = np.tile(sample.astype(np.uint8), (-(-count // len(sample)), 1))[:count]
    np.random.default_rng(2).shuffle(hands)
    return hands


def evaluators() -> dict[str, Callable[[], Any]]:
    """Rankings by other packages of the same hands, converted beforehand."""
    hands = random_hands(SLOW_HANDS).tolist()
    named = [names(hand) for hand in hands]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import eval7
        import phevaluator
        import pokerkit
        import treys

    eval7_hands = [[eval7.Card(card) for card in hand] for hand in named]
    treys_hands = [[treys.Card.new(card) for card in hand] for hand in named]
    kit_hands = [tuple(pokerkit.Card.parse("".join(hand))) for hand in named]
    ph_hands = [[phevaluator.Card(card).id_ for card in hand] for hand in named]
    ranker = treys.Evaluator()
    best = pokerkit.StandardHighHand.from_game
    return {
        "eval7, one call per hand": lambda: [eval7.evaluate(hand) for hand in eval7_hands],
        "phevaluator, one call per hand": lambda: [
            phevaluator.evaluate_cards(*hand) for hand in ph_hands
        ],
        "treys, one call per hand": lambda: [
            ranker.evaluate(hand[:2], hand[2:]) for hand in treys_hands
        ],
        "pokerkit, one call per hand": lambda: [best(hand[:2], hand[2:]) for hand in kit_hands],
        "croupier poker_value, uncompiled": lambda: [poker_value(hand) for hand in hands],
    }


def bench_ranking() -> None:
    """Print how many million random seven-card hands are ranked per second on one core."""
    first, _ = time_call(lambda: rank_hands(random_hands(10)))
    print(f"rank_hands: first call {first:.2f} s (imports, loading compiled code and tables)")
    hands = random_hands(HANDS)
    ours = 0.0
    for label, check in (("", False), (", duplicates checked", True)):
        best = min(
            time_call(partial(rank_hands, hands, check_duplicates=check))[1] for _ in range(5)
        )
        print(f"  {'rank_hands, one call' + label:<42}{HANDS / best / 1e6:10.2f} M/s")
        ours = ours or HANDS / best
    for name, work in evaluators().items():
        _, cpu = min((time_call(work) for _ in range(3)), key=lambda pair: pair[1])
        rate = SLOW_HANDS / cpu
        print(
            f"  {name:<42}{rate / 1e6:10.4f} M/s   rank_hands is {ours / rate:10,.0f} times as fast"
        )


def compare_native(ours: tuple[float, float]) -> None:
    """Compare with a single-threaded C program that enumerates boards up to suit isomorphism."""
    program = native.compile_program("native_ultimate")
    if program is None:
        print(f"  {'':<24} no C compiler: the C program is skipped")
        return
    wall, cpu, output = native.time_command(program)
    value = float(output.split()[0])
    exact = float(solve(variants.standard_house(ULTIMATE), distribution=False).ev)
    assert abs(value - exact) < 1e-9, f"the C program finds {value}, expected {exact}"
    print(
        f"  {'':<24} a plain C program {wall:.2f}/{cpu:.2f}: Croupier takes"
        f" {ours[0] / wall:.2f} times its wall and {ours[1] / cpu:.2f} times its CPU seconds"
    )


def bench_solvers() -> None:
    """Solve every main game: the first run of the process, later runs, with the distribution."""
    print(f"solvers on {cores()} cores (wall / CPU seconds):")
    for game, target in TARGETS.items():
        house = variants.standard_house(game)
        first = time_call(partial(solve, house, distribution=False))
        value = min(time_call(partial(solve, house, distribution=False)) for _ in range(3))
        time_call(partial(solve, house))
        full = min(time_call(partial(solve, house)) for _ in range(2))
        print(
            f"  {game:<24} first {first[0]:6.2f}   value {value[0]:5.2f}/{value[1]:5.2f}"
            f" (at most {target:.0f})   with distribution {full[0]:5.2f}/{full[1]:5.2f}"
            f" (at most {3 * target:.0f})"
        )
        if game == ULTIMATE:
            compare_native(value)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory {peak:.2f} GiB")


def bench_new_process(game: str, folder: Path) -> None:
    """Price a strategy in a new process, without and with perfect play in the disk cache."""
    command = sys.executable, "-c", PRICE, game
    native.time_command(*command)  # compiled code and the evaluator's tables are cached on disk now
    for cached in (False, True):
        runs = []
        for _ in range(3):
            for file in () if cached else folder.glob("perfect-*"):
                file.unlink()
            runs.append(native.time_command(*command))
        wall, cpu, _ = min(runs)
        name = f"a new process prices {game}{'' if cached else ', and solves it'}"
        print(f"  {name:<60} {wall:6.2f}/{cpu:6.2f} (at most 3)")


def bench_questions() -> None:
    """Run longer analyses in a warm process with an empty disk cache."""
    print("questions (wall / CPU seconds):")
    ultimate = variants.standard_house(ULTIMATE)
    strategy = practical_strategy(ULTIMATE)
    assert strategy is not None, "Ultimate has a chart"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CROUPIER_CACHE"] = folder
        for game in PRICED:
            bench_new_process(game, Path(folder))
        solution = min(time_call(partial(solve, ultimate, distribution=False)) for _ in range(3))
        strategy_cost(ultimate, strategy)
        for name, target, work in (
            ("all readings of Run 'Em Twice", 15, partial(analyze_game, "run_em_twice")),
            (
                "Ultimate, one dealer card exposed",
                15,
                partial(analyze_exposure, ultimate, "dealer:1"),
            ),
            ("the chart of Ultimate, priced again", 3, partial(strategy_cost, ultimate, strategy)),
        ):
            wall, cpu = time_call(work)
            print(
                f"  {name:<46} {wall:6.2f}/{cpu:6.2f} (at most {target})"
                f"   {cpu / solution[1]:5.1f} times one solution of Ultimate"
            )


def main() -> None:
    """Run the benchmarks named on the command line, or all of them."""
    selected = sys.argv[1:] or ["ranking", "solvers", "questions"]
    if "questions" in selected:
        bench_questions()
    if "ranking" in selected:
        bench_ranking()
    if "solvers" in selected:
        bench_solvers()


if __name__ == "__main__":
    main()
