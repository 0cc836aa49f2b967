"""Compact storage of entries: deflate with a preset dictionary, and hexadecimal ids as bytes.

Dictionaries are numbered, each row names the one it was compressed with, and the database stores
the dictionaries, so a log stays readable years later without any other file.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from importlib.resources import files
from typing import Any

from croupier.ledger.log.canonical_json import BODY_MAX

SNAPSHOT_MAX = 64 * 2**20  # bytes of one snapshot, decompressed
LATEST_DICTIONARY = 1  # used for new entries
_WINDOW = -14  # fits a dictionary of 16 KiB; raw deflate, since the leaf hash is the checksum
_MEMORY = 3  # a small compressor state is copied faster, and bodies are short

_HEX = re.compile(r"(@?)([0-9a-f]{32})", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_PLAIN, _DASHED, _RESERVED = b"\x00", b"\x01", b"\x02"  # no id begins with a control character


class CorruptData(ValueError):
    """Stored bytes that cannot be decompressed or decoded."""


@cache
def load_dictionary(number: int) -> bytes:
    """A dictionary that ships with Croupier."""
    return files("croupier.ledger.log").joinpath(f"dictionaries/{number}.txt").read_bytes()


@cache
def _primed_compressor() -> Any:
    dictionary = load_dictionary(LATEST_DICTIONARY)
    return zlib.compressobj(6, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=dictionary)


def compress(body: bytes) -> bytes:
    """Compress an entry's body with the latest dictionary."""
    compressor = _primed_compressor().copy()  # priming costs more than compressing
    compressed: bytes = compressor.compress(body) + compressor.flush()
    return compressed


def decompress(data: bytes, dictionary: bytes) -> bytes:
    """Decompress an entry's body with the dictionary that its row names."""
    return _decompress(zlib.decompressobj(_WINDOW, zdict=dictionary), data, BODY_MAX)


def _decompress(decompressor: Any, data: bytes, length_max: int) -> bytes:
    try:
        content: bytes = decompressor.decompress(data, length_max + 1)
    except zlib.error as error:
        raise CorruptData(f"cannot be decompressed: {error}") from None
    if not decompressor.eof or decompressor.unused_data or len(content) > length_max:
        raise CorruptData("cannot be decompressed: truncated, too long, or followed by other data")
    return content


def compress_snapshot(data: bytes) -> bytes:
    """Compress a snapshot without a dictionary: snapshots can be dropped and taken again."""
    return zlib.compress(data, 6)


def decompress_snapshot(data: bytes) -> bytes:
    """Decompress a snapshot."""
    return _decompress(zlib.decompressobj(), data, SNAPSHOT_MAX)


def encode_id(id: str) -> bytes:
    """Encode an id for storage; the encoding is injective."""
    if len(id) in (32, 33) and (match := _HEX.fullmatch(id)):
        return (_RESERVED if match[1] else _PLAIN) + bytes.fromhex(match[2])
    if len(id) == 36 and _UUID.fullmatch(id):
        return _DASHED + bytes.fromhex(id.replace("-", ""))
    return id.encode()


def decode_id(data: bytes) -> str:
    """Decode a stored id."""
    prefix, rest = data[:1], data[1:]
    if prefix not in (_PLAIN, _DASHED, _RESERVED):
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise CorruptData("its id is not text") from None
    if len(rest) != 16:
        raise CorruptData("its id has a wrong length")
    text = rest.hex()
    if prefix == _DASHED:
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
    return text if prefix == _PLAIN else "@" + text
