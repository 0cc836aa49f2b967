"""Builds the preset dictionary for entry bodies: `python -m tools.compression_dictionary`.

It is built from the entries of random shifts of every game, deterministically. Never change a
dictionary that ledgers in use were compressed with: give a new one the next number (`--number`
and `compression.LATEST_DICTIONARY`) and keep the old file.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.ledger import Ledger
from croupier.ledger.log import compression
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.write.rows import SNAPSHOT_STREAM
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import AT, SYSTEM, example_house, random_round
from tests.support.recorded_shifts import RecordedShift
from tests.support.rounds import EVERY_GAME
from tests.support.shifts.houses import houses

FOLDER = Path(compression.__file__).parent / "dictionaries"
SIZE_MAX = 16_122  # bytes that fit into a window of 16 KiB together with the text itself
RANDOM_ID = re.compile(rb'"id":"[0-9a-f]{32}"')
TIMESTAMP = re.compile(rb'"at":[0-9]+')
GRAM = 8  # length of a match, in bytes, from which compression gains
SHIFTS, ACTS, ROUNDS = 2, 220, 40


def bodies(seed: int) -> list[bytes]:
    """Entry bodies of attended shifts of every game, linked meters and plain rounds."""
    result: list[bytes] = []
    for game in EVERY_GAME:
        for number in range(SHIFTS):
            rng = random.Random(f"{game} {seed} {number}")
            with new_ledger() as ledger:
                played = RecordedShift(ledger, "T 1", rng.choice(houses(game)), rng)
                for _ in range(ACTS):
                    played.act()
                result += normalized_bodies(ledger)
    for group in ("", "g"):
        rng = random.Random(f"{seed} {group}")
        with new_ledger() as ledger:
            table = ledger.open_table("plain", example_house(), by=SYSTEM, group=group)
            for _ in range(ROUNDS):
                random_round(table, rng, seats=6)
            result += normalized_bodies(ledger)
    return result


def normalized_bodies(ledger: Ledger) -> Iterator[bytes]:
    """The entry bodies of a ledger with fixed timestamps and ids."""
    for stored in ledger.store.scan():
        if stored.entry.stream != SNAPSHOT_STREAM:
            body = TIMESTAMP.sub(b'"at":%d' % AT, stored.entry.body)
            yield RANDOM_ID.sub(b'"id":"%s"' % bytes(16).hex().encode(), body)


@contextmanager
def new_ledger() -> Iterator[Ledger]:
    """A temporary ledger with a deterministic clock."""
    with (
        tempfile.TemporaryDirectory() as folder,
        manual_clock(tick=1_000),
        Ledger(f"{folder}/ledger.db") as ledger,
    ):
        yield ledger


def parts(body: bytes) -> Iterator[bytes]:
    """Split a body into pieces that recur: the actor, the command, each event."""
    value = json.loads(body)
    for key, inner in value.items():
        for piece in inner if key == "events" else [inner]:
            encoded = encode_canonical(piece)
            yield encoded + b"," if key == "events" else encode_canonical({key: piece})[1:-1] + b","


def grams(text: bytes) -> set[bytes]:
    """All substrings of GRAM bytes."""
    return {text[at : at + GRAM] for at in range(len(text) - GRAM + 1)}


def build_dictionary(bodies: Iterable[bytes], size_max: int = SIZE_MAX) -> bytes:
    """Greedily choose the pieces that cover most recurring substrings.

    The most useful pieces come last, where the match distance is smallest.
    """
    pieces = Counter(piece for body in bodies for piece in parts(body))
    frequency: Counter[bytes] = Counter()
    for piece, count in pieces.items():
        for gram in grams(piece):
            frequency[gram] += count
    covered: set[bytes] = set()

    def gain(piece: bytes) -> float:
        new = grams(piece) - covered
        return sum(frequency[gram] for gram in new if frequency[gram] > 1) / (len(piece) + GRAM)

    # The gain of a piece only falls as others are chosen, so it is recomputed when popped.
    candidates = [(-gain(piece), piece) for piece in pieces]
    heapq.heapify(candidates)
    chosen: list[bytes] = []
    free = size_max
    while candidates and free > 0:
        _, piece = heapq.heappop(candidates)
        now = -gain(piece)
        if candidates and now > candidates[0][0]:
            heapq.heappush(candidates, (now, piece))
        elif now < 0 and len(piece) <= free:
            chosen.append(piece)
            covered |= grams(piece)
            free -= len(piece)
    return b"".join(reversed(chosen))


def average_size(bodies: list[bytes], dictionary: bytes) -> float:
    """The average compressed size of a body, in bytes."""
    primed = zlib.compressobj(6, zlib.DEFLATED, -14, 5, zdict=dictionary)
    total = 0
    for body in bodies:
        compressor = primed.copy()
        total += len(compressor.compress(body) + compressor.flush())
    return total / len(bodies)


def main() -> None:
    """Build the dictionary, compare it with the old one on other shifts, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=compression.LATEST_DICTIONARY)
    options = parser.parse_args()
    dictionary = build_dictionary(bodies(1))
    others = bodies(2)
    path = FOLDER / f"{options.number}.txt"
    before = average_size(others, path.read_bytes()) if path.exists() else 0
    sizes = f"{average_size(others, dictionary):.1f} bytes per entry, {before:.1f} before"
    path.write_bytes(dictionary)
    print(f"{path.name}: {len(dictionary):,} bytes; entries of other shifts: {sizes}")


if __name__ == "__main__":
    main()
