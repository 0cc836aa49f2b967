"""A game as it is offered: rounding and payout limits are part of its value."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Any

import pytest

from croupier import submission
from croupier.analysis import analyze, payoffs, solve, to_json, values_at_ante, values_by_ante
from croupier.analysis.result_cache import main_result
from croupier.errors import BadInput
from croupier.games import GAMES, House
from tests.table.scenario.test_scenario import validator

RUN = "run_em_twice"


def changed(game: str, **sections: dict[str, Any]) -> House:
    """An example with other fields."""
    filed = tomllib.loads(submission.example_path(game).read_text("utf-8"))
    for section, fields in sections.items():
        filed[section] |= fields
    return submission.build(filed)


def test_a_limit_cuts_the_game() -> None:
    """Run 'Em Twice at a $500 ante keeps about 15.5%, at its minimum what the odds say."""
    house = submission.example(RUN)
    solution = main_result(house, ante=500_00)
    total = sum(solution.distribution.values())

    assert "15.46" == f"{100 * float(solution.house_edge):.2f}"
    assert solution.ev == sum(v * n for v, n in solution.distribution.items()) / total
    assert 102 == max(solution.distribution)  # $50,000, and both antes at even money
    assert solve(house, distribution=False).ev == solve(house, distribution=False, ante=5_00).ev


def test_chips_that_are_rounded_up() -> None:
    """A $1 chip and a $5 ante lower Ultimate's edge to about 1.93%."""
    rounding = {"chip_rounding": "up_to_chip", "lowest_chip": 1}
    house = changed(
        "ultimate_texas_holdem", choices=rounding, limits={"ante": {"min": 5, "max": 500}}
    )
    results = {at.ante: at.house_edge for at in values_by_ante(house)}

    assert [5_00, 10_00, 20_00, 50_00, 100_00, 200_00, 500_00] == list(results)
    assert "1.93" == f"{100 * float(results[5_00]):.2f}"
    assert Fraction(607723787676, 27813810024000) == results[10_00] == results[500_00]


def test_center_decisions_under_a_limit() -> None:
    """The word that drives a table is the best of what is explained, cuts included."""
    strategy = solve(submission.example(RUN), distribution=False, ante=500_00).strategy
    question: Any = ("center", (51, 47), (43, 39, 50, 46), {"first_run": 3, "second_run": 3})
    answers = strategy.ask(*question)

    assert answers[0].option == strategy.decide(*question)
    assert answers[0].ev <= 102


@pytest.mark.parametrize("game", GAMES)
def test_an_ante_where_nothing_is_cut_changes_nothing(game: str) -> None:
    """$20 pays every line of the examples in whole cents and below every limit."""
    house = submission.example(game)
    by_odds = payoffs.Payoffs(house)
    money = payoffs.OfferedPayoffs(house, 20_00)
    roles = ("ante", "matching", "decision")
    stakes = {wager.name: 1 for wager in house.game.wagers if wager.role in roles}
    main = [f for f in house.every_facts() if house.game.ante.name in by_odds.parts(f, stakes)]

    assert main
    assert by_odds.by_code(main, stakes) == money.by_code(main, stakes)


@pytest.mark.parametrize("game", GAMES)
def test_results_come_in_the_order_of_payment(game: str) -> None:
    """The limit is used up in the order that the contract names: that of the passes."""
    house = submission.example(game)
    order = [wager for one in house.game.passes for wager in one]
    for results in house.tabulate().values():
        places = [order.index(result.wager) for result in results]
        assert sorted(places) == places


def test_analysis_at_an_ante() -> None:
    """It says so, follows the schema, and shows how the value changes to the maximum."""
    result = analyze(submission.example(RUN), ante=100_00)
    written = to_json(result)

    validator("analysis").validate(written)
    assert 100_00 == written["ante"] == result.ante
    assert "$100.00" in result.assumptions[-1]
    edges = [at.house_edge for at in result.by_ante]
    assert sorted(edges) == edges
    assert (5_00, 500_00) == (result.by_ante[0].ante, result.by_ante[-1].ante)
    assert result.main.house_edge in edges


def test_antes_that_are_not_taken() -> None:
    """Below the minimum, above the maximum, or too fine to be summed."""
    house = submission.example(RUN)
    for ante in (1_00, 1000_00):
        with pytest.raises(BadInput, match=r"expected \$5.00 to \$500.00"):
            values_at_ante.check_ante(house, ante)
    texas = submission.example("texas_holdem_bonus")
    with pytest.raises(BadInput, match="payout limit"):
        solve(texas, distribution=False, ante=20_000_00)
