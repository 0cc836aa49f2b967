"""C2SP signed notes (c2sp.org/signed-note): a text with Ed25519 signatures.

    text, ending with a line feed
    (an empty line)
    — NAME BASE64(key id, signature)

A log signs the text itself; a witness signs it with the time (c2sp.org/tlog-cosignature). Public
keys are written as one word: NAME+ID+BASE64(kind, public key).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.ledger.errors import LedgerError, printable
from croupier.ledger.log.transparency import verifier

LOG, WITNESS = 0x01, 0x04  # signature types
SIGNATURES_MAX = 100
NOTE_MAX = 1_000_000  # bytes


class PublicKey(NamedTuple):
    """A public key and the name of its owner."""

    name: str
    public: bytes
    kind: int = LOG

    @property
    def id(self) -> bytes:
        """The four-byte key id in signatures: a lookup hint without any security."""
        content = b"%b\n%c%b" % (self.name.encode(), self.kind, self.public)
        return sha256(content).digest()[:4]

    def __str__(self) -> str:
        encoded = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{encoded}"

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Parse a key of the form NAME+ID+BASE64."""
        name, _, rest = text.strip().partition("+")
        id, _, encoded = rest.partition("+")
        try:
            content = base64.b64decode(encoded, validate=True)
            key = cls(check_key_name(name), content[1:], content[0])
            valid = len(key.public) == 32 and key.kind in (LOG, WITNESS)
            if not valid or key.id.hex() != id:
                raise ValueError
        except (ValueError, IndexError, binascii.Error):
            word = printable(text.strip())[:100]
            raise LedgerError(f"{word!r} is not a key; expected NAME+ID+BASE64") from None
        return key


class Signature(NamedTuple):
    """A signature line of a note."""

    name: str
    id: bytes
    content: bytes

    def __str__(self) -> str:
        return f"— {self.name} {base64.b64encode(self.id + self.content).decode()}\n"


class SignedNote(NamedTuple):
    """A text and its signatures, which are not verified yet."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(map(str, self.signatures))


def check_key_name(name: str) -> str:
    """Return the name of a key if it is valid in a signature line, or raise."""
    if not name or "+" in name or not name.isprintable() or any(map(str.isspace, name)):
        raise LedgerError(
            f"{printable(name)!r} cannot name a key; expected no spaces, no plus sign, not empty"
        )
    return name


def public_key(name: str, private: Ed25519PrivateKey, kind: int = LOG) -> PublicKey:
    """The public key of a private key, under a name."""
    return PublicKey(check_key_name(name), private.public_key().public_bytes_raw(), kind)


def sign(text: str, name: str, private: Ed25519PrivateKey) -> Signature:
    """The signature of a log."""
    _check_text(text)
    return Signature(name, public_key(name, private).id, private.sign(text.encode()))


def parse(content: str | bytes) -> SignedNote:
    """Parse a note without verifying it."""
    try:
        text = content.decode() if isinstance(content, bytes) else content
        if len(text) > NOTE_MAX or any(ord(c) < 0x20 and c != "\n" for c in text):
            raise ValueError
        body, separator, lines = text.rpartition("\n\n")
        if not separator or not body or not lines.endswith("\n"):
            raise ValueError
        signatures = tuple(map(_parse_signature, lines[:-1].split("\n")))
        if len(signatures) > SIGNATURES_MAX:
            raise ValueError
    except (ValueError, LedgerError):
        raise LedgerError(
            "this is not a signed note; expected text, an empty line, signatures"
        ) from None
    return SignedNote(body + "\n", signatures)


def verified_signers(note: SignedNote, keys: Iterable[PublicKey]) -> list[PublicKey]:
    """Those of the keys that signed a note; an invalid signature by one of them raises.

    Signatures by other keys are ignored, as the format requires.
    """
    lines = [str(signature).rstrip("\n") for signature in note.signatures]
    try:
        return [key for key in keys if verifier.signed(note.text, lines, str(key))]
    except verifier.VerificationError as error:
        raise LedgerError(str(error)) from None


def _parse_signature(line: str) -> Signature:
    dash, name, encoded = line.split(" ")
    content = base64.b64decode(encoded, validate=True)
    if dash != "—" or len(content) < 5:
        raise ValueError
    return Signature(check_key_name(name), content[:4], content[4:])


def _check_text(text: str) -> None:
    if not text.endswith("\n") or any(ord(c) < 0x20 and c != "\n" for c in text):
        raise LedgerError("the text of a note must be plain text that ends with a line feed")
