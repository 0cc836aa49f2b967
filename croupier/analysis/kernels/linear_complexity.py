"""Linear complexity of bit sequences (Berlekamp-Massey)."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def linear_complexity(bits: Any) -> int:
    """The length of the shortest linear feedback shift register that generates these bits.

    Naive twin: tests/analysis/kernels, which tries every register.
    """
    size = bits.size
    feedback, before = np.zeros(size + 1, np.uint8), np.zeros(size + 1, np.uint8)
    feedback[0] = before[0] = 1
    length, changed = 0, -1
    for at in range(size):
        differs = bits[at]
        for tap in range(1, length + 1):
            differs ^= feedback[tap] & bits[at - tap]
        if differs:
            previous = feedback.copy()
            shift = at - changed
            for tap in range(size + 1 - shift):
                feedback[tap + shift] ^= before[tap]
            if 2 * length <= at:
                length = at + 1 - length
                changed = at
                before = previous
    return length


@numba.njit(cache=True, nogil=True)
def complexities(blocks: Any, out: Any) -> None:
    """The linear complexity of every row."""
    for row in range(len(blocks)):
        out[row] = linear_complexity(blocks[row])
