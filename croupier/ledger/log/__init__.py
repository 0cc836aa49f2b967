"""The record as a log of entries in a database: durable, append-only, provable.

It knows nothing of tables: an entry's body is whatever its writer put there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from croupier.ledger.log.appends import Append, Fence
from croupier.ledger.log.connections import let_go
from croupier.ledger.log.entry import Entry, Mark, Snapshot, Stored, derived_id
from croupier.ledger.log.store import Store
from croupier.ledger.log.tree import Head, Tree

if TYPE_CHECKING:
    from croupier.ledger.log.waiting import Waiting

__all__ = [
    "Append",
    "Entry",
    "Fence",
    "Head",
    "Mark",
    "Snapshot",
    "Store",
    "Stored",
    "Tree",
    "Waiting",
    "audit",
    "backup",
    "checkpoint",
    "derived_id",
    "files",
    "keys",
    "let_go",
    "notes",
    "proofs",
    "transfer",
    "verifier",
]

_DOORS = (
    "audit",
    "backup",
    "checkpoint",
    "files",
    "keys",
    "notes",
    "proofs",
    "transfer",
    "verifier",
)


def __getattr__(name: str) -> Any:
    if name == "Waiting":  # and with it asyncio, for those who run a loop
        return import_module(f"{__name__}.waiting").Waiting
    if name in _DOORS:  # imported when asked for
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
