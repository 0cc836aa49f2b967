"""Gaps between commits: implausibly long ones must be accepted on record by two people.

A clock that runs ahead dates a commit far in the future, and every gaming day until then is empty.
The writer refuses such a commit (`log.write.group_commit`); an audit looks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from croupier.clock import DAY
from croupier.ledger.aggregates import administration
from croupier.ledger.aggregates.administration import Administration, ClockAccepted
from croupier.ledger.errors import printable, utc_minute
from croupier.ledger.log import Store
from croupier.ledger.log.transparency.check import LogProblem
from croupier.ledger.log.transparency.stored_tree import TREE
from croupier.ledger.log.write.group_commit import clock_jumped

# Commits more than a day after the one before, with the sizes of the log before and after
_GAPS = f"""
SELECT before, size, last, time FROM (
    SELECT size, time, lag(size) OVER (ORDER BY size) AS before,
        lag(time) OVER (ORDER BY size) AS last
    FROM head WHERE size <= ?
) AS commits WHERE time - last > {DAY} ORDER BY size
"""


class AcceptedClock(msgspec.Struct, frozen=True):
    """An entry by which two people accepted the clock."""

    sequence: int
    position: int
    event: ClockAccepted

    def __str__(self) -> str:
        event = self.event
        gap = f"no commit from {utc_minute(event.last)} to {utc_minute(event.time)}"
        return printable(f"{gap}: accepted by {event.by} and {event.second} ({event.reason})")


def check_gaps(
    store: Store, size: int, state: Administration, accepted: Mapping[int, AcceptedClock]
) -> Iterator[LogProblem]:
    """No commit is implausibly late, unless an entry in it (by its position) accepts that."""
    purpose = state.founded.purpose if state.founded is not None else "live"
    gap_max = administration.GAP_DAYS_MAX[purpose] * DAY
    unused = dict(accepted)
    for before, end, last, time in store.query(_GAPS, (size,)):
        statement = "SELECT max(at) FROM entry WHERE position >= ? AND position < ?"
        ((latest,),) = store.query(statement, (before, end))
        found = [unused.pop(position) for position in range(before, end) if position in unused]
        valid = any(item.event.last == last for item in found)
        if clock_jumped(last, time, latest, gap_max, accepted=valid):
            gap = f"{round((time - last) / DAY):,} days before position {before}"
            period = f"from {utc_minute(last)} to {utc_minute(time)}"
            yield LogProblem(TREE, 0, f"no commit {period}, {gap}: nobody accepted the clock")
    for item in unused.values():
        problem = "accepts a clock that was not ahead of the last commit"
        yield LogProblem(administration.STREAM, item.sequence, problem)
