"""The table layout and the sign of a House, and the check that reads them back.

drawn = felt(house)
drawn.svg()         the layout to scale, with its own fonts
drawn.page_svg()    the same drawing for a page that brings fonts and styles
drawn.anchors()     where chips and cards go on it
"""

from __future__ import annotations

from croupier.papers.felt.felt import Felt, felt
from croupier.papers.felt.logo import Logo, read_logo
from croupier.papers.felt.page import full_size
from croupier.papers.felt.pdf_reading import differences
from croupier.papers.felt.sign import Sign, sign
from croupier.papers.felt.validate import Examination, Finding, Kept, examine

__all__ = [
    "Examination",
    "Felt",
    "Finding",
    "Kept",
    "Logo",
    "Sign",
    "differences",
    "examine",
    "felt",
    "full_size",
    "read_logo",
    "sign",
]
