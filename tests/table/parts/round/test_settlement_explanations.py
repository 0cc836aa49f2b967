"""Reasons of settled wagers, and hand names with their ranks."""

from __future__ import annotations

import pytest

from croupier.cards import parse_cards
from croupier.games import CATALOGUE, Game
from croupier.games.hand_names import describe_value
from croupier.ranking import poker_value
from croupier.submission import example
from croupier.table import reasons
from tests.support.rounds import Play, Seat, house

UTH = "ultimate_texas_holdem"


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_every_result_has_a_reason(game: Game) -> None:
    """Every possible result of a wager has a reason."""
    offered = example(game.key)
    for facts in offered.every_facts():
        for result in offered.settle(facts):
            assert facts.why(result, offered), (facts, result)


@pytest.mark.parametrize(
    ("dealer", "word", "expected"),
    [
        ("Kc Qd", "4x", {"ante": "the dealer has no pair", "blind": "with a straight or better"}),
        ("9c 9d", "4x", {"ante": "the dealer has the better hand"}),
        ("2c 9s", "4x", {"ante": "you have the better hand", "play": "you have the better hand"}),
        ("9c 9d", "fold", {"ante": "you folded"}),
    ],
)
def test_the_reasons_of_a_round(dealer: str, word: str, expected: dict[str, str]) -> None:
    """Ante returned: the dealer has no pair."""
    words = word if word != "fold" else "check check fold"
    play = Play(
        house(UTH),
        {1: Seat("Ah 3h", words, "you", ante=1500, blind=1500, trips=500)},
        dealer=dealer,
        community="7h 3c 2s Js 4c",
    )
    play.finish()
    current = play.table.round
    assert current is not None
    why = reasons(current, 1)

    assert "your best five of seven cards: pair of threes" == why["trips"]
    for wager, reason in expected.items():
        assert reason in why[wager]


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Ah Kd 9s 5c 3d", "ace high"),
        ("9h 9d Ks 5c 3d", "pair of nines"),
        ("Qh Qd 8s 8c 3d", "two pair, queens and eights"),
        ("Qh Qd Qs 8c 3d", "three queens"),
        ("7h 8d 9s Tc Jd", "straight to the jack"),
        ("Ah 2d 3s 4c 5d", "straight to the five"),
        ("2h 8h 9h Th Kh", "flush, king high"),
        ("Kh Kd Ks Tc Td", "full house, kings over tens"),
        ("9h 9d 9s 9c Td", "four nines"),
        ("5h 6h 7h 8h 9h", "straight flush to the nine"),
        ("Th Jh Qh Kh Ah", "royal flush"),
    ],
)
def test_hands_are_named_with_their_ranks(cards: str, name: str) -> None:
    """As a player would name them."""
    assert name == describe_value(poker_value(parse_cards(cards)))
