"""The Merkle tree in the database: leaf hashes with their entries, and stored inner nodes.

Every eighth level is stored, so a proof reads a few hundred hashes however long the log is. Hashes
that contradict each other raise Damaged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log.entry import NO_LEAF
from croupier.ledger.log.transparency import merkle
from croupier.ledger.log.transparency.merkle import LEVEL_STEP, Frontier

TREE = "@tree"  # pseudo stream that problems with the tree are reported under
_BLOCK = 1 << LEVEL_STEP

StreamTip = tuple[int, bytes]  # the last sequence number of a stream, and its leaf hash

# Runs a statement with `?` placeholders and returns its rows.
Query = Callable[[str, Sequence[object]], Sequence[Sequence[Any]]]


class TreeHead(NamedTuple):
    """The log after one transaction: number of entries, Merkle root, and time."""

    size: int
    root: bytes
    time: int  # milliseconds since the epoch; increases from head to head


EMPTY_HEAD = TreeHead(0, merkle.EMPTY_ROOT, 0)

SELECT_LAST_HEAD = "SELECT size, root, time FROM head ORDER BY size DESC LIMIT 1"


def last_head(query: Query) -> TreeHead:
    """The latest tree head; EMPTY_HEAD before the first."""
    return head_from_rows(query(SELECT_LAST_HEAD, ()))


def head_from_rows(rows: Sequence[Sequence[Any]]) -> TreeHead:
    """The tree head from the result of SELECT_LAST_HEAD."""
    return TreeHead(*rows[0]) if rows else EMPTY_HEAD


class StoredTree:
    """Roots and proofs of a log in a database."""

    def __init__(self, query: Query) -> None:
        self._query = query

    def leaves(self, start: int, end: int) -> list[bytes]:
        """The leaf hashes of positions `start` up to but excluding `end`."""
        rows = self._query(
            "SELECT leaf FROM entry WHERE position >= ? AND position < ? ORDER BY position",
            (start, end),
        )
        if len(rows) != end - start:
            problem = f"expected {end - start} entries from here, found {len(rows)}"
            raise Damaged(TREE, start, problem)
        return [leaf for (leaf,) in rows]

    def subtree(self, start: int, end: int) -> bytes:
        """The hash of the subtree over these positions."""
        size = end - start
        level = size.bit_length() - 1
        if size < _BLOCK:
            return merkle.root_of(self.leaves(start, end))
        if size != 1 << level:
            middle = start + merkle.split(size)
            return merkle.node_hash(self.subtree(start, middle), self.subtree(middle, end))
        stored_level = level - level % LEVEL_STEP
        first, last = start >> stored_level, end >> stored_level
        rows = self._query(
            "SELECT hash FROM node WHERE level = ? AND number >= ? AND number < ? ORDER BY number",
            (stored_level, first, last),
        )
        if len(rows) != last - first:
            raise Damaged(TREE, start, f"hashes of level {stored_level} are missing")
        return merkle.root_of(node for (node,) in rows)

    def frontier(self, size: int) -> Frontier:
        """The frontier of the tree over the first `size` entries."""
        return Frontier(size, (self.subtree(start, end) for start, end in merkle.peaks(size)))

    def root(self, size: int) -> bytes:
        """The Merkle root over the first `size` entries."""
        return self.frontier(size).root()

    def inclusion(self, position: int, head: TreeHead) -> list[bytes]:
        """The inclusion proof (RFC 6962, 2.1.1) of an entry in the tree of this head."""
        path = merkle.inclusion_path(position, head.size, self.subtree)
        (leaf,) = self.leaves(position, position + 1)
        _check_root(head, merkle.inclusion_root(leaf, position, head.size, path))
        return path

    def consistency(self, old: int, head: TreeHead) -> list[bytes]:
        """The consistency proof (RFC 6962, 2.1.2) from the first `old` entries to this head."""
        path = merkle.consistency_path(old, head.size, self.subtree)
        _check_root(head, merkle.consistency_root(old, self.root(old), head.size, path))
        return path

    def multiproof(self, positions: Sequence[int], head: TreeHead) -> list[bytes]:
        """One inclusion proof of several entries in the tree of this head."""
        path = merkle.multiproof_path(positions, head.size, self.subtree)
        leaves = {position: self.leaves(position, position + 1)[0] for position in positions}
        _check_root(head, merkle.multiproof_root(leaves, head.size, path))
        return path

    def extension_problem(self, size: int, root: bytes) -> str:
        """Why the log does not extend the tree of this size and root; empty if it does."""
        head = last_head(self._query)
        if size > head.size:
            return f"the record has {head.size} entries; it once had {size}"
        try:
            if self.root(size) != root:
                return f"the first {size} entries are not the ones that were signed"
            if size:
                self.consistency(size, head)
        except (LedgerError, merkle.InvalidProof) as error:
            return str(error)
        return ""


def _check_root(head: TreeHead, root: bytes) -> None:
    if head.root != root:
        raise Damaged(TREE, head.size, "the tree head contradicts the entries before it")


def read_stream_tip(query: Query, stream: str) -> StreamTip:
    """The last sequence number and leaf hash of a stream; (0, NO_LEAF) before its first entry."""
    rows = query(
        "SELECT sequence, leaf FROM entry WHERE stream = (SELECT number FROM stream WHERE name = ?)"
        " ORDER BY sequence DESC LIMIT 1",
        (stream,),
    )
    return (rows[0][0], rows[0][1]) if rows else (0, NO_LEAF)
