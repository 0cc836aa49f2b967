"""Prediction intervals of many rounds, against plain convolution and the normal limit."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from croupier import analysis, submission
from croupier.analysis import analyze_side_wager, prediction_interval
from croupier.analysis.business import prediction_intervals
from croupier.errors import BadInput
from croupier.games.expected_returns import side_wagers
from tests.support.rounds import EVERY_GAME, UTH

COIN = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}
RARE = {Fraction(-1): Fraction(999, 1000), Fraction(499): Fraction(1, 1000)}


def plain(shares: dict[Fraction, Fraction], rounds: int, level: float) -> tuple[float, float]:
    """The same interval by plain convolution of the whole distribution."""
    least, most = int(min(shares)), int(max(shares))
    one = np.zeros(most - least + 1)
    for value, share in shares.items():
        one[int(value) - least] = float(share)
    sums = np.ones(1)
    for _ in range(rounds):
        sums = np.convolve(sums, one)
    heaped = np.cumsum(sums)
    ends = (np.searchsorted(heaped, share) for share in ((1 - level) / 2, (1 + level) / 2))
    low, high = ((least * rounds + int(end)) / rounds for end in ends)
    return low, high


@pytest.mark.parametrize("shares", [COIN, RARE])
@pytest.mark.parametrize(("rounds", "level"), [(1, 0.5), (50, 0.9), (120, 0.95)])
def test_it_is_the_plain_convolution(
    shares: dict[Fraction, Fraction], rounds: int, level: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Added up round by round, and by transform on a ring that is much smaller than all sums."""
    right = plain(shares, rounds, level)
    for most in (10**9, 0):
        monkeypatch.setattr(prediction_intervals, "MOST_STEPS", most)
        prediction_intervals.compute_interval.cache_clear()
        result = prediction_interval(shares, rounds, level)
        assert right == (float(result.low), float(result.high))


def test_nothing_is_added_up_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would come to too many additions is known before the first one, or nearly."""
    chance, verdicts = random.Random(7), set()
    for _ in range(60):
        results = chance.sample(range(-20, 60), chance.randint(1, 5))
        steps = dict.fromkeys(results, Fraction(1, len(results)))
        rounds = {m: chance.randint(1, 6) for m in chance.sample(range(1, 6), chance.randint(1, 3))}
        monkeypatch.setattr(prediction_intervals, "MOST_STEPS", 10**9)
        every = prediction_intervals.convolve_exactly(steps, rounds)
        monkeypatch.setattr(prediction_intervals, "MOST_STEPS", needed(steps, rounds))
        assert every == prediction_intervals.convolve_exactly(steps, rounds)
        monkeypatch.setattr(prediction_intervals, "MOST_STEPS", needed(steps, rounds) - 1)
        assert prediction_intervals.convolve_exactly(steps, rounds) is None
        verdicts.add(len(rounds))
    assert {1, 2, 3} == verdicts


def needed(steps: dict[int, Fraction], rounds: dict[int, int]) -> int:
    """How many additions it takes, round by round."""
    sums, work = {0}, 0
    for multiple, times in rounds.items():
        for _ in range(times):
            work += len(sums) * len(steps)
            sums = {total + multiple * step for total in sums for step in steps}
    return work


def test_very_many_rounds_come_near_a_bell() -> None:
    """A fair coin after ten million tosses: 1.96 deviations to either side."""
    result = prediction_interval(COIN, 10_000_000)

    assert abs(float(result.high) - 1.959964 / sqrt(10_000_000)) < 1e-6
    assert abs(float(result.high + result.low)) < 1e-6


def test_rounds_and_level_are_checked() -> None:
    """No rounds, or a level that is not a probability, is refused."""
    for rounds, level in ((0, 0.95), (10, 1.0)):
        with pytest.raises(BadInput):
            prediction_interval(COIN, rounds, level)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_shares_of_a_side_wager_have_its_mean_and_variance(game: str) -> None:
    """Lines and losses together are the whole wager."""
    house = submission.example(game)
    for wager in side_wagers(house):
        result = analyze_side_wager(house, wager)
        shares = result.shares
        mean = sum((value * share for value, share in shares.items()), Fraction(0))
        squares = sum((value**2 * share for value, share in shares.items()), Fraction(0))
        assert 1 == sum(shares.values())
        assert (result.ev, result.variance) == (mean, squares - mean**2)


def test_the_largest_award_has_an_interval() -> None:
    """A million dollars for five, at the fewest and the most rounds that a sheet shows."""
    base = submission.example(UTH)
    house = analysis.with_settings(base, {"six_card_bonus": "A"})
    shares = analyze_side_wager(house, "six_card_bonus").shares
    for rounds in (1_000, 10_000_000):
        result = prediction_interval(shares, rounds)
        assert -1 <= result.low < result.high


def mixed(shares: dict[Fraction, Fraction], stakes: dict[int, int], level: float) -> list[Fraction]:
    """The interval by enumerating every sum exactly."""
    sums = {0: Fraction(1)}
    for stake in (stake for stake, times in stakes.items() for _ in range(times)):
        more: dict[int, Fraction] = {}
        for total, chance in sums.items():
            for value, share in shares.items():
                result = total + int(stake * value)
                more[result] = more.get(result, Fraction(0)) + chance * share
        sums = more
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        heaped = Fraction(0)
        for total in sorted(sums):
            heaped += sums[total]
            if heaped >= tail:
                ends.append(Fraction(total, sum(s * n for s, n in stakes.items())))
                break
    return ends


@pytest.mark.parametrize(
    ("shares", "stakes"),
    [
        (COIN, {5: 40, 25: 7}),
        (COIN, {10: 1, 15: 2, 500: 3}),
        (RARE, {5: 60, 10: 20, 100: 2}),
        ({Fraction(-1): Fraction(3, 5), Fraction(3, 2): Fraction(2, 5)}, {20: 9, 50: 8, 30: 1}),
    ],
)
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_stakes_may_differ(
    shares: dict[Fraction, Fraction],
    stakes: dict[int, int],
    level: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A round at five times the stake counts its result five times, added up or transformed."""
    right = mixed(shares, stakes, level)
    for most in (10**9, 0):
        monkeypatch.setattr(prediction_intervals, "MOST_STEPS", most)
        prediction_intervals.compute_interval.cache_clear()
        result = prediction_interval(shares, stakes, level)
        assert right == [result.low, result.high]
        assert sum(stakes.values()) == result.rounds


def test_one_stake_is_as_good_as_another() -> None:
    """Per unit staked nothing changes where all are alike; where they differ it is wider."""
    alike = prediction_interval(RARE, 2_000)
    scaled = prediction_interval(RARE, {25: 2_000})
    assert (alike.low, alike.high) == (scaled.low, scaled.high)
    uneven = prediction_interval(COIN, {5: 1_900, 500: 100})
    assert uneven.high > 2 * prediction_interval(COIN, 2_000).high


@pytest.mark.parametrize("stakes", [{}, {0: 5}, {5: 0}, {-5: 2}])
def test_a_stake_is_at_least_one(stakes: dict[int, int]) -> None:
    """Nothing staked has no interval."""
    with pytest.raises(BadInput):
        prediction_interval(COIN, stakes)
