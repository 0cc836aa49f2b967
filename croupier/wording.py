"""English wording shared by messages."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "13 cards", "1,000 cards"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def person_name(account: str) -> str:
    """An account id as the name of a person: "Ann", "Dana Cole"; only its start changes."""
    return account[:1].upper() + account[1:]


def join_words(words: Sequence[str], conjunction: str = "or") -> str:
    """Words with commas and a conjunction: "check, 3x or 4x"."""
    *before, last = words or [""]
    return f"{', '.join(before)} {conjunction} {last}" if before else last


def shortened(text: str, most: int) -> str:
    """A text of at most `most` characters, or its beginning and its length."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
