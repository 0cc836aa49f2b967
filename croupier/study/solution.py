"""What a solved game is: exact values, the distribution of a round, the chart, the strategy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Protocol

from croupier.cards import Card


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


def ranked(values: Iterable[tuple[str, int, Fraction]]) -> list[Advice]:
    """Options (word, multiple, worth) with the best first, less risk first among equals."""
    ordered = sorted(values, key=lambda value: (-value[2], value[1]))
    return [Advice(option=word, ev=ev) for word, _, ev in ordered]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRow:
    """One starting hand: how many deals it stands for, and the worth of every option."""

    hand: str
    deals: int
    options: dict[str, Fraction]
    best: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetSummary:
    """A street in numbers: situations that differ, and the closest decisions among them."""

    street: str
    situations: int
    actions: dict[str, int]  # situations by best action
    marginal: list[tuple[str, str, Fraction]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The main game of a House under perfect play, per unit of one ante.

    Without the distribution, `distribution` and `actions` are empty and what follows from them
    (average wager, deviation, outcomes) is not available.
    """

    game: str
    digest: str
    ev: Fraction
    deals: int  # equally likely deals behind the fraction
    chart: list[ChartRow]
    strategy: Strategy
    distribution: dict[Fraction, int] = field(default_factory=dict)
    actions: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    average_wager: Fraction = Fraction(0)
    streets: list[StreetSummary] = field(default_factory=list)

    @property
    def house_edge(self) -> Fraction:
        """What one ante loses on average."""
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        """The loss over everything staked; needs the distribution."""
        assert self.average_wager, "solve with distribution=True to know the average wager"
        return -self.ev / self.average_wager

    @property
    def variance(self) -> Fraction:
        """The exact variance of the net result; needs the distribution."""
        assert self.distribution, "solve with distribution=True to know the variance"
        total = sum(self.distribution.values())
        squares = sum(
            (value * value * count for value, count in self.distribution.items()), Fraction(0)
        )
        return squares / total - self.ev**2

    @property
    def standard_deviation(self) -> float:
        """The deviation of one round, printed."""
        return sqrt(self.variance)

    @property
    def outcomes(self) -> dict[str, Fraction]:
        """How often a round is won, even or lost."""
        assert self.distribution, "solve with distribution=True to know the outcomes"
        total = sum(self.distribution.values())
        signs = {"win": 0, "push": 0, "lose": 0}
        for value, count in self.distribution.items():
            signs["win" if value > 0 else "lose" if value < 0 else "push"] += count
        return {word: Fraction(count, total) for word, count in signs.items()}
