"""Quantiles of the sum of many rounds: n-fold convolution by FFT on a cyclic grid.

The grid is wide enough that by Chernoff's bound less than 1e-11 wraps around. With the rounding
of doubles the probabilities are accurate to about 1e-8 at ten million rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.errors import BadInput

Floats = NDArray[np.float64]

MOST_POINTS = 2**24
TAIL_EXPONENT = 25.33  # -log(1e-11), the probability outside the grid


def quantiles_of_sum(
    steps: Mapping[int, Fraction], multiples: Mapping[int, int], tails: Sequence[float]
) -> list[int]:
    """Quantiles of the sum, in grid steps, at the probabilities `tails`.

    `steps` is the distribution of one round on the grid; `multiples` maps a multiple of the stake
    to the number of rounds played at it.
    """
    values = np.array(list(steps), dtype=np.int64)
    weights = np.array([float(share) for share in steps.values()])
    mean = float(sum(step * share for step, share in steps.items()))
    centered = np.array([step - mean for step in values.tolist()])
    below, above = (chernoff_reach(side, weights, multiples) for side in (-centered, centered))
    points = 1 << int(np.ceil(np.log2(below + above + 2)))
    if points > MOST_POINTS:
        raise BadInput(
            f"{sum(multiples.values()):,} rounds need {points:,} points; "
            f"expected {MOST_POINTS:,} at most"
        )
    one_round = np.zeros(points)
    np.add.at(one_round, values % points, weights)
    sums = np.fft.irfft(transform_of_sum(one_round, multiples), points)
    staked = sum(multiple * times for multiple, times in multiples.items())
    first = int(np.floor(mean * staked - below - 1))
    cumulative = np.cumsum(np.maximum(np.roll(sums, -(first % points)), 0.0))
    return [first + int(np.searchsorted(cumulative, tail * cumulative[-1])) for tail in tails]


def transform_of_sum(one_round: Floats, multiples: Mapping[int, int]) -> NDArray[np.complex128]:
    """The FFT of the sum, from the distribution of one round at one stake.

    At m times the stake the transform at frequency k is that of one stake at frequency m k.
    """
    points = one_round.size
    single = np.fft.rfft(one_round)
    product = np.ones_like(single)
    for multiple, times in multiples.items():
        if multiple == 1:
            product *= single**times
            continue
        frequencies = np.arange(single.size) * multiple % points
        mirrored = frequencies > points // 2  # rfft stores only the first half
        values = single[np.where(mirrored, points - frequencies, frequencies)]
        product *= np.where(mirrored, values.conj(), values) ** times
    return product


def chernoff_reach(centered: Floats, weights: Floats, multiples: Mapping[int, int]) -> float:
    """The best Chernoff bound on the sum above its mean, in steps, at probability 1e-11."""
    largest = float(np.max(np.abs(centered))) * max(multiples)
    best = np.inf
    for slope in np.geomspace(1e-6, 500, 120) / largest:
        growth = sum(
            times * np.log(np.sum(weights * np.exp(slope * multiple * centered)))
            for multiple, times in multiples.items()
        )
        best = min(best, float((growth + TAIL_EXPONENT) / slope))
    return best
