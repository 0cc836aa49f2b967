"""What a table has won against what theory expects, each bet with its exact band.

The band is that of the whole distribution, rounds convolved at the stakes that were laid
(`study.band`). Of a bet whose distribution is not known here the interval is that of the report on
wagers, by the variance, and is marked so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from io import StringIO
from typing import Any, Literal

import msgspec

from croupier.documents.reports.model_scope import Scope
from croupier.documents.reports.theoretical_win import (
    MAIN,
    against_theory,
    from_study,
    nearest,
    summed,
)
from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger.ledger import Ledger
from croupier.ledger.queries.activity import Activity
from croupier.ledger.queries.periods import period
from croupier.ledger.queries.round_search import tables_of
from croupier.money import Cents

Shares = Mapping[Fraction, Fraction]  # how often each net result of one unit comes
FindShares = Callable[[House, str], Shares | None]
LEVEL = 0.95
INK, BAND, GOOD, BAD = "#1b1d1a", "#9db8d2", "#14672f", "#a31d1d"


class Won(msgspec.Struct, frozen=True, kw_only=True):
    """One bet of one House: what the house won of it, what was to be expected, and within what."""

    game: str
    house: str
    bet: str
    count: int
    staked: Cents  # of the main game the antes
    actual: Cents
    expected: Cents | None = None
    low: Cents | None = None
    high: Cents | None = None
    band: Literal["exact", "variance", ""] = ""

    @property
    def outside(self) -> bool:
        """Whether the win lies outside its band."""
        return (
            self.low is not None
            and self.high is not None
            and not (self.low <= self.actual <= self.high)
        )


def won(ledger: Ledger, table: str, find: FindShares) -> tuple[Won, ...]:
    """Every bet of a table since it was opened."""
    scope = Scope(ledger, tables_of(ledger, table), period(ledger, None, None), from_study)
    activities = scope.activities()
    digests = {digest for activity in activities for digest in activity.mains}
    return tuple(
        line
        for digest in sorted(digests)
        for line in _under(ledger.house(digest), [_only(each, digest) for each in activities], find)
    )


def _only(activity: Activity, digest: str) -> Activity:
    """What happened under one House."""
    return msgspec.structs.replace(
        activity,
        mains={key: main for key, main in activity.mains.items() if key == digest},
        wagers={key: totals for key, totals in activity.wagers.items() if key[0] == digest},
    )


def _under(house: House, activities: list[Activity], find: FindShares) -> Iterator[Won]:
    for row in against_theory(activities, lambda digest: house, from_study).rows:
        bet = row["bet"]
        wager = house.game.ante.name if bet == MAIN else bet
        totals = [each.wagers[key] for each in activities for key in each.wagers if key[1] == wager]
        stakes = summed(*(each.stakes for each in totals))
        whole = sum(stakes.values()) == row["count"]  # every box with its ante
        yield _line(row, house.digest, stakes, find(house, bet) if whole else None)


def _line(
    row: Mapping[str, Any], digest: str, stakes: Mapping[Cents, int], shares: Shares | None
) -> Won:
    line = Won(
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
        found = prediction_interval(shares, stakes, LEVEL)
    except BadInput:  # more sums than can be added up
        return line
    staked = sum(stake * times for stake, times in stakes.items())
    low, high = (nearest(-each * staked) for each in (found.high, found.low))
    return msgspec.structs.replace(line, low=low, high=high, band="exact")


def win_plot(lines: tuple[Won, ...], title: str) -> str:
    """The bands as bars, theory as a stroke, the win as a dot; in percent of what was staked."""
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
        colour = BAD if line.outside else GOOD
        axes.plot([share(line.actual)], [place], marker="o", markersize=8, color=colour)
    axes.set_yticks(range(len(shown)), [f"{one.bet.replace('_', ' ')}" for one in reversed(shown)])
    axes.axvline(0, color="#999999", linewidth=0.6, zorder=0)
    axes.set_xlabel("win, percent of what was staked: bar 95 %, stroke theory, dot this table")
    axes.set_title(title)
    text = StringIO()
    with mpl.rc_context({"svg.hashsalt": "croupier"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()
