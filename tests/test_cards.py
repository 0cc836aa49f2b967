"""Parsing cards and decks."""

from __future__ import annotations

import pytest

from croupier.cards import DECK, name, parse_card, parse_cards, parse_deck
from croupier.errors import BadCards


def test_every_card_reads_back() -> None:
    """Names are unique and two characters long."""
    assert list(DECK) == [parse_card(name(card)) for card in DECK]
    assert {2} == {len(name(card)) for card in DECK}


def test_cards_are_read_in_any_case_and_with_ten_as_a_number() -> None:
    """Both forms that people type."""
    assert parse_cards("Th As") == parse_cards("10H, aS")


@pytest.mark.parametrize("text", ["KdTh", "kd10h", "K♦ T♥", "K♦10♡", "Kd, Th", " Kd  Th "])
def test_cards_are_read_however_they_are_set_apart(text: str) -> None:
    """With and without separators, in letters or suit symbols."""
    assert parse_cards(["Kd", "Th"]) == parse_cards(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("1s", "'1s' is not a card"), ("As As", "As appears twice"), ("A", "'A' is not a card")],
)
def test_bad_cards_are_named(text: str, problem: str) -> None:
    """The message quotes the card."""
    with pytest.raises(BadCards, match=problem):
        parse_cards(text)


def test_a_deck_has_52_cards() -> None:
    """51 cards are not a deck."""
    with pytest.raises(BadCards, match="a deck has 52 cards, got 51"):
        parse_deck(" ".join(name(card) for card in DECK[1:]))
