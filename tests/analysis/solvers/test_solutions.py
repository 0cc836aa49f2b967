"""What must hold of every solution, whatever the game."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from croupier.analysis import payoffs, solve, variants
from croupier.analysis.result_cache import main_result, main_value
from croupier.analysis.solution import Solution
from croupier.analysis.solvers.street_summaries import MARGINAL_SHOWN
from croupier.cards import parse_cards
from croupier.games import GAMES, DealtHand, House
from croupier.games.expected_returns import load_main_values, main_key, main_return
from croupier.games.proposal import Proposal


@cache
def solved(game: str) -> Solution:
    """The standard House of a game, solved once for all tests here."""
    return solve(variants.standard_house(game))


@pytest.mark.parametrize("game", GAMES)
def test_distribution_agrees_with_recursion(game: str) -> None:
    """The value from the counts of results is the value from the decisions, kept or not."""
    solution = solved(game)
    total = sum(solution.distribution.values())

    assert main_result(variants.standard_house(game)) == solution.result()  # as others ask for it
    assert solution.deals == total
    assert solution.ev == sum(v * n for v, n in solution.distribution.items()) / total
    assert 1 == sum(solution.outcomes.values())


@pytest.mark.parametrize("game", GAMES)
def test_actions_add_up(game: str) -> None:
    """On every street the actions are all there is, and they explain the average wager."""
    solution = solved(game)
    for street in GAMES[game].streets:
        assert {option.word for option in street.options} == set(solution.actions[street.name])
        assert 1 == sum(solution.actions[street.name].values())
    assert solution.average_wager >= sum(payoffs.opening_stakes(GAMES[game]).values())


@pytest.mark.parametrize("game", GAMES)
def test_components_are_the_value(game: str) -> None:
    """The contributions of the wagers add up to the value of the game."""
    solution = solved(game)
    main = [w.name for w in GAMES[game].wagers if w.role in ("ante", "matching", "decision")]

    assert main == list(solution.components)
    assert solution.ev == sum(solution.components.values())


@pytest.mark.parametrize("game", GAMES)
def test_chart_is_the_value(game: str) -> None:
    """The chart's best options, weighted by their deals, are the value of the game."""
    chart = solved(game).chart
    deals = sum(row.deals for row in chart)

    assert solved(game).ev == sum(max(row.options.values()) * row.deals for row in chart) / deals
    assert all(row.options[row.best] == max(row.options.values()) for row in chart)


def random_round(house: House, deck: random.Random, solution: Solution) -> Fraction:
    """The net result of one random round under the solved strategy, through judge and settle."""
    game = house.game
    sizes = (game.player_cards, game.dealer_cards, game.community_cards)
    cards = deck.sample(range(52), sum(sizes))
    own, dealer = cards[: sizes[0]], cards[sizes[0] : sizes[0] + sizes[1]]
    board = cards[sizes[0] + sizes[1] :]
    bets: dict[str, int] = {}
    folded = ""
    for street in game.streets:
        word = solution.strategy.decide(street.name, own, board[: street.shown], bets)
        option = street.option(word)
        assert option is not None
        if option.wager in bets or (option.wager and street.name != "first" and "play" in bets):
            break
        if word == "fold":
            folded = street.name
            break
        if option.times:
            bets[option.wager] = option.times
            if option.wager == "play":
                break
    seen = DealtHand(cards=own, dealer=dealer, community=board, box=(), folded_at=folded, wagers=())
    facts = next(game.judge(seen, house))
    return payoffs.Payoffs(house).net(facts, {**payoffs.opening_stakes(game), **bets})


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_agree(game: str) -> None:
    """The mean of a few thousand rounds under the strategy agrees with the solution."""
    house, solution, rounds = variants.standard_house(game), solved(game), 3000
    deck = random.Random(game)
    results = [random_round(house, deck, solution) for _ in range(rounds)]
    error = solution.standard_deviation / rounds**0.5

    assert set(results) <= set(solution.distribution)
    assert abs(float(sum(results)) / rounds - float(solution.ev)) < 4 * error


@pytest.mark.parametrize("game", GAMES)
def test_ask_and_decide_agree(game: str) -> None:
    """The word that drives a table is the first of the options that are explained."""
    strategy, deck = solved(game).strategy, random.Random(1)
    size = GAMES[game].player_cards
    for _ in range(12):
        cards = deck.sample(range(52), size + 5)
        for street in GAMES[game].streets:
            question: Any = (street.name, cards[:size], cards[size : size + street.shown])

            assert strategy.ask(*question)[0].option == strategy.decide(*question)


@pytest.mark.parametrize("game", GAMES)
def test_close_decisions_are_as_close_as_told(game: str) -> None:
    """Every street after the chart's is summed up, and the advisor confirms the closest."""
    solution, streets = solved(game), GAMES[game].streets
    summed = streets[1:] or streets

    assert [street.name for street in summed] == [result.street for result in solution.streets]
    for street, result in zip(summed, solution.streets, strict=True):
        assert result.situations == sum(result.actions.values())
        assert {option.word for option in street.options} == set(result.actions)
        assert MARGINAL_SHOWN == len(result.marginal)
        gaps = [abs(close.gain) for close in result.marginal]
        assert sorted(gaps) == gaps
        for close in result.marginal:
            cards, community = parse_cards(close.hand), parse_cards(close.board)
            bets: dict[str, int] = {}
            for before in streets[: streets.index(street)]:
                word = solution.strategy.decide(before.name, cards, community[: before.shown], bets)
                option = before.option(word)
                assert option is not None
                if option.times:
                    bets[option.wager] = option.times
            best, second, *_ = solution.strategy.ask(street.name, cards, community, bets)

            assert abs(close.gain) == best.ev - second.ev


def test_a_changed_paytable_changes_the_analysis() -> None:
    """No payout is in a kernel: double what a flush pays on the Blind, and the game is better."""
    house = variants.standard_house("ultimate_texas_holdem")
    printed = house.paytable("blind").lines
    lines = tuple(
        (line.hand, "3 to 1" if line.hand == "flush" else str(line.pays)) for line in printed
    )
    changed = replace(house, proposal=Proposal(pays={"blind": lines}))

    better = solve(changed, distribution=False).ev - solved("ultimate_texas_holdem").ev

    assert better > 0


@pytest.mark.parametrize("game", GAMES)
def test_kept_values_of_main_games(game: str) -> None:
    """What `croupier check` reads from a file is what the solver finds."""
    base = variants.standard_house(game)
    solved_values = {}
    for settings in variants.combinations_of(GAMES[game].analysis.main):
        house = variants.with_settings(base, settings)
        solved_values[main_key(house)] = main_value(house)

        assert main_return(house) - 1 == solved_values[main_key(house)]
    assert solved_values == {
        key: Fraction(value) for key, value in load_main_values(GAMES[game]).items()
    }
