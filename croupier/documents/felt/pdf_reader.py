"""Reads a finished PDF page and compares its letters with the drawing."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, degrees, hypot
from unicodedata import normalize

import msgspec

from croupier.documents.felt.shapes import Frame, Polygon
from croupier.documents.felt.svg_reader import ReadText, read_svg, seen_from
from croupier.errors import BadInput

TOLERANCE = 1.5  # millimeters around the outline of a text in which its letters may be
POINT = 25.4 / 72  # millimeters


class Letter(msgspec.Struct, frozen=True):
    """A letter of a page and its center, in millimeters from the upper left corner."""

    text: str
    x: float
    y: float


def pdf_differences(svg: str, pdf: bytes) -> tuple[str, ...]:
    """The differences of a PDF page from its SVG drawing, as messages; empty if they agree."""
    drawing = read_svg(svg)
    width, height, letters = read_pdf(pdf)
    problems = []
    if abs(width - drawing.width) > 0.1 or abs(height - drawing.height) > 0.1:
        size = f"the page measures {width:.1f} by {height:.1f} mm"
        problems.append(f"{size}, expected {drawing.width:.1f} by {drawing.height:.1f} mm")
    problems += [
        f"{text.text!r} is shown as {shown!r}"
        for text in drawing.texts
        if (shown := shown_at(text, letters)) != without_spaces(text.text)
    ]
    expected = sum(len(without_spaces(text.text)) for text in drawing.texts)
    if expected != sum(len(letter.text) for letter in letters):
        problems.append(f"the page shows {len(letters)} letters, expected {expected}")
    return tuple(problems)


def read_pdf(pdf: bytes) -> tuple[float, float, tuple[Letter, ...]]:
    """Width and height of the only page in millimeters, and its letters in order."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError as error:
        raise BadInput(f"the page is not PDF: {error}") from None
    try:
        if len(document) != 1:
            raise BadInput(f"the PDF has {len(document)} pages, expected one")
        width, height = document[0].get_size()
        letters = tuple(_letters(document[0].get_textpage(), height))
    finally:
        document.close()
    return width * POINT, height * POINT, letters


def _letters(page: object, height: float) -> Iterator[Letter]:
    import pypdfium2

    assert isinstance(page, pypdfium2.PdfTextPage)
    for place in range(page.count_chars()):
        code = pypdfium2.raw.FPDFText_GetUnicode(page, place)
        text = without_spaces(normalize("NFKC", chr(code)))
        if text and text.isprintable():
            left, bottom, right, top = page.get_charbox(place)
            x, y = (left + right) / 2, height - (bottom + top) / 2
            yield Letter(text, x * POINT, y * POINT)


def shown_at(text: ReadText, letters: tuple[Letter, ...]) -> str:
    """The letters within the outlines of a text, in page order."""
    left, top, right, bottom = text.limits
    nearby = [
        letter
        for letter in letters
        if left - TOLERANCE < letter.x < right + TOLERANCE
        and top - TOLERANCE < letter.y < bottom + TOLERANCE
    ]
    return "".join(
        letter.text
        for letter in nearby
        if any(holds(outline, letter.x, letter.y) for outline in text.outlines)
    )


def holds(outline: Polygon, x: float, y: float) -> bool:
    """Whether a point lies in a rotated rectangle, within half the tolerance."""
    (x0, y0), (x1, y1), _, (x3, y3) = outline
    at = Frame(x0, y0, degrees(atan2(y1 - y0, x1 - x0)))
    right, away = seen_from(at, x, y)
    width, height = hypot(x1 - x0, y1 - y0), hypot(x3 - x0, y3 - y0)
    margin = TOLERANCE / 2
    return -margin < right < width + margin and -height - margin < away < margin


def without_spaces(text: str) -> str:
    return "".join(text.split())
