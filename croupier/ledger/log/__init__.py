"""The record as a log of entries in a database: durable, append-only, provable.

It knows nothing of tables: an entry's body is whatever its writer put there.
"""

from __future__ import annotations

from croupier.ledger.log.append import Append, Fence
from croupier.ledger.log.database.pool import close_engine
from croupier.ledger.log.entry import Entry, IndexTerm, Snapshot, StoredEntry, derived_id
from croupier.ledger.log.store import Store
from croupier.ledger.log.transparency.stored_tree import StoredTree, TreeHead

__all__ = [
    "Append",
    "Entry",
    "Fence",
    "IndexTerm",
    "Snapshot",
    "Store",
    "StoredEntry",
    "StoredTree",
    "TreeHead",
    "close_engine",
    "derived_id",
]
