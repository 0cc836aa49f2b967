"""Report registry: `report(ledger, kind, ...)` makes any report by its kind.

Revenue: shift, day, wagers. Meters: progressive. Registers: payouts, decks, irregularities.
Pit activity: tips, disputes, chips.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from croupier.documents.reports import pit_activity, progressive, registers, revenue
from croupier.documents.reports.model import Report, Scope, Section
from croupier.documents.reports.theoretical_win import (
    FindTheory,
    compare_with_theory,
    theory_from_analysis,
)
from croupier.errors import Unknown
from croupier.ledger.ledger import Ledger
from croupier.ledger.queries.periods import day_period, period_between
from croupier.ledger.queries.round_search import select_tables


class UnknownReport(Unknown):
    """No report has this name."""

    kind = "report"


def shift(scope: Scope) -> list[Section]:
    """Table revenue, game accounts, wagers and theoretical win."""
    activities = scope.activities()
    return [
        revenue.tables(activities),
        revenue.accounts(activities),
        revenue.wagers(activities, scope.ledger.house),
        compare_with_theory(activities, scope.ledger.house, scope.find_theory),
    ]


def day(scope: Scope) -> list[Section]:
    """The shift sections, and rounds unfinished at the end of the day."""
    return [*shift(scope), revenue.unfinished(scope.activities())]


def wagers(scope: Scope) -> list[Section]:
    """Handle, payout and win by wager, and theoretical win."""
    activities = scope.activities()
    return [
        revenue.wagers(activities, scope.ledger.house),
        compare_with_theory(activities, scope.ledger.house, scope.find_theory),
    ]


REPORTS: dict[str, tuple[str, Callable[[Scope], list[Section]]]] = {
    "shift": ("Shift report", shift),
    "day": ("Gaming day report", day),
    "wagers": ("Wagers", wagers),
    "progressive": ("Progressive meters", lambda scope: progressive.sections(scope)),
    "payouts": ("Payout register", lambda scope: registers.payouts(scope)),
    "decks": ("Deck log", lambda scope: registers.decks(scope)),
    "irregularities": ("Voids and irregularities", lambda scope: registers.irregularities(scope)),
    "tips": ("Tips", lambda scope: pit_activity.tips(scope)),
    "disputes": ("Disputes and differences", lambda scope: pit_activity.disputes(scope)),
    "chips": ("Chips by denomination", lambda scope: pit_activity.chips(scope)),
}


def report(
    ledger: Ledger,
    kind: str,
    *,
    table: str = "",
    since: dt.datetime | int | None = None,
    until: dt.datetime | int | None = None,
    day: str = "",
    find_theory: FindTheory = theory_from_analysis,
) -> Report:
    """Make a report for a period, or for a gaming day of the property.

    Raises UnknownReport for a kind that is not in `REPORTS`.
    """
    if kind not in REPORTS:
        raise UnknownReport(kind, REPORTS)
    tables = select_tables(ledger, table)
    within = day_period(ledger, day) if day else period_between(ledger, since, until)
    title, make = REPORTS[kind]
    founded = ledger.administration.founded
    assert founded is not None, "the ledger is not initialized"
    scope = Scope(ledger, tables, within, find_theory)
    return Report(
        kind=kind,
        title=f"{title}, {day}" if day else title,
        since=within.since,
        until=within.until,
        timezone=founded.timezone,
        day_starts=founded.day_starts,
        tables=scope.tables,
        operators=sorted({ledger.house(digest).operator for digest in ledger.store.houses()}),
        entries=(within.start, within.end),
        sections=make(scope),
    )
