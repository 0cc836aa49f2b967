"""Lines of styled text, made without a terminal: a line is a tuple of (text, style) spans.

Styles are names that only `screen` knows how to paint, and text is never read as markup, so a
name out of a submission can neither colour the screen nor move its cursor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rich.cells import cell_len

from croupier.money import Cents, dollars

Span: TypeAlias = tuple[str, str]
Line: TypeAlias = tuple[Span, ...]

EMPTY: Line = ()
_PIECES = re.compile(r"\s+|\S+")


def line(*parts: str | Span) -> Line:
    """A line of plain texts and styled spans."""
    return tuple((part, "") if isinstance(part, str) else part for part in parts)


def plain(styled: Line) -> str:
    """The line without its styles."""
    return "".join(text for text, _ in styled)


def clean(text: str) -> str:
    """Text that only prints: control and format characters become question marks."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def cells(text: str) -> int:
    """The columns a text takes: two for wide letters, none for marks above others."""
    return len(text) if text.isascii() else cell_len(text)


def width_of(styled: Line) -> int:
    """The columns a line takes."""
    return sum(cells(text) for text, _ in styled)


def clip(text: str, columns: int) -> str:
    """The text, cut to so many columns with a dot at the cut."""
    text = clean(text)
    if cells(text) <= columns:
        return text
    kept = ""
    for sign in text:
        if cells(kept) + cell_len(sign) > columns - 1:
            break
        kept += sign
    return kept + "…"


def pad(styled: Line, columns: int) -> Line:
    """The line, filled with spaces to so many columns."""
    missing = columns - width_of(styled)
    return (*styled, (" " * missing, "")) if missing > 0 else styled


def beside(left: Sequence[Line], right: Sequence[Line], column: int) -> list[Line]:
    """Two blocks next to each other, the right one from a column on."""
    height = max(len(left), len(right))
    rows = zip(_filled(left, height), _filled(right, height), strict=True)
    return [(*pad(first, column), *second) if second else first for first, second in rows]


def _filled(block: Sequence[Line], height: int) -> list[Line]:
    return [*block, *[EMPTY] * (height - len(block))]


def wrap(styled: Line, columns: int) -> list[Line]:
    """The line in as many lines as it needs, those after the first indented by two more."""
    if width_of(styled) <= columns:
        return [styled]
    text = plain(styled)
    start = len(text) - len(text.lstrip(" "))
    indent = min(start + 2, columns // 2)
    rows: list[Line] = []
    row: list[Span] = []
    used = 0
    for piece, style in _pieces(styled, columns - indent):
        if used + cells(piece) > columns and row:
            rows.append(_trimmed(row))
            row, used = [(" " * indent, "")], indent
            if piece.isspace():
                continue
        row.append((piece, style))
        used += cells(piece)
    rows.append(_trimmed(row))
    return rows


def _pieces(styled: Line, longest: int) -> Iterator[Span]:
    """Words and the spaces between them; a word longer than a row is cut."""
    for text, style in styled:
        for piece in _PIECES.findall(text):
            while cells(piece) > longest:
                # Halves are enough: the loop goes on until the piece fits.
                cut = max(1, min(longest, len(piece)) // 2)
                yield piece[:cut], style
                piece = piece[cut:]
            yield piece, style


def _trimmed(row: Sequence[Span]) -> Line:
    spans = list(row)
    while spans and spans[-1][0].isspace():
        spans.pop()
    return tuple(spans)


def wrap_all(lines: Iterable[Line], columns: int) -> list[Line]:
    """Every line wrapped to so many columns."""
    return [row for styled in lines for row in wrap(styled, columns)]


def chips(cents: Cents) -> str:
    """An amount as it is said of chips: "$10", "$37.50"."""
    return dollars(cents).removesuffix(".00")


def signed(cents: Cents) -> str:
    """A result with its sign: "+$15.00", "-$20.00", "$0.00"."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def cite(*clauses: str) -> Span:
    """The clause behind what was said."""
    return (f"[{', '.join(clauses)}]", "cite")


def listed(words: Sequence[str], last: str = "or") -> str:
    """ "check, 3x or 4x"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
