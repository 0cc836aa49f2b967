"""Events on disk, nothing lost and nothing changed: hash chain, accounts, recovery, audit.

with Ledger("casino.db") as ledger:
    table = ledger.open_table("UTH-1", house)
    table.do(command, command_id="...", by="dealer ann")
"""

from __future__ import annotations

from croupier.ledger.errors import (
    Conflict,
    Damaged,
    LedgerError,
    MeterUnreachable,
    NeedsTwoPeople,
    NotFound,
    RepeatedCommand,
    StoreFailed,
    TableStopped,
)
from croupier.ledger.logged import LoggedTable
from croupier.ledger.service import Ledger
from croupier.ledger.store import Store

__all__ = [
    "Conflict",
    "Damaged",
    "Ledger",
    "LedgerError",
    "LoggedTable",
    "MeterUnreachable",
    "NeedsTwoPeople",
    "NotFound",
    "RepeatedCommand",
    "Store",
    "StoreFailed",
    "TableStopped",
]
