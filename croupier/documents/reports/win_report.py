"""Actual win of a table against theoretical win, with an exact 95% band for each bet.

The band is exact: the distribution of one round is convolved over the recorded stakes
(`croupier.analysis.band`). A bet whose distribution is unavailable falls back to the normal
approximation of the wagers report; `ActualWin.band` says which one applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec

from croupier.documents.reports import revenue
from croupier.documents.reports.model import Scope, decimal
from croupier.documents.reports.theoretical_win import (
    MAIN,
    compare_with_theory,
    round_cents,
    sum_stakes,
    theory_from_analysis,
)
from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger.ledger import Ledger
from croupier.ledger.queries.activity import Activity
from croupier.ledger.queries.periods import Period, period_between
from croupier.ledger.queries.round_search import select_tables
from croupier.money import Cents

Shares = Mapping[Fraction, Fraction]  # probability of each net result per unit
FindShares = Callable[[House, str], Shares | None]
LEVEL = 0.95


class ActualWin(msgspec.Struct, frozen=True, kw_only=True):
    """Actual and theoretical win of one bet of one House, with the 95% band."""

    game: str
    house: str
    bet: str
    count: int
    staked: Cents  # for the main game, the antes
    actual: Cents
    expected: Cents | None = None
    low: Cents | None = None
    high: Cents | None = None
    band: Literal["exact", "variance", ""] = ""

    @property
    def outside(self) -> bool:
        """Whether the actual win lies outside its band."""
        return (
            self.low is not None
            and self.high is not None
            and not (self.low <= self.actual <= self.high)
        )


class TableTotals(msgspec.Struct, frozen=True, kw_only=True):
    """Handle, drop and win of a table; the hold is its win as a share of the drop."""

    table: str
    rounds: int
    handle: Cents
    drop: Cents
    win: Cents  # by inventory
    settled: Cents  # by settlements
    hold_percent_of_drop: str  # two decimals; empty without a drop


class TableWin(msgspec.Struct, frozen=True, kw_only=True):
    """What a table won in a period, in total and bet by bet."""

    totals: TableTotals | None  # None without activity
    bets: tuple[ActualWin, ...]


def table_win(ledger: Ledger, table: str, find: FindShares, period: Period) -> TableWin:
    """The win of a table in a period."""
    activities = _activities(ledger, table, period)
    totals = [_totals(row) for row in revenue.tables(activities).rows]
    return TableWin(totals=totals[0] if totals else None, bets=_wins(ledger, activities, find))


def table_totals(ledger: Ledger, table: str, period: Period) -> TableTotals | None:
    """The totals of a table in a period; None without activity."""
    rows = revenue.tables(_activities(ledger, table, period)).rows
    return _totals(rows[0]) if rows else None


def actual_wins(ledger: Ledger, table: str, find: FindShares) -> tuple[ActualWin, ...]:
    """Actual win of every bet of a table since it was opened."""
    return _wins(ledger, _activities(ledger, table, period_between(ledger, None, None)), find)


def _activities(ledger: Ledger, table: str, period: Period) -> list[Activity]:
    return Scope(ledger, select_tables(ledger, table), period, theory_from_analysis).activities()


def _totals(row: Mapping[str, Any]) -> TableTotals:
    hold = row["win_percent_of_drop"]
    return TableTotals(
        table=row["table"],
        rounds=row["rounds"],
        handle=row["handle"],
        drop=row["drop"],
        win=row["win"],
        settled=row["settled"],
        hold_percent_of_drop="" if hold is None else decimal(hold, 2),
    )


def _wins(ledger: Ledger, activities: list[Activity], find: FindShares) -> tuple[ActualWin, ...]:
    digests = {digest for activity in activities for digest in activity.mains}
    return tuple(
        line
        for digest in sorted(digests)
        for line in _house_wins(
            ledger.house(digest), [_only(activity, digest) for activity in activities], find
        )
    )


def _only(activity: Activity, digest: str) -> Activity:
    """The part of an activity that was played under one House."""
    return msgspec.structs.replace(
        activity,
        mains={key: main for key, main in activity.mains.items() if key == digest},
        wagers={key: totals for key, totals in activity.wagers.items() if key[0] == digest},
    )


def _house_wins(house: House, activities: list[Activity], find: FindShares) -> Iterator[ActualWin]:
    for row in compare_with_theory(activities, lambda digest: house, theory_from_analysis).rows:
        bet = row["bet"]
        wager = house.game.ante.name if bet == MAIN else bet
        stakes = sum_stakes(
            *(
                totals.stakes
                for activity in activities
                for key, totals in activity.wagers.items()
                if key[1] == wager
            )
        )
        complete = sum(stakes.values()) == row["count"]  # every box with its ante
        yield _actual_win(row, house.digest, stakes, find(house, bet) if complete else None)


def _actual_win(
    row: Mapping[str, Any], digest: str, stakes: Mapping[Cents, int], shares: Shares | None
) -> ActualWin:
    line = ActualWin(
        game=row["game"],
        house=digest,
        bet=row["bet"],
        count=row["count"],
        staked=row["staked"],
        actual=row["actual"],
        expected=row.get("theoretical"),
        low=row.get("low"),
        high=row.get("high"),
        band="variance" if row.get("low") is not None else "",
    )
    if shares is None or not stakes:
        return line
    from croupier.analysis import prediction_interval

    try:
        interval = prediction_interval(shares, stakes, LEVEL)
    except BadInput:  # too many distinct sums to convolve
        return line
    staked = sum(stake * times for stake, times in stakes.items())
    low, high = (round_cents(-share * staked) for share in (interval.high, interval.low))
    return msgspec.structs.replace(line, low=low, high=high, band="exact")
