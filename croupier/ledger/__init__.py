"""The durable record: event-sourced aggregates on an append-only log with Merkle proofs.

Start with `ledger.Ledger` (the database) and `recorded_table.RecordedTable` (one table);
`aggregates/` are the other streams, `audit/` verifies, `queries/` reads, `log/` stores.

    with Ledger("casino.db", purpose="live") as ledger:
        table = ledger.open_table("UTH-1", house, by=manager, service="attended")
        table.do(command, by=dealer, id="...")
"""

from __future__ import annotations

from croupier.ledger.audit.verify import verify
from croupier.ledger.command_batch import CommittedCommand
from croupier.ledger.entry_codec import Recorded
from croupier.ledger.errors import (
    Conflict,
    Damaged,
    IdTaken,
    LedgerError,
    MeterUnreachable,
    NotFound,
    RepeatedCommand,
    Stale,
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
    "IdTaken",
    "Ledger",
    "LedgerError",
    "MeterUnreachable",
    "NotFound",
    "Recorded",
    "RecordedTable",
    "RepeatedCommand",
    "Stale",
    "Store",
    "StoreFailed",
    "TableStopped",
    "verify",
]
