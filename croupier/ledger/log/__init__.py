"""The record as a log of entries in a database: durable, append-only, provable.

It knows nothing of tables: an entry's body is whatever its writer put there.
"""

from __future__ import annotations

from croupier.ledger.log.appends import Append
from croupier.ledger.log.entry import Entry, Mark, Snapshot, Stored, derived_id
from croupier.ledger.log.store import Store
from croupier.ledger.log.tree import Head, Tree
from croupier.ledger.log.waiting import Waiting

__all__ = [
    "Append",
    "Entry",
    "Head",
    "Mark",
    "Snapshot",
    "Store",
    "Stored",
    "Tree",
    "Waiting",
    "derived_id",
]
