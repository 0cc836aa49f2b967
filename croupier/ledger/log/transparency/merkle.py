"""The Merkle tree of RFC 6962: appending, and proofs of several leaves at once.

The rules for hashes, roots and the verification of proofs are in `verifier.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import TypeAlias

from croupier.ledger.log.transparency import verifier

EMPTY_ROOT = verifier.root_of([])
LEVEL_STEP = 8  # complete subtrees are stored at every eighth level: 256, 65,536, ... leaves

SubtreeHash: TypeAlias = Callable[[int, int], bytes]  # first leaf, and the one after the last
Node: TypeAlias = tuple[int, int, bytes]  # level, number within the level, hash


class Frontier:
    """The state needed to append: the roots of the complete subtrees, largest first."""

    __slots__ = ("hashes", "size")

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


def multiproof_path(indexes: Sequence[int], size: int, subtree: SubtreeHash) -> list[bytes]:
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
