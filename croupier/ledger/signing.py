"""Keys and signatures: a day's head is signed with Ed25519, and anybody can check it."""

from __future__ import annotations

from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.ledger import events as lev
from croupier.ledger.errors import LedgerError


def new_key(path: str | Path, *, password: str = "") -> str:
    """Write a new private key that only its owner may read; returns the public key."""
    key = Ed25519PrivateKey.generate()
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if password:
        encryption = serialization.BestAvailableEncryption(password.encode())
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
    )
    path = Path(path)
    path.touch(mode=0o600, exist_ok=False)
    path.write_bytes(text)
    return public(key)


def load_key(path: str | Path, *, password: str = "") -> Ed25519PrivateKey:
    """Read a private key."""
    try:
        content = Path(path).read_bytes()
        key = serialization.load_pem_private_key(content, password.encode() or None)
    except (OSError, ValueError, TypeError) as error:
        raise LedgerError(f"{path} is not a key that can be used: {error}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise LedgerError(f"{path} is not an Ed25519 key")
    return key


def public(key: Ed25519PrivateKey) -> str:
    """The public key, hexadecimal."""
    return key.public_key().public_bytes_raw().hex()


def check_signed(event: lev.HeadSigned) -> str:
    """Why a signature does not hold, or nothing."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(event.key))
        key.verify(bytes.fromhex(event.signature), event.statement.encode())
    except (InvalidSignature, ValueError):
        return "the signature does not hold"
    return ""
