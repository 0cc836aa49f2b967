"""Styled text without a terminal: a line is a tuple of (text, style) spans.

Only `output` knows how to display a style. Text is never parsed as markup, so a name in a
submission can neither color the screen nor move the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rich.cells import cell_len

Span: TypeAlias = tuple[str, str]
Line: TypeAlias = tuple[Span, ...]

EMPTY: Line = ()
_PIECES = re.compile(r"\s+|\S+")


def line(*parts: str | Span) -> Line:
    """A line of plain texts and styled spans."""
    return tuple((part, "") if isinstance(part, str) else part for part in parts)


def plain_text(styled: Line) -> str:
    """The text of a line without its styles."""
    return "".join(text for text, _ in styled)


def printable(text: str) -> str:
    """The text with control and format characters replaced by question marks."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "?" for char in text)


def text_width(text: str) -> int:
    """The columns of a text: two for wide characters, none for combining ones."""
    return len(text) if text.isascii() else cell_len(text)


def line_width(styled: Line) -> int:
    """The columns of a line."""
    return sum(text_width(text) for text, _ in styled)


def clip(text: str, columns: int) -> str:
    """The text cut to a number of columns, with an ellipsis at the cut."""
    text = printable(text)
    if text_width(text) <= columns:
        return text
    clipped = ""
    for char in text:
        if text_width(clipped) + cell_len(char) > columns - 1:
            break
        clipped += char
    return clipped + "…"


def pad(styled: Line, columns: int) -> Line:
    """The line filled with spaces to a number of columns."""
    missing = columns - line_width(styled)
    return (*styled, (" " * missing, "")) if missing > 0 else styled


def side_by_side(left: Sequence[Line], right: Sequence[Line], column: int) -> list[Line]:
    """Two blocks next to each other, the right one starting at a column."""
    height = max(len(left), len(right))
    rows = zip(_fill_height(left, height), _fill_height(right, height), strict=True)
    return [(*pad(first, column), *second) if second else first for first, second in rows]


def _fill_height(block: Sequence[Line], height: int) -> list[Line]:
    return [*block, *[EMPTY] * (height - len(block))]


def wrap(styled: Line, columns: int) -> list[Line]:
    """The line wrapped to a number of columns; continuation lines are indented by two more."""
    if line_width(styled) <= columns:
        return [styled]
    text = plain_text(styled)
    start = len(text) - len(text.lstrip(" "))
    indent = min(start + 2, columns // 2)
    rows: list[Line] = []
    row: list[Span] = []
    used = 0
    for piece, style in _pieces(styled, columns - indent):
        if used + text_width(piece) > columns and row:
            rows.append(_strip_end(row))
            row, used = [(" " * indent, "")], indent
            if piece.isspace():
                continue
        row.append((piece, style))
        used += text_width(piece)
    rows.append(_strip_end(row))
    return rows


def _pieces(styled: Line, longest: int) -> Iterator[Span]:
    """Words and the spaces between them; a word longer than a row is cut."""
    for text, style in styled:
        for piece in _PIECES.findall(text):
            while text_width(piece) > longest:
                # Halving is enough: the loop continues until the piece fits.
                cut = max(1, min(longest, len(piece)) // 2)
                yield piece[:cut], style
                piece = piece[cut:]
            yield piece, style


def _strip_end(row: Sequence[Span]) -> Line:
    spans = list(row)
    while spans and spans[-1][0].isspace():
        spans.pop()
    return tuple(spans)


def wrap_lines(lines: Iterable[Line], columns: int) -> list[Line]:
    """All lines wrapped to a number of columns."""
    return [row for styled in lines for row in wrap(styled, columns)]


def cite(*clauses: str) -> Span:
    """A citation of clauses: "[11.B, A69]"."""
    return (f"[{', '.join(clauses)}]", "cite")
