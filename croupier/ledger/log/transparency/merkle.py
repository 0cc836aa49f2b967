"""The Merkle tree of RFC 6962: hashes, roots, inclusion and consistency proofs.

A subtree is identified by its first leaf and the one after its last. Proof functions take a
callback that returns the hash of a subtree. `verifier.py` repeats these rules, since it is a
standalone file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TypeAlias

EMPTY_ROOT = sha256().digest()
LEVEL_STEP = 8  # complete subtrees are stored at every eighth level: 256, 65,536, ... leaves

SubtreeHash: TypeAlias = Callable[[int, int], bytes]
Node: TypeAlias = tuple[int, int, bytes]  # level, number within the level, hash


class InvalidProof(ValueError):
    """A proof does not have the right length or does not lead to the expected root."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of one leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def split(size: int) -> int:
    """The size of the left subtree: the largest power of two smaller than `size`."""
    return 1 << (size - 1).bit_length() - 1


class Frontier:
    """The state needed to append: the roots of the complete subtrees, largest first."""

    __slots__ = ("hashes", "size")

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        self.size = size
        self.hashes = list(hashes)
        if len(self.hashes) != size.bit_count():
            raise InvalidProof(
                f"{size} leaves have {size.bit_count()} subtrees, not {len(self.hashes)}"
            )

    def append(self, leaf: bytes) -> list[Node]:
        """Append one leaf hash; returns the nodes that it completed on the stored levels."""
        completed: list[Node] = []
        size, hashes, level = self.size, self.hashes, 0
        while size >> level & 1:
            leaf = sha256(b"\x01" + hashes.pop() + leaf).digest()
            level += 1
            if level % LEVEL_STEP == 0:
                completed.append((level, size >> level, leaf))
        hashes.append(leaf)
        self.size = size + 1
        return completed

    def root(self) -> bytes:
        """The root of the tree."""
        if not self.hashes:
            return EMPTY_ROOT
        root = self.hashes[-1]
        for left in reversed(self.hashes[:-1]):
            root = sha256(b"\x01" + left + root).digest()
        return root

    def copy(self) -> Frontier:
        """An independent copy."""
        return Frontier(self.size, self.hashes)


def root_of(hashes: Iterable[bytes]) -> bytes:
    """The root over leaf hashes, or over complete subtrees of one size."""
    frontier = Frontier()
    for node in hashes:
        frontier.append(node)
    return frontier.root()


def peaks(size: int) -> Iterator[tuple[int, int]]:
    """The complete subtrees that make up a tree of this size, largest first."""
    start = 0
    for level in reversed(range(size.bit_length())):
        if size >> level & 1:
            yield start, start + (1 << level)
            start += 1 << level


def inclusion_path(index: int, size: int, subtree: SubtreeHash) -> list[bytes]:
    """The audit path of a leaf (RFC 6962, 2.1.1), from the leaf's sibling to the root."""
    if not 0 <= index < size:
        raise InvalidProof(f"leaf {index} is not in a tree of {size}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + split(end - start)
        if index < middle:
            path.append(subtree(middle, end))
            end = middle
        else:
            path.append(subtree(start, middle))
            start = middle
    return path[::-1]


def inclusion_root(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that a leaf and its audit path lead to."""
    if not 0 <= index < size:
        raise InvalidProof(f"leaf {index} is not in a tree of {size}")
    node, last, root = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            raise InvalidProof("the path is too long")
        if node & 1 or node == last:
            root = node_hash(sibling, root)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        node, last = node >> 1, last >> 1
    if last:
        raise InvalidProof("the path is too short")
    return root


def consistency_path(old: int, new: int, subtree: SubtreeHash) -> list[bytes]:
    """The consistency proof (RFC 6962, 2.1.2) from a tree of `old` leaves to one of `new`."""
    if not 0 < old <= new:
        raise InvalidProof(f"a tree of {new} does not extend one of {old}")
    path: list[bytes] = []
    start, end, old_is_subtree = 0, new, True
    while end > old:
        middle = start + split(end - start)
        if old <= middle:
            path.append(subtree(middle, end))
            end = middle
        else:
            path.append(subtree(start, middle))
            start, old_is_subtree = middle, False
    if not old_is_subtree:
        path.append(subtree(start, end))
    return path[::-1]


def consistency_root(old: int, old_root: bytes, new: int, path: Sequence[bytes]) -> bytes:
    """The root of the new tree; InvalidProof unless the path shows that it extends the old one."""
    if not 0 < old <= new:
        raise InvalidProof(f"a tree of {new} does not extend one of {old}")
    hashes = list(path)
    if old == new:
        if hashes:
            raise InvalidProof("the path is too long")
        return old_root
    if old & (old - 1) == 0:
        hashes.insert(0, old_root)  # the old tree is one complete subtree of the new
    if not hashes:
        raise InvalidProof("the path is too short")
    node, last = old - 1, new - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    before = after = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            raise InvalidProof("the path is too long")
        if node & 1 or node == last:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            after = node_hash(after, sibling)
        node, last = node >> 1, last >> 1
    if last:
        raise InvalidProof("the path is too short")
    if before != old_root:
        raise InvalidProof("the old root does not match the proof")
    return after


def multiproof_path(indexes: Sequence[int], size: int, subtree: SubtreeHash) -> list[bytes]:
    """One inclusion proof of several leaves: the hashes of all other subtrees, left to right."""
    ordered = sorted(set(indexes))
    if not ordered or not 0 <= ordered[0] <= ordered[-1] < size:
        raise InvalidProof(f"these leaves are not in a tree of {size}")
    path: list[bytes] = []

    def walk(start: int, end: int) -> None:
        if bisect_left(ordered, start) == bisect_left(ordered, end):
            path.append(subtree(start, end))
        elif end - start > 1:
            middle = start + split(end - start)
            walk(start, middle)
            walk(middle, end)

    walk(0, size)
    return path


def multiproof_root(leaves: Mapping[int, bytes], size: int, path: Iterable[bytes]) -> bytes:
    """The root that several leaf hashes, by index, and their multiproof lead to."""
    ordered, rest = sorted(leaves), iter(path)
    if not ordered or not 0 <= ordered[0] <= ordered[-1] < size:
        raise InvalidProof(f"these leaves are not in a tree of {size}")

    def walk(start: int, end: int) -> bytes:
        if bisect_left(ordered, start) == bisect_left(ordered, end):
            node = next(rest, None)
            if node is None:
                raise InvalidProof("the path is too short")
            return node
        if end - start == 1:
            return leaves[start]
        middle = start + split(end - start)
        return node_hash(walk(start, middle), walk(middle, end))

    root = walk(0, size)
    if next(rest, None) is not None:
        raise InvalidProof("the path is too long")
    return root
