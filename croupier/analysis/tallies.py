"""Counts of facts turned into results: the last step of every solver, the same for all games."""

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
    """How often each set of facts was met with the same stakes on the table."""

    stakes: Mapping[str, int]
    counts: Sequence[int]  # by code


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTally:
    """How rounds end under the best play; empty where nobody asked."""

    distribution: Mapping[Fraction, int] = field(default_factory=dict)
    components: Mapping[str, Fraction] = field(default_factory=dict)
    outcomes_by_wager: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    average_wager: Fraction = Fraction(0)
    actions: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    streets: tuple[StreetSummary, ...] = ()


EMPTY_TALLY = RoundTally()


def tally_rounds(
    money: Payoffs,
    space: Iterable[Facts],
    met: Iterable[FactsCounts],
    deals: int,
    actions: Mapping[str, Mapping[str, Fraction]],
    streets: Iterable[StreetSummary],
) -> RoundTally:
    """The distribution of a round, what each wager adds to it, and the average wager."""
    facts = tuple(space)
    distribution: dict[Fraction, int] = defaultdict(int)
    gained: dict[str, Fraction] = defaultdict(Fraction)
    ended: dict[str, dict[str, int]] = defaultdict(lambda: {"win": 0, "push": 0, "lose": 0})
    staked = 0
    for stakes, counts in met:
        for one, count in zip(facts, counts, strict=True):
            if count:
                parts = money.parts(one, stakes)
                assert parts.keys() == stakes.keys(), f"{one} settles {sorted(parts)} of {stakes}"
                distribution[sum(parts.values(), Fraction(0))] += count
                staked += count * sum(stakes.values())
                for wager, part in parts.items():
                    gained[wager] += part * count
                    ended[wager]["win" if part > 0 else "lose" if part < 0 else "push"] += count
    assert sum(distribution.values()) == deals, "every deal is counted once"
    order = [wager.name for wager in money.house.game.wagers]
    return RoundTally(
        distribution={value: distribution[value] for value in sorted(distribution)},
        components={name: gained[name] / deals for name in order if name in gained},
        outcomes_by_wager={
            name: {word: Fraction(count, deals) for word, count in ended[name].items()}
            for name in order
            if name in ended
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
    """A solver's answer with what is known of the House."""
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
