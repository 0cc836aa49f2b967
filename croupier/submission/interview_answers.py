"""What a person types, as the file has it: "yes" is true, "up" is up_to_chip."""

from __future__ import annotations

from typing import Any

from croupier.errors import BadInput
from croupier.games.forms import ChipSet, Dollars, Flag, Hours, Kind, OneOf, Order, Several, Whole
from croupier.money import parse_decimal, parse_dollars

YES, NO = ("true", "yes", "y"), ("false", "no", "n")


def read_answer(kind: Kind, text: str) -> Any:
    """The value that a kind is to read; what makes no sense stays text, and the kind refuses it."""
    match kind:
        case Flag():
            word = text.lower()
            return True if word in YES else False if word in NO else text
        case Whole():
            return int(text) if text.isdecimal() and len(text) < 10 else text
        case Hours():
            return hours(text)
        case Dollars():
            return money(text.removeprefix("$"))
        case OneOf():
            begun = [word for word in kind.words if word.startswith(text.lower())]
            return begun[0] if len(begun) == 1 else next((w for w in begun if w == text), text)
        case Order() | Several() | ChipSet():
            return [part.strip() for part in text.split(",") if part.strip()]
    return text


def hours(text: str) -> int | float | str:
    """Hours are a time, not money, so a fraction may be a float."""
    value = parse_decimal(text)
    if value is None:
        return text
    return int(value) if value.denominator == 1 else float(value)


def money(text: str) -> int | str:
    """Dollars as the file has them: whole ones as a number, cents as text, both exact."""
    plain = text.strip().replace(",", "")
    cents = parse_dollars(plain)
    if cents is None:
        raise BadInput(f"{text.strip()!r} is no amount of dollars; expected such as 25 or 12.50")
    return cents // 100 if cents % 100 == 0 else plain
