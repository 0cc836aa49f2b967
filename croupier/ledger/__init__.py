"""Envelopes and their events on disk, nothing lost and nothing changed: proofs, recovery, audit.

with Ledger("casino.db") as ledger:
    table = ledger.open_table("UTH-1", house, by=manager)
    table.do(command, by=dealer, id="...")
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from croupier.ledger.entries import Recorded
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
from croupier.ledger.log import Store
from croupier.ledger.recorded import RecordedTable
from croupier.ledger.service import Ledger
from croupier.ledger.together import Carried

__all__ = [
    "Carried",
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
    "activity",
    "days",
    "deciding",
    "decision_events",
    "decision_state",
    "decisions",
    "entries",
    "errors",
    "fairness",
    "find",
    "following",
    "group",
    "log",
    "machines",
    "meter_events",
    "meters",
    "periods",
    "registry",
    "rounds",
    "service",
    "transfer",
    "verify",
]

_DOORS = tuple(name for name in __all__ if name.islower())


def __getattr__(name: str) -> Any:
    if name in _DOORS:  # for those who report and audit; imported when asked for
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
