"""Entries made small: deflate with a preset dictionary, and ids as bytes where they are hex.

A dictionary has a number, each row names the one it was packed with, and the dictionaries are
kept in the database, so that a record is read in years to come with nothing but itself.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from importlib.resources import files
from typing import Any

from croupier.ledger.log.canonical_json import BODY_MAX

SNAPSHOT_MAX = 64 * 2**20  # bytes of one snapshot
LATEST_DICTIONARY = 1  # the dictionary that new entries are packed with
_WINDOW = -14  # a dictionary of 16 KiB just fits; no header, no check sum: the leaf is the check
_MEMORY = 3  # a small state is copied faster, and these texts are short

_HEX = re.compile(r"(@?)([0-9a-f]{32})", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_PLAIN, _DASHED, _RESERVED = b"\x00", b"\x01", b"\x02"  # no name begins with a control character


class CorruptData(ValueError):
    """Bytes that nothing was packed into."""


@cache
def load_dictionary(number: int) -> bytes:
    """A dictionary that came with Croupier."""
    return files("croupier.ledger.log").joinpath(f"dictionaries/{number}.txt").read_bytes()


@cache
def _primed() -> Any:
    return zlib.compressobj(
        6, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=load_dictionary(LATEST_DICTIONARY)
    )


def compress(body: bytes) -> bytes:
    """A body as it is stored, with the newest dictionary."""
    packer = _primed().copy()  # priming one costs more than packing
    packed: bytes = packer.compress(body) + packer.flush()
    return packed


def decompress(packed: bytes, words: bytes) -> bytes:
    """The body again; `words` is the dictionary that the row names."""
    try:
        unpacker = zlib.decompressobj(_WINDOW, zdict=words)
        body = unpacker.decompress(packed, BODY_MAX + 1)
    except zlib.error as error:
        raise CorruptData(f"cannot be unpacked: {error}") from None
    if not unpacker.eof or unpacker.unused_data or len(body) > BODY_MAX:
        raise CorruptData("cannot be unpacked: it does not end where it should")
    return body


def compress_snapshot(data: bytes) -> bytes:
    """A snapshot as it is stored; by itself, since it may be dropped and made anew."""
    return zlib.compress(data, 6)


def decompress_snapshot(packed: bytes) -> bytes:
    """The snapshot again."""
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(packed, SNAPSHOT_MAX)
    except zlib.error as error:
        raise CorruptData(f"cannot be unpacked: {error}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise CorruptData("cannot be unpacked: it does not end where it should")
    return data


def encode_id(id: str) -> bytes:
    """An id as it is stored; different ids are different bytes."""
    if len(id) in (32, 33) and (found := _HEX.fullmatch(id)):
        return (_RESERVED if found[1] else _PLAIN) + bytes.fromhex(found[2])
    if len(id) == 36 and _UUID.fullmatch(id):
        return _DASHED + bytes.fromhex(id.replace("-", ""))
    return id.encode()


def decode_id(packed: bytes) -> str:
    """The id again."""
    first, rest = packed[:1], packed[1:]
    if first not in (_PLAIN, _DASHED, _RESERVED):
        try:
            return packed.decode()
        except UnicodeDecodeError:
            raise CorruptData("its id is not text") from None
    if len(rest) != 16:
        raise CorruptData("its id has a wrong length")
    text = rest.hex()
    if first == _DASHED:
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
    return text if first == _PLAIN else "@" + text
