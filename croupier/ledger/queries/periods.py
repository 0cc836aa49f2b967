"""Stretches of the record: what lies between two moments is cut by position, not by clocks.

The head of each transaction says when it was written, by the clock of the writer, which never
runs backwards in one log; so adjacent periods share no entry and miss none, whatever the clocks
of the tables said. A day that was closed is cut where its close says.
"""

from __future__ import annotations

import datetime as dt

import msgspec

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.ledger import Ledger
from croupier.ledger.log.transparency.stored_tree import TREE
from croupier.table import epoch_ms


class Period(msgspec.Struct, frozen=True):
    """The entries from one position of the log up to another, and the moments they stand for."""

    start: int
    end: int
    since: str = ""
    until: str = ""


def period(
    ledger: Ledger,
    since: dt.datetime | int | None = None,
    until: dt.datetime | int | None = None,
) -> Period:
    """What was written from one moment on and before another; all of it if none is given."""
    size = whole(ledger)
    first = epoch_ms(since) if since is not None else None
    last = epoch_ms(until) if until is not None else None
    start = ledger.store.size_at(first) if first is not None else 0
    end = min(ledger.store.size_at(last), size) if last is not None else size
    return Period(
        min(start, end),
        end,
        stamp(first) if first is not None else "",
        stamp(last) if last is not None else "",
    )


def day_period(ledger: Ledger, day: str) -> Period:
    """A gaming day of the property."""
    office = ledger.read_office()
    begins, ends = office.gaming_day(day)
    closed = office.days.get(day)
    # The day that was closed right before; closed days follow one another in the record.
    earlier = next((d for name, d in office.days.items() if _follows(day, name)), None)
    size = whole(ledger)
    start = earlier.size if earlier is not None else ledger.store.size_at(begins)
    end = closed.size if closed is not None else min(ledger.store.size_at(ends), size)
    return Period(min(start, end), end, stamp(begins), stamp(ends))


def _follows(day: str, before: str) -> bool:
    return dt.date.fromisoformat(before).toordinal() + 1 == dt.date.fromisoformat(day).toordinal()


def whole(ledger: Ledger) -> int:
    """The size of the log, whose head must stand for what is there."""
    head = ledger.store.head()
    if ledger.store.tree.root(head.size) != head.root:
        raise Damaged(TREE, head.size, "the head contradicts the entries before it")
    return head.size


def stamp(at: int) -> str:
    """A moment as it is printed."""
    try:
        found = dt.datetime.fromtimestamp(at // 1000, dt.UTC)
    except (OverflowError, ValueError, OSError):
        raise LedgerError(f"{at} is beyond what a calendar knows") from None
    return f"{found:%Y-%m-%dT%H:%M:%S}.{at % 1000:03d}Z"
