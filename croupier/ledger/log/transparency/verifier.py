#!/usr/bin/env python3
"""Standalone verifier of an exported Croupier log, or of the proof of a hand.

    python verifier.py FILE [--checkpoint KEPT.txt] [--key KEY] [--witness KEY] ...

It is one file, short enough to read before running it. It needs the standard library and, for
signatures, the package `cryptography`, but not Croupier. Pass the public key that you received
from the casino, as NAME+ID+BASE64: without a key, the check only shows that the file is
consistent.

The file is JSON Lines. Every line is canonical JSON: sorted keys, no spaces, no unnecessary
escapes. The "type" of a line is one of:

    header      format and version; an archive also has the position of its first entry ("start")
                and the hashes of the complete subtrees before it, largest first ("frontier")
    schema      JSON schema of one kind of command or event, for readers
    house       the terms of a House; "digest" is the SHA-256 of the canonical "terms"
    entry       one command and its outcome. Its leaf hash is SHA-256(0x00, the line itself);
                "previous" is the leaf hash of the previous entry in its stream, or zeros;
                "time" is the time of the transaction that committed it
    head        tree head: the number of entries after one transaction, their Merkle root
                (RFC 6962) and its time, which all of its entries have, and which is later than
                that of the head before it
    proof       the positions of the entries of a proof, and the hashes that lead to the root
    checkpoint  a signed note (c2sp.org/tlog-checkpoint): origin, size, root, signatures
    end         the number of lines of each type, and the SHA-256 of all lines before it

If the log has the size and root of a checkpoint that you have kept, every entry up to it is the
one that existed when the checkpoint was signed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

LOG, PROOF, VERSION = "croupier-log", "croupier-proof", 3
NO_LEAF = "0" * 64  # "previous" of the first entry of a stream


class VerificationError(Exception):
    """The file or a signature is not valid."""


def canonical(value: Any) -> str:
    """Encode a value as canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def append(hashes: list[bytes], size: int, leaf: bytes) -> None:
    """Append a leaf hash to the complete subtrees of a tree of `size` leaves."""
    while size & 1:
        leaf = sha256(b"\x01" + hashes.pop() + leaf)
        size >>= 1
    hashes.append(leaf)


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The Merkle root over complete subtrees, largest first."""
    if not hashes:
        return sha256(b"")
    root = hashes[-1]
    for left in reversed(hashes[:-1]):
        root = sha256(b"\x01" + left + root)
    return root


def left_size(size: int) -> int:
    """The size of the left subtree: the largest power of two smaller than `size`."""
    return 1 << (size - 1).bit_length() - 1


def multiproof_root(leaves: dict[int, bytes], size: int, path: list[bytes]) -> bytes:
    """The root that leaf hashes, by index, and the hashes of all other subtrees lead to."""
    rest = iter(path)

    def walk(start: int, end: int) -> bytes:
        if not any(start <= index < end for index in leaves):
            return next(rest)
        if end - start == 1:
            return leaves[start]
        middle = start + left_size(end - start)
        return sha256(b"\x01" + walk(start, middle) + walk(middle, end))

    root = walk(0, size)
    if next(rest, None) is not None:
        raise VerificationError("the proof has too many hashes")
    return root


class LogVerifier:
    """Verifies a file line by line.

    `keys` are the public keys that its checkpoint must be signed with; `sizes` are the tree sizes
    whose roots to collect in `roots`.
    """

    def __init__(self, keys: Sequence[str] = (), sizes: Iterable[int] = ()) -> None:
        self.keys = keys
        self.counts: dict[str, int] = {}
        self.format = ""
        self.size = 0
        self.start = 0
        self.subtrees: list[bytes] = []
        self.leaves: list[bytes] = []  # of a proof
        self.proved: tuple[int, bytes] | None = None  # size and root that a proof leads to
        self.tips: dict[str, tuple[int, str]] = {}
        self.head_size = 0  # of the last head
        self.time = -1  # of the last transaction
        self.roots: dict[int, bytes] = dict.fromkeys(sizes, b"")
        self.houses: set[str] = set()
        self.signed_by: list[str] = []
        self.digest = hashlib.sha256()
        self.ended = False

    def check_line(self, line: str) -> dict[str, Any]:
        """Verify the next line, without its line feed, and return it decoded."""
        if self.ended:
            raise VerificationError("there are lines after the end")
        try:
            record = json.loads(line, parse_float=_reject_number, parse_constant=_reject_number)
            if not isinstance(record, dict) or canonical(record) != line:
                raise VerificationError("not canonical JSON")
            kind = str(record.get("type"))
            if (kind == "header") == bool(self.counts):
                raise VerificationError("expected one header, as the first line")
            check = getattr(self, f"_verify_{kind}", None)
            if check is None:
                raise VerificationError(f"unknown type of line {kind!r}")
            check(record, line.encode())
        except RecursionError:
            raise VerificationError("nested too deeply") from None
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
            raise VerificationError(f"malformed line: {error!r}"[:200]) from None
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.digest.update(line.encode() + b"\n")
        return record

    def _verify_header(self, header: dict[str, Any], line: bytes) -> None:
        if header["version"] != VERSION or header["format"] not in (LOG, PROOF):
            raise VerificationError(f"expected {LOG} or {PROOF}, version {VERSION}")
        self.format = header["format"]
        if self.format == LOG:
            self.start = self.size = self.head_size = check_count(header["start"])
            self.subtrees = [decode_hash(text) for text in header["frontier"]]
            if len(self.subtrees) != self.start.bit_count():
                raise VerificationError("the frontier does not fit the start")
            self._record_root()

    def _verify_schema(self, schema: dict[str, Any], line: bytes) -> None:
        """Nothing to check: the digest of the end line covers it."""

    def _verify_house(self, house: dict[str, Any], line: bytes) -> None:
        if sha256(canonical(house["terms"]).encode()).hex() != house["digest"]:
            raise VerificationError(f"House {house['digest']}: its digest is of other terms")
        self.houses.add(house["digest"])

    def _verify_entry(self, entry: dict[str, Any], line: bytes) -> None:
        stream, sequence = entry["stream"], check_count(entry["sequence"])
        name = f"{canonical(stream)} entry {sequence}"
        expected = {"at", "body", "id", "previous", "sequence", "stream", "time", "type"}
        if set(entry) != expected or not all(isinstance(entry[n], str) for n in ("id", "stream")):
            raise VerificationError(f"{name}: does not have the form of an entry")
        self._check_sequence(name, stream, sequence, entry["previous"])
        for event in entry["body"].get("events", ()):
            house = event.get("house")
            if isinstance(house, str) and len(house) == 64 and house not in self.houses:
                raise VerificationError(f"{name}: its House is not in the file")
        check_count(entry["at"])
        self._check_time(name, check_count(entry["time"]))
        leaf = sha256(b"\x00" + line)
        self.tips[stream] = (sequence, leaf.hex())
        if self.format == PROOF:
            self.leaves.append(leaf)
            return
        append(self.subtrees, self.size, leaf)
        self.size += 1
        self._record_root()

    def _check_time(self, name: str, time: int) -> None:
        """All entries of a transaction have its time, and a head follows the last of them."""
        if self.format == PROOF:
            return
        if self.size == self.head_size and time <= self.time:
            raise VerificationError(f"{name}: its time is not after that of the head before it")
        if self.size != self.head_size and time != self.time:
            raise VerificationError(f"{name}: the head of the entries before it is missing")
        self.time = time

    def _check_sequence(self, name: str, stream: str, sequence: int, previous: str) -> None:
        decode_hash(previous)
        last, leaf = self.tips.get(stream, (0, NO_LEAF))
        continues = stream not in self.tips and (self.start or self.format == PROOF)
        if continues and sequence > 1:
            return  # the previous entry is not in this file; the root covers it
        if sequence != last + 1:
            raise VerificationError(f"{name}: expected entry {last + 1}")
        if previous != leaf:
            raise VerificationError(f"{name}: does not follow the entry before it")

    def _record_root(self) -> None:
        if self.size in self.roots:
            self.roots[self.size] = root_of(self.subtrees)

    def _verify_head(self, head: dict[str, Any], line: bytes) -> None:
        name, size = f"head {head['size']}", check_count(head["size"])
        if self.format != LOG or size != self.size or size <= self.head_size:
            raise VerificationError(f"{name}: there are {self.size} entries before it")
        if decode_hash(head["root"]) != root_of(self.subtrees):
            raise VerificationError(f"{name}: its root is not the root of the entries")
        if check_count(head["time"]) != self.time:
            raise VerificationError(f"{name}: its time is not the time of its entries")
        self.head_size = size

    def _verify_proof(self, proof: dict[str, Any], line: bytes) -> None:
        indexes, size = list(map(check_count, proof["indexes"])), check_count(proof["size"])
        if self.format != PROOF or self.proved or len(indexes) != len(self.leaves):
            raise VerificationError("a proof must have one index for each of its entries")
        if not indexes or sorted(set(indexes)) != indexes or indexes[-1] >= size:
            raise VerificationError("the indexes of a proof must be in order and inside the log")
        hashes = [decode_hash(text) for text in proof["hashes"]]
        self.proved = (size, multiproof_root(dict(zip(indexes, self.leaves)), size, hashes))

    def _verify_checkpoint(self, checkpoint: dict[str, Any], line: bytes) -> None:
        size, root, self.signed_by = open_checkpoint(checkpoint["note"], self.keys)
        actual = self.proved or (self.size, root_of(self.subtrees))
        if actual != (size, root):
            raise VerificationError(f"the checkpoint is of {size} entries with another root")

    def _verify_end(self, end: dict[str, Any], line: bytes) -> None:
        if end["counts"] != self.counts:
            raise VerificationError(f"the end counts {end['counts']}, the file has {self.counts}")
        if end["digest"] != self.digest.hexdigest():
            raise VerificationError("a line was changed: the digest of the end does not match")
        if self.format == LOG and self.size != self.head_size:
            raise VerificationError("there are entries after the last head")
        if self.format == PROOF and not (self.proved and "checkpoint" in self.counts):
            raise VerificationError("the hashes or the checkpoint of the proof are missing")
        self.ended = True


def check_count(value: Any) -> int:
    """Return a value that must be an integer of at least 0."""
    if type(value) is not int or value < 0:
        raise VerificationError(f"{value!r} is not an integer of at least 0"[:100])
    return value


def decode_hash(text: str) -> bytes:
    """A SHA-256 hash, from lowercase hexadecimal."""
    value = bytes.fromhex(text)
    if len(value) != 32 or value.hex() != text:
        raise VerificationError(f"{text!r} is not a hash"[:100])
    return value


def _reject_number(text: str) -> Any:
    raise VerificationError(f"{text} is not an integer"[:100])


def verified_lines(lines: Iterable[bytes], log: LogVerifier) -> Iterator[dict[str, Any]]:
    """The decoded lines of a file; a VerificationError names the line and the problem."""
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            if not line.endswith(b"\n"):
                raise VerificationError("the line is cut off")
            yield log.check_line(line[:-1].decode())
        except UnicodeDecodeError:
            raise VerificationError(f"line {number}: not UTF-8") from None
        except VerificationError as error:
            raise VerificationError(f"line {number}: {error}") from None
    if not log.ended:
        raise VerificationError(f"the file is truncated after line {number}")


def open_checkpoint(text: str, keys: Sequence[str]) -> tuple[int, bytes, list[str]]:
    """The size and root of a checkpoint, and those of the keys that signed it."""
    body, separator, lines = text.rpartition("\n\n")
    if not separator or not lines.endswith("\n"):
        raise VerificationError("this is not a signed note")
    body += "\n"
    signed_by = [key for key in keys if signed(body, lines[:-1].split("\n"), key)]
    parts = body.split("\n")
    if len(parts) < 4 or not parts[1].isdecimal():
        raise VerificationError("this is not a checkpoint")
    if keys and not any(key.partition("+")[0] == parts[0] for key in signed_by):
        raise VerificationError(f"{parts[0]!r} did not sign the checkpoint with the key provided")
    return int(parts[1]), base64.b64decode(parts[2], validate=True), signed_by


def signed(text: str, lines: list[str], key: str) -> bool:
    """Whether a key signed a text; raises if its signature is not valid."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    name, id, encoded = key.strip().split("+", 2)
    content = base64.b64decode(encoded, validate=True)
    if sha256(f"{name}\n".encode() + content)[:4].hex() != id:
        raise VerificationError(f"{key!r} is not a key")
    for line in lines:
        dash, signer, encoded = line.split(" ")
        signature = base64.b64decode(encoded, validate=True)
        if dash != "—" or signer != name or signature[:4].hex() != id:
            continue
        message, proof = text.encode(), signature[4:]
        if content[0] == 4:  # a witness signs the time too
            message = cosigned_message(text, int.from_bytes(proof[:8], "big"))
            proof = proof[8:]
        try:
            Ed25519PublicKey.from_public_bytes(content[1:]).verify(proof, message)
        except (InvalidSignature, ValueError):
            raise VerificationError(f"the signature of {name} is not valid") from None
        return True
    return False


