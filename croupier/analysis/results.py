"""What the study answers: exact values by name, to be read by papers, reports and programs.

Everything is a frozen record of exact fractions; a float is only ever made from one, to be
printed. The public JSON is written from these records by `croupier.analysis.json_contract`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from croupier.analysis.side_wagers import SideResult
from croupier.money import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRow:
    """One starting hand: how many deals it stands for, and the worth of every option."""

    hand: str
    deals: int
    options: Mapping[str, Fraction]
    best: str


@dataclass(frozen=True, slots=True)
class CloseDecision:
    """A decision that is nearly even: a hand, what lies on the table, the bet's gain."""

    hand: str
    board: str
    gain: Fraction  # over the alternative; of several options, of the best over the next


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetSummary:
    """A street in numbers: situations that differ, and the closest decisions among them."""

    street: str
    situations: int
    actions: Mapping[str, int]  # situations by best action
    marginal: tuple[CloseDecision, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MainResult:
    """The main game of a House under perfect play, per unit of one ante.

    Without the distribution, `distribution`, `components` and `actions` are empty and what
    follows from them (average wager, deviation, outcomes) is not available.
    """

    game: str
    digest: str
    setting: str  # the choices behind it, as one word: "blind=A"
    ante: str  # the wager that opens a box
    compulsory: int  # units that must be staked before a card is dealt
    ev: Fraction
    deals: int  # equally likely deals behind the fraction
    chart: tuple[ChartRow, ...]
    distribution: Mapping[Fraction, int] = field(default_factory=dict)
    components: Mapping[str, Fraction] = field(default_factory=dict)  # what each wager adds to ev
    outcomes_by_wager: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    actions: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    average_wager: Fraction = Fraction(0)
    streets: tuple[StreetSummary, ...] = ()

    @property
    def house_edge(self) -> Fraction:
        """What one ante loses on average."""
        return -self.ev

    @property
    def edge_of_compulsory(self) -> Fraction:
        """The loss over everything that must be staked before a card is dealt."""
        return -self.ev / self.compulsory

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


@dataclass(frozen=True, slots=True)
class ValueAtAnte:
    """What one ante of so many cents is worth."""

    ante: Cents
    ev: Fraction

    @property
    def house_edge(self) -> Fraction:
        """What one ante loses on average."""
        return -self.ev


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Everything about a House, or about a whole game under every setting that moves money."""

    game: str
    title: str
    edition: int
    version: str  # of Croupier
    digest: str
    assumptions: tuple[str, ...]
    mains: Mapping[str, MainResult]  # by setting
    wagers: Mapping[str, Mapping[str, Mapping[str, SideResult]]]  # by letter, then by reading
    ante: Cents | None = None  # as offered at it; by the odds alone where None
    by_ante: tuple[ValueAtAnte, ...] = ()  # the main game from the least ante to the most

    @property
    def main(self) -> MainResult:
        """The main game of a House; of a whole game, under its default setting."""
        return next(iter(self.mains.values()))

    def sides(self) -> Iterator[tuple[str, str, str, SideResult]]:
        """Wager, letter, reading ("" where none matters) and result of every side wager."""
        for wager, tables in self.wagers.items():
            for letter, readings in tables.items():
                for reading, result in readings.items():
                    yield wager, letter, reading, result
