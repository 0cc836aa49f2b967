"""PDF through Typst: tagged, archivable, the same bytes for the same input."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Any

from croupier.papers.fonts import FONTS

# A file that says when it was made would differ from day to day; this is the day of no approval.
NO_DAY = date(2000, 1, 1)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

_DRAWING = """
#let day = sys.inputs.day.split("-").map(int)
#set document(
  title: sys.inputs.title,
  author: sys.inputs.author,
  date: datetime(year: day.at(0), month: day.at(1), day: day.at(2)),
)
#set text(lang: "en")
#set page(
  width: float(sys.inputs.width) * 1mm,
  height: float(sys.inputs.height) * 1mm,
  margin: 0mm,
)
#image(bytes(sys.inputs.svg), format: "svg", width: 100%, alt: sys.inputs.alt)
"""


def drawing_page(
    svg: str, *, width: float, height: float, title: str, author: str, alt: str, approval: str = ""
) -> bytes:
    """One page of the drawing's own size; its text stays text, `alt` is read out instead.

    The page is dated by the approval that it belongs to, where that names a day.
    """
    said = {
        "svg": svg,
        "title": title,
        "author": author,
        "alt": alt,
        "width": str(width),
        "height": str(height),
        "day": day_of(approval).isoformat(),
    }
    return compiled(_DRAWING, said)


def compiled(source: str, inputs: dict[str, str]) -> bytes:
    """The PDF of a Typst source; our typefaces and no others, so that it is the same everywhere."""
    import typst

    return typst.compile(
        source.encode(),
        format="pdf",
        font_paths=_typefaces(),
        pdf_standards=["a-2a", "ua-1"],
        sys_inputs=inputs,
    )


@cache
def _typefaces() -> Any:
    import typst

    folders = sorted({str(font.path.parent) for font in FONTS.values()})
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=folders)


def day_of(approval: str) -> date:
    """The day that an approval names, or a fixed one."""
    for found in _DATE.findall(approval):
        try:
            return date.fromisoformat(found)
        except ValueError:
            continue
    return NO_DAY
