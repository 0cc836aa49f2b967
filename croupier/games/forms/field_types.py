"""Types of field values: flag, enumeration, number, dollars, text, list, chip set.

Each type reads a value of the file into its normal form, writes it back, describes what it allows
in words, and gives its JSON Schema.
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import Any

import msgspec

from croupier.games.chips import Chip
from croupier.games.forms.value_text import format_value, join_or
from croupier.money import Cents, parse_decimal, parse_dollars

MAX_DOLLARS = 1_000_000_000
MAX_WHOLE_NUMBER = 1_000_000  # of a field without its own maximum
_MAX_TEXT = 200
_NUMBER_TEXT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?", re.ASCII)
_DATE = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")


class InvalidValue(Exception):
    """A value that its type does not allow; the message says why."""


class ValueType(msgspec.Struct, frozen=True, kw_only=True):
    """Base class of the types."""

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        raise AssertionError(f"{type(self).__name__} must define `allowed`")

    def read(self, value: object) -> Any:
        """Return the normal form of a value of the file, or raise `InvalidValue`."""
        raise AssertionError(f"{type(self).__name__} must define `read`")

    def write(self, value: Any) -> str:
        """Return a normal form as the file spells it, without quotation marks."""
        return format_value(value).strip('"')

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the allowed values."""
        raise AssertionError(f"{type(self).__name__} must define `schema`")


def _invalid(value: object, expected: str) -> InvalidValue:
    return InvalidValue(f"{format_value(value)} is not {expected}")


class Flag(ValueType, frozen=True, kw_only=True):
    """true or false, or only the one that the rules allow."""

    only: bool | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """The allowed values as text."""
        return ("true", "false") if self.only is None else (self.write(self.only),)

    @property
    def allowed(self) -> str:
        return join_or(self.answers)

    def read(self, value: object) -> bool:
        if not isinstance(value, bool) or format_value(value) not in self.answers:
            raise _invalid(value, self.allowed)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"} if self.only is None else {"const": self.only}


