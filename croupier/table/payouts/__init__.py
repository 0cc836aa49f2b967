"""Large payouts: tiers by gaming day, documents, witnesses, checks (COMAR 36.05.03.23)."""

from __future__ import annotations

from croupier.table.payouts.documents import LAW, checks, documents, ready, reopen, waiting
from croupier.table.payouts.record import AwardsReopened
from croupier.table.payouts.tiers import (
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
