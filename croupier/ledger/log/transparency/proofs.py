"""Proof files: a few entries with their inclusion proof against a signed checkpoint.

They have the format of an export, so one verifier checks both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from croupier.ledger.errors import LedgerError, NotFound
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.store import Store
from croupier.ledger.log.transfer.jsonl import house_line, with_end_line
from croupier.ledger.log.transparency import checkpoint, signed_note, verifier
from croupier.ledger.log.transparency.stored_tree import TreeHead


def build_proof(
    store: Store, positions: Sequence[int], note: str, *, houses: Iterable[str] = ()
) -> bytes:
    """The content of a proof file for the entries at these positions.

    `note` is the signed checkpoint; `houses` are the digests of the Houses in force.
    """
    return b"".join(with_end_line(_proof_lines(store, sorted(set(positions)), note, houses), {}))


def _proof_lines(
    store: Store, positions: Sequence[int], note: str, houses: Iterable[str]
) -> Iterator[bytes]:
    signed = checkpoint.parse(signed_note.parse(note).text)
    checkpoint.check_extends(store.tree, signed)
    if not positions or positions[-1] >= signed.size:
        raise LedgerError(f"the checkpoint covers {signed.size} entries, which exclude these")
    header = {"format": verifier.PROOF, "type": "header", "version": verifier.VERSION}
    yield encode_canonical(header) + b"\n"
    for digest in houses:
        text = store.house(digest)
        if text is None:
            raise NotFound(f"House {digest[:12]} is not on record")
        yield house_line(digest, text)
    for position in positions:
        yield store.at(position).line + b"\n"
    path = store.tree.multiproof(positions, TreeHead(signed.size, signed.root, 0))
    hashes = [node.hex() for node in path]
    record = {"hashes": hashes, "indexes": positions, "size": signed.size, "type": "proof"}
    yield encode_canonical(record) + b"\n"
    yield encode_canonical({"note": note, "type": "checkpoint"}) + b"\n"
