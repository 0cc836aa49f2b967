"""Counts repeated background entries: the first are recorded one by one, further ones together."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

PERIOD_SECONDS = 60.0
ALONE_MAX = 10  # entries of one key in a period that are recorded one by one


class BackgroundNote(NamedTuple):
    """What a background entry says."""

    stream: str
    at: int
    value: Any


class _Period:
    def __init__(self, end: float) -> None:
        self.end = end
        self.alone = 0
        self.held = 0
        self.last: BackgroundNote | None = None


class RepeatCounter:
    """The entries of the last minute by key. Not thread-safe."""

    def __init__(self) -> None:
        self._periods: dict[str, _Period] = {}

    def admit(self, key: str, note: BackgroundNote) -> bool:
        """Whether an entry is recorded now; otherwise it is counted until its minute is over."""
        period = self._periods.setdefault(key, _Period(time.monotonic() + PERIOD_SECONDS))
        if period.alone < ALONE_MAX:
            period.alone += 1
            return True
        period.held += 1
        period.last = note
        return False

    def due(self, *, all: bool = False) -> list[tuple[BackgroundNote, int]]:
        """The last entry of each key whose minute is over, and how many were like it before."""
        moment = time.monotonic()
        over = {key: each for key, each in self._periods.items() if all or each.end <= moment}
        for key in over:
            del self._periods[key]
        return [(each.last, each.held - 1) for each in over.values() if each.last is not None]
