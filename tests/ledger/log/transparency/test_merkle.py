"""The Merkle tree against known answers for RFC 6962 and against brute force."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger.log import Store
from croupier.ledger.log.transparency import stored_tree, verifier
from croupier.ledger.log.transparency.stored_tree import Frontier, StoredTree
from tests.ledger.log.attacked_log import without_protection
from tests.ledger.log.sample_entries import entries, merkle_root

# The inputs and roots that the test suites of Certificate Transparency share.
INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
INPUTS += ["606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def leaf_hash(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def frontier_of(leaves: Sequence[bytes]) -> Frontier:
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf)
    return frontier


LEAVES = [leaf_hash(bytes.fromhex(data)) for data in INPUTS]


def sample_leaves(size: int) -> list[bytes]:
    """`size` distinct leaf hashes."""
    return [leaf_hash(bytes([number % 256, number // 256])) for number in range(size)]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_rfc(size: int) -> None:
    """By the frontier and by the recursive definition."""
    root = frontier_of(LEAVES[:size]).root()
    assert ROOTS[size] == root.hex() == merkle_root(LEAVES[:size]).hex()


def test_paths_are_those_of_the_rfc() -> None:
    """The audit paths of the example in RFC 6962, 2.1.3, from left to right."""
    a, b, c, d, e, f, j = LEAVES[:7]
    g, h, i = node_hash(a, b), node_hash(c, d), node_hash(e, f)
    k, left = node_hash(i, j), node_hash(g, h)

    def subtree(start: int, end: int) -> bytes:
        return merkle_root(LEAVES[start:end])

    assert [b, h, k] == stored_tree.multiproof_path([0], 7, subtree)
    assert [g, c, k] == stored_tree.multiproof_path([3], 7, subtree)
    assert [left, f, j] == stored_tree.multiproof_path([4], 7, subtree)
    assert [left, i] == stored_tree.multiproof_path([6], 7, subtree)


def test_every_proof_of_every_small_tree() -> None:
    """All trees up to 40 leaves: each proof leads to the root, and those of other leaves do not."""
    leaves = sample_leaves(40)
    for size in range(1, 41):
        root = merkle_root(leaves[:size])

        def subtree(start: int, end: int) -> bytes:
            return merkle_root(leaves[start:end])

        for index in range(size):
            path = stored_tree.multiproof_path([index], size, subtree)
            assert root == verifier.multiproof_root({index: leaves[index]}, size, path)
            wrong = verifier.multiproof_root({index: leaves[index - 1]}, size, path)
            assert root != wrong or size == 1


def test_every_tree_is_extended_to_every_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All trees up to 40 leaves, with a small step, so that several levels are stored."""
    monkeypatch.setattr(stored_tree, "LEVEL_STEP", 2)
    monkeypatch.setattr(stored_tree, "_BLOCK", 4)
    leaves = sample_leaves(40)

    def query(statement: str, values: Sequence[Any]) -> list[tuple[bytes]]:
        level, first, last = values if len(values) == 3 else (0, *values)
        nodes = range(first, min(last, 40 >> level))
        return [(merkle_root(leaves[number << level : number + 1 << level]),) for number in nodes]

    tree = StoredTree(query)
    for old in range(41):
        for new in range(old, 41):
            frontier = tree.frontier(old)
            assert merkle_root(leaves[:old]) == frontier.root()
            assert merkle_root(leaves[:new]) == tree.extend(frontier, old, new).root()
            assert new == frontier.size


def test_a_log_whose_stored_nodes_continue_another_one_is_no_extension(lite: Store) -> None:
    """The first entries are those signed, and the head has the root of other entries."""
    lite.append(entries("a", 0, 100))
    signed = lite.head()
    lite.append(entries("a", 100, 200))
    assert "" == lite.tree.extension_problem(signed.size, signed.root)

    forged = frontier_of([stored.leaf for stored in lite.scan(256)])
    root = node_hash(bytes(32), forged.root())
    with without_protection(lite) as run:
        run("UPDATE node SET hash = ?", (bytes(32),))
        run("UPDATE head SET root = ? WHERE size = 300", (root,))

    assert root == lite.tree.root(300)
    assert "contradicts the entries" in lite.tree.extension_problem(signed.size, signed.root)


@given(st.integers(1, 300), st.data())
def test_multiproofs(size: int, data: st.DataObject) -> None:
    """Any set of leaves can be proved at once; incomplete and excessive proofs are invalid."""
    leaves = sample_leaves(size)
    chosen = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=20))
    root = merkle_root(leaves)

    def subtree(start: int, end: int) -> bytes:
        return merkle_root(leaves[start:end])

    path = stored_tree.multiproof_path(sorted(chosen), size, subtree)
    proved = {index: leaves[index] for index in chosen}
    assert root == verifier.multiproof_root(proved, size, path)
    with pytest.raises(verifier.VerificationError):
        verifier.multiproof_root(proved, size, [*path, bytes(32)])
    if path:
        with pytest.raises(StopIteration):
            verifier.multiproof_root(proved, size, path[:-1])
        assert root != verifier.multiproof_root(proved, size, [bytes(32), *path[1:]])


@given(st.integers(0, 700))
def test_a_frontier_can_be_extended_at_any_size(size: int) -> None:
    """It gives the root, accepts further leaves, and returns the nodes to store."""
    leaves = sample_leaves(size + 1)
    frontier, stored = Frontier(), []
    for leaf in leaves[:size]:
        stored += frontier.append(leaf)
    again = Frontier(size, frontier.hashes)
    again.append(leaves[size])

    assert merkle_root(leaves[:size]) == frontier.root()
    assert merkle_root(leaves) == again.root()
    assert [
        (8, n, merkle_root(leaves[256 * n : 256 * (n + 1)])) for n in range(size // 256)
    ] == stored


@pytest.mark.parametrize("size", [1, 7, 255, 256, 257, 511, 600, 1024])
def test_the_database_proves_what_brute_force_does(lite: Store, size: int) -> None:
    """Roots and multiproofs from stored nodes and leaves."""
    lite.append(entries("a", 0, size))
    leaves = [stored.leaf for stored in lite.scan()]
    head = lite.head()
    assert merkle_root(leaves) == head.root

    def subtree(start: int, end: int) -> bytes:
        return merkle_root(leaves[start:end])

    for place in sorted({0, size // 2, size - 1}):
        root = merkle_root(leaves[:place])
        assert root == lite.tree.root(place)
        assert "" == lite.tree.extension_problem(place, root)
        assert stored_tree.multiproof_path([place], size, subtree) == lite.tree.multiproof(
            [place], head
        )
    some = sorted({0, size // 3, size // 2, size - 1})
    assert stored_tree.multiproof_path(some, size, subtree) == lite.tree.multiproof(some, head)


def test_levels_above_the_first_stored_one(monkeypatch: pytest.MonkeyPatch, lite: Store) -> None:
    """With a small step several levels are stored."""
    monkeypatch.setattr(stored_tree, "LEVEL_STEP", 2)
    monkeypatch.setattr(stored_tree, "_BLOCK", 4)
    lite.append(entries("a", 0, 333))
    leaves = [stored.leaf for stored in lite.scan()]

    for start, end in ((0, 256), (0, 333), (64, 128), (256, 320), (320, 333), (128, 256)):
        assert merkle_root(leaves[start:end]) == lite.tree.subtree(start, end)
