"""Table layout and table sign of a House as SVG and PDF, and their check against chapter 2.

Start with `felt(house)` and `sign(house, felt)`; `examine` reads the finished files back.
"""

from __future__ import annotations

from croupier.documents.felt.felt import Felt, felt, full_size
from croupier.documents.felt.felt_checks import (
    FeltCheckResult,
    FeltFinding,
    MetRequirement,
    examine,
)
from croupier.documents.felt.logo import Logo, read_logo
from croupier.documents.felt.pdf_reader import pdf_differences
from croupier.documents.felt.sign import Sign, sign

__all__ = [
    "Felt",
    "FeltCheckResult",
    "FeltFinding",
    "Logo",
    "MetRequirement",
    "Sign",
    "examine",
    "felt",
    "full_size",
    "pdf_differences",
    "read_logo",
    "sign",
]
