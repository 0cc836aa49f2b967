"""Progressive meters as a business: what seeds cost, how high meters stand, how often they are hit.

A wager first adds its share to a meter; then, by chance, nothing is paid, a part of the meter, or
all of it, which resets it. In the long run everything that comes in is paid out, so every mean is
a fraction. A limit on a meter, and a floor under it after part was paid, are left out: then the
means are upper or lower bounds, and say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log

from croupier.analysis.analyzer import side_result
from croupier.errors import BadInput
from croupier.games import House
from croupier.money import Cents

WAGER = "progressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterEconomics:
    """One meter in the long run, per progressive wager of `ProgressiveEconomics.stake` cents."""

    name: str
    reset: Cents
    added: Fraction  # cents that a wager adds
    reserve: Fraction  # cents that a wager adds to the reserve, from which resets are paid
    hit: Fraction  # the chance that a wager takes all of it
    mean: Fraction  # cents in it when a wager is decided, and so also when it is hit
    break_even: Fraction | None  # cents in it that make the wager even, the others at reset
    bound: str  # why the mean is none but a bound; nothing where it is exact

    @property
    def wagers_between_hits(self) -> Fraction:
        """How many wagers are made from one hit to the next, on average."""
        return 1 / self.hit

    @property
    def seed_cost(self) -> Fraction:
        """Cents a wager that the house puts into new resets, less what the reserve pays."""
        return self.reset * self.hit - self.reserve

    def wagers_until_hit(self, share: float) -> int:
        """Within how many wagers a meter is hit with that chance."""
        if not 0 < share < 1:
            raise BadInput(f"{share} is no chance between 0 and 1")
        return ceil(log(1 - share) / log(1 - float(self.hit)))

    def at_hit(self, share: float) -> Fraction:
        """Cents that a meter has not passed when it is hit, with that chance, if nobody is paid
        a part of it before."""
        return self.reset + self.added * self.wagers_until_hit(share)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveEconomics:
    """The progressive wager in the long run."""

    stake: Cents
    meters: tuple[MeterEconomics, ...]
    at_reset: Fraction  # what one unit gains with all meters at reset
    ev: Fraction  # what one unit gains in the long run, the meters as they come to stand

    @property
    def increment(self) -> Fraction:
        """The share of a wager that goes to meters and reserves."""
        return sum((one.added + one.reserve for one in self.meters), Fraction(0)) / self.stake

    @property
    def kept(self) -> Fraction:
        """What the house keeps of one unit in the long run, seeds paid."""
        return -self.ev

    @property
    def liability(self) -> Fraction:
        """Cents that stand in the meters on average: owed to players, no revenue."""
        return sum((one.mean for one in self.meters), Fraction(0))


def mean_meter(
    reset: Fraction, added: Fraction, full: Fraction, parts: Mapping[Fraction, Fraction]
) -> Fraction:
    """What a meter holds on average when a wager is decided; `parts` are chances by share paid.

    Until it is hit, expected contents go on by a factor and grow by what is added: a geometric
    sum. A hit is as likely at every wager, so the mean at a hit is the same.
    """
    assert full > 0, "a meter that is never paid in full never comes to rest"
    stays = 1 - full - sum((chance * share for share, chance in parts.items()), Fraction(0))
    return full * (reset + added / full) / (1 - stays)


def progressive_economics(house: House) -> ProgressiveEconomics:
    """What the meters of a House cost and bring in the long run."""
    terms = house.progressive
    result = side_result(house, WAGER) if terms is not None else None
    if terms is None or result is None or not result.meters:
        raise BadInput(f"{house.game.title} offers no progressive wager with a meter here")
    chances: dict[str, dict[Fraction, Fraction]] = {name: {} for name in result.meters}
    lines = zip(house.paytable(WAGER).lines, result.lines, strict=True)
    for line, counted in lines:
        if line.pays.unit == "percent":
            share = Fraction(line.pays.win, 100)
            found = chances[line.pays.meter]
            found[share] = found.get(share, Fraction(0)) + counted.probability
    meters = []
    ev = result.ev
    for name, worth in result.meters.items():
        meter = house.meters[name]
        parts = dict(chances[name])
        full = parts.pop(Fraction(1), Fraction(0))
        if not full:
            raise BadInput(f"no hand takes all of the meter {name}; it never resets")
        mean = mean_meter(Fraction(meter.reset), meter.contribution(result.stake), full, parts)
        ev += worth.coefficient * (mean - meter.reset) / result.stake
        bound = "at most: the meter has a limit" if meter.limit is not None else ""
        if parts and terms.partial_award_floor:
            bound = bound or "at least: parts paid leave no less than the reset amount"
        meters.append(
            MeterEconomics(
                name=name,
                reset=meter.reset,
                added=meter.contribution(result.stake),
                reserve=result.stake * (meter.reserve_percent or Fraction(0)) / 100,
                hit=full,
                mean=mean,
                break_even=worth.break_even,
                bound=bound,
            )
        )
    return ProgressiveEconomics(stake=result.stake, meters=tuple(meters), at_reset=result.ev, ev=ev)
