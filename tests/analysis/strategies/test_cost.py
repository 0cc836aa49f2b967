"""Strategies priced exactly: what must be equal is equal, and rules are read as they are meant."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier import analysis
from croupier.analysis import disk_cache
from croupier.analysis.solvers import single_raise
from croupier.analysis.strategies import cost, holdem_cost
from croupier.analysis.strategies.rule_language import OTHERWISE, short_form, starting_hands
from croupier.analysis.variants import combinations_of
from croupier.errors import BadInput
from croupier.games import CATALOGUE, Game, House, find, with_digest
from croupier.games.expected_returns import load_main_values, load_practical_costs
from croupier.games.run_em_twice import solver
from croupier.games.run_em_twice import strategy_cost as runs_cost
from croupier.games.texas_holdem_bonus import solver as texas
from croupier.games.texas_holdem_bonus import strategy_cost as texas_cost
from croupier.games.top_five import solver as top_five
from croupier.games.top_five import strategy_cost
from tests.support.cli import invoke

ULTIMATE = "ultimate_texas_holdem"


def house(game: str) -> House:
    """The standard House of a game."""
    return analysis.standard_house(game)


def test_perfect_play_of_top_five_in_two_lines() -> None:
    """The strategy that comes with Top Five costs nothing at all."""
    rules = analysis.practical_strategy("top_five")
    assert rules is not None
    priced = analysis.strategy_cost(house("top_five"), rules)

    assert 0 == priced.cost
    assert Fraction(-799646116, 162155248255) == priced.ev
    assert () == priced.mistakes
    assert 1 == sum(line.used for line in priced.lines)


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_stored_costs_are_of_these_rules_and_this_game(game: Game) -> None:
    """The file has every setting, with the value of perfect play and the rules as they are."""
    values, costs = load_main_values(game), load_practical_costs(game)
    rules = analysis.practical_strategy(game.key)
    assert rules is not None and list(values) == list(costs)
    for settings in combinations_of(game.analysis.main):
        stakes = analysis.with_settings(house(game.key), settings)
        priced = analysis.practical_cost(stakes)

        assert Fraction(values[priced.setting]) == priced.best_ev == priced.ev + priced.cost
        assert stakes.digest == priced.digest
        assert [str(rule) for rule in rules.rules] == [
            line.rule for line in priced.lines if OTHERWISE not in line.rule
        ]


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_all_stored_costs(game: str) -> None:
    """Every setting, computed again."""
    assert cost.recount_practical_costs(game) == load_practical_costs(find(game))


@pytest.mark.compiled
def test_a_stored_cost_is_the_computed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Digest and all; a setting that is not stored is computed."""
    stakes = analysis.standard_house("jackpot_holdem")
    stored = analysis.practical_cost(stakes)
    monkeypatch.setattr(cost, "load_practical_costs", lambda game: {})

    assert stored == analysis.practical_cost(stakes)


# What following the strategies that come with the games costs, in percent of one ante; and bets
# that look at nothing, which are even in these games and so change nothing.
PRACTICAL = [
    (ULTIMATE, "0.2178", ["preflop: always -> 4x", "flop: always -> 2x", "river: always -> 1x"]),
    ("jackpot_holdem", "0.4826", ["preflop: always -> 3x", "river: always -> 1x"]),
    (
        "texas_holdem_bonus",
        "0.9718",
        ["preflop: always -> 2x", "preflop: always -> 2x\nflop: always -> 1x\nturn: always -> 1x"],
    ),
    ("run_em_twice", "1.1023", []),
]


@pytest.mark.parametrize(("game", "cost", "blind"), PRACTICAL)
def test_practical_strategies(game: str, cost: str, blind: list[str]) -> None:
    """Their costs, line by line; blind bets are worth the same whenever they are made."""
    rules = analysis.practical_strategy(game)
    assert rules is not None
    priced = analysis.strategy_cost(house(game), rules)

    assert cost == f"{100 * float(priced.cost):.4f}"
    assert sum(line.cost for line in priced.lines) == priced.cost
    assert all(line.words for line in priced.lines if "otherwise" not in line.rule)
    assert priced.mistakes[0].cost >= priced.mistakes[-1].cost > 0
    assert len({analysis.strategy_cost(house(game), rule).ev for rule in blind}) < 2
    if game in (ULTIMATE, "texas_holdem_bonus"):  # charts that are published cost nothing
        assert [0, 0] == [line.cost for line in priced.lines if line.street == "preflop"]


# What a process remembers of perfect play, and what finds it.
SOLVED: dict[str, tuple[Any, Any, str]] = {
    "top_five": (strategy_cost.live_solved, top_five, "count_facts"),
    "run_em_twice": (runs_cost.runs_solved, solver, "decide"),
    "texas_holdem_bonus": (texas_cost.solved_play, texas, "decide"),
    ULTIMATE: (holdem_cost.play_solved, single_raise, "decide"),
}


