"""English wording shared by messages."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "13 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
