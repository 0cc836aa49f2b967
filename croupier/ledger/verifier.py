#!/usr/bin/env python3
"""Check an exported Croupier log against a signed head. One file, to be read before it is run.

    python verifier.py LOG.jsonl SIGNED.json [--key HEX]

It needs the standard library and, for the signature, the package `cryptography`; nothing of
Croupier. Give the public key that you were handed with --key: the one inside SIGNED.json only
proves that whoever wrote the file had some key.

The log is JSON Lines. Every line is canonical: sorted keys, no spaces, nothing escaped that need
not be. By "type":

    header   format and version
    schema   the shape of one kind of event, for readers
    house    the terms of a House: the SHA-256 of its canonical "terms" is its "digest"
    event    one event; "hash" is the SHA-256 of the canonical list of stream, sequence, kind,
             schema, time, actor, command_id, part and previous_hash, a line feed, and the
             canonical data; "previous_hash" is the hash of the event before it in its stream
    head     the database after one transaction: for each stream that grew, its last sequence and
             hash; "hash" is the SHA-256 of the canonical list of number, previous_hash and time,
             a line feed, and the canonical streams
    end      how many lines of each type there were, and the SHA-256 of all lines before it

A signed statement names a head by number and hash. If that head is in the log, and the log is
whole up to it, then every event up to it is the one that was there on the day of the signature.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

GENESIS = "0" * 64
HEADER = {"format": "croupier-log", "type": "header", "version": 1}


class Broken(Exception):
    """The log or the statement is not what it claims to be."""


def canonical(value: Any) -> str:
    """The one way to write a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(text: str) -> str:
    """SHA-256, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def hash_event(event: dict[str, Any]) -> str:
    """The hash that an event must have."""
    names = ("stream", "sequence", "kind", "schema", "time", "actor", "command_id", "part")
    header = [event[name] for name in (*names, "previous_hash")]
    return digest(canonical(header) + "\n" + canonical(event["data"]))


def hash_head(head: dict[str, Any]) -> str:
    """The hash that a head must have."""
    header = [head["number"], head["previous_hash"], head["time"]]
    return digest(canonical(header) + "\n" + canonical(head["streams"]))


class Log:
    """A log being read; `take` one line after the other."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.tips: dict[str, tuple[int, str]] = {}  # as the events say
        self.named: dict[str, tuple[int, str]] = {}  # as the heads say
        self.head: tuple[int, str] = (0, GENESIS)
        self.heads: dict[int, str] = {}
        self.houses: set[str] = set()
        self.lines = hashlib.sha256()
        self.ended = False

    def take(self, line: str) -> dict[str, Any]:
        """Check one line and return it, read."""
        if self.ended:
            raise Broken("something follows the end of the log")
        try:
            record = json.loads(line)
        except ValueError as error:
            raise Broken(f"not JSON: {error}") from None
        if not isinstance(record, dict) or canonical(record) != line:
            raise Broken("not written canonically")
        kind = record.get("type")
        if not self.counts and record != HEADER:
            raise Broken(f"expected the header {canonical(HEADER)}")
        try:
            self._check(str(kind), record)
        except (KeyError, TypeError, ValueError) as error:
            raise Broken(f"a {kind} line with a wrong shape: {error!r}") from None
        self.counts[str(kind)] = self.counts.get(str(kind), 0) + 1
        self.lines.update(line.encode() + b"\n")
        return record

    def _check(self, kind: str, record: dict[str, Any]) -> None:
        if kind == "event":
            self._check_event(record)
        elif kind == "head":
            self._check_head(record)
        elif kind == "house":
            if digest(canonical(record["terms"])) != record["digest"]:
                raise Broken(f"House {record['digest']}: these are not the terms of its digest")
            self.houses.add(record["digest"])
        elif kind == "end":
            if record["counts"] != self.counts:
                raise Broken(f"the end counts {record['counts']}, read were {self.counts}")
            if record["digest"] != self.lines.hexdigest():
                raise Broken("some line is not as it was written")
            if self.tips != self.named:
                raise Broken("events after the last head")
            self.ended = True
        elif kind == "header":
            if self.counts:
                raise Broken("a second header")
        elif kind != "schema":
            raise Broken(f"unknown type of line {kind!r}")

    def _check_event(self, event: dict[str, Any]) -> None:
        stream, sequence = event["stream"], event["sequence"]
        place = f"{stream} event {sequence}"
        last, previous = self.tips.get(stream, (0, GENESIS))
        if sequence != last + 1:
            raise Broken(f"{place}: expected event {last + 1}")
        if event["previous_hash"] != previous:
            raise Broken(f"{place}: does not follow the event before it")
        if hash_event(event) != event["hash"]:
            raise Broken(f"{place}: was changed, its hash is wrong")
        if event["data"]["kind"] != event["kind"] or event["data"]["schema"] != event["schema"]:
            raise Broken(f"{place}: kind or schema differ from its data")
        if event["kind"] == "round_opened" and event["data"]["house"] not in self.houses:
            raise Broken(f"{place}: its House is not in the log")
        self.tips[stream] = (sequence, event["hash"])

    def _check_head(self, head: dict[str, Any]) -> None:
        number, previous = self.head
        place = f"head {head['number']}"
        if head["number"] != number + 1:
            raise Broken(f"{place}: expected head {number + 1}")
        if head["previous_hash"] != previous:
            raise Broken(f"{place}: does not follow the head before it")
        if hash_head(head) != head["hash"]:
            raise Broken(f"{place}: was changed, its hash is wrong")
        for stream, (sequence, own) in head["streams"].items():
            if self.tips.get(stream) != (sequence, own):
                raise Broken(f"{place}: {stream} should be at event {sequence}")
            self.named[stream] = (sequence, own)
        if self.tips != self.named:
            raise Broken(f"{place}: events that no head names")
        self.head = (head["number"], head["hash"])
        self.heads[head["number"]] = head["hash"]


