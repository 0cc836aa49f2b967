"""Money in integer cents, exact odds ("3 to 2", "50 for 1", "10% of mega"), rounding policies.

Money is never a float. A stake is the amount on a wager, winnings exclude the stake, and the amount
returned includes the stake unless it is lost.
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
    """The payout of a paytable line.

    "3 to 2" pays three for every two staked and returns the stake. "50 for 1" returns fifty for
    every one staked, the stake included. "100% of mega" (a meter) and "$1,000" do not depend on the
    stake. "push" returns the stake.
    """

    unit: Unit
    win: int = 0
    per: int = 1
    meter: str = ""

    def winnings(self, stake: Cents) -> Fraction:
        """The exact winnings on a stake, the stake excluded; not defined for a meter share."""
        match self.unit:
            case "to":
                return Fraction(stake * self.win, self.per)
            case "for":
                return Fraction(stake * self.win, self.per) - stake
            case "dollars":
                return Fraction(self.win * 100)
            case "push":
                return Fraction(0)
        raise AssertionError(f"{self} depends on the amount of its meter; ask the meter")

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
    """Parse the text form of a payout, `str(pays)`. Raises `BadInput`."""
    if text == "push":
        return PUSH
    if match := _ODDS.fullmatch(text):
        unit: Unit = "to" if match["unit"] == "to" else "for"
        return Pays(unit=unit, win=_whole(match["win"]), per=int(match["per"]))
    if match := _SHARE.fullmatch(text):
        return Pays(unit="percent", win=int(match["percent"]), meter=match["meter"])
    if match := _DOLLARS.fullmatch(text):
        return Pays(unit="dollars", win=_whole(match["dollars"]))
    raise BadInput(f"{text!r} is not a payout; expected e.g. '3 to 2', '50 for 1' or '$1,000'")


def _whole(text: str) -> int:
    return int(text.replace(",", ""))


def up_to_cent(value: Fraction) -> Cents:
    """Round up to the cent, so that no payout is below the odds (A24, A46)."""
    return -(-value.numerator // value.denominator)


def down_to_cent(value: Fraction) -> Cents:
    """Round down to the cent; the remainder stays in the meter (A46)."""
    return value.numerator // value.denominator


def up_to_chip(value: Fraction, chip: Cents) -> Cents:
    """Round up to a multiple of the lowest chip (A24)."""
    chips = value / chip
    return -(-chips.numerator // chips.denominator) * chip


def dollars(cents: Cents) -> str:
    """Format cents as dollars: "$1,234.50", "-$0.05"."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}.{rest:02d}"


def chip_amount(cents: Cents) -> str:
    """Format an amount of chips, without zero cents: "$10", "$37.50"."""
    return dollars(cents) if cents % 100 else f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}"


def parse_dollars(value: object) -> Cents | None:
    """Cents from dollars given as a number or as text; None if they are not whole cents."""
    amount = parse_decimal(value)
    if amount is None or (amount * 100).denominator != 1:
        return None
    return (amount * 100).numerator


def parse_decimal(value: object) -> Fraction | None:
    """The exact value of a number or its text, 4.1 as 41/10; None if it is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    # The exact fraction of a number with a huge exponent would exhaust the memory.
    if not number.is_finite() or abs(number.adjusted()) > 30:
        return None
    return Fraction(number)


def meter_text(value: Fraction) -> int | str:
    """The value of a meter in JSON: whole cents as an int, otherwise the shortest decimal."""
    if value.denominator == 1:
        return value.numerator
    scaled, places = value, 0
    while scaled.denominator != 1:
        scaled, places = scaled * 10, places + 1
        assert places < 60, f"{value} has no finite decimal"
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
