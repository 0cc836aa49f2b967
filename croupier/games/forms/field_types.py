"""How a value is read: a flag, one of several words, a whole number, dollars, a reference.

Every kind reads what the file holds into one normal form, says what it allows, writes a value
back as the file would have it, and gives its JSON Schema.
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import Any

import msgspec

from croupier.games.chips import Chip
from croupier.games.forms.issues import either, shown
from croupier.money import Cents, parse_decimal, parse_dollars

MOST_DOLLARS = 1_000_000_000
MOST_WHOLE = 1_000_000  # of a number that has no limit of its own
_LONGEST_TEXT = 200
_NUMBER_TEXT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?", re.ASCII)
_DATE = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")


class Unreadable(Exception):
    """A value that its kind does not allow; the message says what is wrong with it."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """The root of every kind."""

    @property
    def allowed(self) -> str:
        """What may be written, in words."""
        raise AssertionError(f"{type(self).__name__} must say what it allows")

    def read(self, value: object) -> Any:
        """The normal form of a value, or Unreadable."""
        raise AssertionError(f"{type(self).__name__} must read")

    def write(self, value: Any) -> str:
        """A normal form as the file would have it, without quotation marks."""
        return shown(value).strip('"')

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what may be written."""
        raise AssertionError(f"{type(self).__name__} must have a schema")


def refuse(value: object, expected: str) -> Unreadable:
    """The usual sentence."""
    return Unreadable(f"{shown(value)} is not {expected}")


