"""Where a store may be made to fail, by an object that is handed to it; by default none does."""

from __future__ import annotations

from typing import Protocol


class Failpoints(Protocol):
    """Told of every place where a write could be interrupted; it may raise, or end the process."""

    def point(self, where: str) -> None:
        """The store is about to go past this place."""


class NoFaults:
    """Nothing fails on purpose."""

    def point(self, where: str) -> None:
        """Go on."""


NO_FAULTS = NoFaults()
