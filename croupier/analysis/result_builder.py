"""From counts of facts to results: the last step of every solver, shared by all games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from croupier.analysis.payoffs import Payoffs, opening_stakes
from croupier.analysis.results import ChartRow, StreetSummary
from croupier.analysis.solution import Solution, Strategy
from croupier.games import Facts, House
from croupier.games.expected_returns import main_key


class FactsCounts(NamedTuple):
    """How often each set of facts occurs with the same stakes on the table."""

    stakes: Mapping[str, int]
    counts: Sequence[int]  # by code of the facts


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTally:
    """Outcome statistics of a round under optimal play; empty if they were not computed."""

    distribution: Mapping[Fraction, int] = field(default_factory=dict)
    components: Mapping[str, Fraction] = field(default_factory=dict)
    outcomes_by_wager: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    average_wager: Fraction = Fraction(0)
    actions: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    streets: tuple[StreetSummary, ...] = ()


EMPTY_TALLY = RoundTally()


def tally_rounds(
    payoffs: Payoffs,
    space: Iterable[Facts],
    occurrences: Iterable[FactsCounts],
    deals: int,
    actions: Mapping[str, Mapping[str, Fraction]],
    streets: Iterable[StreetSummary],
) -> RoundTally:
    """Distribution of a round's net result, contribution of each wager, and average wager.

    `space` lists the facts by code; the counts of all `occurrences` add up to `deals`.
    """
    facts = tuple(space)
    distribution: dict[Fraction, int] = defaultdict(int)
    gains: dict[str, Fraction] = defaultdict(Fraction)
    outcomes: dict[str, dict[str, int]] = defaultdict(lambda: {"win": 0, "push": 0, "lose": 0})
    staked = 0
    for stakes, counts in occurrences:
        for case, count in zip(facts, counts, strict=True):
            if count:
                parts = payoffs.parts(case, stakes)
                assert parts.keys() == stakes.keys(), f"{case} settles {sorted(parts)} of {stakes}"
                distribution[sum(parts.values(), Fraction(0))] += count
                staked += count * sum(stakes.values())
                for wager, part in parts.items():
                    gains[wager] += part * count
                    outcomes[wager]["win" if part > 0 else "lose" if part < 0 else "push"] += count
    assert sum(distribution.values()) == deals, "every deal is counted once"
    order = [wager.name for wager in payoffs.house.game.wagers]
    return RoundTally(
        distribution={value: distribution[value] for value in sorted(distribution)},
        components={name: gains[name] / deals for name in order if name in gains},
        outcomes_by_wager={
            name: {word: Fraction(count, deals) for word, count in outcomes[name].items()}
            for name in order
            if name in outcomes
        },
        average_wager=Fraction(staked, deals),
        actions=actions,
        streets=tuple(streets),
    )


def build_solution(
    house: House,
    *,
    ev: Fraction,
    deals: int,
    chart: Iterable[ChartRow],
    strategy: Strategy,
    rounds: RoundTally,
) -> Solution:
    """Assemble a `Solution` from a solver's values and the House's own terms."""
    return Solution(
        game=house.game.key,
        digest=house.digest,
        setting=main_key(house),
        ante=house.game.ante.name,
        compulsory=sum(opening_stakes(house.game).values()),
        ev=ev,
        deals=deals,
        chart=tuple(chart),
        distribution=rounds.distribution,
        components=rounds.components,
        outcomes_by_wager=rounds.outcomes_by_wager,
        actions=rounds.actions,
        average_wager=rounds.average_wager,
        streets=rounds.streets,
        strategy=strategy,
    )
