"""What is wrong with a Rules Submission, or unfinished, or left to a default: one Issue each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

# Not legal or not readable; legal but not yet approved; an unclear clause read by default.
Severity: TypeAlias = Literal["error", "outstanding", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "outstanding", "warning")
Scalar: TypeAlias = str | int | float | bool | None

_LONGEST_TEXT = 60
_LARGEST_WHOLE = 10**20
_MOST_LISTED = 8


class Issue(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: the field, its value, what is allowed, and the clause that says so.

    `value` is a plain scalar whatever the file held; it is None where nothing was stated.
    """

    severity: Severity
    field: str
    message: str
    value: Scalar = None
    allowed: str = ""
    game: str = ""
    clause: str = ""

    @property
    def parts(self) -> tuple[str, str, str]:
        """The place, the message and the citation; joined they are `str(issue)`."""
        place = f"{self.field}: " if self.field else ""
        cited = f" [{self.game} {self.clause}]" if self.game and self.clause else ""
        return place, self.message, cited

    def __str__(self) -> str:
        return "".join(self.parts)


def shown(value: object) -> str:
    """A value as a message shows it: short, on one line, whatever the file held."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            text = value if len(value) <= _LONGEST_TEXT else value[:_LONGEST_TEXT] + "..."
            return ascii(text) if not text.isprintable() else f'"{text}"'
        case int():
            return str(value) if abs(value) < _LARGEST_WHOLE else "a number of many digits"
        case float():
            return repr(value)
        case Mapping():
            return "a table"
        case list() | tuple():
            if len(value) <= _MOST_LISTED and all(isinstance(item, str | int) for item in value):
                return f"[{', '.join(shown(item) for item in value)}]"
            return f"a list of {len(value)}"
    return f"a {type(value).__name__}"


def scalar(value: object) -> Scalar:
    """A value as an Issue keeps it: itself if plain and finite, otherwise how it is shown."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_TEXT else value[:_LONGEST_TEXT] + "..."
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < _LARGEST_WHOLE:
        return value
    if isinstance(value, float) and abs(value) < _LARGEST_WHOLE:
        return value
    return shown(value)


def either(words: tuple[str, ...]) -> str:
    """Several words as a choice: A, B or C."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
