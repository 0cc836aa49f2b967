"""Simulation results: every wager against its exact value, meters, seats, shifts, months."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.analyzer import side_result
from croupier.analysis.kernels.simulate import tally
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.result_display import ResultDisplay
from croupier.analysis.simulation.batch_settlement import MeterHit, RoundSettler
from croupier.analysis.simulation.blocks import PreparedGame, RoundBlock, SimulationPlan
from croupier.games import House, Result
from croupier.games.expected_returns import amount_returned, is_forfeited_by_fold, main_return
from croupier.money import Cents

Longs = NDArray[np.int64]
MAIN = "main"
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
Z_95 = 1.959963984540054  # standard errors of a 95% interval


@dataclass(slots=True)
class Totals:
    """Running totals of blocks and adjustments; money in Python integers, which do not overflow."""

    counts: Longs
    side_counts: Longs
    sums: list[int]
    products: list[list[int]]
    shifts: list[Longs] = field(default_factory=list)
    changes: dict[tuple[int, str], Cents] = field(default_factory=dict)
    envy: dict[int, Cents] = field(default_factory=dict)


class SimulatedWager(ResultDisplay, msgspec.Struct, frozen=True):
    """A wager over the whole simulation, all seats; `main` is the main game, per ante.

    `mean` is as paid: rounded, limited, with the meters at the time, without envy. `by_odds` and
    `errors` compare with the exact value, so meters are taken at their reset amounts.
    """

    name: str
    made: int
    staked: Cents
    returned: Cents
    mean: float
    by_odds: float
    exact: Fraction | None
    errors: tuple[float | None, ...]  # standard errors from the exact value, by seat


class MeterSummary(ResultDisplay, msgspec.Struct, frozen=True):
    """One meter: hits, awards, rounds between hits, and the final amount."""

    name: str
    hits: int
    paid: Cents
    mean_paid: float | None
    most_paid: Cents
    mean_rounds: float | None
    longest_wait: int
    stands: Fraction


class SummaryStatistics(ResultDisplay, msgspec.Struct, frozen=True):
    """Mean, standard deviation and quantiles of a figure."""

    mean: float
    deviation: float
    quantiles: Mapping[float, float]


class PeriodSummary(ResultDisplay, msgspec.Struct, frozen=True):
    """Shifts or months of a table: win, hold on drop, and losing periods."""

    count: int  # complete periods
    win: SummaryStatistics
    hold: SummaryStatistics
    losing: int
    losing_share: float | None
    losing_between: tuple[float, float] | None  # 95%


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Simulation(ResultDisplay):
    """The results of a simulation. Money is in cents, from the players' side."""

    rows_in = "wagers"
    array_columns = {"shift_rows": ("win", "handle", "drop")}

    house: House
    plan: SimulationPlan
    wagers: tuple[SimulatedWager, ...]
    meters: tuple[MeterSummary, ...]
    envy: Cents
    net: tuple[float, ...]  # per round, by seat
    deviation: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    shifts: PeriodSummary
    months: PeriodSummary
    shift_rows: Longs  # [shift, win handle drop]
    hits: tuple[MeterHit, ...]

    @property
    def worst(self) -> float:
        """The largest distance from an exact value, in standard errors."""
        errors = [
            abs(error) for wager in self.wagers for error in wager.errors if error is not None
        ]
        return max(errors, default=0.0)


def empty_totals(made: PreparedGame, count: int) -> Totals:
    """Totals before the first block."""
    main, sides, _ = made.worth
    return Totals(
        np.zeros((count, len(main)), np.int64),
        np.zeros((count, *sides.shape[:2]), np.int64),
        [0] * count,
        [[0] * count for _ in range(count)],
    )


