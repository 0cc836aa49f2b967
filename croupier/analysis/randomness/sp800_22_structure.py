"""Seven more tests of NIST SP 800-22 rev. 1a: matrices, patterns, distances, registers, walks.

Where a test looks at many things at once, its chance is that of the worst of them, times their
number.
"""

from __future__ import annotations

from functools import cache
from math import erfc, log2, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

Bits = NDArray[np.uint8]
BitTestResult = tuple[float, float]  # statistic and chance

ROWS = 32  # of a matrix, and its columns
PATTERN = 9
PARTS = 8  # blocks in which patterns that do not overlap are counted
OVERLAPS = 1032  # bits of a block in which patterns that do are counted
MOST_OVERLAPS = 5
# Section 2.9: length of a block, those that only fill the table, mean and variance of the distance.
UNIVERSAL = ((7, 904_960, 6.1962507, 3.125), (6, 387_840, 5.2177052, 2.954))
REGISTER = 500
# Section 2.10: shares of blocks by how far their complexity is from its mean.
COMPLEXITIES = (1 / 96, 1 / 32, 1 / 8, 1 / 2, 1 / 4, 1 / 16, 1 / 48)
STATES = (-4, -3, -2, -1, 1, 2, 3, 4)
FAR_STATES = (*range(-9, 0), *range(1, 10))
LEAST_CYCLES = 500


def upper(value: float, freedom: int) -> float:
    """The chance of a chi-squared sum of at least this value."""
    return float(special.gammaincc(freedom / 2, value / 2))


def against(seen: NDArray[np.integer], shares: NDArray[np.floating]) -> float:
    """The chi-squared sum of counts."""
    expected = seen.sum() * shares
    return float(((seen - expected) ** 2 / expected).sum())


def worst(found: list[BitTestResult]) -> BitTestResult:
    """The most unlikely of several answers, its chance times how many there are."""
    statistic, chance = min(found, key=lambda answer: answer[1])
    return statistic, min(1.0, len(found) * chance)


def matrix_ranks(bits: Bits, size: int = ROWS) -> BitTestResult:
    """2.5: square matrices of bits have full rank as often as they should."""
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
        rank += there  # the pivot's own row is zero now and is not found again
    full = rank_share(size, size)
    next_best = rank_share(size, size - 1)
    shares = np.array([full, next_best, 1 - full - next_best])
    seen = np.bincount(np.minimum(size - rank, 2), minlength=3)
    value = against(seen, shares)
    return value, upper(value, 2)


def rank_share(size: int, rank: int) -> float:
    """The share of square matrices over two elements that have a rank."""
    share = 2.0 ** (rank * (2 * size - rank) - size * size)
    for at in range(rank):
        share *= (1 - 2.0 ** (at - size)) ** 2 / (1 - 2.0 ** (at - rank))
    return share


@cache
def aperiodic(size: int) -> tuple[int, ...]:
    """Patterns of so many bits that do not begin as they end: two of them never overlap."""
    return tuple(
        code
        for code in range(2**size)
        if all(code >> size - part != code & (1 << part) - 1 for part in range(1, size))
    )


def windows(bits: Bits, size: int) -> NDArray[np.int64]:
    """The pattern that begins at every bit, along the last axis."""
    last = bits.shape[-1] - size + 1
    codes = np.zeros((*bits.shape[:-1], last), np.int64)
    for at in range(size):
        codes = codes * 2 + bits[..., at : at + last]
    return codes


def pattern_counts(bits: Bits, size: int = PATTERN, parts: int = PARTS) -> NDArray[np.int64]:
    """How often each pattern lies in each block: [block, pattern]."""
    length = len(bits) // parts
    codes = windows(bits[: parts * length].reshape(parts, length), size)
    return np.stack([np.bincount(block, minlength=2**size) for block in codes])


def template(counts: NDArray[np.int64], code: int, size: int, length: int) -> BitTestResult:
    """2.7: one pattern that does not overlap itself, in blocks of a length."""
    mean = (length - size + 1) / 2**size
    variance = length * (2.0**-size - (2 * size - 1) / 2.0 ** (2 * size))
    value = float(((counts[:, code] - mean) ** 2).sum() / variance)
    return value, upper(value, len(counts))


