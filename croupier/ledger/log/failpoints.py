"""Fault injection: named points of the write path where a test can make the store fail."""

from __future__ import annotations

from typing import Protocol


class Failpoints(Protocol):
    """Called at every point where a write could be interrupted."""

    def point(self, where: str) -> None:
        """The store is about to pass this point; raise, or end the process, to inject a fault."""


class NoFaults:
    """Injects nothing."""

    def point(self, where: str) -> None:
        """Continue."""


NO_FAULTS = NoFaults()
