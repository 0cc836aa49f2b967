"""What a wager returns after very many rounds: bands from the whole distribution, not a bell curve.

The sum of n rounds is worked out by Fourier transform on a ring of grid points that is wide enough:
what lies outside, by Chernoff's bound less than 1e-11, falls on the wrong side of it. With the
rounding of doubles the probabilities behind a band are good to about 1e-8 at ten million rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from croupier.errors import BadInput

Floats = NDArray[np.float64]

MOST_POINTS = 2**24
OUTSIDE = 25.33  # minus the logarithm of 1e-11
ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Between which net results per round, in units staked, the middle `level` of all sums lies."""

    rounds: int
    level: float
    low: Fraction
    high: Fraction


def band(shares: Mapping[Fraction, Fraction], rounds: int, level: float = 0.95) -> Band:
    """The band of so many rounds of one distribution; `shares` add up to one."""
    if rounds < 1 or not 0 < level < 1:
        raise BadInput(f"{rounds} rounds at {level}; expected 1 or more, and a share below 1")
    assert sum(shares.values()) == 1, f"shares add up to {sum(shares.values())}, expected 1"
    grid = lcm(*(value.denominator for value in shares))
    steps = np.array([int(value * grid) for value in shares], dtype=np.int64)
    weights = np.array([float(share) for share in shares.values()])
    mean = float(sum(value * share for value, share in shares.items()) * grid)
    centred = np.array([step - mean for step in steps.tolist()])
    below, above = reach(-centred, weights, rounds), reach(centred, weights, rounds)
    points = 1 << int(np.ceil(np.log2(below + above + 2)))
    if points > MOST_POINTS:
        raise BadInput(
            f"{rounds:,} rounds need {points:,} points; expected {MOST_POINTS:,} at most"
        )
    one = np.zeros(points)
    np.add.at(one, steps % points, weights)
    sums = np.fft.irfft(np.fft.rfft(one) ** rounds, points)
    first = int(np.floor(mean * rounds - below - 1))
    heaped = np.cumsum(np.maximum(np.roll(sums, -(first % points)), 0.0))
    low, high = (
        first + int(np.searchsorted(heaped, share * heaped[-1]))
        for share in ((1 - level) / 2, (1 + level) / 2)
    )
    return Band(
        rounds=rounds,
        level=level,
        low=Fraction(low, grid * rounds),
        high=Fraction(high, grid * rounds),
    )


def reach(centred: Floats, weights: Floats, rounds: int) -> float:
    """How far above its mean the sum hardly ever is, in steps: the best of Chernoff's bounds."""
    largest = float(np.max(np.abs(centred)))
    best = np.inf
    for slope in np.geomspace(1e-6, 500, 120) / largest:
        growth = np.log(np.sum(weights * np.exp(slope * centred)))
        best = min(best, float((rounds * growth + OUTSIDE) / slope))
    return best
