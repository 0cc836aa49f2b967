"""The closest decisions of a street, gathered while a kernel passes by all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]

FREE = np.iinfo(np.int64).max  # the gain in a place that holds nothing yet


def closest_buffer(count: int) -> Longs:
    """Room for one decision each of so many kinds of hands: a gain, a situation's number."""
    room = np.zeros((count, 2), np.int64)
    room[:, 0] = FREE
    return room


@numba.njit(cache=True, nogil=True)
def keep_closest(gain: int, number: int, closest: Any, kind: int) -> None:
    """Keep a decision if its gain is nearer to nothing than any before it of its kind."""
    if abs(gain) < abs(closest[kind, 0]):
        closest[kind, 0] = gain
        closest[kind, 1] = number


def merge_closest(parts: Sequence[Longs]) -> Longs:
    """The closest of several gatherings, kind by kind; the lower number among equals."""
    best = np.stack(parts)
    order = np.lexsort((best[:, :, 1], np.abs(best[:, :, 0])), axis=0)
    found: Longs = np.take_along_axis(best, order[:1, :, None], axis=0)[0]
    return found


def nearest(closest: Longs, count: int) -> list[tuple[int, int]]:
    """The kinds whose closest decisions are closest, as gains and numbers."""
    order = np.lexsort((closest[:, 1], np.abs(closest[:, 0])))
    listed: list[list[int]] = closest[order].tolist()
    return [(gain, number) for gain, number in listed if gain != FREE][:count]
