"""Cards and money as they are written and read."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, name, parse_card, parse_cards, parse_deck
from croupier.errors import BadCards, BadInput
from croupier.money import (
    Pays,
    dollars,
    down_to_cent,
    meter_text,
    parse_decimal,
    parse_dollars,
    parse_pays,
    up_to_cent,
    up_to_chip,
)


def test_every_card_reads_back() -> None:
    """Names are unique and two characters long."""
    assert list(DECK) == [parse_card(name(card)) for card in DECK]
    assert {2} == {len(name(card)) for card in DECK}


def test_cards_are_read_in_any_case_and_with_ten_as_a_number() -> None:
    """What people type."""
    assert parse_cards("Th As") == parse_cards("10H, aS")


@pytest.mark.parametrize("written", ["KdTh", "kd10h", "K♦ T♥", "K♦10♡", "Kd, Th", " Kd  Th "])
def test_cards_are_read_however_they_are_set_apart(written: str) -> None:
    """One way to write cards, wherever they are asked for."""
    assert parse_cards(["Kd", "Th"]) == parse_cards(written)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("1s", "'1s' is not a card"), ("As As", "As is there twice"), ("A", "'A' is not a card")],
)
def test_bad_cards_are_named(text: str, problem: str) -> None:
    """The message quotes the card."""
    with pytest.raises(BadCards, match=problem):
        parse_cards(text)


def test_a_deck_has_52_cards() -> None:
    """51 cards are not a deck."""
    with pytest.raises(BadCards, match="a deck has 52 cards, got 51"):
        parse_deck(" ".join(name(card) for card in DECK[1:]))


@pytest.mark.parametrize(
    ("text", "stake", "winnings"),
    [
        ("3 to 2", 1500, 2250),
        ("3 to 2", 501, Fraction(1503, 2)),
        ("1,000 to 1", 500, 500_000),
        ("9 for 1", 500, 4000),
        ("$100,000", 500, 10_000_000),
        ("push", 500, 0),
    ],
)
def test_odds_pay_exactly(text: str, stake: int, winnings: Fraction) -> None:
    """To, for and dollars; the text reads back."""
    assert winnings == parse_pays(text).winnings(stake)
    assert text == str(parse_pays(text))


def test_a_share_of_a_meter_is_not_known_without_it() -> None:
    """The meter answers, not the odds."""
    assert Pays(unit="percent", win=10, meter="mega") == parse_pays("10% of mega")
    with pytest.raises(AssertionError, match="ask the meter"):
        parse_pays("100% of mega").winnings(100)


@pytest.mark.parametrize("text", ["", "3 too 2", "9 to", "$-5", "-3 to 1"])
def test_what_is_no_payout_is_refused(text: str) -> None:
    """A misprint in a paytable is found when it is read."""
    with pytest.raises(BadInput, match="is not a payout"):
        parse_pays(text)


def test_rounding_policies() -> None:
    """Each by its name."""
    assert (2, 1) == (up_to_cent(Fraction(3, 2)), down_to_cent(Fraction(3, 2)))
    assert 750 == up_to_chip(Fraction(750), 250)
    assert 1000 == up_to_chip(Fraction(751), 250)


@pytest.mark.parametrize(
    ("value", "cents"),
    [(10, 1000), (2.5, 250), ("7.25", 725), (1.005, None), (True, None), ("x", None)],
)
def test_dollars_are_read_as_written(value: object, cents: int | None) -> None:
    """2.5 is two dollars fifty; half a cent is refused."""
    assert cents == parse_dollars(value)


@pytest.mark.parametrize("value", ["1e999999999", "nan", "inf", None, [], float("nan")])
def test_what_is_no_number_is_none(value: object) -> None:
    """Nothing a file can hold makes a number of endless digits."""
    assert parse_decimal(value) is None


def test_money_is_written_for_people() -> None:
    """With a sign before the dollar."""
    assert ["$1,234.50", "-$0.05"] == [dollars(123450), dollars(-5)]


@given(st.decimals(min_value=0, max_value=10**9, places=6))
def test_meters_print_exactly(value: object) -> None:
    """The text of a meter reads back to the same value, in the shortest form."""
    exact = Fraction(str(value))
    text = meter_text(exact)

    assert exact == Fraction(text)
    assert not str(text).endswith(".0")
