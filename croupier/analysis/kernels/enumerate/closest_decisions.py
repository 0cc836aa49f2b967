"""The closest decisions of a street, collected while a kernel enumerates it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]

FREE = np.iinfo(np.int64).max  # gain of an empty entry


def closest_buffer(count: int) -> Longs:
    """An empty buffer of one decision for each of `count` kinds: [kind, (gain, situation)]."""
    buffer = np.zeros((count, 2), np.int64)
    buffer[:, 0] = FREE
    return buffer


@numba.njit(cache=True, nogil=True)
def keep_closest(gain: int, number: int, closest: Any, kind: int) -> None:
    """Store a decision if its gain is closer to zero than any before it of its kind."""
    if abs(gain) < abs(closest[kind, 0]):
        closest[kind, 0] = gain
        closest[kind, 1] = number


def merge_closest(parts: Sequence[Longs]) -> Longs:
    """The closest decision of several buffers, by kind; the lower number among equals."""
    stacked = np.stack(parts)
    order = np.lexsort((stacked[:, :, 1], np.abs(stacked[:, :, 0])), axis=0)
    closest: Longs = np.take_along_axis(stacked, order[:1, :, None], axis=0)[0]
    return closest


def nearest(closest: Longs, count: int) -> list[tuple[int, int]]:
    """The `count` closest decisions of different kinds, as (gain, situation)."""
    order = np.lexsort((closest[:, 1], np.abs(closest[:, 0])))
    listed: list[list[int]] = closest[order].tolist()
    return [(gain, number) for gain, number in listed if gain != FREE][:count]
