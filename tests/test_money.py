"""Odds, rounding policies, and the text forms of money."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadInput
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
    """To, for and dollars; the text form parses back."""
    assert winnings == parse_pays(text).winnings(stake)
    assert text == str(parse_pays(text))


def test_a_share_of_a_meter_is_not_known_without_it() -> None:
    """Only the meter has the amount."""
    assert Pays(unit="percent", win=10, meter="mega") == parse_pays("10% of mega")
    with pytest.raises(AssertionError, match="ask the meter"):
        parse_pays("100% of mega").winnings(100)


@pytest.mark.parametrize("text", ["", "3 too 2", "9 to", "$-5", "-3 to 1"])
def test_what_is_no_payout_is_refused(text: str) -> None:
    """Parsing rejects a misprint in a paytable."""
    with pytest.raises(BadInput, match="is not a payout"):
        parse_pays(text)


def test_rounding_policies() -> None:
    """Up and down to the cent, and up to the chip."""
    assert (2, 1) == (up_to_cent(Fraction(3, 2)), down_to_cent(Fraction(3, 2)))
    assert 750 == up_to_chip(Fraction(750), 250)
    assert 1000 == up_to_chip(Fraction(751), 250)


@pytest.mark.parametrize(
    ("value", "cents"),
    [(10, 1000), (2.5, 250), ("7.25", 725), (1.005, None), (True, None), ("x", None)],
)
def test_dollars_are_read_as_written(value: object, cents: int | None) -> None:
    """2.5 is two dollars fifty; half a cent is rejected."""
    assert cents == parse_dollars(value)


@pytest.mark.parametrize("value", ["1e999999999", "nan", "inf", None, [], float("nan")])
def test_what_is_no_number_is_none(value: object) -> None:
    """A huge exponent is rejected before it becomes an exact fraction."""
    assert parse_decimal(value) is None


def test_money_is_written_for_people() -> None:
    """The minus sign precedes the dollar sign."""
    assert ["$1,234.50", "-$0.05"] == [dollars(123450), dollars(-5)]


@given(st.decimals(min_value=0, max_value=10**9, places=6))
def test_meters_print_exactly(value: object) -> None:
    """The text of a meter parses back to the same value and is the shortest."""
    exact = Fraction(str(value))
    text = meter_text(exact)

    assert exact == Fraction(text)
    assert not str(text).endswith(".0")
