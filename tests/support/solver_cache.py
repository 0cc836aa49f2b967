"""Memoizes `board_enumeration.showdowns` for tests that use the same arguments."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

MOST = 6  # entries of up to a hundred megabytes


def cache_showdowns(showdowns: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `showdowns` in a cache; every caller gets its own copy of the arrays."""
    cache: dict[bytes, Any] = {}

    def cached(
        pay: Any, floors: Any, qualifying: int, early: Sequence[int] = (3,), on_boards: Any = None
    ) -> Any:
        if on_boards is not None:  # the callback must see every board
            return showdowns(pay, floors, qualifying, early, on_boards)
        arguments = repr((pay.shape, pay.tolist(), floors.tolist(), qualifying, tuple(early)))
        digest = hashlib.blake2b(arguments.encode()).digest()
        if digest not in cache:
            if len(cache) == MOST:
                del cache[next(iter(cache))]
            cache[digest] = showdowns(pay, floors, qualifying, early)
        return copy_arrays(cache[digest])

    return cached


def copy_arrays(value: Any) -> Any:
    """A deep copy of arrays in nested tuples."""
    if isinstance(value, np.ndarray):
        return value.copy()
    copies = [copy_arrays(item) for item in value]
    return value._make(copies) if hasattr(value, "_make") else tuple(copies)
