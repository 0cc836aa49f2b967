"""Pages: PDF that archives accept (PDF/A) and screen readers read (PDF/UA), made by Typst."""

from __future__ import annotations

from croupier.documents.pdf.typst import compiled, day_of, drawing_page, photographed, queried

__all__ = ["compiled", "day_of", "drawing_page", "photographed", "queried"]
