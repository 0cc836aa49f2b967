"""The table layout and the sign of a House, and the check that reads them back.

drawn = felt(house)
drawn.svg()         the layout to scale, with its own fonts
drawn.page_svg()    the same drawing for a page that brings fonts and styles
drawn.anchors()     where chips and cards go on it
"""

from __future__ import annotations

from croupier.documents.felt.felt import Felt, felt
from croupier.documents.felt.felt_checks import (
    FeltCheckResult,
    FeltFinding,
    MetRequirement,
    examine,
)
from croupier.documents.felt.felt_page import full_size
from croupier.documents.felt.logo import Logo, read_logo
from croupier.documents.felt.pdf_reader import differences
from croupier.documents.felt.sign import Sign, sign

__all__ = [
    "Felt",
    "FeltCheckResult",
    "FeltFinding",
    "Logo",
    "MetRequirement",
    "Sign",
    "differences",
    "examine",
    "felt",
    "full_size",
    "read_logo",
    "sign",
]
