"""The Merkle tree as the database has it: leaves with their entries, complete subtrees apart.

Every eighth level is kept, so that a proof reads some hundreds of hashes however long the log is.
Where the hashes contradict one another somebody has changed them, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log.entry import NO_LEAF
from croupier.ledger.log.transparency import merkle
from croupier.ledger.log.transparency.merkle import LEVEL_STEP, Frontier

TREE = "@tree"  # the place that is named when hashes contradict one another
_BLOCK = 1 << LEVEL_STEP

StreamTip = tuple[int, bytes]  # the last sequence of a stream, and the leaf there

# Asks the database: a statement with question marks, and its values.
Query = Callable[[str, Sequence[object]], Sequence[Sequence[Any]]]


class TreeHead(NamedTuple):
    """The log after one transaction: how many entries, their root, and when."""

    size: int
    root: bytes
    time: int  # milliseconds since the epoch; never before the head before it


EMPTY_HEAD = TreeHead(0, merkle.EMPTY_ROOT, 0)


SELECT_LAST_HEAD = "SELECT size, root, time FROM head ORDER BY size DESC LIMIT 1"


def last_head(ask: Query) -> TreeHead:
    """The newest head; EMPTY before the first."""
    return head_from_rows(ask(SELECT_LAST_HEAD, ()))


def head_from_rows(found: Sequence[Sequence[Any]]) -> TreeHead:
    """The head that a question for the last one found."""
    return TreeHead(*found[0]) if found else EMPTY_HEAD


class StoredTree:
    """Proofs about the first so many entries of a log."""

    def __init__(self, ask: Query) -> None:
        self._ask = ask

    def leaves(self, start: int, end: int) -> list[bytes]:
        """The leaves from one position up to another, which is left out."""
        found = self._ask(
            "SELECT leaf FROM entry WHERE position >= ? AND position < ? ORDER BY position",
            (start, end),
        )
        if len(found) != end - start:
            raise Damaged(TREE, start, f"{end - start} entries should begin here: {len(found)} do")
        return [leaf for (leaf,) in found]

    def subtree(self, start: int, end: int) -> bytes:
        """The hash of the subtree over these entries."""
        size = end - start
        level = size.bit_length() - 1
        if size < _BLOCK:
            return merkle.root_of(self.leaves(start, end))
        if size != 1 << level:
            middle = start + merkle.split(size)
            return merkle.node_hash(self.subtree(start, middle), self.subtree(middle, end))
        kept = level - level % LEVEL_STEP
        first, last = start >> kept, end >> kept
        found = self._ask(
            "SELECT hash FROM node WHERE level = ? AND number >= ? AND number < ? ORDER BY number",
            (kept, first, last),
        )
        if len(found) != last - first:
            raise Damaged(TREE, start, f"hashes of level {kept} are missing")
        return merkle.root_of(node for (node,) in found)

    def frontier(self, size: int) -> Frontier:
        """What appending after so many entries needs to know."""
        return Frontier(size, (self.subtree(start, end) for start, end in merkle.peaks(size)))

    def root(self, size: int) -> bytes:
        """The root over the first so many entries."""
        return self.frontier(size).root()

    def inclusion(self, position: int, head: TreeHead) -> list[bytes]:
        """The proof (RFC 6962, 2.1.1) that an entry is in the log of this head."""
        path = merkle.inclusion_path(position, head.size, self.subtree)
        (leaf,) = self.leaves(position, position + 1)
        _agree(head, merkle.inclusion_root(leaf, position, head.size, path))
        return path

    def consistency(self, old: int, head: TreeHead) -> list[bytes]:
        """The proof (RFC 6962, 2.1.2) that the log of this head extends its first entries."""
        path = merkle.consistency_path(old, head.size, self.subtree)
        _agree(head, merkle.consistency_root(old, self.root(old), head.size, path))
        return path

    def joint(self, positions: Sequence[int], head: TreeHead) -> list[bytes]:
        """The hashes that prove several entries together."""
        path = merkle.multiproof_path(positions, head.size, self.subtree)
        leaves = {position: self.leaves(position, position + 1)[0] for position in positions}
        _agree(head, merkle.multiproof_root(leaves, head.size, path))
        return path

    def extends(self, size: int, root: bytes) -> str:
        """Why the log does not begin with the one of this size and root, or nothing."""
        head = last_head(self._ask)
        if size > head.size:
            return f"the record has {head.size} entries; it once had {size}"
        try:
            if self.root(size) != root:
                return f"the first {size} entries are not those that were signed for"
            if size:
                self.consistency(size, head)
        except (LedgerError, merkle.InvalidProof) as error:
            return str(error)
        return ""


def _agree(head: TreeHead, root: bytes) -> None:
    if head.root != root:
        raise Damaged(TREE, head.size, "the head contradicts the entries before it")


def read_tip(ask: Query, stream: str) -> StreamTip:
    """The last sequence and leaf of a stream; (0, NO_LEAF) before its first entry."""
    found = ask(
        "SELECT sequence, leaf FROM entry WHERE stream = (SELECT number FROM stream WHERE name = ?)"
        " ORDER BY sequence DESC LIMIT 1",
        (stream,),
    )
    return (found[0][0], found[0][1]) if found else (0, NO_LEAF)
