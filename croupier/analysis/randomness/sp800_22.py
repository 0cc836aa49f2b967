"""The fifteen tests of NIST SP 800-22 rev. 1a on raw bits, by section.

Seven of them are in `sp800_22_structure`. The two random excursions tests need enough returns of
the random walk to zero, which a good source has in two of three runs.

The tests concern the random source alone (R31): passing says nothing about a shuffle.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import erfc, log, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from croupier.analysis.randomness import sp800_22_structure

Bits = NDArray[np.uint8]
BitTestRow: TypeAlias = tuple[str, str, str, float, float]  # name, law, what, statistic, p-value

BITS = 2**20
LAW = "R31"
# Section 2.4: shares of blocks of 10,000 bits by their longest run of ones: up to 10, ..., 16 on.
LONGEST = (0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727)


def bit_tests(bits: Bits) -> Iterator[BitTestRow]:
    """The results of all tests for which the bits suffice."""
    for name, looks_at, result in (
        ("bits: frequency", "ones and zeros", frequency(bits)),
        ("bits: blocks", "ones in blocks", block_frequency(bits, 16_384)),
        ("bits: runs", "runs of equal bits", runs(bits)),
        ("bits: longest run", "longest runs of ones", longest_run(bits)),
        ("bits: spectrum", "periods", spectrum(bits)),
        ("bits: serial", "patterns of sixteen bits", serial(bits, 16)[0]),
        ("bits: entropy", "patterns of ten bits", approximate_entropy(bits, 10)),
        ("bits: sums", "maximum excursion", cumulative_sums(bits)),
        ("bits: matrices", "ranks of square matrices", sp800_22_structure.matrix_ranks(bits)),
        ("bits: templates", "148 patterns of nine bits", sp800_22_structure.templates(bits)),
        ("bits: overlaps", "nine ones in a row", sp800_22_structure.overlapping(bits)),
        ("bits: universal", "distance to equal block", sp800_22_structure.universal(bits)),
        ("bits: registers", "linear complexity", sp800_22_structure.registers(bits)),
        ("bits: excursions", "walk: visits per cycle", sp800_22_structure.excursions(bits)),
        ("bits: visits", "walk: total visits", sp800_22_structure.all_visits(bits)),
    ):
        if result is not None:
            yield name, LAW, looks_at, *result


def frequency(bits: Bits) -> tuple[float, float]:
    """2.1: the numbers of ones and zeros."""
    value = abs(2 * int(bits.sum()) - len(bits)) / sqrt(len(bits))
    return value, erfc(value / sqrt(2))


def block_frequency(bits: Bits, size: int) -> tuple[float, float]:
    """2.2: the share of ones in every block."""
    count = len(bits) // size
    shares = bits[: count * size].reshape(count, size).mean(axis=1)
    value = 4 * size * float(((shares - 0.5) ** 2).sum())
    return value, float(special.gammaincc(count / 2, value / 2))


def runs(bits: Bits) -> tuple[float, float]:
    """2.3: the number of runs."""
    share = float(bits.mean())
    value = 1 + int((bits[1:] != bits[:-1]).sum())
    if abs(share - 0.5) >= 2 / sqrt(len(bits)):
        return value, 0.0
    even = 2 * len(bits) * share * (1 - share)
    return value, erfc(abs(value - even) / (2 * sqrt(2 * len(bits)) * share * (1 - share)))


def longest_run(bits: Bits) -> tuple[float, float]:
    """2.4: the longest run of ones in blocks of 10,000."""
    count = len(bits) // 10_000
    blocks = bits[: count * 10_000].reshape(count, 10_000)
    longest = []
    for block in blocks:
        zeros = np.flatnonzero(np.concatenate(([0], block, [0])) == 0)
        longest.append(int(np.diff(zeros).max()) - 1)
    seen = np.bincount(np.clip(longest, 10, 16) - 10, minlength=7)
    expected = count * np.array(LONGEST)
    value = float(((seen - expected) ** 2 / expected).sum())
    return value, float(special.chdtrc(6, value))


def spectrum(bits: Bits) -> tuple[float, float]:
    """2.6: peaks of the discrete Fourier transform."""
    size = len(bits)
    heights = np.abs(np.fft.rfft(2.0 * bits - 1.0))[: size // 2]
    below = int((heights < sqrt(log(1 / 0.05) * size)).sum())
    value = (below - 0.95 * size / 2) / sqrt(size * 0.95 * 0.05 / 4)
    return value, erfc(abs(value) / sqrt(2))


def patterns(bits: Bits, size: int) -> NDArray[np.int64]:
    """Counts of each pattern of `size` bits, with the sequence wrapped around."""
    if size == 0:
        return np.array([len(bits)])
    around = np.concatenate((bits, bits[: size - 1])).astype(np.int64)
    codes = np.zeros(len(bits), np.int64)
    for at in range(size):
        codes = codes * 2 + around[at : at + len(bits)]
    return np.bincount(codes, minlength=2**size)


def serial(bits: Bits, size: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """2.11: uniformity of patterns; first and second differences of psi-squared."""

    def psi(length: int) -> float:
        if length <= 0:
            return 0.0
        counts = patterns(bits, length).astype(np.float64)
        return float(2**length / len(bits) * float(counts @ counts) - len(bits))

    one, two, three = psi(size), psi(size - 1), psi(size - 2)
    first, second = one - two, one - 2 * two + three
    return (
        (first, float(special.gammaincc(2 ** (size - 2), first / 2))),
        (second, float(special.gammaincc(2 ** (size - 3), second / 2))),
    )


def approximate_entropy(bits: Bits, size: int) -> tuple[float, float]:
    """2.12: approximate entropy of patterns of a length and one longer."""

    def phi(length: int) -> float:
        shares = patterns(bits, length) / len(bits)
        return float((shares[shares > 0] * np.log(shares[shares > 0])).sum())

    value = 2 * len(bits) * (log(2) - (phi(size) - phi(size + 1)))
    return value, float(special.gammaincc(2 ** (size - 1), value / 2))


def cumulative_sums(bits: Bits) -> tuple[float, float]:
    """2.13: the largest excursion of the random walk."""
    size = len(bits)
    far = int(np.abs(np.cumsum(2 * bits.astype(np.int64) - 1)).max())
    step = far / sqrt(size)
    # Bounds are truncated toward zero, as in the reference implementation.
    last = int((size // far - 1) / 4) + 1
    first = 4 * np.arange(int((-(size // far) + 1) / 4), last)
    second = 4 * np.arange(int((-(size // far) - 3) / 4), last)
    p_value = 1 - _between((first - 1) * step, (first + 1) * step)
    p_value += _between((second + 1) * step, (second + 3) * step)
    return float(far), min(1.0, max(0.0, p_value))


def _between(low: NDArray[np.floating], high: NDArray[np.floating]) -> float:
    """The sum of the standard normal probabilities between each pair of bounds."""
    return float((special.ndtr(high) - special.ndtr(low)).sum())
