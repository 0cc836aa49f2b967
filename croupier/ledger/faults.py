"""Crash on purpose: `CROUPIER_CRASH_AT=n` kills the process at the n-th write point it passes.

The crash tests walk n upwards until a run survives, so no write point is left out. Without the
variable a point costs one comparison.
"""

from __future__ import annotations

import os
import signal

VARIABLE = "CROUPIER_CRASH_AT"
_left = int(os.environ.get(VARIABLE, "0"))


def point() -> None:
    """A place where the process may die: SIGKILL when the countdown reaches zero."""
    global _left
    if _left:
        _left -= 1
        if not _left:
            os.kill(os.getpid(), signal.SIGKILL)
