"""The Merkle tree (RFC 6962) of a log in a database: tree heads, appending, proofs.

The database has the leaf hashes with their entries, and the inner nodes of every eighth level, so a
proof reads a few hundred hashes however long the log is. Hashes that contradict each other raise
Damaged. The rules for roots and the verification of proofs are in `verifier.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log.entry import NO_LEAF
from croupier.ledger.log.transparency import verifier

LEVEL_STEP = 8  # complete subtrees are stored at every eighth level: 256, 65,536, ... leaves
TREE = "@tree"  # pseudo stream that problems with the tree are reported under
_BLOCK = 1 << LEVEL_STEP

Node = tuple[int, int, bytes]  # level, number within the level, hash
StreamTip = tuple[int, bytes]  # the last sequence number of a stream, and its leaf hash

# Runs a statement with `?` placeholders and returns its rows.
Query = Callable[[str, Sequence[object]], Sequence[Sequence[Any]]]


class TreeHead(NamedTuple):
    """The log after one transaction: number of entries, Merkle root, and time."""

    size: int
    root: bytes
    time: int  # milliseconds since the epoch; increases from head to head


EMPTY_HEAD = TreeHead(0, verifier.root_of([]), 0)

SELECT_LAST_HEAD = "SELECT size, root, time FROM head ORDER BY size DESC LIMIT 1"


def last_head(query: Query) -> TreeHead:
    """The latest tree head; EMPTY_HEAD before the first."""
    return head_from_rows(query(SELECT_LAST_HEAD, ()))


def head_from_rows(rows: Sequence[Sequence[Any]]) -> TreeHead:
    """The tree head from the result of SELECT_LAST_HEAD."""
    return TreeHead(*rows[0]) if rows else EMPTY_HEAD


class Frontier:
    """The state needed to append: the roots of the complete subtrees, largest first."""

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        self.size = size
        self.hashes = list(hashes)

    def append(self, node: bytes, level: int = 0) -> list[Node]:
        """Append a leaf hash, or a complete subtree of the height `level`.

        Returns the nodes above it that were completed on the stored levels.
        """
        completed: list[Node] = []
        size, hashes, height = self.size, self.hashes, level
        while size >> height & 1:
            node = sha256(b"\x01" + hashes.pop() + node).digest()
            height += 1
            if height % LEVEL_STEP == 0:
                completed.append((height, size >> height, node))
        hashes.append(node)
        self.size = size + (1 << level)
        return completed

    def root(self) -> bytes:
        """The root of the tree."""
        return verifier.root_of(self.hashes)

    def copy(self) -> Frontier:
        """An independent copy."""
        return Frontier(self.size, self.hashes)


class StoredTree:
    """Roots and proofs of a log in a database."""

    def __init__(self, query: Query) -> None:
        self._query = query

    def extend(self, frontier: Frontier, start: int, end: int) -> Frontier:
        """Append the positions `start` up to but excluding `end`, from the highest stored nodes."""
        while start < end:
            level = 0
            while not (start >> level) % _BLOCK and start + (_BLOCK << level) <= end:
                level += LEVEL_STEP
            first = start >> level
            last = min(end >> level, (first // _BLOCK + 1) * _BLOCK)
            for node in self._hashes(level, first, last):
                frontier.append(node, level)
            start = last << level
        return frontier

    def _hashes(self, level: int, first: int, last: int) -> list[bytes]:
        if not level:
            return self.leaves(first, last)
        rows = self._query(
            "SELECT hash FROM node WHERE level = ? AND number >= ? AND number < ? ORDER BY number",
            (level, first, last),
        )
        if len(rows) != last - first:
            raise Damaged(TREE, first << level, f"hashes of level {level} are missing")
        return [node for (node,) in rows]

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
        return self.extend(Frontier(), start, end).root()

    def frontier(self, size: int) -> Frontier:
        """The frontier of the tree over the first `size` entries."""
        return self.extend(Frontier(), 0, size)

    def root(self, size: int) -> bytes:
        """The Merkle root over the first `size` entries."""
        return self.frontier(size).root()

    def multiproof(self, positions: Sequence[int], head: TreeHead) -> list[bytes]:
        """One inclusion proof of several entries in the tree of this head."""
        path = multiproof_path(positions, head.size, self.subtree)
        leaves = {position: self.leaves(position, position + 1)[0] for position in positions}
        _check_root(head, verifier.multiproof_root(leaves, head.size, path))
        return path

    def extension_problem(self, size: int, root: bytes) -> str:
        """Why the log does not extend the tree of this size and root; empty if it does."""
        head = last_head(self._query)
        if size > head.size:
            return f"the record has {head.size} entries; it once had {size}"
        try:
            frontier = self.frontier(size)
            if frontier.root() != root:
                return f"the first {size} entries are not the ones that were signed"
            # Continued from the signed hashes: those of the head alone could be of other entries.
            _check_root(head, self.extend(frontier, size, head.size).root())
        except LedgerError as error:
            return str(error)
        return ""


def multiproof_path(
    indexes: Sequence[int], size: int, subtree: Callable[[int, int], bytes]
) -> list[bytes]:
    """One inclusion proof of several leaves: the hashes of all other subtrees, left to right."""
    ordered = sorted(set(indexes))
    path: list[bytes] = []

    def walk(start: int, end: int) -> None:
        if bisect_left(ordered, start) == bisect_left(ordered, end):
            path.append(subtree(start, end))
        elif end - start > 1:
            middle = start + verifier.left_size(end - start)
            walk(start, middle)
            walk(middle, end)

    walk(0, size)
    return path


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
