#!/usr/bin/env python3
"""Check an exported Croupier log, or the proof of a hand. One file, to be read before it is run.

    python verifier.py FILE [--checkpoint KEPT.txt] [--key KEY] [--witness KEY] ...

It needs the standard library and, for signatures, the package `cryptography`; nothing of Croupier.
Give the key that you were handed, as NAME+ID+BASE64: what the file says about itself only proves
that it agrees with itself.

A file is JSON Lines. Every line is canonical: sorted keys, no spaces, nothing escaped that need
not be. By "type":

    header      format and version; an archive also says at which entry it starts, and the hashes
                ("frontier") of the complete subtrees before it, largest first
    schema      the shape of one kind of command or event, for readers
    house       the terms of a House: the SHA-256 of its canonical "terms" is its "digest"
    entry       one command and what came of it. Its leaf is SHA-256(0x00, the line itself);
                "previous" is the leaf of the entry before it in its stream, or zeros
    head        the log after one transaction: how many entries, and their Merkle root (RFC 6962)
    proof       where the entries of a proof stand, and the hashes that lead from them to the root
    checkpoint  a signed note (c2sp.org/tlog-checkpoint): origin, size, root, signatures
    end         how many lines of each type there were, and the SHA-256 of all lines before it

A kept checkpoint whose size and root the log has proves that every entry up to it is the one that
was there when it was signed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

LOG, PROOF, VERSION = "croupier-log", "croupier-proof", 2
NOTHING = "0" * 64  # what the first entry of a stream follows


class VerificationError(Exception):
    """The file or a signature is not what it claims to be."""


def canonical(value: Any) -> str:
    """The one way to write a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def append(hashes: list[bytes], size: int, leaf: bytes) -> None:
    """Add a leaf to the complete subtrees of a tree of so many leaves."""
    while size & 1:
        leaf = sha(b"\x01" + hashes.pop() + leaf)
        size >>= 1
    hashes.append(leaf)


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The root over complete subtrees, largest first."""
    if not hashes:
        return sha(b"")
    root = hashes[-1]
    for left in reversed(hashes[:-1]):
        root = sha(b"\x01" + left + root)
    return root


def multiproof_root(leaves: dict[int, bytes], size: int, path: list[bytes]) -> bytes:
    """The root that leaves, by their index, and the hashes of all other subtrees lead to."""
    rest = iter(path)

    def walk(start: int, end: int) -> bytes:
        if not any(start <= index < end for index in leaves):
            return next(rest)
        if end - start == 1:
            return leaves[start]
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        return sha(b"\x01" + walk(start, middle) + walk(middle, end))

    root = walk(0, size)
    if next(rest, None) is not None:
        raise VerificationError("the proof has hashes to spare")
    return root


class LogVerifier:
    """A file being read; `take` one line after the other."""

    def __init__(self, keys: Sequence[str] = (), watched: Iterable[int] = ()) -> None:
        self.keys = keys
        self.counts: dict[str, int] = {}
        self.format = ""
        self.size = 0
        self.start = 0
        self.subtrees: list[bytes] = []
        self.leaves: list[bytes] = []  # of a proof
        self.proved: tuple[int, bytes] | None = None  # the size and root that a proof leads to
        self.tips: dict[str, tuple[int, str]] = {}
        self.headed = 0  # the size of the last head
        self.time = 0
        self.roots: dict[int, bytes] = dict.fromkeys(watched, b"")
        self.houses: set[str] = set()
        self.signed_by: list[str] = []
        self.lines = hashlib.sha256()
        self.ended = False

    def take(self, line: str) -> dict[str, Any]:
        """Check one line and return it, read."""
        if self.ended:
            raise VerificationError("something follows the end")
        try:
            record = json.loads(line, parse_float=_no_fraction, parse_constant=_no_fraction)
            if not isinstance(record, dict) or canonical(record) != line:
                raise VerificationError("not written canonically")
            kind = str(record.get("type"))
            if (kind == "header") == bool(self.counts):
                raise VerificationError("a header comes first and only once")
            check = getattr(self, f"_take_{kind}", None)
            if check is None:
                raise VerificationError(f"unknown type of line {kind!r}")
            check(record, line.encode())
        except RecursionError:
            raise VerificationError("nested too deeply") from None
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
            raise VerificationError(f"a line with a wrong shape: {error!r}"[:200]) from None
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.lines.update(line.encode() + b"\n")
        return record

    def _take_header(self, header: dict[str, Any], line: bytes) -> None:
        if header["version"] != VERSION or header["format"] not in (LOG, PROOF):
            raise VerificationError(f"expected {LOG} or {PROOF}, version {VERSION}")
        self.format = header["format"]
        if self.format == LOG:
            self.start = self.size = self.headed = whole(header["start"])
            self.subtrees = [bytes32(text) for text in header["frontier"]]
            if len(self.subtrees) != self.start.bit_count():
                raise VerificationError("the frontier does not fit the start")
            self._note_root()

    def _take_schema(self, schema: dict[str, Any], line: bytes) -> None:
        """For readers; the end vouches for it."""

    def _take_house(self, house: dict[str, Any], line: bytes) -> None:
        if sha(canonical(house["terms"]).encode()).hex() != house["digest"]:
            raise VerificationError(
                f"House {house['digest']}: these are not the terms of its digest"
            )
        self.houses.add(house["digest"])

    def _take_entry(self, entry: dict[str, Any], line: bytes) -> None:
        stream, sequence = entry["stream"], whole(entry["sequence"])
        place = f"{canonical(stream)} entry {sequence}"
        expected = {"at", "body", "id", "previous", "sequence", "stream", "type"}
        if set(entry) != expected or not all(isinstance(entry[n], str) for n in ("id", "stream")):
            raise VerificationError(f"{place}: not what an entry looks like")
        self._check_place(place, stream, sequence, entry["previous"])
        for event in entry["body"].get("events", ()):
            house = event.get("house")
            if isinstance(house, str) and len(house) == 64 and house not in self.houses:
                raise VerificationError(f"{place}: its House is not in the file")
        whole(entry["at"])
        leaf = sha(b"\x00" + line)
        self.tips[stream] = (sequence, leaf.hex())
        if self.format == PROOF:
            self.leaves.append(leaf)
            return
        append(self.subtrees, self.size, leaf)
        self.size += 1
        self._note_root()

    def _check_place(self, place: str, stream: str, sequence: int, previous: str) -> None:
        bytes32(previous)
        last, leaf = self.tips.get(stream, (0, NOTHING))
        begun_before = stream not in self.tips and (self.start or self.format == PROOF)
        if begun_before and sequence > 1:
            return  # what it follows is not in this file; the root vouches for it
        if sequence != last + 1:
            raise VerificationError(f"{place}: expected entry {last + 1}")
        if previous != leaf:
            raise VerificationError(f"{place}: does not follow the entry before it")

    def _note_root(self) -> None:
        if self.size in self.roots:
            self.roots[self.size] = root_of(self.subtrees)

    def _take_head(self, head: dict[str, Any], line: bytes) -> None:
        place = f"head {head['size']}"
        if self.format != LOG or whole(head["size"]) != self.size or self.size <= self.headed:
            raise VerificationError(f"{place}: {self.size} entries came before it")
        if bytes32(head["root"]) != root_of(self.subtrees):
            raise VerificationError(f"{place}: its root is not that of the entries")
        if whole(head["time"]) < self.time:
            raise VerificationError(f"{place}: it is older than the head before it")
        self.headed, self.time = self.size, head["time"]

    def _take_proof(self, proof: dict[str, Any], line: bytes) -> None:
        indexes, size = [whole(index) for index in proof["indexes"]], whole(proof["size"])
        if self.format != PROOF or self.proved or len(indexes) != len(self.leaves):
            raise VerificationError("a proof has a place for each of its entries")
        if not indexes or sorted(set(indexes)) != indexes or indexes[-1] >= size:
            raise VerificationError("the places of a proof are in order and inside the log")
        hashes = [bytes32(text) for text in proof["hashes"]]
        self.proved = (size, multiproof_root(dict(zip(indexes, self.leaves)), size, hashes))

    def _take_checkpoint(self, checkpoint: dict[str, Any], line: bytes) -> None:
        size, root, self.signed_by = open_checkpoint(checkpoint["note"], self.keys)
        here = self.proved or (self.size, root_of(self.subtrees))
        if here != (size, root):
            raise VerificationError(f"the checkpoint is about {size} entries with another root")

    def _take_end(self, end: dict[str, Any], line: bytes) -> None:
        if end["counts"] != self.counts:
            raise VerificationError(f"the end counts {end['counts']}, read were {self.counts}")
        if end["digest"] != self.lines.hexdigest():
            raise VerificationError("some line is not as it was written")
        if self.format == LOG and self.size != self.headed:
            raise VerificationError("entries after the last head")
        if self.format == PROOF and not (self.proved and "checkpoint" in self.counts):
            raise VerificationError("a proof without its hashes or its checkpoint")
        self.ended = True


def whole(value: Any) -> int:
    """A number from 0."""
    if type(value) is not int or value < 0:
        raise VerificationError(f"{value!r} is not a whole number"[:100])
    return value


def bytes32(text: str) -> bytes:
    """A hash, hexadecimal."""
    found = bytes.fromhex(text)
    if len(found) != 32 or found.hex() != text:
        raise VerificationError(f"{text!r} is not a hash"[:100])
    return found


def _no_fraction(text: str) -> Any:
    raise VerificationError(f"{text} is not a number that a record may have"[:100])


def read_log(lines: Iterable[bytes], log: LogVerifier | None = None) -> LogVerifier:
    """Read and check a whole file; Broken says which line is wrong and why."""
    log = log or LogVerifier()
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            if not line.endswith(b"\n"):
                raise VerificationError("the line is cut off")
            log.take(line[:-1].decode())
        except UnicodeDecodeError:
            raise VerificationError(f"line {number}: not UTF-8") from None
        except VerificationError as broken:
            raise VerificationError(f"line {number}: {broken}") from None
    if not log.ended:
        raise VerificationError(f"the file breaks off after line {number}")
    return log


def open_checkpoint(text: str, keys: Sequence[str]) -> tuple[int, bytes, list[str]]:
    """The size and root of a checkpoint, and which of the keys signed it."""
    body, separator, lines = text.rpartition("\n\n")
    if not separator or not lines.endswith("\n"):
        raise VerificationError("this is not a signed note")
    body += "\n"
    signed_by = [key for key in keys if signed(body, lines[:-1].split("\n"), key)]
    parts = body.split("\n")
    if len(parts) < 4 or not parts[1].isdecimal():
        raise VerificationError("this is not a checkpoint")
    if keys and not any(key.partition("+")[0] == parts[0] for key in signed_by):
        raise VerificationError(
            f"{parts[0]!r} did not sign the checkpoint with the key that was given"
        )
    return int(parts[1]), base64.b64decode(parts[2], validate=True), signed_by


def signed(text: str, lines: list[str], key: str) -> bool:
    """Whether a key signed a text; a signature in its name that does not hold is refused."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    name, id, coded = key.strip().split("+", 2)
    content = base64.b64decode(coded, validate=True)
    if sha(f"{name}\n".encode() + content)[:4].hex() != id:
        raise VerificationError(f"{key!r} is not a key")
    for line in lines:
        dash, signer, packed = line.split(" ")
        signature = base64.b64decode(packed, validate=True)
        if dash != "—" or signer != name or signature[:4].hex() != id:
            continue
        message, proof = text, signature[4:]
        if content[0] == 4:  # a witness signs the time too (c2sp.org/tlog-cosignature)
            seconds, proof = int.from_bytes(proof[:8], "big"), proof[8:]
            message = f"cosignature/v1\ntime {seconds}\n{text}"
        try:
            Ed25519PublicKey.from_public_bytes(content[1:]).verify(proof, message.encode())
        except (InvalidSignature, ValueError):
            raise VerificationError(f"the signature of {name} does not hold") from None
        return True
    return False