def read_log(lines: Iterable[bytes]) -> Log:
    """Read and check a whole log; Broken says which line is wrong and why."""
    log = Log()
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            if not line.endswith(b"\n"):
                raise Broken("the line is cut off")
            log.take(line[:-1].decode())
        except UnicodeDecodeError:
            raise Broken(f"line {number}: not UTF-8") from None
        except Broken as broken:
            raise Broken(f"line {number}: {broken}") from None
    if not log.ended:
        raise Broken(f"the log breaks off after line {number}")
    return log


def check_statement(signed: dict[str, Any], log: Log, key: str = "") -> dict[str, Any]:
    """Check a signed statement against a log; returns the statement."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if key and key.lower() != signed["key"].lower():
        raise Broken(f"signed with the key {signed['key']}, expected {key}")
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed["key"]))
        public.verify(bytes.fromhex(signed["signature"]), signed["statement"].encode())
    except (InvalidSignature, ValueError):
        raise Broken("the signature does not hold") from None
    statement: dict[str, Any] = json.loads(signed["statement"])
    if statement.get("format") != "croupier-head":
        raise Broken("the signed text is no statement about a head")
    found = log.heads.get(statement["number"])
    if found is None:
        raise Broken(f"head {statement['number']} is not in the log, which ends at {log.head[0]}")
    if found != statement["head"]:
        raise Broken(f"head {statement['number']} is {found}, signed was {statement['head']}")
    return statement


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 if everything holds, 1 if not."""
    parser = argparse.ArgumentParser(description="Check an exported Croupier log.")
    parser.add_argument("log", type=Path, help="the exported log, JSON Lines")
    parser.add_argument("signed", type=Path, nargs="?", help="the signed head")
    parser.add_argument("--key", default="", help="the public key you were given, hexadecimal")
    given = parser.parse_args(arguments)
    try:
        with given.log.open("rb") as lines:
            log = read_log(lines)
        counted = f"{log.counts.get('event', 0)} events, head {log.head[0]} {log.head[1]}"
        if given.signed is None:
            print(f"the log is whole: {counted}; nothing was signed")
            return 0
        statement = check_statement(json.loads(given.signed.read_text("utf-8")), log, given.key)
    except Broken as broken:
        print(f"BROKEN: {broken}", file=sys.stderr)
        return 1
    except (OSError, KeyError, TypeError, ValueError) as error:
        print(f"BROKEN: cannot be read: {error!r}", file=sys.stderr)
        return 1
    print(f"verified: {counted}")
    print(f"signed:   day {statement['day']}, head {statement['number']} {statement['head']}")
    if not given.key:
        print("note:     the key is the file's own; compare it with the one you were given")
    return 0


if __name__ == "__main__":
    sys.exit(main())
