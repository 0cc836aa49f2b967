"""Showdowns that several tests ask for are summed once: the same arguments, the same sums."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

MOST = 6  # of up to a hundred megabytes


def cache_results(showdowns: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but that the last answers are given again; everybody has arrays of their own."""
    known: dict[bytes, Any] = {}

    def remembered(
        pay: Any, floors: Any, qualifying: int, early: Sequence[int] = (3,), kept: Any = None
    ) -> Any:
        if kept is not None:  # somebody wants to see every board
            return showdowns(pay, floors, qualifying, early, kept)
        asked = repr((pay.shape, pay.tolist(), floors.tolist(), qualifying, tuple(early)))
        digest = hashlib.blake2b(asked.encode()).digest()
        if digest not in known:
            if len(known) == MOST:
                del known[next(iter(known))]
            known[digest] = showdowns(pay, floors, qualifying, early)
        return copied(known[digest])

    return remembered


def copied(value: Any) -> Any:
    """Arrays, and tuples of them, once more."""
    if isinstance(value, np.ndarray):
        return value.copy()
    copies = [copied(each) for each in value]
    return value._make(copies) if hasattr(value, "_make") else tuple(copies)
