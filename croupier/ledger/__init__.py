"""Envelopes and their events on disk, nothing lost and nothing changed: proofs, recovery, audit.

with Ledger("casino.db") as ledger:
    table = ledger.open_table("UTH-1", house, by=manager)
    table.do(command, by=dealer, id="...")
"""

from __future__ import annotations

from croupier.ledger.command_batch import CommittedCommand
from croupier.ledger.entry_codec import Recorded
from croupier.ledger.errors import (
    Conflict,
    Damaged,
    Fenced,
    IdTaken,
    LedgerError,
    MeterUnreachable,
    NotFound,
    RepeatedCommand,
    StoreFailed,
    TableStopped,
)
from croupier.ledger.ledger import Ledger
from croupier.ledger.log import Store
from croupier.ledger.recorded_table import RecordedTable

__all__ = [
    "CommittedCommand",
    "Conflict",
    "Damaged",
    "Fenced",
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
