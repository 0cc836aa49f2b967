"""In-memory token bucket, keyed by account or client address."""

from __future__ import annotations

import re
import time

from croupier.errors import BadInput

SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
KEYS_MAX = 100_000  # in memory; full buckets are evicted first


class TokenBucket:
    """A rate limit for any number of keys: `TokenBucket("60/second").hit(key)`.

    Up to 60 hits at once are allowed; the bucket refills at 60 per second.
    """

    def __init__(self, text: str) -> None:
        match = re.fullmatch(r"([1-9]\d*)/(second|minute|hour)", text)
        if match is None:
            raise BadInput(f"{text!r} is not a rate; expected for example 60/second")
        self.capacity = float(match[1])
        self.seconds = SECONDS[match[2]]
        self._buckets: dict[str, tuple[float, float]] = {}  # tokens left, and when

    def hit(self, key: str, cost: float = 1.0) -> bool:
        """Take one token, or as many as a request costs; False if there are too few.

        A request that costs more than the capacity needs a full bucket.
        """
        cost = min(cost, self.capacity)
        moment = time.monotonic()
        tokens, since = self._buckets.get(key, (self.capacity, moment))
        tokens = min(self.capacity, tokens + (moment - since) * self.capacity / self.seconds)
        if tokens < cost:
            return False
        if len(self._buckets) >= KEYS_MAX and key not in self._buckets:
            self._evict(moment)
        self._buckets[key] = (tokens - cost, moment)
        return True

    def _evict(self, moment: float) -> None:
        """Drop the buckets that are full again; all of them if that is not enough."""
        used = {
            key: bucket
            for key, bucket in self._buckets.items()
            if moment - bucket[1] < self.seconds
        }
        self._buckets = used if len(used) < KEYS_MAX else {}
