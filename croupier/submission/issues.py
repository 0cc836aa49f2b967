"""Validation issues of a Rules Submission: errors, missing approvals and default readings."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.games.forms.value_text import MAX_INTEGER, format_value, truncate

# error: illegal or unreadable. outstanding: legal, but an approval is missing.
# warning: an unclear clause is read by its default.
Severity: TypeAlias = Literal["error", "outstanding", "warning"]
Scalar: TypeAlias = str | int | float | bool | None


class Issue(msgspec.Struct, frozen=True, kw_only=True):
    """One problem: the field, its value, what is allowed, and the clause that requires it.

    `value` is a scalar even where the file holds a list or a table; None means not stated.
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
        """The field, the message and the citation; joined they are `str(issue)`."""
        field = f"{self.field}: " if self.field else ""
        citation = f" [{self.game} {self.clause}]" if self.game and self.clause else ""
        return field, self.message, citation

    def __str__(self) -> str:
        return "".join(self.parts)


def to_scalar(value: object) -> Scalar:
    """Return plain, finite values unchanged (text shortened), and others as text."""
    if isinstance(value, str):
        return truncate(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and abs(value) < MAX_INTEGER:
        return value
    return format_value(value)
