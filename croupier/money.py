"""Integer cents, exact odds ("3 to 2", "50 for 1", "10% of mega"), rounding policies by name.

No float touches money. A stake is the cents on a wager, winnings exclude it, what is returned
includes it where it comes back.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal, TypeAlias

import msgspec

from croupier.errors import BadInput

Cents: TypeAlias = int
Unit: TypeAlias = Literal["to", "for", "percent", "dollars", "push"]

_ODDS = re.compile(r"(?P<win>[\d,]+) (?P<unit>to|for) (?P<per>\d+)")
_SHARE = re.compile(r"(?P<percent>\d+)% of (?P<meter>\w+)")
_DOLLARS = re.compile(r"\$(?P<dollars>[\d,]+)")


class Pays(msgspec.Struct, frozen=True, kw_only=True):
    """What a paytable line pays.

    "3 to 2" gives three for every two staked and the stake back; "50 for 1" gives fifty in all;
    "100% of mega" and "$1,000" are sums that do not depend on the stake; a push gives it back.
    """

    unit: Unit
    win: int = 0
    per: int = 1
    meter: str = ""

    def winnings(self, stake: Cents) -> Fraction:
        """The exact winnings on a stake, the stake itself excluded; a meter share has none here."""
        match self.unit:
            case "to":
                return Fraction(stake * self.win, self.per)
            case "for":
                return Fraction(stake * self.win, self.per) - stake
            case "dollars":
                return Fraction(self.win * 100)
            case "push":
                return Fraction(0)
        raise AssertionError(f"{self} is worth what its meter holds, ask the meter")

    def __str__(self) -> str:
        match self.unit:
            case "push":
                return "push"
            case "percent":
                return f"{self.win}% of {self.meter}"
            case "dollars":
                return f"${self.win:,}"
        return f"{self.win:,} {self.unit} {self.per}"


PUSH = Pays(unit="push")
EVEN_MONEY = Pays(unit="to", win=1)


def parse_pays(text: str) -> Pays:
    """Read what `str(pays)` writes."""
    if text == "push":
        return PUSH
    if found := _ODDS.fullmatch(text):
        unit: Unit = "to" if found["unit"] == "to" else "for"
        return Pays(unit=unit, win=_whole(found["win"]), per=int(found["per"]))
    if found := _SHARE.fullmatch(text):
        return Pays(unit="percent", win=int(found["percent"]), meter=found["meter"])
    if found := _DOLLARS.fullmatch(text):
        return Pays(unit="dollars", win=_whole(found["dollars"]))
    raise BadInput(f"{text!r} is not a payout; expected such as '3 to 2', '50 for 1', '$1,000'")


def _whole(text: str) -> int:
    return int(text.replace(",", ""))


def whole_cents(value: Fraction) -> Cents:
    """Whole cents, or an assertion: for sums that must divide."""
    assert value.denominator == 1, f"{value} is not whole cents"
    return value.numerator


def up_to_cent(value: Fraction) -> Cents:
    """Round up to the cent, so that nobody is paid less than the odds say (A24, A46)."""
    return -(-value.numerator // value.denominator)


def down_to_cent(value: Fraction) -> Cents:
    """Round down to the cent; the rest stays where it was (A46)."""
    return value.numerator // value.denominator


def up_to_chip(value: Fraction, chip: Cents) -> Cents:
    """Round up to a multiple of the lowest chip (A24)."""
    chips = value / chip
    return -(-chips.numerator // chips.denominator) * chip


def dollars(cents: Cents) -> str:
    """ "$1,234.50", with a minus sign before the dollar sign."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def parse_dollars(value: object) -> Cents | None:
    """Cents from dollars written as an int, a decimal number or its text; None if they are not."""
    amount = parse_decimal(value)
    if amount is None or (amount * 100).denominator != 1:
        return None
    return (amount * 100).numerator


def parse_decimal(value: object) -> Fraction | None:
    """The exact value of a number as it was written: 4.1 is 41/10; None if it is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    # An exponent of millions would make an exact fraction that fills the memory.
    if not number.is_finite() or abs(number.adjusted()) > 30:
        return None
    return Fraction(number)


def meter_text(value: Fraction) -> int | str:
    """A meter as it is printed: whole cents as an int, otherwise the shortest decimal."""
    if value.denominator == 1:
        return value.numerator
    scaled, places = value, 0
    while scaled.denominator != 1:
        scaled, places = scaled * 10, places + 1
        assert places < 60, f"{value} has no finite decimal"
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
