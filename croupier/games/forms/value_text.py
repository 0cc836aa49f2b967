"""Values and lists of words as text in messages: short, on one line, whatever the file holds."""

from __future__ import annotations

from collections.abc import Mapping

MAX_INTEGER = 10**20  # larger integers are described, not printed
_MAX_TEXT = 60
_MAX_ITEMS = 8


def format_value(value: object) -> str:
    """Return a value as messages quote it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            text = truncate(value)
            return f'"{text}"' if text.isprintable() else ascii(text)
        case int():
            return str(value) if abs(value) < MAX_INTEGER else "a number of many digits"
        case float():
            return repr(value)
        case Mapping():
            return "a table"
        case list() | tuple():
            if len(value) <= _MAX_ITEMS and all(isinstance(item, str | int) for item in value):
                return f"[{', '.join(format_value(item) for item in value)}]"
            return f"a list of {len(value)}"
    return f"a {type(value).__name__}"


def truncate(text: str) -> str:
    """Return at most 60 characters of a text; "..." marks a cut."""
    return text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "..."


def join_or(words: tuple[str, ...]) -> str:
    """Join words as alternatives: "A, B or C"."""
    *rest, last = words
    return f"{', '.join(rest)} or {last}" if rest else last
