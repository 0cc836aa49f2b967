"""Typst compiler wrapper: tagged, archivable PDFs, reproducible byte for byte."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from croupier.documents.fonts import FONTS
from croupier.documents.imprint import created_at, imprint


def drawing_page(
    svg: str, *, width: float, height: float, title: str, author: str, alt: str
) -> bytes:
    """An SVG as a PDF page of its own size, with searchable text and `alt` for screen readers."""
    inputs = {
        "svg": svg,
        "title": title,
        "author": author,
        "alt": alt,
        "width": str(width),
        "height": str(height),
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
        sys_inputs=inputs | _imprint_inputs(),
    )


def render_png(template: str, inputs: dict[str, str]) -> list[bytes]:
    """Render every page of a template as PNG."""
    import typst

    pages = typst.compile(
        (Path(__file__).parent / f"{template}.typ").read_bytes(),
        format="png",
        ppi=84,
        font_paths=_fonts(),
        sys_inputs=inputs | _imprint_inputs(),
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
        sys_inputs=inputs | _imprint_inputs(),
    )
    values: list[Any] = msgspec.json.decode(answer)
    return values


@cache
def _fonts() -> Any:
    import typst

    folders = sorted({str(font.path.parent) for font in FONTS.values()})
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=folders)


def _imprint_inputs() -> dict[str, str]:
    """The imprint, and the time of making the document."""
    created = created_at()
    return {"imprint": imprint(created), "created": f"{created:%Y-%m-%d-%H-%M-%S}"}
