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


def quantiles_of_sum(
    steps: Mapping[int, Fraction], multiples: Mapping[int, int], tails: Sequence[float]
) -> list[int]:
    """The least sums, in steps, that these shares of all cases do not exceed.

    `multiples` says how many rounds are played at how many times the stake.
    """
    whole = np.array(list(steps), dtype=np.int64)
    weights = np.array([float(share) for share in steps.values()])
    mean = float(sum(step * share for step, share in steps.items()))
    centred = np.array([step - mean for step in whole.tolist()])
    below, above = (chernoff_reach(each, weights, multiples) for each in (-centred, centred))
    points = 1 << int(np.ceil(np.log2(below + above + 2)))
    if points > MOST_POINTS:
        raise BadInput(
            f"{sum(multiples.values()):,} rounds need {points:,} points; "
            f"expected {MOST_POINTS:,} at most"
        )
    one = np.zeros(points)
    np.add.at(one, whole % points, weights)
    sums = np.fft.irfft(transform_of_sum(one, multiples), points)
    staked = sum(multiple * times for multiple, times in multiples.items())
    first = int(np.floor(mean * staked - below - 1))
    heaped = np.cumsum(np.maximum(np.roll(sums, -(first % points)), 0.0))
    return [first + int(np.searchsorted(heaped, share * heaped[-1])) for share in tails]


def transform_of_sum(one: Floats, multiples: Mapping[int, int]) -> NDArray[np.complex128]:
    """The transform of the sum, from that of one round at one stake.

    At m times the stake the transform has at k what that of one stake has at m k: on a ring all
    of them are the same numbers in another order.
    """
    points = one.size
    single = np.fft.rfft(one)
    found = np.ones_like(single)
    for multiple, times in multiples.items():
        if multiple == 1:
            found *= single**times
            continue
        places = np.arange(single.size) * multiple % points
        back = places > points // 2  # the second half mirrors the first
        values = single[np.where(back, points - places, places)]
        found *= np.where(back, values.conj(), values) ** times
    return found


def chernoff_reach(centred: Floats, weights: Floats, multiples: Mapping[int, int]) -> float:
    """How far above its mean the sum hardly ever is, in steps: the best of Chernoff's bounds."""
    largest = float(np.max(np.abs(centred))) * max(multiples)
    best = np.inf
    for slope in np.geomspace(1e-6, 500, 120) / largest:
        growth = sum(
            times * np.log(np.sum(weights * np.exp(slope * multiple * centred)))
            for multiple, times in multiples.items()
        )
        best = min(best, float((growth + OUTSIDE) / slope))
    return best
