"""Milliseconds since the epoch, time zones, and gaming days."""

from __future__ import annotations

import time as system_time
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croupier.errors import BadInput

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
TIMEZONE, DAY_STARTS = "UTC", "06:00"


def now_ms() -> int:
    """Current time in milliseconds since the epoch."""
    return system_time.time_ns() // 1_000_000


def gaming_day(at: int, timezone: str, day_starts: str) -> date:
    """The gaming day that a moment belongs to, by the clock on the wall of the property."""
    # The clock of a test may stand before 1970, which the platform cannot turn into a day.
    local = datetime.fromtimestamp(max(at, 0) // 1000, load_timezone(timezone))
    early = local.time() < parse_time_of_day(day_starts)
    return local.date() - timedelta(days=1) if early else local.date()


@cache
def load_timezone(timezone: str) -> tzinfo:
    """A time zone by its name; BadInput if there is none."""
    if timezone == "UTC":
        return UTC
    try:
        return ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        told = f"{timezone!r} is no time zone; expected such as America/New_York"
        raise BadInput(told) from None


@cache
def parse_time_of_day(text: str) -> time:
    """A time of day such as 06:00; BadInput if it is none."""
    try:
        found = time.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or f"{found:%H:%M}" != text:
        raise BadInput(f"{text!r} is no time of day; expected such as {DAY_STARTS}")
    return found
