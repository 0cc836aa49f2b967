"""Checkpoints (c2sp.org/tlog-checkpoint): a signed tree head, to be stored outside the database.

A checkpoint shows, even years later, that a log was rewritten, truncated or replaced by an older
copy. Nothing inside the database can, since its owner can rewrite all of it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.ledger.errors import LedgerError, printable
from croupier.ledger.log.transparency import signed_note
from croupier.ledger.log.transparency.signed_note import PublicKey, SignedNote
from croupier.ledger.log.transparency.stored_tree import StoredTree, TreeHead


class Checkpoint(NamedTuple):
    """The size and root of a log."""

    origin: str  # globally unique name of the log: casino.example/ledger
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()  # additional lines, such as the gaming day that ended

    def text(self) -> str:
        """The text that is signed."""
        lines = (self.origin, str(self.size), base64.b64encode(self.root).decode())
        return "".join(f"{line}\n" for line in (*lines, *self.extensions))


def sign(
    head: TreeHead, origin: str, private: Ed25519PrivateKey, *, extensions: Sequence[str] = ()
) -> SignedNote:
    """Sign a tree head as a checkpoint; `origin` is also the name of the key."""
    text = text_to_sign(head, origin, extensions=extensions)
    return SignedNote(text, (signed_note.sign(text, origin, private),))


def text_to_sign(head: TreeHead, origin: str, *, extensions: Sequence[str] = ()) -> str:
    """The text of a checkpoint, which the key named `origin` signs."""
    signed_note.check_key_name(origin)
    for line in extensions:
        if not line or not line.isprintable():
            raise LedgerError(f"{printable(line)!r} cannot be a line of a checkpoint")
    return Checkpoint(origin, head.size, head.root, tuple(extensions)).text()


def parse(text: str) -> Checkpoint:
    """Parse the text of a note as a checkpoint."""
    lines = text.split("\n")
    try:
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
            raise ValueError
        origin, size, root = lines[:3]
        checkpoint = Checkpoint(
            origin, int(size), base64.b64decode(root, validate=True), tuple(lines[3:-1])
        )
        if checkpoint.text() != text or checkpoint.size < 0 or len(checkpoint.root) != 32:
            raise ValueError
    except (ValueError, binascii.Error):
        raise LedgerError(
            "this is not a checkpoint; expected the lines origin, size and root"
        ) from None
    return checkpoint


def open_checkpoint(content: str | bytes, keys: Iterable[PublicKey]) -> Checkpoint:
    """Parse a signed note and verify it; the log itself must have signed it with one of `keys`."""
    note = signed_note.parse(content)
    signers = signed_note.verified_signers(note, keys)
    checkpoint = parse(note.text)
    if not any(key.kind == signed_note.LOG and key.name == checkpoint.origin for key in signers):
        origin = printable(checkpoint.origin)
        raise LedgerError(f"{origin} did not sign this with any of the keys provided")
    return checkpoint


def check_extends(tree: StoredTree, checkpoint: Checkpoint) -> None:
    """Raise unless the log extends the checkpoint."""
    problem = tree.extension_problem(checkpoint.size, checkpoint.root)
    if problem:
        raise LedgerError(f"the record does not extend the checkpoint: {problem}")
