"""Canonical JSON, and the checks on names and timestamps that the log accepts."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.ledger.errors import LedgerError, printable

NAME_MAX = 200  # characters of a stream name or a command id
BODY_MAX = 4 * 2**20  # bytes of one entry's body
AT_MAX = 253_402_300_799_999  # the last millisecond of the year 9999
RESERVED = "@"  # prefix of names and ids that only the ledger itself uses

_encoder = msgspec.json.Encoder(order="sorted")


def encode_canonical(value: object) -> bytes:
    """Encode a value as canonical JSON: sorted keys, no spaces, no unnecessary escapes."""
    try:
        return _encoder.encode(value)
    except RecursionError:
        raise LedgerError("cannot be encoded: nested too deeply") from None
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        raise LedgerError(f"cannot be encoded: {printable(str(error))}") from None


def decode_json(text: bytes | str) -> Any:
    """Decode untrusted JSON; anything malformed raises LedgerError."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise LedgerError("cannot be decoded: nested too deeply") from None
    except (ValueError, msgspec.MsgspecError) as error:
        raise LedgerError(f"cannot be decoded: {printable(str(error))}") from None


def check_name(what: str, name: object, *, reserved: bool = False) -> None:
    """Refuse names that are unsafe in a terminal, a page or a file, or that are reserved."""
    if not isinstance(name, str):
        raise LedgerError(f"{what} must be text, got {type(name).__name__}")
    if not 1 <= len(name) <= NAME_MAX:
        raise LedgerError(f"{what} must have 1 to {NAME_MAX} characters, got {len(name)}")
    if not name.isprintable() or name != name.strip():
        raise LedgerError(f"{what} {printable(name)!r} has characters that cannot be printed")
    if name.startswith(RESERVED) and not reserved:
        raise LedgerError(f"{what} {name!r} is reserved: {RESERVED} begins the ledger's own names")


def check_at(at: object) -> None:
    """Refuse anything but a timestamp in milliseconds since the epoch."""
    if type(at) is not int or not 0 <= at <= AT_MAX:
        expected = f"milliseconds since the epoch, 0 to {AT_MAX}"
        raise LedgerError(f"at must be {expected}, got {printable(repr(at)[:40])}")
