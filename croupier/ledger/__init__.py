"""Envelopes and their events on disk, nothing lost and nothing changed: proofs, recovery, audit.

with Ledger("casino.db") as ledger:
    table = ledger.open_table("UTH-1", house, by=manager)
    table.do(command, by=dealer, id="...")
"""

from __future__ import annotations

from croupier.ledger.entries import Recorded
from croupier.ledger.errors import (
    Conflict,
    Damaged,
    IdTaken,
    LedgerError,
    MeterUnreachable,
    NotFound,
    RepeatedCommand,
    StoreFailed,
    TableStopped,
)
from croupier.ledger.log import Store
from croupier.ledger.recorded import RecordedTable
from croupier.ledger.service import Ledger

__all__ = [
    "Conflict",
    "Damaged",
    "IdTaken",
    "Ledger",
    "LedgerError",
    "MeterUnreachable",
    "NotFound",
    "Recorded",
    "RecordedTable",
    "RepeatedCommand",
    "Store",
    "StoreFailed",
    "TableStopped",
]
