"""Player sessions: distribution of the result, risk of ruin, loss rebates and comps.

The exact distribution of one round is convolved by FFT on the grid of all sums: no sampling and no
normal approximation. The only error is the rounding of doubles (about 1e-13 for a thousand rounds,
tested against integer convolution). Means and variances are exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lcm, sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.result_display import ResultDisplay
from croupier.analysis.results import MainResult
from croupier.errors import BadInput

Floats = NDArray[np.float64]

MOST_POINTS = 2**24
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
ROUNDING = 1e-12  # probabilities below it are rounding errors


class NetGrid:
    """The net result of one round on a grid of equal steps."""

    def __init__(self, distribution: Mapping[Fraction, int]) -> None:
        assert distribution, "solve with distribution=True to know how rounds end"
        self.steps_per_ante = lcm(*(value.denominator for value in distribution))
        total = sum(distribution.values())
        self.steps = [int(value * self.steps_per_ante) for value in distribution]
        self.shares = [count / total for count in distribution.values()]
        self.least, self.most = min(self.steps), max(self.steps)

    def after(self, rounds: int) -> tuple[int, Floats]:
        """The distribution after `rounds`: the lowest sum in steps, and the probabilities."""
        width = (self.most - self.least) * rounds + 1
        if rounds < 1 or width > MOST_POINTS:
            most = (MOST_POINTS - 1) // (self.most - self.least)
            raise BadInput(f"{rounds} rounds; expected 1 to {most:,} in this game")
        one_round = np.zeros(1 << (width - 1).bit_length())
        for step, share in zip(self.steps, self.shares, strict=True):
            one_round[step - self.least] += share
        sums = np.fft.irfft(np.fft.rfft(one_round) ** rounds, len(one_round))[:width]
        return self.least * rounds, np.maximum(sums, 0.0)

    def antes(self, step: int | np.int64) -> Fraction:
        """Convert steps to antes."""
        return Fraction(int(step), self.steps_per_ante)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RiskOfRuin(ResultDisplay):
    """The probability that a bankroll falls below the maximum cost of a round."""

    bankroll: Fraction  # antes
    needed: Fraction  # maximum cost of a round in antes; with less the session ends
    probability: float
    by_round: tuple[float, ...]  # cumulative probability of ruin by round
    mean_round: float | None  # mean round of ruin, given ruin


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LossRebate(ResultDisplay):
    """The value of a rebate on losses, in antes."""

    share: Fraction
    after_rounds: float  # of playing all rounds, rebate included
    best: float  # with optimal stopping after any round
    limit: float | None  # upper bound for an endless session (loss rebate theorem)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SessionResult(ResultDisplay):
    """The result of a session of one-ante rounds, in antes."""

    rows_in = "quantiles"

    rounds: int
    mean: Fraction
    variance: Fraction
    ahead: float
    even: float
    behind: float
    quantiles: Mapping[float, Fraction]
    ruin: RiskOfRuin | None = None
    rebate: LossRebate | None = None
    comps: Fraction | None = None  # returned on the theoretical loss
    match_play: Fraction | None = None  # value of one coupon on the ante, with unchanged play

    @property
    def deviation(self) -> float:
        """The standard deviation of the sum."""
        return sqrt(self.variance)


def analyze_session(
    result: MainResult,
    rounds: int,
    bankroll: Fraction | None = None,
    rebate: Fraction | None = None,
    comp_rate: Fraction | None = None,
) -> SessionResult:
    """Analyze a session of `rounds` one-ante rounds.

    `bankroll` is in antes; `rebate` and `comp_rate` are shares between 0 and 1. Raises `BadInput`
    if one is out of range.
    """
    for name, rate in (("rebate", rebate), ("comp rate", comp_rate)):
        if rate is not None and not 0 < rate < 1:
            raise BadInput(f"{name} {rate}: expected more than 0 and less than 100 percent")
    grid = NetGrid(result.distribution)
    low, shares = grid.after(rounds)
    zero = -low
    cumulative = np.cumsum(shares)
    quantiles = {
        q: grid.antes(low + np.searchsorted(cumulative, q * cumulative[-1])) for q in QUANTILES
    }
    ante = result.outcomes_by_wager.get(result.ante)
    return SessionResult(
        rounds=rounds,
        mean=result.ev * rounds,
        variance=result.variance * rounds,
        ahead=float(shares[zero + 1 :].sum()),
        even=float(shares[zero]),
        behind=float(shares[:zero].sum()),
        quantiles=quantiles,
        ruin=risk_of_ruin(grid, rounds, bankroll) if bankroll is not None else None,
        rebate=_rebate(result, grid, rounds, rebate) if rebate is not None else None,
        comps=comp_rate * result.house_edge * rounds if comp_rate is not None else None,
        match_play=ante["win"] if ante else None,
    )


def risk_of_ruin(grid: NetGrid, rounds: int, bankroll: Fraction) -> RiskOfRuin:
    """The risk of ruin: fewer antes left than the next round may cost."""
    needed = -grid.least
    start = int(bankroll * grid.steps_per_ante)
    if start < needed:
        raise BadInput(
            f"a bankroll of {bankroll} antes; a round may cost {grid.antes(needed)} antes"
        )
    # This much cannot be lost in the rounds that are left.
    safe = needed * (rounds + 1)
    held = np.zeros(max(safe, start + 1))
    held[start] = 1.0
    ruined, by_round = 0.0, []
    for _ in range(rounds):
        after = np.zeros_like(held)
        for step, share in zip(grid.steps, grid.shares, strict=True):
            if step < 0:
                after[:step] += share * held[-step:]
            elif step < len(held):
                after[step:] += share * held[: len(held) - step]
        ruined += float(after[:needed].sum())
        after[:needed] = 0.0
        by_round.append(ruined)
        held = after
    in_round = np.diff([0.0, *by_round])
    mean = float(in_round @ np.arange(1, rounds + 1)) / ruined if ruined > ROUNDING else None
    return RiskOfRuin(
        bankroll=bankroll,
        needed=grid.antes(needed),
        probability=ruined,
        by_round=tuple(by_round),
        mean_round=mean,
    )


def _rebate(result: MainResult, grid: NetGrid, rounds: int, share: Fraction) -> LossRebate:
    low, shares = grid.after(rounds)
    sums = (low + np.arange(len(shares))) / grid.steps_per_ante
    after_rebate = np.where(sums < 0, sums * float(1 - share), sums)
    return LossRebate(
        share=share,
        after_rounds=float(shares @ after_rebate),
        best=best_with_rebate(grid, rounds, share),
        limit=rebate_limit(result.house_edge, result.variance, share),
    )


def best_with_rebate(grid: NetGrid, rounds: int, share: Fraction) -> float:
    """The value of a session with a rebate under optimal stopping, by backward induction.

    Sums above the largest possible loss are treated as stopped at once: the rebate no longer
    matters there.
    """
    lowest = -grid.least * rounds
    sums = np.arange(-lowest, lowest + grid.most + 1)
    stop = np.where(sums < 0, sums * float(1 - share), sums) / grid.steps_per_ante
    value = stop.copy()
    inner = slice(-grid.least, 2 * lowest + 1)
    for _ in range(rounds):
        play_on = np.zeros(inner.stop - inner.start)
        for step, probability in zip(grid.steps, grid.shares, strict=True):
            play_on += probability * value[inner.start + step : inner.stop + step]
        value = stop.copy()
        value[inner] = np.maximum(stop[inner], play_on)
    return float(value[lowest])


def rebate_factor(share: Fraction) -> float:
    """f(L) of the third loss rebate theorem (Jacobson): optimal barriers of a random walk.

    With a walk scaled to sigma^2 / (2 mu), leaving at +a or at -b wins a with probability
    (1 - exp(-b)) / (exp(a) - exp(-b)), else loses (1 - L) b.
    """
    lost = float(1 - share)

    def value(above: float, below: float) -> float:
        wins = (1 - exp(-below)) / (exp(above) - exp(-below))
        return wins * above - lost * (1 - wins) * below

    def best_below(above: float) -> float:
        return value(above, _maximize(lambda below: value(above, below)))

    return best_below(_maximize(best_below))


def _maximize(curve: Callable[[float], float]) -> float:
    """The maximum of a unimodal function on (0, 20], by ternary search."""
    low, high = 1e-9, 20.0
    for _ in range(120):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if curve(left) < curve(right):
            low = left
        else:
            high = right
    return (low + high) / 2


def rebate_limit(edge: Fraction, variance: Fraction, share: Fraction) -> float | None:
    """The most that a rebate can win: sigma^2 / (2 mu) f(L); None, no limit, without an edge."""
    if edge <= 0:
        return None
    return float(variance / (2 * edge)) * rebate_factor(share)
