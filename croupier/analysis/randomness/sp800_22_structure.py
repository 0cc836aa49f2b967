"""NIST SP 800-22 rev. 1a: matrix rank, templates, universal, linear complexity, excursions.

A test with many parts reports the smallest p-value times the number of parts (Bonferroni).
"""

from __future__ import annotations

from functools import cache
from math import erfc, log2, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

Bits = NDArray[np.uint8]
BitTestResult = tuple[float, float]  # statistic and p-value

ROWS = 32  # and columns of a matrix
PATTERN = 9
PARTS = 8  # blocks for non-overlapping templates
OVERLAPS = 1032  # bits per block for overlapping templates
MOST_OVERLAPS = 5
# Section 2.9: block length, least number of bits, mean and variance of the log distance.
UNIVERSAL = ((7, 904_960, 6.1962507, 3.125), (6, 387_840, 5.2177052, 2.954))
REGISTER = 500
# Section 2.10: shares of blocks by the distance of their complexity from the mean.
COMPLEXITIES = (1 / 96, 1 / 32, 1 / 8, 1 / 2, 1 / 4, 1 / 16, 1 / 48)
STATES = (-4, -3, -2, -1, 1, 2, 3, 4)
FAR_STATES = (*range(-9, 0), *range(1, 10))
LEAST_CYCLES = 500


def upper(value: float, freedom: int) -> float:
    """The upper tail probability of the chi-squared distribution."""
    return float(special.gammaincc(freedom / 2, value / 2))


def against(seen: NDArray[np.integer], shares: NDArray[np.floating]) -> float:
    """The chi-squared statistic of counts against shares."""
    expected = seen.sum() * shares
    return float(((seen - expected) ** 2 / expected).sum())


def worst(results: list[BitTestResult]) -> BitTestResult:
    """The result with the smallest p-value, Bonferroni-corrected."""
    statistic, p_value = min(results, key=lambda result: result[1])
    return statistic, min(1.0, len(results) * p_value)


def matrix_ranks(bits: Bits, size: int = ROWS) -> BitTestResult:
    """2.5: ranks of square bit matrices."""
    count = len(bits) // size**2
    cells = bits[: count * size**2].reshape(count, size, size).astype(np.uint64)
    rows = cells @ (np.uint64(1) << np.arange(size, dtype=np.uint64))
    rank = np.zeros(count, np.int64)
    matrix = np.arange(count)
    for column in range(size):
        has = rows >> np.uint64(column) & np.uint64(1)
        pivot = has.argmax(axis=1)
        there = has[matrix, pivot] == 1
        row = np.where(there, rows[matrix, pivot], 0).astype(np.uint64)
        rows = np.where((has == 1) & there[:, None], rows ^ row[:, None], rows)
        rank += there  # the pivot's own row is zero now and cannot be a pivot again
    full = rank_share(size, size)
    next_best = rank_share(size, size - 1)
    shares = np.array([full, next_best, 1 - full - next_best])
    seen = np.bincount(np.minimum(size - rank, 2), minlength=3)
    value = against(seen, shares)
    return value, upper(value, 2)


def rank_share(size: int, rank: int) -> float:
    """The share of square matrices over GF(2) that have this rank."""
    share = 2.0 ** (rank * (2 * size - rank) - size * size)
    for at in range(rank):
        share *= (1 - 2.0 ** (at - size)) ** 2 / (1 - 2.0 ** (at - rank))
    return share


@cache
def aperiodic(size: int) -> tuple[int, ...]:
    """Aperiodic patterns of `size` bits: two occurrences never overlap."""
    return tuple(
        code
        for code in range(2**size)
        if all(code >> size - part != code & (1 << part) - 1 for part in range(1, size))
    )


def windows(bits: Bits, size: int) -> NDArray[np.int64]:
    """The pattern starting at every bit, along the last axis."""
    last = bits.shape[-1] - size + 1
    codes = np.zeros((*bits.shape[:-1], last), np.int64)
    for at in range(size):
        codes = codes * 2 + bits[..., at : at + last]
    return codes


def pattern_counts(bits: Bits, size: int = PATTERN, parts: int = PARTS) -> NDArray[np.int64]:
    """Counts of each pattern: [block, pattern]."""
    length = len(bits) // parts
    codes = windows(bits[: parts * length].reshape(parts, length), size)
    return np.stack([np.bincount(block, minlength=2**size) for block in codes])


def template(counts: NDArray[np.int64], code: int, size: int, length: int) -> BitTestResult:
    """2.7: one aperiodic pattern in blocks of a length."""
    mean = (length - size + 1) / 2**size
    variance = length * (2.0**-size - (2 * size - 1) / 2.0 ** (2 * size))
    value = float(((counts[:, code] - mean) ** 2).sum() / variance)
    return value, upper(value, len(counts))


def templates(bits: Bits) -> BitTestResult:
    """2.7: all 148 aperiodic patterns of nine bits."""
    counts = pattern_counts(bits)
    length = len(bits) // PARTS
    return worst([template(counts, code, PATTERN, length) for code in aperiodic(PATTERN)])


