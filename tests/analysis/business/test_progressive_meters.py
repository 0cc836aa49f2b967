"""Meters in the long run: against a meter followed wager by wager, and by what comes in."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest

from croupier import analysis, submission
from croupier.analysis.business.progressive_meters import mean_meter
from croupier.errors import BadInput
from tests.support.cli import invoke

GAMES = ("ultimate_texas_holdem", "jackpot_holdem", "run_em_twice")


def followed(reset: float, added: float, full: float, part: float, share: float) -> float:
    """The mean at a hit of a meter that is followed by chance through many wagers."""
    numbers = random.Random(4)
    meter, hits = reset, []
    for _ in range(400_000):
        meter += added
        drawn = numbers.random()
        if drawn < full:
            hits.append(meter)
            meter = reset
        elif drawn < full + part:
            meter -= share * meter
    return sum(hits) / len(hits)


def test_mean_of_a_meter() -> None:
    """Without parts it is the reset and all that is added between hits; with parts, by chance."""
    assert 100 + 3 * 40 == mean_meter(Fraction(100), Fraction(3), Fraction(1, 40), {})
    parts = {Fraction(1, 2): Fraction(1, 20)}
    exact = mean_meter(Fraction(100), Fraction(3), Fraction(1, 40), parts)

    assert abs(followed(100, 3, 1 / 40, 1 / 20, 1 / 2) / float(exact) - 1) < 0.01


@pytest.mark.parametrize("game", GAMES)
def test_all_that_comes_in_is_paid_out(game: str) -> None:
    """In the long run players get from meters what wagers add and what seeds bring."""
    house = submission.example(game)
    result = analysis.progressive_economics(house)
    side = analysis.side_result(house, "progressive")
    at_reset = sum(worth.coefficient * worth.reset for worth in side.meters.values())
    comes_in = sum(one.added + one.reset * one.hit for one in result.meters)

    assert result.ev == side.ev + (comes_in - at_reset) / result.stake
    assert result.ev > result.at_reset
    for one in result.meters:
        assert one.mean > one.reset
        assert one.wagers_between_hits == 1 / one.hit
        assert 0.94 < 1 - (1 - float(one.hit)) ** one.wagers_until_hit(0.95) < 0.96


def test_limits_and_floors_make_bounds() -> None:
    """A limit, or a floor after a partial award, makes the mean a bound; a reserve pays seeds."""
    house = submission.example("ultimate_texas_holdem")
    plain = analysis.progressive_economics(house)
    meters = {
        name: msgspec.structs.replace(meter, limit=10**9, reserve_percent=Fraction(1))
        for name, meter in house.meters.items()
    }
    bound = analysis.progressive_economics(replace(house, meters=meters))

    assert {""} == {one.bound for one in plain.meters}
    assert {"at most: the meter has a limit"} == {one.bound for one in bound.meters}
    assert plain.meters[0].seed_cost - bound.meters[0].seed_cost == Fraction(plain.stake, 100)


def test_meter_command() -> None:
    """As tables and as JSON; a game without a meter is refused."""
    assert "hours between hits" in invoke(["meter", "ultimate"]).output
    data = json.loads(invoke(["meter", "jackpot", "--json"]).output)
    assert data["ev"]["value"] > data["at_reset"]["value"]
    refused = invoke(["meter", "top_five"])
    assert 2 == refused.exit_code and "no progressive wager" in refused.output
    with pytest.raises(BadInput, match="not a probability"):
        analysis.progressive_economics(submission.example(GAMES[0])).meters[0].at_hit(1.0)
