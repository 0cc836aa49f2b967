"""Actual win of a table against theoretical win, with an exact 95% band for each bet.

The band is exact: the distribution of one round is convolved over the recorded stakes
(`croupier.analysis.band`). A bet whose distribution is unavailable falls back to the normal
approximation of the wagers report; `ActualWin.band` says which one applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from io import StringIO
from typing import Any, Literal

import msgspec

from croupier.documents.reports.model import Scope
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
from croupier.ledger.queries.periods import period_between
from croupier.ledger.queries.round_search import select_tables
from croupier.money import Cents

Shares = Mapping[Fraction, Fraction]  # probability of each net result per unit
FindShares = Callable[[House, str], Shares | None]
LEVEL = 0.95
INK, BAND, GOOD, BAD = "#1b1d1a", "#9db8d2", "#14672f", "#a31d1d"


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


def actual_wins(ledger: Ledger, table: str, find: FindShares) -> tuple[ActualWin, ...]:
    """Actual win of every bet of a table since it was opened."""
    scope = Scope(
        ledger,
        select_tables(ledger, table),
        period_between(ledger, None, None),
        theory_from_analysis,
    )
    activities = scope.activities()
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


def win_plot(lines: tuple[ActualWin, ...], title: str) -> str:
    """Plot as SVG: bands as bars, theoretical win as a tick, actual win as a dot, in %."""
    import matplotlib as mpl

    mpl.use("svg", force=False)
    from matplotlib.figure import Figure

    shown = [line for line in lines if line.staked]
    figure = Figure(figsize=(8, 1.2 + 0.55 * max(1, len(shown))), layout="constrained")
    axes = figure.subplots()
    for place, line in enumerate(reversed(shown)):

        def share(cents: Cents, staked: Cents = line.staked) -> float:
            return float(Fraction(100 * cents, staked))

        if line.low is not None and line.high is not None:
            start, end = share(line.low), share(line.high)
            axes.barh(place, end - start, left=start, height=0.55, color=BAND)
        if line.expected is not None:
            axes.plot([share(line.expected)] * 2, [place - 0.35, place + 0.35], color=INK)
        color = BAD if line.outside else GOOD
        axes.plot([share(line.actual)], [place], marker="o", markersize=8, color=color)
    axes.set_yticks(range(len(shown)), [line.bet.replace("_", " ") for line in reversed(shown)])
    axes.axvline(0, color="#999999", linewidth=0.6, zorder=0)
    axes.set_xlabel("win, % of amount staked (bar: 95% band, tick: theoretical, dot: actual)")
    axes.set_title(title)
    text = StringIO()
    with mpl.rc_context({"svg.hashsalt": "croupier"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()
