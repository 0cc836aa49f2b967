"""What a wager returns after many rounds: bands from the whole distribution, not a bell curve.

A few rounds are added up one after the other, exactly, without NumPy; very many by Fourier
transform (`transforms`). Stakes may differ: a round at twice the stake counts its result twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from croupier.errors import BadInput

ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
MOST_STEPS = 30_000  # additions that are done faster than NumPy is imported


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionInterval:
    """Between which net results, per unit staked, the middle `level` of all sums lies."""

    rounds: int
    level: float
    low: Fraction
    high: Fraction


def prediction_interval(
    shares: Mapping[Fraction, Fraction], rounds: int | Mapping[int, int], level: float = 0.95
) -> PredictionInterval:
    """The band of so many rounds of one distribution, or of so many at each of several stakes.

    `shares` are of one unit, and add up to one.
    """
    stakes = {1: rounds} if isinstance(rounds, int) else rounds
    return compute_interval(frozenset(shares.items()), frozenset(stakes.items()), level)


@lru_cache(1024)  # the same wagers stand in many reports and papers
def compute_interval(
    told: frozenset[tuple[Fraction, Fraction]], staked_at: frozenset[tuple[int, int]], level: float
) -> PredictionInterval:
    """The same, of what can be remembered."""
    shares, stakes = dict(sorted(told)), dict(sorted(staked_at))
    count = sum(stakes.values())
    if count < 1 or min(*stakes, *stakes.values()) < 1 or not 0 < level < 1:
        asked = f"{count} rounds at {level} with stakes {', '.join(map(str, sorted(stakes)[:5]))}"
        raise BadInput(f"{asked}; expected 1 or more of each, and a share below 1")
    assert sum(shares.values()) == 1, f"shares add up to {sum(shares.values())}, expected 1"
    unit = gcd(*stakes)
    multiples = {stake // unit: times for stake, times in stakes.items()}
    grid = lcm(*(value.denominator for value in shares))
    steps = {int(value * grid): share for value, share in shares.items()}
    tails = ((1 - level) / 2, (1 + level) / 2)
    sums = convolve_exactly(steps, multiples)
    if sums is None:
        from croupier.analysis.business.fft_convolution import quantiles_of_sum

        low, high = quantiles_of_sum(steps, multiples, tails)
    else:
        low, high = (quantile(sums, tail) for tail in tails)
    staked = grid * sum(multiple * times for multiple, times in multiples.items())
    return PredictionInterval(rounds=count, level=level, low=Fraction(low, staked), high=Fraction(high, staked))


def convolve_exactly(steps: Mapping[int, Fraction], multiples: Mapping[int, int]) -> dict[int, int] | None:
    """How often each sum comes, as whole numbers; None where there are too many of them."""
    whole = lcm(*(share.denominator for share in steps.values()))
    weights = [(step, int(share * whole)) for step, share in steps.items()]
    rounds, lines = sum(multiples.values()), len(weights)
    # A round adds at least so many new sums as it has results, less one.
    if lines * (rounds + (lines - 1) * rounds * (rounds - 1) // 2) > MOST_STEPS:
        return None
    sums, work = {0: 1}, 0
    for multiple, times in multiples.items():
        for _ in range(times):
            work += len(sums) * len(weights)
            if work > MOST_STEPS:
                return None
            more: dict[int, int] = {}
            for total, often in sums.items():
                for step, weight in weights:
                    quantiles_of_sum = total + multiple * step
                    more[quantiles_of_sum] = more.get(quantiles_of_sum, 0) + often * weight
            sums = more
    return sums


def quantile(sums: Mapping[int, int], share: float) -> int:
    """The least sum that this share of all cases does not exceed."""
    wanted, heaped = Fraction(share) * sum(sums.values()), 0
    for total in sorted(sums):
        heaped += sums[total]
        if heaped >= wanted:
            return total
    raise AssertionError("a share is at most one")
