"""Filing packet of a House: the documents that the regulator requires, as PDF.

Start with `documents(house, analyze_for_filing(house))`, then `files` makes the PDFs.
`amendment(old, new)` makes the page for a changed submission.
"""

from __future__ import annotations

from croupier.documents.filing.amendment import Change, amendment, changes
from croupier.documents.filing.document_blocks import ClauseAnswer, FilingDocument
from croupier.documents.filing.gaming_guide import guide
from croupier.documents.filing.mathematics import FilingAnalysis, analyze_for_filing
from croupier.documents.filing.new_game_request import check_offered
from croupier.documents.filing.packet import FilingApprovals, documents, files

__all__ = [
    "Change",
    "ClauseAnswer",
    "FilingAnalysis",
    "FilingApprovals",
    "FilingDocument",
    "amendment",
    "analyze_for_filing",
    "changes",
    "check_offered",
    "documents",
    "files",
    "guide",
]
