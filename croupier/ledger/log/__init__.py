"""Append-only, tamper-evident log of entries on SQLite or PostgreSQL.

Start with `Store`: it appends entries to streams, reads them back verified, and proves them.
`write/` commits, `database/` connects, `transparency/` proves, `transfer/` exports and backs up.
"""

from __future__ import annotations

from croupier.ledger.log.append import Append
from croupier.ledger.log.entry import Entry, IndexTerm, Snapshot, StoredEntry, derived_id
from croupier.ledger.log.store import Store
from croupier.ledger.log.transparency.stored_tree import StoredTree, TreeHead

__all__ = [
    "Append",
    "Entry",
    "IndexTerm",
    "Snapshot",
    "Store",
    "StoredEntry",
    "StoredTree",
    "TreeHead",
    "derived_id",
]
