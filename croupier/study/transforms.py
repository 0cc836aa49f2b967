"""The sum of very many rounds, by Fourier transform on a ring of grid points that is wide enough.

What lies outside, by Chernoff's bound less than 1e-11, falls on the wrong side of it. With the
rounding of doubles the probabilities are good to about 1e-8 at ten million rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.errors import BadInput

Floats = NDArray[np.float64]

MOST_POINTS = 2**24
OUTSIDE = 25.33  # minus the logarithm of 1e-11


def reached(steps: Mapping[int, Fraction], rounds: int, tails: Sequence[float]) -> list[int]:
    """The least sums, in steps, that these shares of all cases do not exceed."""
    whole = np.array(list(steps), dtype=np.int64)
    weights = np.array([float(share) for share in steps.values()])
    mean = float(sum(step * share for step, share in steps.items()))
    centred = np.array([step - mean for step in whole.tolist()])
    below, above = reach(-centred, weights, rounds), reach(centred, weights, rounds)
    points = 1 << int(np.ceil(np.log2(below + above + 2)))
    if points > MOST_POINTS:
        raise BadInput(
            f"{rounds:,} rounds need {points:,} points; expected {MOST_POINTS:,} at most"
        )
    one = np.zeros(points)
    np.add.at(one, whole % points, weights)
    sums = np.fft.irfft(np.fft.rfft(one) ** rounds, points)
    first = int(np.floor(mean * rounds - below - 1))
    heaped = np.cumsum(np.maximum(np.roll(sums, -(first % points)), 0.0))
    return [first + int(np.searchsorted(heaped, share * heaped[-1])) for share in tails]


def reach(centred: Floats, weights: Floats, rounds: int) -> float:
    """How far above its mean the sum hardly ever is, in steps: the best of Chernoff's bounds."""
    largest = float(np.max(np.abs(centred)))
    best = np.inf
    for slope in np.geomspace(1e-6, 500, 120) / largest:
        growth = np.log(np.sum(weights * np.exp(slope * centred)))
        best = min(best, float((rounds * growth + OUTSIDE) / slope))
    return best
