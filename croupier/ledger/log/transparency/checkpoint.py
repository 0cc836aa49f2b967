"""Checkpoints (c2sp.org/tlog-checkpoint): the size and root of a log, signed, to be kept outside.

Whoever keeps one can show, years later, that the log was rewritten, cut or replaced by an older
copy: nothing inside the database can, since who holds the database can rewrite all of it.
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
from croupier.ledger.log.transparency.stored_tree import Head, Tree


class Checkpoint(NamedTuple):
    """What a log was at a moment."""

    origin: str  # the log, as a name that nobody else has: casino.example/ledger
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()  # further lines, such as the gaming day that ended

    def text(self) -> str:
        """The text that is signed."""
        lines = (self.origin, str(self.size), base64.b64encode(self.root).decode())
        return "".join(f"{line}\n" for line in (*lines, *self.extensions))


def sign(
    head: Head, origin: str, private: Ed25519PrivateKey, *, extensions: Sequence[str] = ()
) -> SignedNote:
    """A head as a checkpoint, signed by the log, whose origin is the name of its key."""
    signed_note.check_key_name(origin)
    for line in extensions:
        if not line or not line.isprintable():
            raise LedgerError(f"{printable(line)!r} cannot be a line of a checkpoint")
    text = Checkpoint(origin, head.size, head.root, tuple(extensions)).text()
    return SignedNote(text, (signed_note.sign(text, origin, private),))


def read(text: str) -> Checkpoint:
    """The checkpoint of a note's text; refused if it is none."""
    lines = text.split("\n")
    try:
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
            raise ValueError
        origin, size, root = lines[:3]
        found = Checkpoint(
            origin, int(size), base64.b64decode(root, validate=True), tuple(lines[3:-1])
        )
        if found.text() != text or found.size < 0 or len(found.root) != 32:
            raise ValueError
    except (ValueError, binascii.Error):
        raise LedgerError("this is not a checkpoint: origin, size, root, line by line") from None
    return found


def opened(content: str | bytes, keys: Iterable[PublicKey], *, witnesses: int = 0) -> Checkpoint:
    """A checkpoint that the log of one of these keys signed, and so many of its witnesses."""
    note = signed_note.parse(content)
    signed = signed_note.signers(note, keys)
    found = read(note.text)
    if not any(key.kind == signed_note.LOG and key.name == found.origin for key in signed):
        raise LedgerError(f"{printable(found.origin)} did not sign this with a key that was given")
    seen = {key.public for key in signed if key.kind == signed_note.WITNESS}
    if len(seen) < witnesses:
        raise LedgerError(f"{len(seen)} of the witnesses signed this, expected {witnesses}")
    return found


def check_extends(tree: Tree, kept: Checkpoint) -> None:
    """Refuse unless the log of today begins with the one that was signed for."""
    problem = tree.extends(kept.size, kept.root)
    if problem:
        raise LedgerError(f"the record does not extend the kept checkpoint: {problem}")
