"""The live table against the exact solver: deal at random, play the solved strategy, compare.

    python -m tests.analysis.monte_carlo --rounds 1000000 --seed 1 ultimate_texas_holdem

One seat bets every wager offered; means of the main game and of each side wager must lie within
three standard errors of the exact values.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from dataclasses import dataclass, field, replace
from fractions import Fraction

import msgspec

from croupier import submission
from croupier.analysis import side_wagers as sides
from croupier.analysis.advice import best_option
from croupier.games import CATALOGUE, House, with_digest
from croupier.games.expected_returns import reference_stake, returns
from croupier.money import Cents
from croupier.table import Box, Table
from croupier.table.commands import Decide, NoMoreBets, PlaceWagers, Settle
from croupier.table.drivers.shoe import Shoe

SIDES = ("optional", "progressive")


@dataclass
class Sample:
    """Sums of what came back, per unit of one ante or of a side wager's own stake."""

    total: dict[str, float] = field(default_factory=dict)
    squares: dict[str, float] = field(default_factory=dict)
    rounds: int = 0

    def add(self, results: dict[str, float]) -> None:
        """One more round."""
        self.rounds += 1
        for name, value in results.items():
            self.total[name] = self.total.get(name, 0.0) + value
            self.squares[name] = self.squares.get(name, 0.0) + value * value

    def mean(self, name: str) -> float:
        """The average net result."""
        return self.total[name] / self.rounds

    def error(self, name: str) -> float:
        """The standard error of the average."""
        variance = self.squares[name] / self.rounds - self.mean(name) ** 2
        return math.sqrt(max(variance, 0.0) / self.rounds)


def stakes_of(house: House) -> dict[str, Cents]:
    """The ante with its matching wager, and every side wager at its least stake."""
    ante = house.limits[house.game.ante.name].minimum
    stakes = {}
    for wager in house.game.wagers:
        if wager.role in ("ante", "matching"):
            stakes[wager.name] = ante
        elif wager.role == "progressive" and house.offers(wager.name):
            stakes[wager.name] = reference_stake(house, "progressive")
        elif wager.role == "optional" and house.offers(wager.name):
            stakes[wager.name] = house.limits[wager.name].minimum
    return stakes


def net_by_wager(house: House, box: Box, ante: Cents) -> dict[str, float]:
    """The main game in antes, each side wager in its own stake."""
    sides = {wager.name for wager in house.game.wagers if wager.role in SIDES}
    results = {"main": 0.0}
    for name, settled in box.settled.items():
        net = settled.returned - settled.stake
        if name in sides:
            results[name] = net / settled.stake
        else:
            results["main"] += net / ante
    return results


def with_meters_at_reset(house: House) -> House:
    """What players add to a meter is not part of its reset amount, so they add nothing."""
    meters = {
        name: msgspec.structs.replace(meter, initial=meter.reset, rate_percent=Fraction(0))
        for name, meter in house.meters.items()
    }
    return with_digest(replace(house, meters=meters))


def sample(house: House, rounds: int, seed: int) -> Sample:
    """Play rounds through the table's own commands; meters are at their reset amounts."""
    house = with_meters_at_reset(house)
    chance = random.Random(seed)
    deck = list(range(52))
    stakes = stakes_of(house)
    ante = stakes[house.game.ante.name]
    result = Sample()
    for _ in range(rounds):
        chance.shuffle(deck)
        table, shoe = Table(house), Shoe(deck)
        table.do(PlaceWagers(1, stakes))
        table.do(NoMoreBets())
        while shoe.serve(table).kind == "decide":
            current = table.in_progress()
            table.do(Decide(1, best_option(house, current, 1)))
        table.do(Settle())
        assert table.round is not None
        result.add(net_by_wager(house, table.round.boxes[1], ante))
    return result


def standard_error(house: House, result: Sample, name: str) -> float:
    """Of a side wager the exact one: a sample that met few jackpots would make it too small."""
    if name == "main":
        return result.error(name)
    return float(sides.analyze_side_wager(house, name).standard_deviation) / math.sqrt(
        result.rounds
    )


def deviations(house: House, result: Sample) -> dict[str, float]:
    """How many standard errors each mean lies from its exact value."""
    exact = {name: float(share - 1) for name, share in returns(house).items()}
    return {
        name: (result.mean(name) - exact[name]) / standard_error(house, result, name)
        for name in exact
    }


def main() -> int:
    """Print each wager's mean, exact value and distance; status 1 beyond three errors."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="*", default=[game.key for game in CATALOGUE])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    worst = 0.0
    for key in options.game:
        house = submission.example(key)
        result = sample(house, options.rounds, options.seed)
        for name, distance in deviations(house, result).items():
            exact = float(returns(house)[name] - 1)
            print(
                f"{key} {name}: {options.rounds:,} rounds, mean {result.mean(name):+.5f}, "
                f"exact {exact:+.5f}, {distance:+.2f} standard errors",
                flush=True,
            )
            worst = max(worst, abs(distance))
    return int(worst > 3)


if __name__ == "__main__":
    sys.exit(main())
