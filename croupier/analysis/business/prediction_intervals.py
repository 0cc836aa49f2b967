"""Prediction intervals of the net result of many rounds, from the whole distribution.

No normal approximation. A few rounds are convolved exactly, without NumPy; more of them by FFT
(`fft_convolution`). Stakes may differ: a round at twice the stake counts its result twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from croupier.analysis.result_display import ResultDisplay
from croupier.errors import BadInput

ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
MOST_STEPS = 30_000  # additions that take less time than importing NumPy


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PredictionInterval(ResultDisplay):
    """The central interval of the net result per unit staked, with probability `level`."""

    rounds: int
    level: float
    low: Fraction
    high: Fraction


def prediction_interval(
    shares: Mapping[Fraction, Fraction], rounds: int | Mapping[int, int], level: float = 0.95
) -> PredictionInterval:
    """The prediction interval of a number of rounds, or of a number at each of several stakes.

    `shares` is the distribution of the net result of one unit; its probabilities add up to one.
    Raises `BadInput` if a number of rounds, a stake or the level is out of range.
    """
    stakes = {1: rounds} if isinstance(rounds, int) else rounds
    return compute_interval(frozenset(shares.items()), frozenset(stakes.items()), level)


@lru_cache(1024)  # the same wagers appear in many reports and documents
def compute_interval(
    distribution: frozenset[tuple[Fraction, Fraction]],
    staked_at: frozenset[tuple[int, int]],
    level: float,
) -> PredictionInterval:
    """`prediction_interval` with hashable arguments."""
    shares, stakes = dict(sorted(distribution)), dict(sorted(staked_at))
    count = sum(stakes.values())
    if count < 1 or min(*stakes, *stakes.values()) < 1 or not 0 < level < 1:
        values = f"{count} rounds at {level} with stakes {', '.join(map(str, sorted(stakes)[:5]))}"
        raise BadInput(f"{values}; expected 1 or more of each, and a level below 1")
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
    return PredictionInterval(
        rounds=count, level=level, low=Fraction(low, staked), high=Fraction(high, staked)
    )


def convolve_exactly(
    steps: Mapping[int, Fraction], multiples: Mapping[int, int]
) -> dict[int, int] | None:
    """The distribution of the sum as integer weights; None if it takes too many steps."""
    whole = lcm(*(share.denominator for share in steps.values()))
    weights = [(step, int(share * whole)) for step, share in steps.items()]
    rounds, lines = sum(multiples.values()), len(weights)
    # A round adds at least as many new sums as it has results, less one.
    if lines * (rounds + (lines - 1) * rounds * (rounds - 1) // 2) > MOST_STEPS:
        return None
    sums, work = {0: 1}, 0
    for multiple, times in multiples.items():
        for _ in range(times):
            work += len(sums) * len(weights)
            if work > MOST_STEPS:
                return None
            more: dict[int, int] = {}
            for total, ways in sums.items():
                for step, weight in weights:
                    new = total + multiple * step
                    more[new] = more.get(new, 0) + ways * weight
            sums = more
    return sums


def quantile(sums: Mapping[int, int], share: float) -> int:
    """The least sum whose cumulative probability reaches `share`."""
    target, cumulative = Fraction(share) * sum(sums.values()), 0
    for total in sorted(sums):
        cumulative += sums[total]
        if cumulative >= target:
            return total
    raise AssertionError("a share is at most one")
