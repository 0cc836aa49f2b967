"""Actual win against theoretical win, with a 95% band for each bet.

Theory comes from `croupier.analysis`, which is imported on first use and optional. The band of a
bet is exact where its distribution is known (`croupier.analysis.band` at the recorded stakes).
Otherwise it is a normal approximation; for a main game, with the variance of the recorded boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

import msgspec

from croupier.documents.reports.model import Column, Row, Section, percentage
from croupier.errors import BadInput
from croupier.games import House
from croupier.ledger.queries.activity import Activity, MainWagerActivity, WagerActivity

DEVIATIONS_95 = Fraction(196, 100)  # two-sided 95% interval of a normal distribution
MAIN = "main game"


class Theory(msgspec.Struct, frozen=True):
    """House edge, exact variance and distribution of one bet per unit staked."""

    edge: Fraction
    variance: Fraction | None
    shares: Mapping[Fraction, Fraction] | None = None  # probability of each net result


FindTheory = Callable[[House], Mapping[str, Theory]]


_cache: dict[str, Mapping[str, Theory]] = {}


def theory_from_analysis(house: House) -> Mapping[str, Theory]:
    """The theory of every bet of a House, cached; empty if the analysis package is unavailable."""
    if house.digest not in _cache:
        try:
            _cache[house.digest] = _analyze(house)
        except (ImportError, OSError):  # not installed, or its data files are missing
            return {}
    return _cache[house.digest]


def _analyze(house: House) -> Mapping[str, Theory]:
    from croupier.analysis import analyze_side_wager, cached_main_distribution
    from croupier.games.expected_returns import returns

    theories = {}
    for wager, share in returns(house).items():
        if wager == "main":
            theories[MAIN] = Theory(1 - share, None, cached_main_distribution(house))
        else:
            side = analyze_side_wager(house, wager)
            theories[wager] = Theory(1 - share, side.variance, side.shares)
    return theories


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
    "Main game: the amount staked is the antes, and percentages are of the antes.",
    "The 95% band comes from the bet's exact distribution, or a normal approximation without one.",
    "Theory assumes perfect play and meters at their reset amounts; mistakes increase the win.",
)


def compare_with_theory(
    activities: Iterable[Activity],
    find_house: Callable[[str], House],
    find_theory: FindTheory = theory_from_analysis,
) -> Section:
    """Actual and theoretical win of every bet; flags an actual win outside its 95% band."""
    mains: dict[str, MainWagerActivity] = {}
    wagers: dict[tuple[str, str], WagerActivity] = {}
    for activity in activities:
        for digest, main in activity.mains.items():
            _add(mains.setdefault(digest, MainWagerActivity(house=digest)), main)
        for key, totals in activity.wagers.items():
            _add(wagers.setdefault(key, WagerActivity(house=key[0], wager=key[1])), totals)
    rows: list[Row] = []
    for digest, main in sorted(mains.items()):
        house = find_house(digest)
        spread = _recorded_variance(main)
        theory = find_theory(house).get(MAIN)
        base = house.game.ante.name
        row = _row(house, MAIN, main.boxes, base, main.antes, main.win, theory, spread)
        rows.append(_with_exact_band(row, wagers.get((digest, base)), theory))
    for (digest, wager), totals in sorted(wagers.items()):
        house = find_house(digest)
        definition = house.game.wager(wager)
        if definition is None or definition.role not in ("optional", "progressive"):
            continue
        if not totals.settled:
            continue
        theory = find_theory(house).get(wager)
        exact = theory.variance if theory else None
        spread = exact * totals.stake_squares if exact is not None else None
        row = _row(house, wager, totals.settled, wager, totals.handle, totals.win, theory, spread)
        rows.append(_with_exact_band(row, totals, theory))
    return Section(title="Actual against theoretical win", columns=COLUMNS, rows=rows, notes=NOTES)


def _add(total: Any, more: Any) -> None:
    for field in total.__struct_fields__:
        value = getattr(more, field)
        if isinstance(value, int):
            setattr(total, field, getattr(total, field) + value)
        elif isinstance(value, dict):
            setattr(total, field, sum_stakes(getattr(total, field), value))


def sum_stakes(*counts: Mapping[int, int]) -> dict[int, int]:
    """Add up counts of bets by stake."""
    result: dict[int, int] = {}
    for count in counts:
        for stake, times in count.items():
            result[stake] = result.get(stake, 0) + times
    return result


def _recorded_variance(main: MainWagerActivity) -> Fraction | None:
    """Sample variance of the total win over the recorded boxes; None for fewer than two."""
    if main.boxes < 2:
        return None
    around = main.win_squares - Fraction(main.win**2, main.boxes)
    return around * Fraction(main.boxes, main.boxes - 1)


def _with_exact_band(row: Row, totals: WagerActivity | None, theory: Theory | None) -> Row:
    """The row with the exact band of the bet, where its distribution is known.

    `totals` are those of the wager that is staked: for the main game, the antes.
    """
    if theory is None or not theory.shares or totals is None or not totals.stakes:
        return row
    try:
        from croupier.analysis import prediction_interval

        interval = prediction_interval(theory.shares, totals.stakes)
    except (ImportError, BadInput):  # not installed, or too many distinct sums to convolve
        return row
    low, high = -interval.high * row["staked"], -interval.low * row["staked"]
    flag = "" if low <= row["actual"] <= high else "OUTSIDE 95%"
    return {**row, "low": round_cents(low), "high": round_cents(high), "flag": flag}


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
        "actual_percent_of_staked": percentage(actual, staked),
        "flag": "no theory",
    }
    if theory is None:
        return row
    expected = theory.edge * staked
    row["theoretical"] = round_cents(expected)
    row["theoretical_percent_of_staked"] = theory.edge * 100
    row["flag"] = "too few"
    if variance is not None:
        margin = DEVIATIONS_95 * square_root(variance)
        row["low"], row["high"] = round_cents(expected - margin), round_cents(expected + margin)
        row["flag"] = "OUTSIDE 95%" if abs(actual - expected) > margin else ""
    return row


def square_root(value: Fraction) -> Fraction:
    """The square root, rounded down to a millionth of a cent."""
    scale = 10**6
    return Fraction(isqrt(value.numerator * scale**2 // value.denominator), scale)


def round_cents(value: Fraction) -> int:
    """Round to whole cents, halves away from zero."""
    whole = (abs(value.numerator) * 2 + value.denominator) // (2 * value.denominator)
    return whole if value >= 0 else -whole
