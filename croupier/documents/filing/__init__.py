"""The filing of a House: the documents that the law asks for, each approved by itself.

found = studied(house)                    exact figures, by the odds and as offered
made = documents(house, found)            Rules Submission, layout, guide, mathematics, checklist
files(house, made)                        every document as PDF by its name
amendment(old, new)                       what changes between two Houses: law, felt, money
"""

from __future__ import annotations

from croupier.documents.filing.amendment import Change, amendment, changes
from croupier.documents.filing.document_blocks import ClauseAnswer, FilingDocument
from croupier.documents.filing.gaming_guide import guide
from croupier.documents.filing.mathematics import Studied, studied
from croupier.documents.filing.new_game_request import check_offered
from croupier.documents.filing.packet import Approvals, documents, files

__all__ = [
    "Approvals",
    "Change",
    "ClauseAnswer",
    "FilingDocument",
    "Studied",
    "amendment",
    "changes",
    "check_offered",
    "documents",
    "files",
    "guide",
    "studied",
]
