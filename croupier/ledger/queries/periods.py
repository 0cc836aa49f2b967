"""Periods of the log, as ranges of positions.

The head of each transaction has the time it was written, by the writer's clock, which never runs
backwards within one log. Adjacent periods therefore share no entry and miss none, whatever the
clocks of the tables said. A closed day ends where its close says.
"""

from __future__ import annotations

import datetime as dt

import msgspec

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.ledger import Ledger
from croupier.ledger.log.transparency.stored_tree import TREE
from croupier.table import epoch_ms


class Period(msgspec.Struct, frozen=True):
    """Positions from `start` up to `end`, exclusive, with the times they stand for."""

    start: int
    end: int
    since: str = ""
    until: str = ""


def period_between(
    ledger: Ledger,
    since: dt.datetime | int | None = None,
    until: dt.datetime | int | None = None,
) -> Period:
    """The entries written at or after `since` and before `until`; without limits, all of them."""
    size = verified_size(ledger)
    first = epoch_ms(since) if since is not None else None
    last = epoch_ms(until) if until is not None else None
    start = ledger.store.size_at(first) if first is not None else 0
    end = min(ledger.store.size_at(last), size) if last is not None else size
    return Period(
        min(start, end),
        end,
        utc_timestamp(first) if first is not None else "",
        utc_timestamp(last) if last is not None else "",
    )


def day_period(ledger: Ledger, day: str) -> Period:
    """The period of a gaming day."""
    state = ledger.read_administration()
    begins, ends = state.gaming_day(day)
    closed = state.days.get(day)
    previous = next(
        (other for name, other in state.days.items() if _is_day_before(name, day)), None
    )
    size = verified_size(ledger)
    start = previous.size if previous is not None else ledger.store.size_at(begins)
    end = closed.size if closed is not None else min(ledger.store.size_at(ends), size)
    return Period(min(start, end), end, utc_timestamp(begins), utc_timestamp(ends))


def _is_day_before(day: str, next_day: str) -> bool:
    return dt.date.fromisoformat(day).toordinal() + 1 == dt.date.fromisoformat(next_day).toordinal()


def verified_size(ledger: Ledger) -> int:
    """The size of the log; Damaged if its head does not match the entries."""
    head = ledger.store.head()
    if ledger.store.tree.root(head.size) != head.root:
        raise Damaged(TREE, head.size, "the head contradicts the entries before it")
    return head.size


def utc_timestamp(at: int) -> str:
    """Format milliseconds since the epoch as ISO 8601 in UTC."""
    try:
        moment = dt.datetime.fromtimestamp(at // 1000, dt.UTC)
    except (OverflowError, ValueError, OSError):
        raise LedgerError(f"{at} is out of the calendar's range") from None
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at % 1000:03d}Z"
