"""Time as a table counts it, in milliseconds."""

from __future__ import annotations

MINUTE = 60_000
HOUR = 60 * MINUTE