def cosigned_message(text: str, seconds: int) -> bytes:
    """What a witness signs (c2sp.org/tlog-cosignature)."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def check(path: Path, checkpoint: str | None, keys: Sequence[str]) -> str:
    """Verify a file, and that it extends a saved checkpoint; returns the verdict to print."""
    try:
        expected = open_checkpoint(checkpoint, keys) if checkpoint is not None else None
    except ValueError as error:
        raise VerificationError(f"the checkpoint or a key cannot be read: {error}") from None
    log = LogVerifier(keys, [expected[0]] if expected else [])
    with path.open("rb") as lines:
        for _ in verified_lines(lines, log):
            pass
    size, root = log.proved or (log.size, root_of(log.subtrees))
    verdict = [f"whole: {log.counts.get('entry', 0):,} of {size:,} entries, root {root.hex()}"]
    if keys and not log.signed_by and not expected:
        raise VerificationError("nothing in this file is signed; pass a checkpoint that you saved")
    if log.signed_by:
        verdict.append("signed by " + ", ".join(key.partition("+")[0] for key in log.signed_by))
    if expected:
        if log.format == PROOF or not log.start <= expected[0] <= log.size:
            raise VerificationError(f"this file does not have the {expected[0]} signed entries")
        if log.roots[expected[0]] != expected[1]:
            raise VerificationError(f"the first {expected[0]} are not the ones that were signed")
        verdict.append(f"extends the saved checkpoint of {expected[0]:,} entries")
        verdict += [f"which {key.partition('+')[0]} signed" for key in expected[2]]
    if not keys:
        verdict.append("NO KEY WAS GIVEN: the origin of this file is not verified")
    return "\n".join(verdict)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns exit status 0 if the file is valid, 1 if not."""
    parser = argparse.ArgumentParser(description="Verify a Croupier log or the proof of a hand.")
    parser.add_argument("file", type=Path, help="an export, an archive or a proof: JSON Lines")
    parser.add_argument("--checkpoint", type=Path, help="a signed checkpoint that you saved")
    parser.add_argument("--key", help="the public key of the log: NAME+ID+BASE64")
    parser.add_argument("--witness", action="append", default=[], help="the key of a witness")
    options = parser.parse_args(arguments)
    keys = [options.key] if options.key is not None else []
    try:
        saved = options.checkpoint.read_text(encoding="utf-8") if options.checkpoint else None
        print(check(options.file, saved, [*keys, *options.witness]))
    except (VerificationError, OSError, ValueError) as error:
        print(f"BROKEN: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
