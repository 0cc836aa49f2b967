"""How often somebody may ask."""

from __future__ import annotations

import pytest

from croupier.errors import BadInput
from croupier.server.auth import rate_limit
from croupier.server.auth.rate_limit import TokenBucket


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """The time that was set."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all rates."""
    found = Clock()
    monkeypatch.setattr(rate_limit, "time", found)
    return found


def test_so_many_at_once_and_then_as_time_passes(clock: Clock) -> None:
    """Each key for itself; a refused one costs nothing."""
    rate = TokenBucket("3/second")
    assert [True, True, True, False, False] == [rate.hit("ann") for _ in range(5)]
    assert rate.hit("bob")
    clock.now += 0.34
    assert [True, False] == [rate.hit("ann") for _ in range(2)]
    clock.now += 3600
    assert [True, True, True, False] == [rate.hit("ann") for _ in range(4)]


def test_a_flood_of_keys_does_not_fill_the_memory(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quiet are forgotten, never those who ask too much now."""
    monkeypatch.setattr(rate_limit, "KEYS_MAX", 3)
    rate = TokenBucket("1/minute")
    assert rate.hit("old")
    clock.now += 61
    assert rate.hit("ann") and rate.hit("bob") and rate.hit("cal")
    assert not rate.hit("ann")
    assert len(rate._buckets) <= 3


def test_what_is_no_rate() -> None:
    """Said plainly."""
    for text in ("", "0/second", "5/week", "many"):
        with pytest.raises(BadInput):
            TokenBucket(text)
