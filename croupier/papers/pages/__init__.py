"""Pages: PDF that archives accept (PDF/A) and screen readers read (PDF/UA), made by Typst."""

from __future__ import annotations

from croupier.papers.pages.pdf import compiled, drawing_page

__all__ = ["compiled", "drawing_page"]
