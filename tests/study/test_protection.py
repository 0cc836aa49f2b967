"""What a seen card is worth: figures that nobody has published, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from croupier.errors import BadInput
from croupier.study import protect, standard_house
from tests.study.test_commands import run


def test_a_dealer_card_of_top_five() -> None:
    """Ours is the first figure: the player comes out ahead, by a dead card above all."""
    found = protect(standard_house("top_five"), "dealer:1")
    shares = {card: Fraction(32 if card == "dead" else 4, 52) for card in found.by_card}

    assert Fraction(1709063728, 115825177325) == found.ev
    assert found.ev == sum(ev * shares[card] for card, ev in found.by_card.items())
    assert found.gain == found.ev - found.blind > 0
    assert 1 == sum(found.actions.values())


@pytest.mark.parametrize("knows", ["flop:1", "river:1"])
def test_a_card_of_the_board(knows: str) -> None:
    """Ours are the first figures; a card to come is worth more than one of the flop."""
    found = protect(standard_house("ultimate_texas_holdem"), knows)
    exact = {"flop:1": (314386663957, 6953452506000), "river:1": (331038730949, 4635635004000)}

    assert Fraction(*exact[knows]) == found.ev == sum(found.by_card.values()) / 13
    assert 1 == sum(found.actions.values())


@pytest.mark.slow
def test_a_dealer_card_of_jackpot() -> None:
    """Ours is the first figure."""
    assert (
        Fraction(4585224929, 33591558000)
        == protect(standard_house("jackpot_holdem"), "dealer:1").ev
    )


@pytest.mark.parametrize(
    ("game", "knows"),
    [
        ("top_five", "flop:1"),
        ("run_em_twice", "dealer:1"),
        ("jackpot_holdem", "dealer:1 flop:1"),
        ("ultimate_texas_holdem", "everything"),
        ("texas_holdem_bonus", ""),
    ],
)
def test_what_is_not_worked_out(game: str, knows: str) -> None:
    """It says what may be known in this game."""
    with pytest.raises(BadInput, match=r"expected '(dealer|center):1'"):
        protect(standard_house(game), knows)


def test_the_command() -> None:
    """A table for people, JSON for programs."""
    words = ("protect", "top_five", "--knows", "dealer:1")
    found = json.loads(run(*words, "--json"))

    assert "1709063728/115825177325" == found["ev"]["exact"]
    assert "1.4756 %" in run(*words)
    assert "not worked out" in run("protect", "top_five", "--knows", "deck", status=2)
