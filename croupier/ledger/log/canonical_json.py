"""How things are written down: canonical JSON, names that cannot act, moments in milliseconds."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from croupier.ledger.errors import LedgerError, printable

NAME_MAX = 200  # characters of a stream's name or a command's id
BODY_MAX = 4 * 2**20  # bytes of one entry's body
AT_MAX = 253_402_300_799_999  # the last millisecond of the year 9999
RESERVED = "@"  # what the ledger itself names begins with this

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """The one way to write a value down: JSON, sorted keys, no spaces, no needless escapes."""
    try:
        return _encoder.encode(value)
    except RecursionError:
        raise LedgerError("cannot be written down: nested too deeply") from None
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        raise LedgerError(f"cannot be written down: {printable(str(error))}") from None


def read_json(text: bytes | str) -> Any:
    """Read JSON that somebody else may have written; whatever is odd about it is said."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise LedgerError("cannot be read: nested too deeply") from None
    except (ValueError, msgspec.MsgspecError) as error:
        raise LedgerError(f"cannot be read: {printable(str(error))}") from None


@lru_cache(maxsize=10_000)
def check_stream(name: str, *, reserved: bool = False) -> None:
    """`check_name`, for the few names that come again and again."""
    check_name("a stream", name, reserved=reserved)


def check_name(what: str, name: object, *, reserved: bool = False) -> None:
    """Refuse a name that could act in a terminal, a page or a file, or that is the ledger's own."""
    if not isinstance(name, str):
        raise LedgerError(f"{what} must be text, got {type(name).__name__}")
    if not 1 <= len(name) <= NAME_MAX:
        raise LedgerError(f"{what} must have 1 to {NAME_MAX} characters, got {len(name)}")
    if not name.isprintable() or name != name.strip():
        raise LedgerError(f"{what} {printable(name)!r} has characters that cannot be printed")
    if name.startswith(RESERVED) and not reserved:
        raise LedgerError(f"{what} {name!r} is reserved: {RESERVED} begins the ledger's own names")


def check_at(at: object) -> None:
    """Refuse what is no moment in milliseconds since the epoch."""
    if type(at) is not int or not 0 <= at <= AT_MAX:
        expected = f"milliseconds since the epoch, 0 to {AT_MAX}"
        raise LedgerError(f"at must be {expected}, got {printable(repr(at)[:40])}")
