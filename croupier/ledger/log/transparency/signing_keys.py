"""Private signing keys in files that only their owner can read."""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.ledger.errors import LedgerError


def new_key(path: str | Path, *, password: str = "") -> Ed25519PrivateKey:
    """Generate a private key and write it to a new file; an existing file is not overwritten."""
    key = Ed25519PrivateKey.generate()
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if password:
        encryption = serialization.BestAvailableEncryption(password.encode())
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
    )
    try:
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(text)
    except OSError as error:
        raise LedgerError(f"{path}: the key cannot be written: {error.strerror}") from None
    return key


def load_key(path: str | Path, *, password: str = "") -> Ed25519PrivateKey:
    """Load a private key."""
    try:
        content = Path(path).read_bytes()
        key = serialization.load_pem_private_key(content, password.encode() or None)
    except (OSError, ValueError, TypeError) as error:
        raise LedgerError(f"{path} is not a usable key: {error}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise LedgerError(f"{path} is not an Ed25519 key")
    return key
