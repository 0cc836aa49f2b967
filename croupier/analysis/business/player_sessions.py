"""Sessions of many rounds: no sampling and no bell curve, the whole distribution is convolved.

One round's distribution is exact. Its n-fold convolution is taken by Fourier transform on the grid
of all sums, so figures carry the rounding of doubles (about 1e-13 for a thousand rounds, tested
against integer convolution) and no other error. Means and variances stay exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lcm, sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.results import MainResult
from croupier.errors import BadInput

Floats = NDArray[np.float64]

MOST_POINTS = 2**24
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BARELY = 1e-12  # probabilities below it are rounding


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
        """The lowest sum of so many rounds, in steps, and the probability of each from there."""
        width = (self.most - self.least) * rounds + 1
        if rounds < 1 or width > MOST_POINTS:
            most = (MOST_POINTS - 1) // (self.most - self.least)
            raise BadInput(f"{rounds} rounds; expected 1 to {most:,} in this game")
        one = np.zeros(1 << (width - 1).bit_length())
        for step, share in zip(self.steps, self.shares, strict=True):
            one[step - self.least] += share
        sums = np.fft.irfft(np.fft.rfft(one) ** rounds, len(one))[:width]
        return self.least * rounds, np.maximum(sums, 0.0)

    def antes(self, step: int | np.int64) -> Fraction:
        """Steps in antes."""
        return Fraction(int(step), self.steps_per_ante)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskOfRuin:
    """A bankroll that may fall below what the next round can cost."""

    bankroll: Fraction  # antes
    needed: Fraction  # antes that a round may cost: less than that ends the session
    probability: float
    by_round: tuple[float, ...]  # ruined after so many rounds
    mean_round: float | None  # of those who are ruined


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRebate:
    """A share of what is lost comes back."""

    share: Fraction
    after_rounds: float  # worth in antes of playing all rounds, rebate included
    best: float  # the same if one may stop after any round
    limit: float  # what no plan can win in an endless session, by the theorem


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    """So many rounds of one ante each, in antes."""

    rounds: int
    mean: Fraction
    variance: Fraction
    ahead: float
    even: float
    behind: float
    quantiles: Mapping[float, Fraction]
    ruin: RiskOfRuin | None = None
    rebate: LossRebate | None = None
    comps: Fraction | None = None  # what comes back on theoretical loss
    match_play: Fraction | None = None  # worth of one coupon on the ante, played as usual

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
    """What so many rounds bring; a bankroll is in antes, rates are shares of one."""
    for name, rate in (("rebate", rebate), ("comp rate", comp_rate)):
        if rate is not None and not 0 < rate < 1:
            raise BadInput(f"{name} {rate}: expected more than 0 and less than 100 percent")
    walk = NetGrid(result.distribution)
    low, shares = walk.after(rounds)
    zero = -low
    heaped = np.cumsum(shares)
    quantiles = {q: walk.antes(low + np.searchsorted(heaped, q * heaped[-1])) for q in QUANTILES}
    ante = result.outcomes_by_wager.get(result.ante)
    return SessionResult(
        rounds=rounds,
        mean=result.ev * rounds,
        variance=result.variance * rounds,
        ahead=float(shares[zero + 1 :].sum()),
        even=float(shares[zero]),
        behind=float(shares[:zero].sum()),
        quantiles=quantiles,
        ruin=ruin(walk, rounds, bankroll) if bankroll is not None else None,
        rebate=_rebate(result, walk, rounds, rebate) if rebate is not None else None,
        comps=comp_rate * result.house_edge * rounds if comp_rate is not None else None,
        match_play=ante["win"] if ante else None,
    )


def ruin(walk: NetGrid, rounds: int, bankroll: Fraction) -> RiskOfRuin:
    """How likely a bankroll runs out: fewer antes left than the next round may cost."""
    needed = -walk.least
    start = int(bankroll * walk.steps_per_ante)
    if start < needed:
        raise BadInput(
            f"a bankroll of {bankroll} antes; a round may cost {walk.antes(needed)} antes"
        )
    # Whoever holds this much cannot be ruined in the rounds that are left.
    safe = needed * (rounds + 1)
    held = np.zeros(max(safe, start + 1))
    held[start] = 1.0
    ruined, by_round = 0.0, []
    for _ in range(rounds):
        after = np.zeros_like(held)
        for step, share in zip(walk.steps, walk.shares, strict=True):
            if step < 0:
                after[:step] += share * held[-step:]
            elif step < len(held):
                after[step:] += share * held[: len(held) - step]
        ruined += float(after[:needed].sum())
        after[:needed] = 0.0
        by_round.append(ruined)
        held = after
    fell = np.diff([0.0, *by_round])
    mean = float(fell @ np.arange(1, rounds + 1)) / ruined if ruined > BARELY else None
    return RiskOfRuin(
        bankroll=bankroll,
        needed=walk.antes(needed),
        probability=ruined,
        by_round=tuple(by_round),
        mean_round=mean,
    )


def _rebate(result: MainResult, walk: NetGrid, rounds: int, share: Fraction) -> LossRebate:
    low, shares = walk.after(rounds)
    sums = (low + np.arange(len(shares))) / walk.steps_per_ante
    kept = np.where(sums < 0, sums * float(1 - share), sums)
    return LossRebate(
        share=share,
        after_rounds=float(shares @ kept),
        best=best_with_rebate(walk, rounds, share),
        limit=rebate_limit(result.house_edge, result.variance, share),
    )


def best_with_rebate(walk: NetGrid, rounds: int, share: Fraction) -> float:
    """The worth of a session that may be left after any round, by working back from the last.

    Sums beyond any that so many rounds reach by losing are taken as left at once, so wins above
    them are worth what they are.
    """
    edge = -walk.least * rounds
    sums = np.arange(-edge, edge + walk.most + 1)
    leave = np.where(sums < 0, sums * float(1 - share), sums) / walk.steps_per_ante
    worth = leave.copy()
    inner = slice(-walk.least, 2 * edge + 1)
    for _ in range(rounds):
        go_on = np.zeros(inner.stop - inner.start)
        for step, chance in zip(walk.steps, walk.shares, strict=True):
            go_on += chance * worth[inner.start + step : inner.stop + step]
        worth = leave.copy()
        worth[inner] = np.maximum(leave[inner], go_on)
    return float(worth[edge])


def rebate_factor(share: Fraction) -> float:
    """f(L) of the third loss rebate theorem (Jacobson): the best two barriers of a long walk.

    With a walk scaled to sigma^2 / (2 mu), leaving at +a or at -b wins a with probability
    (1 - exp(-b)) / (exp(a) - exp(-b)), else loses (1 - L) b.
    """
    lost = float(1 - share)

    def worth(above: float, below: float) -> float:
        wins = (1 - exp(-below)) / (exp(above) - exp(-below))
        return wins * above - lost * (1 - wins) * below

    def best_below(above: float) -> float:
        return worth(above, _highest(lambda below: worth(above, below)))

    return best_below(_highest(best_below))


def _highest(curve: Callable[[float], float]) -> float:
    """Where a curve with one top is highest, between 0 and 20, by thirds."""
    low, high = 1e-9, 20.0
    for _ in range(120):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        if curve(one) < curve(two):
            low = one
        else:
            high = two
    return (low + high) / 2


def rebate_limit(edge: Fraction, variance: Fraction, share: Fraction) -> float:
    """The most that a rebate can win: sigma^2 / (2 mu) f(L); endless without a house edge."""
    if edge <= 0:
        return float("inf")
    return float(variance / (2 * edge)) * rebate_factor(share)