@pytest.mark.parametrize("game", SOLVED)
def test_another_process_solves_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Perfect play is on disk once a strategy was priced: the next one is charged the same."""
    remembered, module, name = SOLVED[game]
    rules = analysis.practical_strategy(game)
    assert rules is not None
    priced = analysis.strategy_cost(house(game), rules)
    remembered.cache_clear()
    monkeypatch.setattr(module, name, None)

    assert priced == analysis.strategy_cost(house(game), rules)


def test_perfect_play_of_another_payout_is_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Houses that pay the same share it; a file that lacks something is made again."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    first, rule = house("top_five"), "play: live >= 3 -> 1x"
    ev = analysis.strategy_cost(first, rule).ev

    def cost_again(one: House) -> Fraction:
        strategy_cost.live_solved.cache_clear()
        return analysis.strategy_cost(one, rule).ev

    strategy_cost.live_solved.cache_clear()
    assert ev == cost_again(first)
    (cached,) = tmp_path.glob("perfect-*")
    assert ev == cost_again(with_digest(replace(first, operator="Pier Casino")))
    assert [cached] == [*tmp_path.glob("perfect-*")]
    cost_again(analysis.with_settings(first, {"tie_break_extra_cards": False}))
    assert 2 == len([*tmp_path.glob("perfect-*")])
    disk_cache.save(cached.stem, {"masks": np.zeros(3)})
    assert ev == cost_again(first)


def test_who_never_bets_loses_the_compulsory_wagers() -> None:
    """Ultimate: check, check and fold. Run 'Em Twice: fold both antes."""
    assert -2 == analysis.strategy_cost(house(ULTIMATE), "river: outs < 0 -> 1x").ev
    assert -2 == analysis.strategy_cost(house("run_em_twice"), "first: high < 2 -> 1x").ev


def test_blind_bets_agree_with_the_chart() -> None:
    """Ultimate: 4x on every hand is worth what the solver's own chart adds up to."""
    chart = analysis.solve(house(ULTIMATE), distribution=False).chart
    from_chart = sum(row.options["4x"] * row.deals for row in chart) / 1326

    assert from_chart == analysis.strategy_cost(house(ULTIMATE), "preflop: always -> 4x").ev


def test_a_function_is_priced_as_its_rules() -> None:
    """A strategy in Python answers places among the options."""

    def plays(street: str, features: analysis.Features) -> NDArray[Any]:
        assert ("fold", "1x") == features.options
        return ((features.values("live") >= 3) | (features.values("pair") > 0)).astype(np.int64)

    cost = analysis.strategy_cost(house("top_five"), plays)

    assert analysis.strategy_cost(house("top_five"), "play: live >= 3 or pair -> 1x").ev == cost.ev
    for wrong in (
        lambda street, features: np.zeros(3),
        lambda street, features: features.values("live") + 9,
    ):
        with pytest.raises(BadInput, match="the strategy returned"):
            analysis.strategy_cost(house("top_five"), wrong)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rules found"),
        ("play live -> 1x", "expected a rule such as"),
        ("play: live >= -> 1x", "is not a condition"),
        ("play: colour -> 1x", "cannot be seen on the play; expected live, made"),
        ("play: live + 1 -> 1x", "cannot be seen"),
        ("river: live -> 1x", "has the streets play"),
        ("play: live -> 7x", "expected one of fold, 1x"),
        ("game: jackpot_holdem\nplay: live -> 1x", "not for top_five"),
        ('play: cards in "AKs" -> 1x', "cannot be used"),
        ('play: live in "AKs" -> 1x', "cannot be seen"),
    ],
)
def test_refused_rules(text: str, message: str) -> None:
    """What is wrong, and what was expected."""
    with pytest.raises(BadInput, match=message):
        analysis.strategy_cost(house("top_five"), text)


def test_ranges_of_hands() -> None:
    """The short form is read as it is meant and written back."""
    assert {"AA", "KK"} == starting_hands("KK+")
    assert {"AKs", "AKo", "AQs"} == starting_hands("AK, AQs")
    assert {"K9o", "KTo", "KJo", "KQo"} == starting_hands("K9o+")
    for text in ("33+ A2+ K2s+ K5o+ Q6s+ Q8o+ J8s+ JTo", "AA 99 AKs A5s", "22+ 32o"):
        assert starting_hands(text) == starting_hands(short_form(starting_hands(text)))
    for wrong in ("AKx", "A", "77s", "1A"):
        with pytest.raises(BadInput, match="not a range"):
            starting_hands(wrong)


def test_short_lists_get_better() -> None:
    """Each more line of Top Five loses less, and three of them are perfect play."""
    result = analysis.search_rules(house("top_five"), 5)
    costs = [one.priced.cost for one in result]

    assert sorted(costs, reverse=True) == costs
    assert costs[0] < Fraction(3, 100) and costs[-1] == 0
    assert [1, 2, 3] == [len(one.strategy.rules) for one in result]
    with pytest.raises(BadInput, match="expected 1 to 20"):
        analysis.search_rules(house("top_five"), 21)


def run(*words: str, status: int = 0) -> str:
    """What a command prints, errors included."""
    result = invoke(["strategy", *words])
    assert status == result.exit_code, result.output
    return result.output


def test_strategy_command(tmp_path: Path) -> None:
    """The strategy of a game, a file of rules, a search; and files that are refused."""
    file = tmp_path / "mine.rules"
    file.write_text("game: top_five\nplay: live >= 3 -> 1x  # three live cards\n")

    assert "Perfect play in two lines" in run("top_five")
    priced = json.loads(run(str(file), "--json"))
    assert "three live cards" == priced["lines"][0]["words"]
    assert priced["cost"]["value"] > 0.02
    assert "cost against length" in run("top", "--lines", "1")
    (found,) = json.loads(run("top", "--lines", "1", "--json"))["strategies"]
    assert 1 == len(found["strategy"]["rules"]) and found["priced"]["cost"]["value"] > 0
    file.write_text("play: live >= 3 -> 1x\n")
    assert "names no game" in run(str(file), status=2)
    assert "no such file" in run("other.rules", status=2)
