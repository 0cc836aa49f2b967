"""The reports operators expect: `report(ledger, kind, ...)` makes any of them.

shift, day, wagers: money; progressive: meters; payouts, decks, irregularities: registers.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from croupier.errors import Unknown
from croupier.ledger.chain import stamp
from croupier.ledger.days import check_day
from croupier.ledger.errors import NotFound
from croupier.ledger.service import Ledger
from croupier.papers import progressive, registers, revenue
from croupier.papers.scope import Scope
from croupier.papers.sheet import Report, Section
from croupier.papers.theory import FindTheory, against_theory, from_study

DAY_STARTS = dt.time(6, 0)  # a gaming day of 24 hours begins then, UTC, unless told otherwise


class UnknownReport(Unknown):
    """No report has this name."""

    kind = "report"


def shift(scope: Scope) -> list[Section]:
    """Revenue, game accounts, wagers and theory."""
    activities = scope.activities()
    return [
        revenue.tables(activities),
        revenue.accounts(activities),
        revenue.wagers(activities, scope.ledger.house),
        against_theory(activities, scope.ledger.house, scope.find_theory),
    ]


def day(scope: Scope) -> list[Section]:
    """A shift, and what was unfinished when the day ended."""
    return [*shift(scope), revenue.unfinished(scope.activities())]


def wagers(scope: Scope) -> list[Section]:
    """Handle, payout and win by wager, and the theory."""
    activities = scope.activities()
    return [
        revenue.wagers(activities, scope.ledger.house),
        against_theory(activities, scope.ledger.house, scope.find_theory),
    ]


REPORTS: dict[str, tuple[str, Callable[[Scope], list[Section]]]] = {
    "shift": ("Shift report", shift),
    "day": ("Gaming day report", day),
    "wagers": ("Wagers", wagers),
    "progressive": ("Progressive meters", lambda scope: progressive.sections(scope)),
    "payouts": ("Payout register", lambda scope: registers.payouts(scope)),
    "decks": ("Deck log", lambda scope: registers.decks(scope)),
    "irregularities": ("Voids and irregularities", lambda scope: registers.irregularities(scope)),
}


def report(
    ledger: Ledger,
    kind: str,
    *,
    table: str = "",
    since: dt.datetime | None = None,
    until: dt.datetime | None = None,
    day: str = "",
    day_starts: dt.time = DAY_STARTS,
    find_theory: FindTheory = from_study,
) -> Report:
    """Make a report; `day` stands for the 24 hours of a gaming day in place of since and until."""
    if kind not in REPORTS:
        raise UnknownReport(kind, REPORTS)
    known = ledger.tables()
    if table and table not in known:
        raise NotFound(f"no table {table!r} is on record; there are: {', '.join(known)}")
    if day:
        since, until = gaming_day(day, day_starts)
    title, make = REPORTS[kind]
    scope = Scope(ledger, [table] if table else known, since, until, find_theory)
    return Report(
        kind=kind,
        title=f"{title}, {day}" if day else title,
        since=stamp(since) if since else "",
        until=stamp(until) if until else "",
        tables=scope.tables,
        sections=make(scope),
    )


def gaming_day(day: str, starts: dt.time = DAY_STARTS) -> tuple[dt.datetime, dt.datetime]:
    """The beginning and the end of a gaming day."""
    check_day(day)
    since = dt.datetime.combine(dt.date.fromisoformat(day), starts, tzinfo=starts.tzinfo or dt.UTC)
    return since, since + dt.timedelta(days=1)
