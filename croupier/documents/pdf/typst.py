"""PDF through Typst: tagged, archivable, the same bytes for the same input."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from croupier.documents.fonts import FONTS

# A file that says when it was made would differ from day to day; this is the day of no approval.
NO_DAY = date(2000, 1, 1)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


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
    return compiled("drawing", said)


def compiled(template: str, inputs: dict[str, str]) -> bytes:
    """The PDF of a template; our typefaces and no others, so that it is the same everywhere."""
    import typst

    return typst.compile(
        (Path(__file__).parent / f"{template}.typ").read_bytes(),
        format="pdf",
        font_paths=_typefaces(),
        pdf_standards=["a-2a", "ua-1"],
        sys_inputs=inputs,
    )


def photographed(template: str, inputs: dict[str, str], dots: int = 84) -> list[bytes]:
    """Every page of a template as PNG of so many dots an inch, to be shown on a screen."""
    import typst

    found = typst.compile(
        (Path(__file__).parent / f"{template}.typ").read_bytes(),
        format="png",
        ppi=dots,
        font_paths=_typefaces(),
        sys_inputs=inputs,
    )
    return found if isinstance(found, list) else [found]


def queried(template: str, inputs: dict[str, str], selector: str) -> list[Any]:
    """The values that a template leaves at its marks, in the order of the pages."""
    import typst

    found = typst.query(
        (Path(__file__).parent / f"{template}.typ").read_bytes(),
        selector,
        field="value",
        font_paths=_typefaces(),
        sys_inputs=inputs,
    )
    values: list[Any] = msgspec.json.decode(found)
    return values


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
