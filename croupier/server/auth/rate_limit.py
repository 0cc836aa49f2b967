"""How often somebody may ask: so many at once, and no more than so many in a time.

Each key has a bucket that fills by itself; looking at it costs a look at the clock.
"""

from __future__ import annotations

import re
import time

from croupier.errors import BadInput

SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
KEYS_MAX = 100_000  # that are remembered; whoever was quiet for long enough is forgotten first


class TokenBucket:
    """A limit such as 60/second, for any number of keys."""

    def __init__(self, text: str) -> None:
        found = re.fullmatch(r"([1-9]\d*)/(second|minute|hour)", text)
        if found is None:
            raise BadInput(f"{text!r} is no rate; expected such as 60/second")
        self.most = float(found[1])
        self.seconds = SECONDS[found[2]]
        self._left: dict[str, tuple[float, float]] = {}  # what is left, and when that was

    def hit(self, key: str) -> bool:
        """Count one more; False if there are too many."""
        moment = time.monotonic()
        left, since = self._left.get(key, (self.most, moment))
        left = min(self.most, left + (moment - since) * self.most / self.seconds)
        if left < 1.0:
            return False
        if len(self._left) >= KEYS_MAX and key not in self._left:
            self._forget(moment)
        self._left[key] = (left - 1.0, moment)
        return True

    def _forget(self, moment: float) -> None:
        """Those whose bucket is full again; everybody, if that frees nothing."""
        kept = {key: one for key, one in self._left.items() if moment - one[1] < self.seconds}
        self._left = kept if len(kept) < KEYS_MAX else {}