def check(path: Path, kept: str, keys: Sequence[str]) -> str:
    """Check a file, against a kept checkpoint if there is one; says what was found."""
    try:
        wanted = open_checkpoint(kept, keys) if kept else None
    except ValueError as error:
        raise VerificationError(f"the checkpoint or a key cannot be read: {error}") from None
    log = LogVerifier(keys, [wanted[0]] if wanted else [])
    with path.open("rb") as lines:
        read_log(lines, log)
    size, root = log.proved or (log.size, root_of(log.subtrees))
    told = [f"whole: {log.counts.get('entry', 0):,} of {size:,} entries, root {root.hex()}"]
    if log.signed_by:
        told.append("signed by " + ", ".join(key.partition("+")[0] for key in log.signed_by))
    if wanted:
        if log.format == PROOF or not log.start <= wanted[0] <= log.size:
            raise VerificationError(
                f"the checkpoint is about {wanted[0]} entries, which this file does not show"
            )
        if log.roots[wanted[0]] != wanted[1]:
            raise VerificationError(
                f"the first {wanted[0]} entries are not those that were signed for"
            )
        told.append(f"it extends the kept checkpoint of {wanted[0]:,} entries")
        told += [f"which {key.partition('+')[0]} signed" for key in wanted[2]]
    if not keys:
        told.append("NO KEY WAS GIVEN: nothing shows who wrote this")
    return "\n".join(told)


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 if everything holds, 1 if not."""
    parser = argparse.ArgumentParser(description="Check a Croupier log or the proof of a hand.")
    parser.add_argument("file", type=Path, help="an export, an archive or a proof: JSON Lines")
    parser.add_argument("--checkpoint", type=Path, help="a signed checkpoint that you have kept")
    parser.add_argument("--key", default="", help="the key that you were given: NAME+ID+BASE64")
    parser.add_argument("--witness", action="append", default=[], help="a witness's key")
    given = parser.parse_args(arguments)
    keys = [given.key] if given.key else []
    try:
        kept = given.checkpoint.read_text(encoding="utf-8") if given.checkpoint else ""
        print(check(given.file, kept, [*keys, *given.witness]))
    except (VerificationError, OSError, ValueError) as problem:
        print(f"BROKEN: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
