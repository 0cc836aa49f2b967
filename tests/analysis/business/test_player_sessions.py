"""Sessions: convolution against whole numbers, ruin against every path, rebates as published."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest

from croupier.analysis import analyze_session, solve, standard_house
from croupier.analysis.business import player_sessions
from croupier.errors import BadInput
from tests.cli.commands.test_analysis_commands import run

# Fair but for a push, with a win of three halves: half an ante is the step of the grid.
DICE = {Fraction(-2): 3, Fraction(0): 1, Fraction(3, 2): 4}


def paths(rounds: int) -> dict[tuple[Fraction, ...], Fraction]:
    """Every sequence of results with its probability."""
    total = sum(DICE.values())
    actual: dict[tuple[Fraction, ...], Fraction] = {}
    for results in product(DICE, repeat=rounds):
        share = Fraction(1)
        for result in results:
            share *= Fraction(DICE[result], total)
        actual[results] = share
    return actual


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_convolution_is_that_of_whole_numbers(rounds: int) -> None:
    """Every sum of rounds has the probability of its paths."""
    expected: dict[Fraction, Fraction] = defaultdict(Fraction)
    for results, share in paths(rounds).items():
        expected[sum(results, Fraction(0))] += share
    walk = player_sessions.NetGrid(DICE)
    low, shares = walk.after(rounds)

    for at, share in enumerate(shares.tolist()):
        assert share == pytest.approx(float(expected[walk.antes(low + at)]), abs=1e-14)


@pytest.mark.parametrize("bankroll", [2, Fraction(5, 2), 4])
def test_ruin_is_that_of_every_path(bankroll: Fraction) -> None:
    """Ruin is holding less than a round may cost, whatever would come after."""
    ruined = [Fraction(0)] * 6
    for results, share in paths(6).items():
        held = Fraction(bankroll)
        for at, result in enumerate(results):
            held += result
            if held < 2:
                ruined[at] += share
                break
    actual = player_sessions.risk_of_ruin(player_sessions.NetGrid(DICE), 6, Fraction(bankroll))
    total = sum(ruined)
    mean = sum((at + 1) * share for at, share in enumerate(ruined)) / total

    assert actual.probability == pytest.approx(float(total), abs=1e-14)
    assert actual.mean_round == pytest.approx(float(mean), abs=1e-12)
    assert 2 == actual.needed


def test_leaving_at_the_best_time() -> None:
    """Working back from the last round agrees with a plain recursion over sums."""
    lost, total = Fraction(3, 4), sum(DICE.values())

    def worth(held: Fraction, left: int) -> Fraction:
        leave = held if held >= 0 else held * lost
        if not left:
            return leave
        ahead = [count * worth(held + step, left - 1) for step, count in DICE.items()]
        return max(leave, sum(ahead, Fraction(0)) / total)

    result = player_sessions.best_with_rebate(player_sessions.NetGrid(DICE), 5, 1 - lost)

    assert result == pytest.approx(float(worth(Fraction(0), 5)), abs=1e-12)


def test_the_third_loss_rebate_theorem() -> None:
    """Jacobson's worked example: mu 0.0029036, sigma 1.1417, L = 20%, f = 0.0055690."""
    share, edge = Fraction(20, 100), Fraction(29036, 10**7)
    variance = Fraction(11417, 10**4) ** 2

    assert "0.0055690" == f"{player_sessions.rebate_factor(share):.7f}"
    limit = player_sessions.rebate_limit(edge, variance, share)
    assert limit == pytest.approx(float(variance / (2 * edge)) * 0.0055690, rel=1e-5)
    assert player_sessions.rebate_limit(Fraction(0), variance, share) is None


def test_no_session_beats_the_theorem() -> None:
    """A coin that loses a little: leaving when best comes close to the limit, never above it."""
    coin = {Fraction(-1): 51, Fraction(1): 49}
    edge, share = Fraction(2, 100), Fraction(20, 100)
    limit = player_sessions.rebate_limit(edge, 1 - edge**2, share)
    worth = [
        player_sessions.best_with_rebate(player_sessions.NetGrid(coin), rounds, share)
        for rounds in (20, 400)
    ]

    assert limit is not None and 0 < worth[0] < worth[1] < limit
    assert worth[1] == pytest.approx(limit, rel=0.1)


def test_a_session_of_top_five() -> None:
    """Means and variances are exact, the shares add up, a bigger bankroll lasts longer."""
    result = solve(standard_house("top_five"))
    actual = analyze_session(result, 200, Fraction(20), Fraction(1, 10), Fraction(1, 5))

    assert 200 * result.ev == actual.mean
    assert 200 * result.variance == actual.variance
    assert actual.ahead + actual.even + actual.behind == pytest.approx(1, abs=1e-12)
    assert sorted(actual.quantiles.values()) == list(actual.quantiles.values())
    assert actual.ruin is not None and actual.rebate is not None
    richer = analyze_session(result, 200, Fraction(40)).ruin
    assert richer is not None and richer.probability < actual.ruin.probability
    assert actual.rebate.after_rounds > float(actual.mean)
    assert actual.rebate.after_rounds <= actual.rebate.best
    assert -actual.mean / 5 == actual.comps
    assert actual.match_play == result.outcomes_by_wager["ante"]["win"]


def test_what_is_no_session() -> None:
    """No rounds, too many to convolve, too little to play one, a rebate of everything."""
    walk = player_sessions.NetGrid(DICE)
    for rounds in (0, 10**8):
        with pytest.raises(BadInput, match="expected 1 to"):
            walk.after(rounds)
    with pytest.raises(BadInput, match="may cost 2 antes"):
        player_sessions.risk_of_ruin(walk, 5, Fraction(1))
    result = solve(standard_house("top_five"))
    with pytest.raises(BadInput, match="less than 100 percent"):
        analyze_session(result, 5, rebate=Fraction(1))


def test_the_command() -> None:
    """A table for people, JSON for programs."""
    words = ("session", "top_five", "--rounds", "50", "--bankroll", "10", "--rebate", "10")
    data = json.loads(run(*words, "--comps", "20", "--json"))

    assert 50 == data["rounds"] == len(data["ruin"]["by_round"])
    assert 50 * solve(standard_house("top_five")).ev == Fraction(data["mean"]["exact"])
    assert "ruin of 10 antes" in run(*words)
    assert "not a positive number" in run("session", "top_five", "--bankroll", "much", status=2)
