"""Reads a finished PDF back: every text of a drawing stands in it, letter by letter, in place."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, degrees, hypot
from unicodedata import normalize

import msgspec

from croupier.documents.felt.shapes import Frame, Polygon
from croupier.documents.felt.svg_reader import ReadText, read_svg, seen_from
from croupier.errors import BadInput

NEAR = 1.5  # millimetres around the outline of a text in which its letters are looked for
A_POINT = 25.4 / 72  # millimetres


class Letter(msgspec.Struct, frozen=True):
    """A letter of a page and its middle, in millimetres from the upper left corner."""

    text: str
    x: float
    y: float


def differences(svg: str, pdf: bytes) -> tuple[str, ...]:
    """What a page does not show as its drawing has it; nothing if it shows everything."""
    drawing = read_svg(svg)
    width, height, letters = read_pdf(pdf)
    found = []
    if abs(width - drawing.width) > 0.1 or abs(height - drawing.height) > 0.1:
        told = f"the page measures {width:.1f} by {height:.1f} mm"
        found.append(f"{told}, expected {drawing.width:.1f} by {drawing.height:.1f} mm")
    found += [
        f"{text.text!r} is shown as {shown!r}"
        for text in drawing.texts
        if (shown := shown_at(text, letters)) != bare(text.text)
    ]
    expected = sum(len(bare(text.text)) for text in drawing.texts)
    if expected != sum(len(letter.text) for letter in letters):
        found.append(f"the page shows {len(letters)} letters, expected {expected}")
    return tuple(found)


def read_pdf(pdf: bytes) -> tuple[float, float, tuple[Letter, ...]]:
    """Width and height of the only page in millimetres, and its letters in their order."""
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
    return width * A_POINT, height * A_POINT, letters


def _letters(page: object, height: float) -> Iterator[Letter]:
    import pypdfium2

    assert isinstance(page, pypdfium2.PdfTextPage)
    for place in range(page.count_chars()):
        code = pypdfium2.raw.FPDFText_GetUnicode(page, place)
        text = bare(normalize("NFKC", chr(code)))
        if text and text.isprintable():
            left, bottom, right, top = page.get_charbox(place)
            x, y = (left + right) / 2, height - (bottom + top) / 2
            yield Letter(text, x * A_POINT, y * A_POINT)


def shown_at(text: ReadText, letters: tuple[Letter, ...]) -> str:
    """The letters in the outlines of a text, in the page's order."""
    left, top, right, bottom = text.limits
    near = [
        letter
        for letter in letters
        if left - NEAR < letter.x < right + NEAR and top - NEAR < letter.y < bottom + NEAR
    ]
    return "".join(
        letter.text
        for letter in near
        if any(holds(outline, letter.x, letter.y) for outline in text.outlines)
    )


def holds(outline: Polygon, x: float, y: float) -> bool:
    """Whether a point lies in a turned rectangle or just beside it."""
    (x0, y0), (x1, y1), _, (x3, y3) = outline
    at = Frame(x0, y0, degrees(atan2(y1 - y0, x1 - x0)))
    right, away = seen_from(at, x, y)
    wide, tall = hypot(x1 - x0, y1 - y0), hypot(x3 - x0, y3 - y0)
    return -NEAR / 2 < right < wide + NEAR / 2 and -tall - NEAR / 2 < away < NEAR / 2


def bare(text: str) -> str:
    """A text without its spaces."""
    return "".join(text.split())
