"""The examples and a minimal submission are legal and make a House."""

from __future__ import annotations

import tomllib
from fractions import Fraction

import pytest

from croupier.errors import UnknownGame
from croupier.games import GAMES, Limits, Meter
from croupier.submission import build, draft, example, example_path
from tests.submission.samples import EVERY_GAME, JACKPOT, RUN, TEXAS, TOP, ULTIMATE

CONTRACT = """
game = "ultimate_texas_holdem"
[operator]
name = "Harbor Casino"
[table]
dealing_method = "automated_shoe"
shuffle_method = "counting_shuffler"
decks = 2
max_adjacent_boxes = 1
[limits]
ante = { min = 10, max = 500 }
trips = { min = 5, max = 100 }
[paytables]
blind = "A"
trips = "C"
progressive = "C"
[choices]
progressive_basis = "own_two_plus_flop"
progressive_stake = 1
envy_holder_must_wager = false
[meters.mega]
initial = 10000
reset = 10000
rate = 4.0
[meters.major]
initial = 1000
reset = 1000
rate = 8.0
[meters.minor]
initial = 250
reset = 250
rate = 8.0
"""


@pytest.mark.parametrize("game", EVERY_GAME)
def test_examples_are_clean(game: str) -> None:
    """No error, nothing outstanding; a warning only of the hand that is judged (A3)."""
    result = draft(example_path(game))

    expected = ["choices.progressive_basis"] if game == RUN else []
    assert expected == [issue.field for issue in result.issues]
    assert result.ready
    assert "Harbor Casino" == result.operator


@pytest.mark.parametrize("game", EVERY_GAME)
def test_examples_offer_every_wager(game: str) -> None:
    """Every wager is offered, at practice limits."""
    house = example(game)

    assert {wager.name for wager in GAMES[game].wagers} == house.offered
    assert Limits(minimum=5_00, maximum=500_00) == house.limits[GAMES[game].ante.name]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_examples_state_every_reading(game: str) -> None:
    """The example states every choice that settles an unclear clause."""
    stated = tomllib.loads(example_path(game).read_text("utf-8"))["choices"]
    elsewhere = {"six_card_deal_position", "six_card_deal_position_approval", "payout_limit"}
    elsewhere |= {"payout_limit_approval"}
    expected = {choice.name for choice in GAMES[game].form.choices if choice.reading}

    assert expected - elsewhere <= stated.keys()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_house_answers_every_choice(game: str) -> None:
    """The House has a value for every field, stated or not."""
    house = example(game)
    names = {choice.name for choice in GAMES[game].form.every_choice if choice.section == "choices"}

    assert (names - {"payout_limit"}) | {"operator_logo"} == set(house.choices.__struct_fields__)


def test_unknown_example() -> None:
    """An unknown game has no example."""
    with pytest.raises(UnknownGame, match="red_dog"):
        example_path("red_dog")


def test_the_contract_is_legal() -> None:
    """The minimal submission makes a House; only approvals and readings are open."""
    result = draft(tomllib.loads(CONTRACT))

    assert result.legal
    assert not result.ready
    assert {
        "choices.layout_approval",
        "choices.internal_controls_ref",
        "choices.envy_schedule",
    } == {issue.field for issue in result.of("outstanding")}


def test_the_contract_is_bound() -> None:
    """Dollars become cents, percent stays exact, defaults are filled in."""
    house = build(tomllib.loads(CONTRACT))

    assert {"blind": "A", "trips": "C", "progressive": "C"} == house.letters
    assert Limits(minimum=10_00, maximum=500_00) == house.limits["ante"]
    assert {"ante", "trips"} == house.limits.keys()
    assert 100 == house.choices.progressive_stake
    assert "C" == house.choices.envy_schedule
    assert house.choices.offers_progressive
    assert not house.choices.offers_bad_beat
    assert house.payout_limit is None
    assert ["mega", "major", "minor"] == list(house.meters)
    major = Meter(name="major", initial=1000_00, reset=1000_00, rate_percent=Fraction(8))
    assert major == house.meters["major"]


def test_the_contract_error() -> None:
    """The documented error message, word for word."""
    data = tomllib.loads(CONTRACT)
    data["meters"]["major"]["reset"] = 900

    assert [
        "meters.major.reset: 900 is below the minimum of 1000 for paytable C "
        "[ultimate_texas_holdem 12.D.3.b.iii.2]"
    ] == [str(issue) for issue in draft(data).of("error")]


@pytest.mark.parametrize(
    ("game", "paytables", "choices"),
    [
        (TEXAS, {}, {"ante_return_threshold": "flush"}),
        (TOP, {}, {}),
        (ULTIMATE, {"blind": "B", "trips": "A"}, {}),
        (JACKPOT, {"xtra_bonus": "A"}, {}),
        (RUN, {}, {}),
    ],
)
def test_little_is_compulsory(
    game: str, paytables: dict[str, str], choices: dict[str, str]
) -> None:
    """A name, the letters of compulsory wagers and one choice in Texas make a House."""
    house = build(
        {"game": game, "operator": {"logo": "a lighthouse"}}
        | ({"paytables": paytables} if paytables else {})
        | ({"choices": choices} if choices else {})
    )

    assert ("automated_shoe", "counting_shuffler", 2, 1) == (
        house.dealing_method,
        house.shuffle_method,
        house.decks,
        house.max_adjacent_boxes,
    )
    assert Limits(minimum=5_00, maximum=None) == house.limits[GAMES[game].ante.name]
    assert "a lighthouse" == house.operator == house.choices.operator_logo
    assert {} == house.meters


def test_example_choices_by_game() -> None:
    """The cards behind the progressive are those that the odds were made for (A1, A2, A3)."""
    basis = {game: example(game).choices.progressive_basis for game in (ULTIMATE, JACKPOT, RUN)}

    assert {
        ULTIMATE: "own_two_plus_flop",
        JACKPOT: "own_two_plus_first_three",
        RUN: "first_run",
    } == basis