def templates(bits: Bits) -> BitTestResult:
    """2.7: all 148 patterns of nine bits that do not overlap themselves."""
    counts = pattern_counts(bits)
    length = len(bits) // PARTS
    return worst([template(counts, code, PATTERN, length) for code in aperiodic(PATTERN)])


@cache
def overlap_shares(length: int = OVERLAPS, size: int = PATTERN) -> tuple[float, ...]:
    """How often so many ones in a row begin 0, 1, ... and many times in a block, bit by bit."""
    chance = np.zeros((size + 1, MOST_OVERLAPS + 1))  # by ones so far, and times so far
    chance[0, 0] = 1.0
    for _ in range(length):
        after = np.zeros_like(chance)
        after[0] = chance.sum(axis=0) / 2
        after[1:size] = chance[: size - 1] / 2
        again = (chance[size - 1] + chance[size]) / 2
        after[size, 1:] = again[:-1]
        after[size, -1] += again[-1]
        chance = after
    return tuple(chance.sum(axis=0).tolist())


def overlapping(bits: Bits, length: int = OVERLAPS, size: int = PATTERN) -> BitTestResult:
    """2.8: so many ones in a row, counted wherever they begin."""
    count = len(bits) // length
    codes = windows(bits[: count * length].reshape(count, length), size)
    times = np.minimum((codes == 2**size - 1).sum(axis=1), MOST_OVERLAPS)
    value = against(
        np.bincount(times, minlength=MOST_OVERLAPS + 1), np.array(overlap_shares(length, size))
    )
    return value, upper(value, MOST_OVERLAPS)


def universal(bits: Bits) -> BitTestResult | None:
    """2.9: how far back each block lay before (Maurer); None where the bits are too few."""
    fits = [row for row in UNIVERSAL if len(bits) >= row[1]]
    if not fits:
        return None
    size, _, mean, variance = fits[0]
    value, count = distances(bits, size, 10 * 2**size)
    spread = 0.7 - 0.8 / size + (4 + 32 / size) * count ** (-3 / size) / 15
    deviation = spread * sqrt(variance / count)
    return value, erfc(abs(value - mean) / (sqrt(2) * deviation))


def distances(bits: Bits, size: int, first: int) -> tuple[float, int]:
    """The mean logarithm of the distance to the same block before, and of how many blocks."""
    count = len(bits) // size
    codes = bits[: count * size].reshape(count, size) @ (1 << np.arange(size)[::-1])
    last: dict[int, int] = {code: at for at, code in enumerate(codes[:first].tolist(), 1)}
    total = 0.0
    for at, code in enumerate(codes[first:].tolist(), first + 1):
        total += log2(at - last.get(code, 0))
        last[code] = at
    return total / (count - first), count - first


def registers(bits: Bits, size: int = REGISTER) -> BitTestResult:
    """2.10: the shortest registers that give each block."""
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
    """A walk that ends at zero, and the number of the cycle of each step."""
    walk = np.cumsum(2 * bits.astype(np.int64) - 1)
    if walk[-1] != 0:
        walk = np.append(walk, 0)
    home = walk == 0
    cycle = np.cumsum(home) - home
    return walk, cycle


def visit_shares(state: int) -> NDArray[np.float64]:
    """2.14: how often a cycle comes 0, 1, ... and five or more times to a state."""
    away = 1 - 1 / (2 * abs(state))
    middle = [away ** (k - 1) / (4 * state * state) for k in range(1, 5)]
    return np.array([away, *middle, away**4 / (2 * abs(state))])


def excursion(bits: Bits, state: int) -> BitTestResult:
    """2.14: visits to one state, cycle by cycle."""
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
    """Whether the walk comes home often enough for 2.14 and 2.15."""
    _, cycle = walk_of(bits)
    return int(cycle[-1]) + 1 >= max(LEAST_CYCLES, 0.005 * sqrt(len(bits)))


def excursions(bits: Bits) -> BitTestResult | None:
    """2.14: all eight states near home; None where the walk comes home too seldom."""
    if not enough_cycles(bits):
        return None
    return worst([excursion(bits, state) for state in STATES])


def all_visits(bits: Bits) -> BitTestResult | None:
    """2.15: all eighteen states; None where the walk comes home too seldom."""
    if not enough_cycles(bits):
        return None
    return worst([excursions_variant(bits, state) for state in FAR_STATES])
