"""The filing of a House: the documents that the law asks for, each approved by itself.

found = studied(house)                    exact figures, by the odds and as offered
made = documents(house, found)            Rules Submission, layout, guide, mathematics, checklist
files(house, made)                        every document as PDF by its name
amendment(old, new)                       what changes between two Houses: law, felt, money
"""

from __future__ import annotations

from croupier.papers.packet.amendment import Change, amendment, changes
from croupier.papers.packet.blocks import Document, Place
from croupier.papers.packet.guide import guide
from croupier.papers.packet.mathematics import Studied, studied
from croupier.papers.packet.packet import Approvals, documents, files
from croupier.papers.packet.request import check_offered

__all__ = [
    "Approvals",
    "Change",
    "Document",
    "Place",
    "Studied",
    "amendment",
    "changes",
    "check_offered",
    "documents",
    "files",
    "guide",
    "studied",
]
