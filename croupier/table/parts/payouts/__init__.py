"""Large payouts: tiers by gaming day, documents, witnesses, checks (COMAR 36.05.03.23)."""

from __future__ import annotations

from croupier.table.parts.payouts.messages import AwardsReopened
from croupier.table.parts.payouts.payout_documents import (
    LAW,
    checks,
    documents,
    ready,
    reopen,
    waiting,
)
from croupier.table.parts.payouts.thresholds import (
    Payout,
    all_thresholds,
    needs_document,
    payout_of,
    thresholds,
)

__all__ = [
    "LAW",
    "AwardsReopened",
    "Payout",
    "all_thresholds",
    "checks",
    "documents",
    "needs_document",
    "payout_of",
    "ready",
    "reopen",
    "thresholds",
    "waiting",
]