def add_block(totals: Totals, block: RoundBlock, settler: RoundSettler, per_shift: int) -> None:
    """Add a block; blocks must come in round order, because meters depend on it."""
    totals.counts += block.counts
    totals.side_counts += block.side_counts
    shifts = block.shifts.copy()
    count = len(totals.sums)
    for seat in range(count):
        totals.sums[seat] += int(block.sums[seat])
        for other in range(seat + 1):
            totals.products[seat][other] += int(block.products[seat, other])
    first = sum(map(len, totals.shifts))
    rows: list[list[list[int]]] = block.kept_codes.tolist()
    for number, codes in zip(block.kept_rounds.tolist(), rows, strict=True):
        change = settler.settle(number, codes)
        if not change.by_wager and not change.envy:
            continue
        for key, cents in change.by_wager.items():
            totals.changes[key] = totals.changes.get(key, 0) + cents
        for seat, cents in change.envy.items():
            totals.envy[seat] = totals.envy.get(seat, 0) + cents
        nets = [settler.net(row) for row in codes]
        for seat in sorted(change.seats):
            more = change.of(seat)
            at = seat - 1
            shifts[number // per_shift - first, tally.WIN] -= more
            totals.sums[at] += more
            totals.products[at][at] += more * (2 * nets[at] + more)
            for other, net in enumerate(nets):
                if other != at:
                    totals.products[max(at, other)][min(at, other)] += more * net
            nets[at] += more
    totals.shifts.append(shifts)


def build_simulation(
    plan: SimulationPlan, prepared: PreparedGame, settler: RoundSettler, totals: Totals
) -> Simulation:
    """Compute the results from the totals."""
    settler.feed(plan.rounds)
    rounds, count = plan.rounds, plan.seating.seats
    means = [total / rounds for total in totals.sums]
    covariance = [
        [totals.products[max(a, b)][min(a, b)] / rounds - means[a] * means[b] for b in range(count)]
        for a in range(count)
    ]
    rows = np.concatenate(totals.shifts)
    whole = rows[: rounds // plan.hours.per_shift]
    per_month = plan.hours.shifts_per_month
    months = len(whole) // per_month
    by_month = whole[: months * per_month].reshape(months, per_month, 3).sum(axis=1)
    return Simulation(
        house=prepared.game.house,
        plan=plan,
        wagers=tuple(wagers(plan, prepared, totals)),
        meters=tuple(meters(prepared.game.house, settler, rounds)),
        envy=sum(totals.envy.values()),
        net=tuple(means),
        deviation=tuple(sqrt(max(0.0, covariance[seat][seat])) for seat in range(count)),
        covariance=tuple(map(tuple, covariance)),
        shifts=summarize_periods(whole),
        months=summarize_periods(by_month),
        shift_rows=whole,
        hits=tuple(settler.hits),
    )


def wagers(
    plan: SimulationPlan, prepared: PreparedGame, totals: Totals
) -> Iterator[SimulatedWager]:
    """The main game and every side wager, valued from counts by the House's own `settle`."""
    yield main_wager(plan, prepared, totals)
    for at in range(len(prepared.game.sides)):
        yield side_wager(plan, prepared, totals, at)


def main_wager(plan: SimulationPlan, prepared: PreparedGame, totals: Totals) -> SimulatedWager:
    """All main game wagers together, per ante."""
    game, ante = prepared.game, plan.seating.ante
    house = game.house
    payoffs = Payoffs(house)
    used = np.flatnonzero(totals.counts.any(axis=0)).tolist()
    values: dict[int, Fraction] = {}
    staked = paid = 0
    code_worth = prepared.worth.main
    for code in used:
        stakes, facts = game.main(code)
        values[code] = payoffs.net(facts, stakes)
        count = int(totals.counts[:, code].sum())
        staked += count * int(code_worth[code, tally.STAKED])
        paid += count * int(code_worth[code, tally.STAKED] + code_worth[code, tally.NET])
    side_names = {
        wager.name for wager in house.game.wagers if wager.role in ("optional", "progressive")
    }
    paid += sum(cents for (_, name), cents in totals.changes.items() if name not in side_names)
    exact = main_return(house) - 1
    errors = tuple(
        standard_errors(totals.counts[seat], values, exact, plan.rounds)
        if plan.seating.strategies[seat] == "optimal"
        else None
        for seat in range(plan.seating.seats)
    )
    bets = plan.rounds * plan.seating.seats
    mean = sum(
        (int(totals.counts[:, code].sum()) * value for code, value in values.items()), Fraction(0)
    )
    expected = exact if all(error is not None for error in errors) else None
    return SimulatedWager(
        MAIN,
        bets,
        staked,
        paid,
        (paid - staked) / bets / ante,
        float(mean / bets),
        expected,
        errors,
    )


def side_wager(
    plan: SimulationPlan, prepared: PreparedGame, totals: Totals, at: int
) -> SimulatedWager:
    """One side wager, per unit staked."""
    game, name = prepared.game, prepared.game.sides[at].wager
    house, stake = game.house, plan.seating.stakes[name]
    counts = totals.side_counts[:, at]
    used = np.flatnonzero(counts.any(axis=0)).tolist()
    values: dict[int, Fraction] = {}
    code_worth = prepared.worth.sides[at]
    paid = sum(cents for (_, wager), cents in totals.changes.items() if wager == name)
    for code in used:
        facts = game.sides[at].facts[code]
        assert facts is not None, f"{name} {code} was counted but is impossible"
        (result,) = house.settle(facts)
        values[code] = net_at_reset(house, result, stake)
        paid += int(counts[:, code].sum()) * int(code_worth[code, tally.NET] + stake)
    exact_result = side_result(house, name)
    forfeits = is_forfeited_by_fold(house, name)
    deviation = exact_result.standard_deviation
    errors = tuple(
        standard_errors(counts[seat], values, exact_result.ev, plan.rounds, deviation)
        if not forfeits or plan.seating.strategies[seat] == "optimal"
        else None
        for seat in range(plan.seating.seats)
    )
    bets = plan.rounds * plan.seating.seats
    mean = sum((int(counts[:, code].sum()) * value for code, value in values.items()), Fraction(0))
    expected = exact_result.ev if all(error is not None for error in errors) else None
    staked = bets * stake
    return SimulatedWager(
        name, bets, staked, paid, paid / staked - 1, float(mean / bets), expected, errors
    )


def net_at_reset(house: House, result: Result, stake: Cents) -> Fraction:
    """The net payoff per unit staked, with meters at their reset amounts."""
    return amount_returned(house, result, stake) / stake - 1


def standard_errors(
    counts: Longs,
    values: Mapping[int, Fraction],
    exact: Fraction,
    rounds: int,
    deviation: float | None = None,
) -> float | None:
    """The distance of the mean from the exact value in standard errors; None without variance."""
    occurrences = {code: int(counts[code]) for code in values}
    mean = sum((occurrences[code] * value for code, value in values.items()), Fraction(0)) / rounds
    if deviation is None:
        squares = sum((occurrences[code] * value**2 for code, value in values.items()), Fraction(0))
        deviation = sqrt(squares / rounds - mean**2)
    return float(mean - exact) / (deviation / sqrt(rounds)) if deviation else None


def meters(house: House, settler: RoundSettler, rounds: int) -> Iterator[MeterSummary]:
    """The hits of each meter."""
    for name in house.meters:
        hits = [hit for hit in settler.hits if hit.meter == name]
        times = [0, *(hit.round + 1 for hit in hits)]
        waits = np.diff(np.array(times, np.int64))
        paid = sum(hit.paid for hit in hits)
        yield MeterSummary(
            name=name,
            hits=len(hits),
            paid=paid,
            mean_paid=paid / len(hits) if hits else None,
            most_paid=max((hit.paid for hit in hits), default=0),
            mean_rounds=float(waits.mean()) if len(waits) else None,
            longest_wait=int(max(int(waits.max()) if len(waits) else 0, rounds - times[-1])),
            stands=settler.meters[name],
        )


def summarize(values: NDArray[np.float64]) -> SummaryStatistics:
    """Mean, standard deviation and quantiles; zeros for an empty sample."""
    if not len(values):
        return SummaryStatistics(0.0, 0.0, {})
    return SummaryStatistics(
        float(values.mean()),
        float(values.std()),
        {q: float(v) for q, v in zip(QUANTILES, np.quantile(values, QUANTILES), strict=True)},
    )


def summarize_periods(rows: Longs) -> PeriodSummary:
    """Win and hold of complete shifts or months."""
    win, drop = rows[:, tally.WIN], rows[:, tally.DROP]
    losing, count = int((win < 0).sum()), len(rows)
    return PeriodSummary(
        count=count,
        win=summarize(win.astype(np.float64)),
        hold=summarize(win / np.maximum(drop, 1)),
        losing=losing,
        losing_share=losing / count if count else None,
        losing_between=wilson_interval(losing, count) if count else None,
    )


def wilson_interval(hits: int, count: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a proportion, valid even with no hits (Wilson 1927)."""
    share, squared = hits / count, Z_95**2
    middle = (share + squared / (2 * count)) / (1 + squared / count)
    half = (
        Z_95 / (1 + squared / count) * sqrt(share * (1 - share) / count + squared / (4 * count**2))
    )
    return max(0.0, middle - half), min(1.0, middle + half)
