"""Alternatives have the same exact returns as submissions that choose them."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Any

import pytest

from croupier import submission
from croupier.documents.console import submission_renderer
from croupier.games import CATALOGUE, Game
from croupier.games.expected_returns import returns
from croupier.rulebook import meter_floors
from croupier.submission.alternatives import alternatives


def example_data(game: str) -> dict[str, Any]:
    """Return the example of a game as a mutable mapping."""
    return tomllib.loads(submission.example_path(game).read_text("utf-8"))


def shares_by_value(data: dict[str, Any], field: str, wager: str) -> dict[str, Fraction]:
    """Return the expected return of a wager under each value of a field."""
    result = submission.draft(data)
    assert result.priced is not None
    for item in alternatives(result.priced, result.undecided):
        if item.field == field and item.values[0].wager == wager:
            return {value.value: value.share for value in item.values}
    raise AssertionError(f"{field} is not among the alternatives")


def test_the_basis_of_a_progressive_is_priced_before_it_is_chosen() -> None:
    """Run 'Em Twice, paytable A: three readings, only one without a player edge (A3)."""
    data = example_data("run_em_twice")
    data["paytables"]["progressive"] = "A"
    del data["choices"]["progressive_basis"]
    data["choices"].pop("envy_schedule", None)
    floors = meter_floors("run_em_twice", "A")
    data["meters"] = {floor.meter: {"rate": 4} for floor in floors if floor.minimum_dollars}

    shares = shares_by_value(data, "choices.progressive_basis", "progressive")
    percents = {value: f"{float(share):.1%}" for value, share in shares.items()}

    assert {
        "first_run": "56.0%",
        "higher_run": "108.6%",
        "best_five_of_seven": "543.5%",
    } == percents


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_an_alternative_is_worth_what_a_submission_with_it_returns(game: Game) -> None:
    """Each value gives the stated return when it is written into the file."""
    house = submission.example(game.key)
    items = alternatives(house)
    assert items
    for item in items:
        section, _, name = item.field.partition(".")
        if name == "progressive" and section == "paytables":
            continue  # other letters have other meters, whose reset amounts are not stated
        assert 1 == sum(value.chosen for value in item.values)
        for value in item.values:
            data = example_data(game.key)
            current = data[section].get(name)
            data[section][name] = tomllib.loads(f"v = {literal(value.value, current)}")["v"]
            data["choices"]["accept_player_edge"] = True
            assert value.share == returns(submission.build(data))[value.wager], item.field


def literal(value: str, current: object) -> str:
    """Return a value as TOML, quoted if it is a word."""
    return value if isinstance(current, bool | int) else f'"{value}"'


def test_alternatives_have_nothing_to_say_where_other_things_are_wrong() -> None:
    """An illegal submission has no prices."""
    data = example_data("run_em_twice")
    data["table"]["decks"] = 7

    result = submission.draft(data)

    assert result.priced is None
    assert {} == submission_renderer.to_json(result)["alternatives"]
