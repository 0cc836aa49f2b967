"""Economics of progressive meters: seed cost, mean amount, hit frequency, break-even point.

A wager first adds its contribution to a meter; then nothing is paid, a part of the meter, or all
of it, which resets it. Long-run means are exact fractions. A limit on a meter, and a floor after a
partial award, are not modeled: the means are then upper or lower bounds and say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log

from croupier.analysis.analyzer import side_result
from croupier.analysis.result_display import ResultDisplay
from croupier.errors import BadInput
from croupier.games import House
from croupier.money import Cents

WAGER = "progressive"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeterEconomics(ResultDisplay):
    """One meter in the long run, per wager of `ProgressiveEconomics.stake` cents."""

    name: str
    reset: Cents
    added: Fraction  # contribution per wager in cents
    reserve: Fraction  # contribution to the reserve that pays for resets, in cents
    hit: Fraction  # probability that a wager takes the whole meter
    seed_cost: Fraction  # cents per wager that the house pays for resets, less the reserve
    mean: Fraction  # mean amount in cents when a wager is decided, and so also at a hit
    break_even: Fraction | None  # amount in cents at which the wager is even, others at reset
    bound: str  # why the mean is only a bound; empty if it is exact

    @property
    def wagers_between_hits(self) -> Fraction:
        """The mean number of wagers from one hit to the next."""
        return 1 / self.hit

    def wagers_until_hit(self, share: float) -> int:
        """The number of wagers within which the meter is hit with this probability."""
        if not 0 < share < 1:
            raise BadInput(f"{share} is not a probability between 0 and 1")
        return ceil(log(1 - share) / log(1 - float(self.hit)))

    def at_hit(self, share: float) -> Fraction:
        """Quantile of the amount at a hit, in cents, if no partial award is paid before."""
        return self.reset + self.added * self.wagers_until_hit(share)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProgressiveEconomics(ResultDisplay):
    """The progressive wager in the long run."""

    rows_in = "meters"

    stake: Cents
    meters: tuple[MeterEconomics, ...]
    at_reset: Fraction  # expected value per unit with all meters at reset
    ev: Fraction  # expected value per unit in the long run
    increment: Fraction  # share of a wager that goes to meters and reserves
    liability: Fraction  # mean total of the meters in cents: owed to players, not revenue

    @property
    def house_edge(self) -> Fraction:
        """The house edge per unit in the long run, seeds paid."""
        return -self.ev


def mean_meter(
    reset: Fraction, added: Fraction, full: Fraction, parts: Mapping[Fraction, Fraction]
) -> Fraction:
    """The mean amount of a meter when a wager is decided.

    `full` is the probability of a full award, `parts` those of partial awards by share paid. The
    expected amount is a geometric sum; a hit is equally likely at every wager, so the mean at a
    hit is the same.
    """
    assert full > 0, "a meter that is never paid in full has no stationary mean"
    stays = 1 - full - sum((chance * share for share, chance in parts.items()), Fraction(0))
    return full * (reset + added / full) / (1 - stays)


def progressive_economics(house: House) -> ProgressiveEconomics:
    """Long-run economics of a House's progressive wager.

    Raises `BadInput` if it has no meter, or if a meter is never paid in full.
    """
    terms = house.progressive
    result = side_result(house, WAGER) if terms is not None else None
    if terms is None or result is None or not result.meters:
        raise BadInput(f"{house.game.title} offers no progressive wager with a meter here")
    awards: dict[str, dict[Fraction, Fraction]] = {name: {} for name in result.meters}
    lines = zip(house.paytable(WAGER).lines, result.lines, strict=True)
    for line, counted in lines:
        if line.pays.unit == "percent":
            share = Fraction(line.pays.win, 100)
            by_share = awards[line.pays.meter]
            by_share[share] = by_share.get(share, Fraction(0)) + counted.probability
    meters = []
    ev = result.ev
    for name, worth in result.meters.items():
        meter = house.meters[name]
        parts = dict(awards[name])
        full = parts.pop(Fraction(1), Fraction(0))
        if not full:
            raise BadInput(f"no hand wins the whole meter {name}; it never resets")
        added = meter.contribution(result.stake)
        reserve = result.stake * (meter.reserve_percent or Fraction(0)) / 100
        mean = mean_meter(Fraction(meter.reset), added, full, parts)
        ev += worth.coefficient * (mean - meter.reset) / result.stake
        bound = "at most: the meter has a limit" if meter.limit is not None else ""
        if parts and terms.partial_award_floor:
            bound = bound or "at least: parts paid leave no less than the reset amount"
        meters.append(
            MeterEconomics(
                name=name,
                reset=meter.reset,
                added=added,
                reserve=reserve,
                hit=full,
                seed_cost=meter.reset * full - reserve,
                mean=mean,
                break_even=worth.break_even,
                bound=bound,
            )
        )
    added_in_all = sum((meter.added + meter.reserve for meter in meters), Fraction(0))
    return ProgressiveEconomics(
        stake=result.stake,
        meters=tuple(meters),
        at_reset=result.ev,
        ev=ev,
        increment=added_in_all / result.stake,
        liability=sum((meter.mean for meter in meters), Fraction(0)),
    )