@cache
def overlap_shares(length: int = OVERLAPS, size: int = PATTERN) -> tuple[float, ...]:
    """The distribution of the number of runs of `size` ones in a block, by Markov chain."""
    state = np.zeros((size + 1, MOST_OVERLAPS + 1))  # by trailing ones and occurrences so far
    state[0, 0] = 1.0
    for _ in range(length):
        after = np.zeros_like(state)
        after[0] = state.sum(axis=0) / 2
        after[1:size] = state[: size - 1] / 2
        again = (state[size - 1] + state[size]) / 2
        after[size, 1:] = again[:-1]
        after[size, -1] += again[-1]
        state = after
    return tuple(state.sum(axis=0).tolist())


def overlapping(bits: Bits, length: int = OVERLAPS, size: int = PATTERN) -> BitTestResult:
    """2.8: runs of `size` ones, counted with overlaps."""
    count = len(bits) // length
    codes = windows(bits[: count * length].reshape(count, length), size)
    times = np.minimum((codes == 2**size - 1).sum(axis=1), MOST_OVERLAPS)
    value = against(
        np.bincount(times, minlength=MOST_OVERLAPS + 1), np.array(overlap_shares(length, size))
    )
    return value, upper(value, MOST_OVERLAPS)


def universal(bits: Bits) -> BitTestResult | None:
    """2.9: Maurer's universal test; None if there are too few bits."""
    fits = [row for row in UNIVERSAL if len(bits) >= row[1]]
    if not fits:
        return None
    size, _, mean, variance = fits[0]
    value, count = distances(bits, size, 10 * 2**size)
    spread = 0.7 - 0.8 / size + (4 + 32 / size) * count ** (-3 / size) / 15
    deviation = spread * sqrt(variance / count)
    return value, erfc(abs(value - mean) / (sqrt(2) * deviation))


def distances(bits: Bits, size: int, first: int) -> tuple[float, int]:
    """The mean log2 distance to the previous same block, and the number of blocks tested."""
    count = len(bits) // size
    codes = bits[: count * size].reshape(count, size) @ (1 << np.arange(size)[::-1])
    last: dict[int, int] = {code: at for at, code in enumerate(codes[:first].tolist(), 1)}
    total = 0.0
    for at, code in enumerate(codes[first:].tolist(), first + 1):
        total += log2(at - last.get(code, 0))
        last[code] = at
    return total / (count - first), count - first


def registers(bits: Bits, size: int = REGISTER) -> BitTestResult:
    """2.10: linear complexity of each block."""
    from croupier.analysis.kernels.linear_complexity import complexities

    count = len(bits) // size
    blocks = np.ascontiguousarray(bits[: count * size].reshape(count, size))
    lengths = np.zeros(count, np.int64)
    complexities(blocks, lengths)
    sign = (-1) ** size
    mean = size / 2 + (9 - sign) / 36 - (size / 3 + 2 / 9) / 2.0**size
    far = sign * (lengths - mean) + 2 / 9
    edges = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])
    seen = np.bincount(np.searchsorted(edges, far, side="left"), minlength=7)
    value = against(seen, np.array(COMPLEXITIES))
    return value, upper(value, 6)


def walk_of(bits: Bits) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The random walk, closed at zero, and the cycle number of each step."""
    walk = np.cumsum(2 * bits.astype(np.int64) - 1)
    if walk[-1] != 0:
        walk = np.append(walk, 0)
    home = walk == 0
    cycle = np.cumsum(home) - home
    return walk, cycle


def visit_shares(state: int) -> NDArray[np.float64]:
    """2.14: the distribution of visits to a state per cycle: 0, 1, ..., five or more."""
    away = 1 - 1 / (2 * abs(state))
    middle = [away ** (k - 1) / (4 * state * state) for k in range(1, 5)]
    return np.array([away, *middle, away**4 / (2 * abs(state))])


def excursion(bits: Bits, state: int) -> BitTestResult:
    """2.14: visits to one state per cycle."""
    walk, cycle = walk_of(bits)
    visits = np.bincount(cycle[walk == state], minlength=int(cycle[-1]) + 1)
    seen = np.bincount(np.minimum(visits, 5), minlength=6)
    value = against(seen, visit_shares(state))
    return value, upper(value, 5)


def excursions_variant(bits: Bits, state: int) -> BitTestResult:
    """2.15: visits to one state in all."""
    walk, cycle = walk_of(bits)
    cycles = int(cycle[-1]) + 1
    visits = int((walk == state).sum())
    return visits, erfc(abs(visits - cycles) / sqrt(2 * cycles * (4 * abs(state) - 2)))


def enough_cycles(bits: Bits) -> bool:
    """Whether the walk has enough cycles for 2.14 and 2.15."""
    _, cycle = walk_of(bits)
    return int(cycle[-1]) + 1 >= max(LEAST_CYCLES, 0.005 * sqrt(len(bits)))


def excursions(bits: Bits) -> BitTestResult | None:
    """2.14: all eight states near zero; None if there are too few cycles."""
    if not enough_cycles(bits):
        return None
    return worst([excursion(bits, state) for state in STATES])


def all_visits(bits: Bits) -> BitTestResult | None:
    """2.15: all eighteen states; None if there are too few cycles."""
    if not enough_cycles(bits):
        return None
    return worst([excursions_variant(bits, state) for state in FAR_STATES])