class OneOf(ValueType, frozen=True, kw_only=True):
    """One of several words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return join_or(self.words)

    def read(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise _invalid(value, self.allowed)
        return value

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}


class WholeNumber(ValueType, frozen=True, kw_only=True):
    """An integer from `minimum` to `maximum`."""

    minimum: int
    maximum: int | None = None

    @property
    def allowed(self) -> str:
        if self.maximum is None:
            return f"a whole number, {self.minimum} or more"
        if self.maximum == self.minimum:
            return str(self.minimum)
        return f"a whole number from {self.minimum} to {self.maximum}"

    def read(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise _invalid(value, self.allowed)
        if not self.minimum <= value <= self._upper_bound:
            raise _invalid(value, self.allowed)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.minimum, "maximum": self._upper_bound}

    @property
    def _upper_bound(self) -> int:
        return MAX_WHOLE_NUMBER if self.maximum is None else self.maximum


class Hours(ValueType, frozen=True, kw_only=True):
    """A number of hours above zero."""

    maximum: int

    @property
    def allowed(self) -> str:
        return f"a number of hours above 0, at most {self.maximum}"

    def read(self, value: object) -> int | float:
        hours = None if isinstance(value, str) else parse_number(value)
        if hours is None or not 0 < hours <= self.maximum:
            raise _invalid(value, self.allowed)
        # A time, not money, so a float is exact enough and keeps the spelling of the file.
        return hours.numerator if hours.denominator == 1 else float(hours)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum": 0, "maximum": self.maximum}


class Dollars(ValueType, frozen=True, kw_only=True):
    """An amount above zero, or one of a few amounts; read into cents."""

    only: tuple[int, ...] = ()

    @property
    def allowed(self) -> str:
        if self.only:
            return f"{join_or(tuple(str(amount) for amount in self.only))} (dollars)"
        return "dollars above 0 with at most two decimals"

    def read(self, value: object) -> Cents:
        cents = parse_cents(value)
        if self.only and cents not in [amount * 100 for amount in self.only]:
            raise _invalid(value, self.allowed)
        return cents

    def write(self, value: Any) -> str:
        return format_dollars(value)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.only)} if self.only else {"$ref": "#/$defs/dollars"}


class Text(ValueType, frozen=True, kw_only=True):
    """One line of text."""

    allowed = "a line of text"

    def read(self, value: object) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise _invalid(value, self.allowed)
        if len(value.strip()) > _MAX_TEXT:
            raise InvalidValue(f"{format_value(value)} is longer than {_MAX_TEXT} characters")
        return value.strip()

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/text"}


class Reference(Text, frozen=True, kw_only=True):
    """The reference of an approval on file."""

    allowed = "a reference, such as a file number with its date"


class Permutation(ValueType, frozen=True, kw_only=True):
    """All of several words, each once, in any order."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return f"a list of {', '.join(self.words)}, each once, in any order"

    def read(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(self.words):
            raise _invalid(value, self.allowed)
        if not all(isinstance(word, str) and word in self.words for word in value):
            raise _invalid(value, self.allowed)
        if len(set(value)) != len(self.words):
            raise _invalid(value, self.allowed)
        return tuple(value)

    def write(self, value: Any) -> str:
        return ", ".join(value)

    def schema(self) -> dict[str, Any]:
        size = len(self.words)
        items = {"enum": list(self.words)}
        limits = {"minItems": size, "maxItems": size, "uniqueItems": True}
        return {"type": "array", "items": items, **limits}


class ListOf(ValueType, frozen=True, kw_only=True):
    """A list of distinct words; `others` also allows words that need an approval."""

    words: tuple[str, ...]
    others: bool = False

    @property
    def allowed(self) -> str:
        others = ", and others by name with an approval" if self.others else ""
        return f"a list of {', '.join(self.words)}{others}"

    def read(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise _invalid(value, self.allowed)
        items = [Text().read(item) for item in value]
        if len(set(items)) != len(items):
            raise InvalidValue(f"{format_value(value)} lists a value twice")
        others = [item for item in items if item not in self.words]
        if others and not self.others:
            raise _invalid(others[0], join_or(self.words))
        return (*(word for word in self.words if word in items), *sorted(others))

    def write(self, value: Any) -> str:
        return ", ".join(value)

    def schema(self) -> dict[str, Any]:
        items = {"$ref": "#/$defs/text"} if self.others else {"enum": list(self.words)}
        return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


class ChipSet(ValueType, frozen=True, kw_only=True):
    """Chips by denomination with their colors; the normal form starts with the lowest."""

    allowed = 'a list of chips, each with its dollars and its color, such as "5 red"'

    def read(self, value: object) -> tuple[Chip, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise _invalid(value, self.allowed)
        chips = sorted((self._read_chip(item) for item in value), key=lambda chip: chip.cents)
        for distinct in ({chip.cents for chip in chips}, {chip.colour for chip in chips}):
            if len(distinct) != len(chips):
                raise InvalidValue(f"{format_value(value)} lists a denomination or color twice")
        lowest = chips[0].cents
        for chip in chips:
            if chip.cents % lowest:
                raise InvalidValue(
                    f"{format_dollars(chip.cents)} is not a multiple of "
                    f"{format_dollars(lowest)}, the lowest"
                )
        return tuple(chips)

    def _read_chip(self, value: object) -> Chip:
        dollars, _, color = Text().read(value).partition(" ")
        if not color.strip():
            raise _invalid(value, self.allowed)
        return Chip(parse_cents(dollars), color.strip())

    def write(self, value: Any) -> str:
        return ", ".join(f"{format_dollars(chip.cents)} {chip.colour}" for chip in value)

    def schema(self) -> dict[str, Any]:
        items = {"type": "string", "pattern": r"^[0-9]{1,12}(\.[0-9]{1,2})? \S.*$"}
        return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


def parse_number(value: object) -> Fraction | None:
    """Return the exact value of a number as written, or None if it is not a usable number."""
    if isinstance(value, int) and abs(value) > 10**30:
        return None  # int to text is limited to 4300 digits
    if isinstance(value, str) and not _NUMBER_TEXT.fullmatch(value):
        return None
    return parse_decimal(value)


def format_percent(value: Fraction) -> str:
    """Format a percentage with up to four decimals."""
    whole, remainder = divmod(value.numerator * 10**4 // value.denominator, 10**4)
    decimals = f"{remainder:04d}".rstrip("0")
    return f"{whole}.{decimals}" if decimals else str(whole)


def parse_cents(value: object) -> Cents:
    """Return an amount of dollars above zero in cents, or raise `InvalidValue`."""
    amount = parse_number(value)
    if amount is None:
        raise _invalid(value, "an amount in dollars, such as 5 or 12.50")
    if amount <= 0:
        raise InvalidValue(f"{format_value(value)} is not above 0")
    if amount > MAX_DOLLARS:
        raise InvalidValue(f"{format_value(value)} is above the maximum of {MAX_DOLLARS}")
    cents = parse_dollars(value)
    if cents is None:
        raise InvalidValue(f"{format_value(value)} has more than two decimals")
    return cents


def format_dollars(cents: Cents) -> str:
    """Format cents as dollars in a file: 1000, 2.50."""
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"


def has_date(text: str) -> bool:
    """Return whether a reference contains a calendar date, written 2031-02-14."""
    for match in _DATE.findall(text):
        try:
            date.fromisoformat(match)
        except ValueError:
            continue
        return True
    return False
