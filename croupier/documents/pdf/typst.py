"""Typst compiler wrapper: tagged, archivable PDFs, reproducible byte for byte."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from croupier.documents.fonts import FONTS

# Fixed date for documents without an approval, so that their bytes do not change from day to day.
DEFAULT_DATE = date(2000, 1, 1)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def drawing_page(
    svg: str, *, width: float, height: float, title: str, author: str, alt: str, approval: str = ""
) -> bytes:
    """An SVG as a PDF page of its own size, with searchable text and `alt` for screen readers.

    The page carries the date of `approval`, if it names one.
    """
    inputs = {
        "svg": svg,
        "title": title,
        "author": author,
        "alt": alt,
        "width": str(width),
        "height": str(height),
        "day": approval_date(approval).isoformat(),
    }
    return compile_pdf("drawing", inputs)


def compile_pdf(template: str, inputs: dict[str, str]) -> bytes:
    """Compile a template to PDF with the packaged fonts only, so that output is reproducible."""
    import typst

    return typst.compile(
        (Path(__file__).parent / f"{template}.typ").read_bytes(),
        format="pdf",
        font_paths=_fonts(),
        pdf_standards=["a-2a", "ua-1"],
        sys_inputs=inputs,
    )


def render_png(template: str, inputs: dict[str, str], ppi: int = 84) -> list[bytes]:
    """Render every page of a template as PNG."""
    import typst

    pages = typst.compile(
        (Path(__file__).parent / f"{template}.typ").read_bytes(),
        format="png",
        ppi=ppi,
        font_paths=_fonts(),
        sys_inputs=inputs,
    )
    return pages if isinstance(pages, list) else [pages]


def query_template(template: str, inputs: dict[str, str], selector: str) -> list[Any]:
    """The metadata values of a template that match a selector, in page order."""
    import typst

    answer = typst.query(
        (Path(__file__).parent / f"{template}.typ").read_bytes(),
        selector,
        field="value",
        font_paths=_fonts(),
        sys_inputs=inputs,
    )
    values: list[Any] = msgspec.json.decode(answer)
    return values


@cache
def _fonts() -> Any:
    import typst

    folders = sorted({str(font.path.parent) for font in FONTS.values()})
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=folders)


def approval_date(approval: str) -> date:
    """The first valid date in an approval, or a fixed default."""
    for text in _DATE.findall(approval):
        try:
            return date.fromisoformat(text)
        except ValueError:
            continue
    return DEFAULT_DATE
