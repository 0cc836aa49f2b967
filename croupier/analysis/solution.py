"""A solved game: its results, and the strategy that can be asked about any information set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Protocol

from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.results import MainResult
from croupier.cards import Card
from croupier.games import House
from croupier.games.expected_returns import named
from croupier.money import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One legal option and its exact worth for the whole round, in units of the ante."""

    option: str
    ev: Fraction


class Strategy(Protocol):
    """The best play, to be asked for any information set.

    `bets` are the decision wagers made before, in multiples of the ante. `ask` lists every legal
    option, best first; of equal options the one that risks less comes first. `decide` is the word
    of the best one, fast enough to drive a table.
    """

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]: ...

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str: ...


def rank_options(values: Iterable[tuple[str, int, Fraction]]) -> list[Advice]:
    """Options (word, multiple, worth) with the best first, less risk first among equals."""
    ordered = sorted(values, key=lambda value: (-value[2], value[1]))
    return [Advice(option=word, ev=ev) for word, _, ev in ordered]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution(MainResult):
    """What a solver gives: the results, and the best play behind them."""

    strategy: Strategy

    def result(self) -> MainResult:
        """The results alone, to be kept without the strategy's tables."""
        return MainResult(**{one.name: getattr(self, one.name) for one in fields(MainResult)})


def solve(
    house: House,
    distribution: bool = True,
    progress: Progress | None = None,
    ante: Cents | None = None,
) -> Solution:
    """The exact value and the best play of a House's main game.

    `distribution=False` leaves out the distribution of a round and the frequency of actions. With
    an `ante` in cents the game is valued as offered at that ante: winnings rounded to what can be
    paid, and cut by the payout limit; without, by the odds alone.
    """
    solver = named(house.game.analysis.solver)
    solution: Solution = solver(house, distribution, progress or no_progress, ante)
    return solution
