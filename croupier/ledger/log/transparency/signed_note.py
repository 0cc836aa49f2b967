"""Signed notes, in the public format of C2SP (c2sp.org/signed-note): a text and who signed it.

    text, ending with a line feed
    (an empty line)
    — NAME BASE64(key id, signature)

A log signs the text itself; a witness signs it with the time (c2sp.org/tlog-cosignature). Keys
are handed around as one word: NAME+ID+BASE64(kind, public key).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.ledger.errors import LedgerError, printable

LOG, WITNESS = 0x01, 0x04  # the kinds of Ed25519 signatures that are in use
SIGNATURES_MAX = 100
NOTE_MAX = 1_000_000  # bytes


class PublicKey(NamedTuple):
    """A public key with the name of who signs with it."""

    name: str
    public: bytes
    kind: int = LOG

    @property
    def id(self) -> bytes:
        """The four bytes that stand in signatures; they find a key and prove nothing."""
        content = b"%b\n%c%b" % (self.name.encode(), self.kind, self.public)
        return sha256(content).digest()[:4]

    def __str__(self) -> str:
        coded = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{coded}"

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Read a key as it is handed around."""
        name, _, rest = text.strip().partition("+")
        claimed, _, coded = rest.partition("+")
        try:
            content = base64.b64decode(coded, validate=True)
            key = cls(check_key_name(name), content[1:], content[0])
            right = len(key.public) == 32 and key.kind in (LOG, WITNESS)
            if not right or key.id.hex() != claimed:
                raise ValueError
        except (ValueError, IndexError, binascii.Error):
            told = f"{printable(text.strip())[:100]!r} is not a key"
            raise LedgerError(f"{told}; expected NAME+ID+BASE64") from None
        return key


class Signature(NamedTuple):
    """One line under a note."""

    name: str
    id: bytes
    content: bytes

    def __str__(self) -> str:
        return f"— {self.name} {base64.b64encode(self.id + self.content).decode()}\n"


class SignedNote(NamedTuple):
    """A text and its signatures, none of them checked yet."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(map(str, self.signatures))

    def with_signature(self, signature: Signature) -> SignedNote:
        """The note with one more signature below the others."""
        return SignedNote(self.text, (*self.signatures, signature))


def check_key_name(name: str) -> str:
    """A name that may stand in a signature line; refused otherwise."""
    if not name or "+" in name or not name.isprintable() or any(map(str.isspace, name)):
        raise LedgerError(f"{printable(name)!r} cannot name a key: no spaces, no plus, not empty")
    return name


def key_of(name: str, private: Ed25519PrivateKey, kind: int = LOG) -> PublicKey:
    """The public half of a key, under a name."""
    return PublicKey(check_key_name(name), private.public_key().public_bytes_raw(), kind)


def sign(text: str, name: str, private: Ed25519PrivateKey) -> Signature:
    """The signature of a log under its own text."""
    _check_text(text)
    return Signature(name, key_of(name, private).id, private.sign(text.encode()))


def cosign(text: str, name: str, private: Ed25519PrivateKey, seconds: int) -> Signature:
    """The signature of a witness: it saw this at that time, and nothing that contradicts it."""
    _check_text(text)
    if not 0 <= seconds < 2**63:
        raise LedgerError(f"a witness signs a time in seconds since the epoch, got {seconds}")
    signed = private.sign(_witnessed(text, seconds))
    key = key_of(name, private, WITNESS)
    return Signature(name, key.id, seconds.to_bytes(8, "big") + signed)


def parse(content: str | bytes) -> SignedNote:
    """Read a note; a malformed one is refused, nothing in it is believed yet."""
    try:
        text = content.decode() if isinstance(content, bytes) else content
        if len(text) > NOTE_MAX or any(ord(c) < 0x20 and c != "\n" for c in text):
            raise ValueError
        body, separator, lines = text.rpartition("\n\n")
        if not separator or not body or not lines.endswith("\n"):
            raise ValueError
        signatures = tuple(map(_signature, lines[:-1].split("\n")))
        if len(signatures) > SIGNATURES_MAX:
            raise ValueError
    except (ValueError, LedgerError):
        raise LedgerError("this is not a signed note: text, an empty line, signatures") from None
    return SignedNote(body + "\n", signatures)


def signers(note: SignedNote, keys: Iterable[PublicKey]) -> list[PublicKey]:
    """Those of the keys that signed a note; a signature of theirs that does not hold is refused.

    Signatures of keys that nobody asked for are passed by, as the format demands.
    """
    found: list[PublicKey] = []
    for key in keys:
        for signature in note.signatures:
            if (signature.name, signature.id) != (key.name, key.id):
                continue
            if not _holds(note.text, signature.content, key):
                raise LedgerError(f"the signature of {key.name} does not hold")
            found.append(key)
            break
    return found


def _holds(text: str, content: bytes, key: PublicKey) -> bool:
    signed, message = content, text.encode()
    if key.kind == WITNESS:
        seconds, signed = int.from_bytes(content[:8], "big"), content[8:]
        message = _witnessed(text, seconds)
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signed, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _witnessed(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _signature(line: str) -> Signature:
    dash, name, coded = line.split(" ")
    content = base64.b64decode(coded, validate=True)
    if dash != "—" or len(content) < 5:
        raise ValueError
    return Signature(check_key_name(name), content[:4], content[4:])


def _check_text(text: str) -> None:
    if not text.endswith("\n") or any(ord(c) < 0x20 and c != "\n" for c in text):
        raise LedgerError("what is signed is plain text that ends with a line feed")
