"""What else could be chosen, and what it is worth, is told and not found by trial."""

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
    """The example of a game as a mapping that may be changed."""
    return tomllib.loads(submission.example_path(game).read_text("utf-8"))


def told(data: dict[str, Any], field: str, wager: str) -> dict[str, Fraction]:
    """What each value of a field returns of a wager."""
    examination = submission.draft(data)
    assert examination.priced is not None
    for each in alternatives(examination.priced, examination.undecided):
        if each.field == field and each.values[0].wager == wager:
            return {value.value: value.share for value in each.values}
    raise AssertionError(f"{field} is not among the alternatives")


def test_the_basis_of_a_progressive_is_priced_before_it_is_chosen() -> None:
    """Run 'Em Twice, paytable A: three readings, one of which keeps the house its money (A3)."""
    data = example_data("run_em_twice")
    data["paytables"]["progressive"] = "A"
    del data["choices"]["progressive_basis"]
    data["choices"].pop("envy_schedule", None)
    floors = meter_floors("run_em_twice", "A")
    data["meters"] = {floor.meter: {"rate": 4} for floor in floors if floor.minimum_dollars}

    shares = told(data, "choices.progressive_basis", "progressive")
    percents = {value: f"{float(share):.1%}" for value, share in shares.items()}

    assert {
        "first_run": "56.0%",
        "higher_run": "108.6%",
        "best_five_of_seven": "543.5%",
    } == percents


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_an_alternative_is_worth_what_a_submission_with_it_returns(game: Game) -> None:
    """Each value written into the file gives the return that was told, the star included."""
    house = submission.example(game.key)
    found = alternatives(house)
    assert found
    for each in found:
        section, _, name = each.field.partition(".")
        if name == "progressive" and section == "paytables":
            continue  # other letters have other meters, whose resets nobody stated
        assert 1 == sum(value.chosen for value in each.values)
        for value in each.values:
            data = example_data(game.key)
            kept = data[section].get(name)
            data[section][name] = tomllib.loads(f"v = {literal(value.value, kept)}")["v"]
            data["choices"]["accept_player_edge"] = True
            assert value.share == returns(submission.build(data))[value.wager], each.field


def literal(value: str, kept: object) -> str:
    """A value as TOML has it; words are quoted."""
    return value if isinstance(kept, bool | int) else f'"{value}"'


def test_alternatives_have_nothing_to_say_where_other_things_are_wrong() -> None:
    """A file that cannot be bound has no prices, and no crash."""
    data = example_data("run_em_twice")
    data["table"]["decks"] = 7

    examination = submission.draft(data)

    assert examination.priced is None
    assert {} == submission_renderer.to_json(examination)["alternatives"]
