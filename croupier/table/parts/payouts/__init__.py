"""Large payouts: reporting thresholds, documents, witnesses, checks (COMAR 36.05.03.23)."""

from __future__ import annotations

from croupier.table.parts.payouts.messages import AwardsReopened
from croupier.table.parts.payouts.payout_documents import (
    LAW,
    check_payments,
    missing_paperwork,
    reopen_payouts,
    round_documents,
)
from croupier.table.parts.payouts.thresholds import (
    Payout,
    all_thresholds,
    is_taxable,
    needs_document,
    payout_of,
    thresholds,
)

__all__ = [
    "LAW",
    "AwardsReopened",
    "Payout",
    "all_thresholds",
    "check_payments",
    "is_taxable",
    "missing_paperwork",
    "needs_document",
    "payout_of",
    "reopen_payouts",
    "round_documents",
    "thresholds",
]
