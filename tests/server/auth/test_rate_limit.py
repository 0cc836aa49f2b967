"""The token bucket."""

from __future__ import annotations

import pytest

from croupier.errors import BadInput
from croupier.server.auth import rate_limit
from croupier.server.auth.rate_limit import TokenBucket


class Clock:
    """A clock set by the test."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """The time set by the test."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of every bucket."""
    clock = Clock()
    monkeypatch.setattr(rate_limit, "time", clock)
    return clock


def test_a_bucket_allows_a_burst_and_refills(clock: Clock) -> None:
    """Keys are independent; a refused hit takes no token."""
    bucket = TokenBucket("3/second")
    assert [True, True, True, False, False] == [bucket.hit("ann") for _ in range(5)]
    assert bucket.hit("bob")
    clock.now += 0.34
    assert [True, False] == [bucket.hit("ann") for _ in range(2)]
    clock.now += 3600
    assert [True, True, True, False] == [bucket.hit("ann") for _ in range(4)]


def test_a_flood_of_keys_is_bounded(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Idle keys are evicted; a key over its limit stays limited."""
    monkeypatch.setattr(rate_limit, "KEYS_MAX", 3)
    bucket = TokenBucket("1/minute")
    assert bucket.hit("old")
    clock.now += 61
    assert bucket.hit("ann") and bucket.hit("bob") and bucket.hit("cal")
    assert not bucket.hit("ann")
    assert len(bucket._buckets) <= 3


def test_invalid_rates_are_refused() -> None:
    """With BadInput."""
    for text in ("", "0/second", "5/week", "many"):
        with pytest.raises(BadInput):
            TokenBucket(text)
