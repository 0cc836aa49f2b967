"""Result records: exact fractions; floats are derived only for display.

`croupier.analysis.json_contract` writes the public JSON from these records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from croupier.analysis.result_display import ResultDisplay
from croupier.analysis.side_wagers import SideResult
from croupier.money import Cents


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChartRow(ResultDisplay):
    """One starting hand: the number of deals and the expected value of every option."""

    hand: str
    deals: int
    options: Mapping[str, Fraction]
    best: str


@dataclass(frozen=True, slots=True, repr=False)
class CloseDecision(ResultDisplay):
    """A nearly even decision: hand, board, and the gain of betting."""

    hand: str
    board: str
    gain: Fraction  # over the alternative; with several options, of the best over the next


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StreetSummary(ResultDisplay):
    """A street's distinct situations, best actions, and closest decisions."""

    street: str
    situations: int
    actions: Mapping[str, int]  # situations by best action
    marginal: tuple[CloseDecision, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MainResult(ResultDisplay):
    """The main game of a House under perfect play, per ante.

    If it was solved without the distribution, `distribution`, `components` and `actions` are
    empty, and average wager, variance and outcomes are not available.
    """

    rows_in = "distribution"

    game: str
    digest: str
    setting: str  # the operator's choices that change payouts: "blind=A"
    ante: str  # the wager that opens a box
    compulsory: int  # units that must be staked before a card is dealt
    ev: Fraction
    deals: int  # equally likely deals behind the fraction
    chart: tuple[ChartRow, ...]
    distribution: Mapping[Fraction, int] = field(default_factory=dict)
    components: Mapping[str, Fraction] = field(default_factory=dict)  # share of ev by wager
    outcomes_by_wager: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    actions: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    average_wager: Fraction = Fraction(0)
    streets: tuple[StreetSummary, ...] = ()

    @property
    def house_edge(self) -> Fraction:
        """The average loss per ante."""
        return -self.ev

    @property
    def edge_of_compulsory(self) -> Fraction:
        """The average loss over the wagers that must be made before a card is dealt."""
        return -self.ev / self.compulsory

    @property
    def element_of_risk(self) -> Fraction:
        """The average loss over the average total wager; needs the distribution."""
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
        """The standard deviation of one round, as a float."""
        return sqrt(self.variance)

    @property
    def outcomes(self) -> dict[str, Fraction]:
        """The probabilities of winning, pushing and losing a round."""
        assert self.distribution, "solve with distribution=True to know the outcomes"
        total = sum(self.distribution.values())
        counts = {"win": 0, "push": 0, "lose": 0}
        for value, count in self.distribution.items():
            counts["win" if value > 0 else "lose" if value < 0 else "push"] += count
        return {outcome: Fraction(count, total) for outcome, count in counts.items()}


@dataclass(frozen=True, slots=True, repr=False)
class ValueAtAnte(ResultDisplay):
    """The expected value of the main game at one ante."""

    ante: Cents
    ev: Fraction

    @property
    def house_edge(self) -> Fraction:
        """The average loss per ante."""
        return -self.ev


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Analysis(ResultDisplay):
    """The analysis of a House, or of a game under every setting that changes payouts."""

    rows_in = "results"

    game: str
    title: str
    edition: int
    version: str  # of Croupier
    digest: str
    assumptions: tuple[str, ...]
    mains: Mapping[str, MainResult]  # by setting
    wagers: Mapping[str, Mapping[str, Mapping[str, SideResult]]]  # by letter, then by reading
    ante: Cents | None = None  # payouts as offered at this ante; by the odds if None
    by_ante: tuple[ValueAtAnte, ...] = ()  # the main game from the minimum ante to the maximum

    @property
    def main(self) -> MainResult:
        """The main game; of a game with several settings, under the default one."""
        return next(iter(self.mains.values()))

    @property
    def results(self) -> dict[str, MainResult | SideResult]:
        """Every result by name: "main", "trips A"; with the reading where one matters."""
        mains = {f"main {name}".strip(): result for name, result in self.mains.items()}
        sides = {" ".join(filter(None, names)): result for *names, result in self.sides()}
        return mains | sides

    @property
    def house_edges(self) -> dict[str, Fraction]:
        """The house edge of every result by name."""
        return {name: -result.ev for name, result in self.results.items()}

    @property
    def player_edges(self) -> dict[str, Fraction]:
        """The wagers on which the player has the edge, with their expected value.

        "main" is the main game; of several settings or paytables the one that returns most counts.
        """
        values = [("main", result.ev) for result in self.mains.values()]
        values += [(wager, result.ev) for wager, _, _, result in self.sides()]
        edges: dict[str, Fraction] = {}
        for wager, ev in values:
            if ev > 0:
                edges[wager] = max(ev, edges.get(wager, ev))
        return edges

    def sides(self) -> Iterator[tuple[str, str, str, SideResult]]:
        """Wager, letter, reading ("" where none matters) and result of every side wager."""
        for wager, tables in self.wagers.items():
            for letter, readings in tables.items():
                for reading, result in readings.items():
                    yield wager, letter, reading, result
