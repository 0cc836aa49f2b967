"""The Merkle tree against known answers for RFC 6962 and against brute force."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger.log import Store
from croupier.ledger.log.transparency import merkle
from croupier.ledger.log.transparency.merkle import (
    Frontier,
    InvalidProof,
    leaf_hash,
    node_hash,
    root_of,
)
from tests.ledger.log.sample_entries import entries

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
LEAVES = [leaf_hash(bytes.fromhex(data)) for data in INPUTS]


def brute(leaves: list[bytes]) -> bytes:
    """The recursive definition of RFC 6962, 2.1."""
    if not leaves:
        return bytes.fromhex(ROOTS[0])
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return node_hash(brute(leaves[:k]), brute(leaves[k:]))


def sample_leaves(size: int) -> list[bytes]:
    """`size` distinct leaf hashes."""
    return [leaf_hash(bytes([number % 256, number // 256])) for number in range(size)]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_rfc(size: int) -> None:
    """By the frontier and by brute force."""
    assert ROOTS[size] == root_of(LEAVES[:size]).hex() == brute(LEAVES[:size]).hex()


def test_paths_are_those_of_the_rfc() -> None:
    """The audit paths and consistency proofs of the example in RFC 6962, 2.1.3."""
    a, b, c, d, e, f, j = LEAVES[:7]
    g, h, i = node_hash(a, b), node_hash(c, d), node_hash(e, f)
    k, left = node_hash(i, j), node_hash(g, h)

    def subtree(start: int, end: int) -> bytes:
        return brute(LEAVES[start:end])

    assert [b, h, k] == merkle.inclusion_path(0, 7, subtree)
    assert [c, g, k] == merkle.inclusion_path(3, 7, subtree)
    assert [f, j, left] == merkle.inclusion_path(4, 7, subtree)
    assert [i, left] == merkle.inclusion_path(6, 7, subtree)
    assert [c, d, g, k] == merkle.consistency_path(3, 7, subtree)
    assert [k] == merkle.consistency_path(4, 7, subtree)
    assert [i, j, left] == merkle.consistency_path(6, 7, subtree)


def test_every_proof_of_every_small_tree() -> None:
    """All trees up to 40 leaves: each proof leads to the root, and wrong ones do not."""
    leaves = sample_leaves(40)
    for size in range(1, 41):
        root = brute(leaves[:size])

        def subtree(start: int, end: int) -> bytes:
            return brute(leaves[start:end])

        for index in range(size):
            path = merkle.inclusion_path(index, size, subtree)
            assert root == merkle.inclusion_root(leaves[index], index, size, path)
            assert root != merkle.inclusion_root(leaves[index - 1], index, size, path) or size == 1
        for old in range(1, size + 1):
            path = merkle.consistency_path(old, size, subtree)
            assert root == merkle.consistency_root(old, brute(leaves[:old]), size, path)
            assert not extends(old, bytes(32), size, path, root)
            for wrong in ([*path, root], path[:-1], [root, *path[1:]]):
                assert wrong == path or not extends(old, brute(leaves[:old]), size, wrong, root)


def extends(old: int, old_root: bytes, new: int, path: list[bytes], new_root: bytes) -> bool:
    """Whether a consistency proof is valid."""
    try:
        return new_root == merkle.consistency_root(old, old_root, new, path)
    except InvalidProof:
        return False


@given(st.integers(1, 300), st.data())
def test_multiproofs(size: int, data: st.DataObject) -> None:
    """Any set of leaves can be proved at once; incomplete and excessive proofs are invalid."""
    leaves = sample_leaves(size)
    chosen = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=20))

    def subtree(start: int, end: int) -> bytes:
        return root_of(leaves[start:end])

    path = merkle.multiproof_path(sorted(chosen), size, subtree)
    proved = {index: leaves[index] for index in chosen}
    assert root_of(leaves) == merkle.multiproof_root(proved, size, path)
    with pytest.raises(InvalidProof):
        merkle.multiproof_root(proved, size, [*path, bytes(32)])
    if path:
        with pytest.raises(InvalidProof):
            merkle.multiproof_root(proved, size, path[:-1])
        assert root_of(leaves) != merkle.multiproof_root(proved, size, [bytes(32), *path[1:]])


@given(st.integers(0, 700))
def test_a_frontier_can_be_extended_at_any_size(size: int) -> None:
    """It gives the root, accepts further leaves, and returns the nodes to store."""
    leaves = sample_leaves(size + 1)
    frontier, stored = Frontier(), []
    for leaf in leaves[:size]:
        stored += frontier.append(leaf)
    again = Frontier(size, frontier.hashes)
    again.append(leaves[size])

    assert root_of(leaves[:size]) == frontier.root()
    assert root_of(leaves) == again.root()
    assert [(8, n, root_of(leaves[256 * n : 256 * (n + 1)])) for n in range(size // 256)] == stored


@pytest.mark.parametrize("size", [1, 7, 255, 256, 257, 511, 600, 1024])
def test_the_database_proves_what_brute_force_does(lite: Store, size: int) -> None:
    """Roots, inclusion proofs, consistency proofs and multiproofs from stored nodes and leaves."""
    lite.append(entries("a", 0, size))
    leaves = [stored.leaf for stored in lite.scan()]
    head = lite.head()
    assert root_of(leaves) == head.root

    def subtree(start: int, end: int) -> bytes:
        return root_of(leaves[start:end])

    for place in sorted({0, size // 2, size - 1}):
        expected = merkle.inclusion_path(place, size, subtree)
        assert expected == lite.tree.inclusion(place, head)
        assert merkle.consistency_path(place + 1, size, subtree) == lite.tree.consistency(
            place + 1, head
        )
        assert root_of(leaves[:place]) == lite.tree.root(place)
    some = sorted({0, size // 3, size // 2, size - 1})
    assert merkle.multiproof_path(some, size, subtree) == lite.tree.multiproof(some, head)


def test_levels_above_the_first_stored_one(monkeypatch: pytest.MonkeyPatch, lite: Store) -> None:
    """With a small step several levels are stored."""
    from croupier.ledger.log.transparency import stored_tree

    monkeypatch.setattr(merkle, "LEVEL_STEP", 2)
    monkeypatch.setattr(stored_tree, "LEVEL_STEP", 2)
    monkeypatch.setattr(stored_tree, "_BLOCK", 4)
    lite.append(entries("a", 0, 333))
    leaves = [stored.leaf for stored in lite.scan()]

    for start, end in ((0, 256), (0, 333), (64, 128), (256, 320), (320, 333), (128, 256)):
        assert root_of(leaves[start:end]) == lite.tree.subtree(start, end)
