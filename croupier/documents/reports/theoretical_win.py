"""Actual against theoretical win: what the mathematics expects, and how far chance may stray.

The theory comes from `croupier.analysis`, asked only when a report needs it and never required. The
band of a bet comes from its whole distribution at the stakes that were laid (`study.band`). A main
game whose distribution nobody has worked out yet has the band of a bell curve with the variance of
the recorded boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

import msgspec

from croupier.documents.reports.model import Column, Row, Section, percent
from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger.queries.activity import Activity, MainTotals, WagerTotals

DEVIATIONS_95 = Fraction(196, 100)  # a normal variable strays farther in 5 of 100 cases
MAIN = "main game"


class Theory(msgspec.Struct, frozen=True):
    """One bet, per unit staked: what the house keeps on average, and the exact variance."""

    edge: Fraction
    variance: Fraction | None
    shares: Mapping[Fraction, Fraction] | None = None  # how often each net result of a unit comes


FindTheory = Callable[[House], Mapping[str, Theory]]


_known: dict[str, Mapping[str, Theory]] = {}


def from_study(house: House) -> Mapping[str, Theory]:
    """The theory of every bet of a House; nothing if the study room cannot answer here."""
    if house.digest not in _known:
        try:
            _known[house.digest] = _ask(house)
        except (ImportError, OSError):  # not installed, or without its data
            return {}
    return _known[house.digest]


def _ask(house: House) -> Mapping[str, Theory]:
    from croupier.analysis import analyze_side_wager, cached_main_distribution
    from croupier.games.expected_returns import returns

    found = {}
    for wager, comes_back in returns(house).items():
        if wager == "main":
            found[MAIN] = Theory(1 - comes_back, None, cached_main_distribution(house))
        else:
            side = analyze_side_wager(house, wager)
            found[wager] = Theory(1 - comes_back, side.variance, side.shares)
    return found


COLUMNS = (
    Column("game", "game"),
    Column("bet", "bet"),
    Column("count", "settled", "count"),
    Column("base", "staked on", "text"),
    Column("staked", "staked", "cents"),
    Column("actual", "actual win", "cents"),
    Column("theoretical", "theoretical win", "cents"),
    Column("low", "95% from", "cents"),
    Column("high", "95% to", "cents"),
    Column("actual_percent_of_staked", "actual % of staked", "percent"),
    Column("theoretical_percent_of_staked", "theoretical % of staked", "percent"),
    Column("flag", "flag"),
)
NOTES = (
    'The main game is staked in antes: its percentages are of "staked", which are the antes.',
    "A band is that of the bet's own distribution, or of a bell curve where nobody has solved it.",
    "Theory assumes perfect play and meters at their reset amounts; players who err lose more.",
)


def against_theory(
    activities: Iterable[Activity],
    find_house: Callable[[str], House],
    find_theory: FindTheory = from_study,
) -> Section:
    """Every bet of every House with its interval; a flag where the actual win lies outside."""
    mains: dict[str, MainTotals] = {}
    wagers: dict[tuple[str, str], WagerTotals] = {}
    for activity in activities:
        for digest, main in activity.mains.items():
            _add(mains.setdefault(digest, MainTotals(house=digest)), main)
        for key, totals in activity.wagers.items():
            _add(wagers.setdefault(key, WagerTotals(house=key[0], wager=key[1])), totals)
    rows: list[Row] = []
    for digest, main in sorted(mains.items()):
        house = find_house(digest)
        spread = _recorded_variance(main)
        known = find_theory(house).get(MAIN)
        base = house.game.ante.name
        row = _row(house, MAIN, main.boxes, base, main.antes, main.win, known, spread)
        rows.append(_within_band(row, wagers.get((digest, base)), known))
    for (digest, wager), totals in sorted(wagers.items()):
        house = find_house(digest)
        found = house.game.wager(wager)
        if found is None or found.role not in ("optional", "progressive") or not totals.settled:
            continue
        known = find_theory(house).get(wager)
        exact = known.variance if known else None
        spread = exact * totals.stake_squares if exact is not None else None
        row = _row(house, wager, totals.settled, wager, totals.handle, totals.win, known, spread)
        rows.append(_within_band(row, totals, known))
    return Section(title="Actual against theoretical win", columns=COLUMNS, rows=rows, notes=NOTES)


def _add(total: Any, more: Any) -> None:
    for field in total.__struct_fields__:
        value = getattr(more, field)
        if isinstance(value, int):
            setattr(total, field, getattr(total, field) + value)
        elif isinstance(value, dict):
            setattr(total, field, summed(getattr(total, field), value))


def summed(*counts: Mapping[int, int]) -> dict[int, int]:
    """How often each stake was laid, in all."""
    found: dict[int, int] = {}
    for count in counts:
        for stake, times in count.items():
            found[stake] = found.get(stake, 0) + times
    return found


def _recorded_variance(main: MainTotals) -> Fraction | None:
    """The variance of the sum, as the recorded boxes show it; one box shows none."""
    if main.boxes < 2:
        return None
    around = main.win_squares - Fraction(main.win**2, main.boxes)
    return around * Fraction(main.boxes, main.boxes - 1)


def _within_band(row: Row, totals: WagerTotals | None, known: Theory | None) -> Row:
    """The row with the band of the bet's own distribution, where that can be worked out.

    `totals` are those of the wager that the bet is staked on: of the main game, its antes.
    """
    if known is None or not known.shares or totals is None or not totals.stakes:
        return row
    try:
        from croupier.analysis import prediction_interval

        found = prediction_interval(known.shares, totals.stakes)
    except (ImportError, BadInput):  # no study room here, or a distribution too fine for it
        return row
    low, high = -found.high * row["staked"], -found.low * row["staked"]
    flag = "" if low <= row["actual"] <= high else "OUTSIDE 95%"
    return {**row, "low": nearest(low), "high": nearest(high), "flag": flag}


def _row(
    house: House,
    bet: str,
    count: int,
    base: str,
    staked: int,
    actual: int,
    theory: Theory | None,
    variance: Fraction | None,
) -> Row:
    row: dict[str, Any] = {
        "game": house.game.key,
        "bet": bet,
        "count": count,
        "base": base,
        "staked": staked,
        "actual": actual,
        "actual_percent_of_staked": percent(actual, staked),
        "flag": "no theory",
    }
    if theory is None:
        return row
    expected = theory.edge * staked
    row["theoretical"] = nearest(expected)
    row["theoretical_percent_of_staked"] = theory.edge * 100
    row["flag"] = "too few"
    if variance is not None:
        stray = DEVIATIONS_95 * root(variance)
        row["low"], row["high"] = nearest(expected - stray), nearest(expected + stray)
        row["flag"] = "OUTSIDE 95%" if abs(actual - expected) > stray else ""
    return row


def root(value: Fraction) -> Fraction:
    """The square root, from below, to a millionth of a cent."""
    scale = 10**6
    return Fraction(isqrt(value.numerator * scale**2 // value.denominator), scale)


def nearest(value: Fraction) -> int:
    """Whole cents, halves away from zero, for print."""
    whole = (abs(value.numerator) * 2 + value.denominator) // (2 * value.denominator)
    return whole if value >= 0 else -whole
