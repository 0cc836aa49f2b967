"""Time in milliseconds since the epoch, time zones and gaming days."""

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
    """The gaming day of a moment in the property's local time.

    A gaming day starts at `day_starts` ("06:00"); earlier hours belong to the day before.
    """
    # Test clocks may start before 1970, which some platforms cannot convert.
    local = datetime.fromtimestamp(max(at, 0) // 1000, load_timezone(timezone))
    before_start = local.time() < parse_time_of_day(day_starts)
    return local.date() - timedelta(days=1) if before_start else local.date()


@cache
def load_timezone(timezone: str) -> tzinfo:
    """The time zone with this IANA name. Raises `BadInput`."""
    if timezone == "UTC":
        return UTC
    try:
        return ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        problem = f"{timezone!r} is not a time zone; expected a name such as America/New_York"
        raise BadInput(problem) from None


@cache
def parse_time_of_day(text: str) -> time:
    """Parse a time of day of the form 06:00. Raises `BadInput`."""
    try:
        parsed = time.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or f"{parsed:%H:%M}" != text:
        raise BadInput(f"{text!r} is not a time of day; expected a time such as {DAY_STARTS}")
    return parsed


def parse_time(text: str, zone: tzinfo) -> datetime | None:
    """An ISO 8601 date or time, local without an offset; None if empty. Raises `BadInput`."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        problem = f"{text!r} is not a time; expected for example 2026-11-15T18:00"
        raise BadInput(problem) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
