"""A manual clock for the ledger: set by the test, or advanced by `tick` at every reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from croupier.ledger import day_close, ledger, recorded_table
from croupier.ledger.aggregates import shared_aggregates
from croupier.ledger.log.write import group_commit
from tests.support.recorded_rounds import AT


class ManualClock:
    """Replacement of `now_ms`."""

    def __init__(self, at: int = AT, tick: int = 0) -> None:
        self.at, self.tick = at, tick

    def __call__(self) -> int:
        self.at += self.tick
        return self.at

    def hours(self, count: float) -> None:
        """Advance the clock by hours."""
        self.at += round(count * 3_600_000)


@contextmanager
def manual_clock(at: int = AT, tick: int = 0) -> Iterator[ManualClock]:
    """Replace the clock of the ledger within the block."""
    with pytest.MonkeyPatch.context() as patch:
        replacement = ManualClock(at, tick)
        for module in (group_commit, day_close, shared_aggregates, recorded_table, ledger):
            patch.setattr(module, "now_ms", replacement)
        yield replacement