class Flag(Kind, frozen=True):
    """true or false."""

    allowed = "true or false"

    def read(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise refuse(value, self.allowed)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class OneOf(Kind, frozen=True, kw_only=True):
    """One of several words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return either(self.words)

    def read(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise refuse(value, self.allowed)
        return value

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}


class Whole(Kind, frozen=True, kw_only=True):
    """A whole number from `least` to `most`."""

    least: int
    most: int | None = None

    @property
    def allowed(self) -> str:
        if self.most is None:
            return f"a whole number, {self.least} or more"
        if self.most == self.least:
            return str(self.least)
        return f"a whole number from {self.least} to {self.most}"

    def read(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise refuse(value, self.allowed)
        if not self.least <= value <= (MOST_WHOLE if self.most is None else self.most):
            raise refuse(value, self.allowed)
        return value

    def schema(self) -> dict[str, Any]:
        most = MOST_WHOLE if self.most is None else self.most
        return {"type": "integer", "minimum": self.least, "maximum": most}


class Hours(Kind, frozen=True, kw_only=True):
    """A number of hours above zero; the most depends on how the cards are dealt."""

    most: int

    @property
    def allowed(self) -> str:
        return f"a number of hours above 0, {self.most} at the most"

    def read(self, value: object) -> int | float:
        hours = None if isinstance(value, str) else number(value)
        if hours is None or not 0 < hours <= self.most:
            raise refuse(value, self.allowed)
        # Hours are a time, not money: a float keeps them as they were written.
        return hours.numerator if hours.denominator == 1 else float(hours)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum": 0, "maximum": self.most}


class Dollars(Kind, frozen=True, kw_only=True):
    """An amount above zero, or one of a few; read into cents."""

    only: tuple[int, ...] = ()

    @property
    def allowed(self) -> str:
        if self.only:
            return f"{either(tuple(str(amount) for amount in self.only))} (dollars)"
        return "dollars above 0 with at most two decimals"

    def read(self, value: object) -> Cents:
        cents = read_dollars(value)
        if self.only and cents not in [amount * 100 for amount in self.only]:
            raise refuse(value, self.allowed)
        return cents

    def write(self, value: Any) -> str:
        return write_dollars(value)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.only)} if self.only else {"$ref": "#/$defs/dollars"}


class Text(Kind, frozen=True, kw_only=True):
    """Words on one line."""

    allowed = "a line of text"

    def read(self, value: object) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise refuse(value, self.allowed)
        if len(value.strip()) > _LONGEST_TEXT:
            raise Unreadable(f"{shown(value)} is longer than {_LONGEST_TEXT} characters")
        return value.strip()

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/text"}


class Reference(Text, frozen=True, kw_only=True):
    """The name of an approval on file."""

    allowed = "a reference, such as a file number with its date"


class Order(Kind, frozen=True, kw_only=True):
    """Several words, each once, in any order."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return f"a list of {', '.join(self.words)}, each once, in any order"

    def read(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(self.words):
            raise refuse(value, self.allowed)
        if not all(isinstance(word, str) and word in self.words for word in value):
            raise refuse(value, self.allowed)
        if len(set(value)) != len(self.words):
            raise refuse(value, self.allowed)
        return tuple(value)

    def write(self, value: Any) -> str:
        return ", ".join(value)

    def schema(self) -> dict[str, Any]:
        size = len(self.words)
        items = {"enum": list(self.words)}
        limits = {"minItems": size, "maxItems": size, "uniqueItems": True}
        return {"type": "array", "items": items, **limits}


class Several(Kind, frozen=True, kw_only=True):
    """A list without repetition of known words, and of others where `others` may be approved."""

    words: tuple[str, ...]
    others: bool = False

    @property
    def allowed(self) -> str:
        more = ", and others by name with an approval" if self.others else ""
        return f"a list of {', '.join(self.words)}{more}"

    def read(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise refuse(value, self.allowed)
        read = [Text().read(word) for word in value]
        if len(set(read)) != len(read):
            raise Unreadable(f"{shown(value)} names one of them twice")
        unknown = [word for word in read if word not in self.words]
        if unknown and not self.others:
            raise refuse(unknown[0], either(self.words))
        return (*(word for word in self.words if word in read), *sorted(unknown))

    def write(self, value: Any) -> str:
        return ", ".join(value)

    def schema(self) -> dict[str, Any]:
        items = {"$ref": "#/$defs/text"} if self.others else {"enum": list(self.words)}
        return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


class ChipSet(Kind, frozen=True, kw_only=True):
    """Chips by denomination, each with its colour; read the lowest first."""

    allowed = 'a list of chips, each its dollars and its colour, such as "5 red"'

    def read(self, value: object) -> tuple[Chip, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise refuse(value, self.allowed)
        chips = sorted((self._chip(one) for one in value), key=lambda chip: chip.cents)
        for alike in ({chip.cents for chip in chips}, {chip.colour for chip in chips}):
            if len(alike) != len(chips):
                raise Unreadable(f"{shown(value)} has one denomination or colour twice")
        odd = [chip for chip in chips if chip.cents % chips[0].cents]
        if odd:
            lowest = write_dollars(chips[0].cents)
            raise Unreadable(
                f"{write_dollars(odd[0].cents)} is no multiple of {lowest}, the lowest"
            )
        return tuple(chips)

    def _chip(self, value: object) -> Chip:
        dollars, _, colour = Text().read(value).partition(" ")
        if not colour.strip():
            raise refuse(value, self.allowed)
        return Chip(read_dollars(dollars), colour.strip())

    def write(self, value: Any) -> str:
        return ", ".join(f"{write_dollars(chip.cents)} {chip.colour}" for chip in value)

    def schema(self) -> dict[str, Any]:
        items = {"type": "string", "pattern": r"^[0-9]{1,12}(\.[0-9]{1,2})? \S.*$"}
        return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


def number(value: object) -> Fraction | None:
    """The exact value of a number as it was written; None if it is no reasonable number."""
    if isinstance(value, int) and abs(value) > 10**30:
        return None  # the digits of such an int cannot even be written down
    if isinstance(value, str) and not _NUMBER_TEXT.fullmatch(value):
        return None
    return parse_decimal(value)


def percent(value: Fraction) -> str:
    """A percentage with as many decimals as it needs, four at the most."""
    hundreds, rest = divmod(value.numerator * 10**4 // value.denominator, 10**4)
    decimals = f"{rest:04d}".rstrip("0")
    return f"{hundreds}.{decimals}" if decimals else str(hundreds)


def read_dollars(value: object) -> Cents:
    """Cents from dollars above zero, or Unreadable."""
    amount = number(value)
    if amount is None:
        raise refuse(value, "an amount in dollars, such as 5 or 12.50")
    if amount <= 0:
        raise Unreadable(f"{shown(value)} is not above 0")
    if amount > MOST_DOLLARS:
        raise Unreadable(f"{shown(value)} is more than any table holds ({MOST_DOLLARS})")
    cents = parse_dollars(value)
    if cents is None:
        raise Unreadable(f"{shown(value)} has more than two decimals")
    return cents


def write_dollars(cents: Cents) -> str:
    """Cents as dollars in a file: 1000, 2.50."""
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"


def has_date(text: str) -> bool:
    """Whether a reference names a day of the calendar, written 2031-02-14."""
    for found in _DATE.findall(text):
        try:
            date.fromisoformat(found)
        except ValueError:
            continue
        return True
    return False
