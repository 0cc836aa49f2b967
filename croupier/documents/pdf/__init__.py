"""Archivable (PDF/A) and accessible (PDF/UA) PDFs from Typst templates."""

from __future__ import annotations

from croupier.documents.pdf.typst import (
    compile_pdf,
    drawing_page,
    query_template,
    render_png,
)

__all__ = ["compile_pdf", "drawing_page", "query_template", "render_png"]
