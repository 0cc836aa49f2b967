"""Makes the dictionary that entries are packed with: `python -m tools.compression_dictionary`.

It is made from the entries of random shifts of every game, the same each time. A record keeps the
dictionaries it needs, so that one that records in use were packed with is never changed: a new
one gets the next number (`--number`, and `packing.NEWEST`), and the old file stays.
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
from croupier.ledger.log.canonical_json import canonical
from croupier.ledger.log.write.rows import SNAPSHOTS
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import AT, SYSTEM, example_house, random_round
from tests.support.recorded_shifts import RecordedShift
from tests.support.rounds import EVERY_GAME
from tests.support.shifts.houses import houses

FOLDER = Path(compression.__file__).parent / "dictionaries"
LARGEST = 16_122  # what a window of 16 KiB has room for beside the text itself
RANDOM = re.compile(rb'"id":"[0-9a-f]{32}"')
MOMENT = re.compile(rb'"at":[0-9]+')
GRAM = 8  # texts have so many signs in common where packing gains something
SHIFTS, ACTS, ROUNDS = 2, 220, 40


def bodies(seed: int) -> list[bytes]:
    """What entries hold: attended shifts of every game, linked meters, plain rounds."""
    found: list[bytes] = []
    for game in EVERY_GAME:
        for number in range(SHIFTS):
            rng = random.Random(f"{game} {seed} {number}")
            with new_ledger() as ledger:
                played = RecordedShift(ledger, "T 1", rng.choice(houses(game)), rng)
                for _ in range(ACTS):
                    played.act()
                found += kept_of(ledger)
    for group in ("", "g"):
        rng = random.Random(f"{seed} {group}")
        with new_ledger() as ledger:
            table = ledger.open_table("plain", example_house(), by=SYSTEM, group=group)
            for _ in range(ROUNDS):
                random_round(table, rng, seats=6)
            found += kept_of(ledger)
    return found


def kept_of(ledger: Ledger) -> Iterator[bytes]:
    """What the entries of a ledger hold, but for clocks and random ids."""
    for stored in ledger.store.scan():
        if stored.entry.stream != SNAPSHOTS:
            told = MOMENT.sub(b'"at":%d' % AT, stored.entry.body)
            yield RANDOM.sub(b'"id":"%s"' % bytes(16).hex().encode(), told)


@contextmanager
def new_ledger() -> Iterator[Ledger]:
    """One that is thrown away; its clock ticks the same each time."""
    with (
        tempfile.TemporaryDirectory() as folder,
        manual_clock(tick=1_000),
        Ledger(f"{folder}/ledger.db") as ledger,
    ):
        yield ledger


def parts(body: bytes) -> Iterator[bytes]:
    """An entry in pieces that come again: who, the command, each event."""
    value = json.loads(body)
    for key, inner in value.items():
        for piece in inner if key == "events" else [inner]:
            written = canonical(piece)
            yield written + b"," if key == "events" else canonical({key: piece})[1:-1] + b","


def grams(text: bytes) -> set[bytes]:
    """Every stretch of a few signs."""
    return {text[at : at + GRAM] for at in range(len(text) - GRAM + 1)}


def made_from(found: Iterable[bytes], largest: int = LARGEST) -> bytes:
    """Pieces that cover most of what comes again, the most useful last, where it is nearest."""
    pieces = Counter(piece for body in found for piece in parts(body))
    often: Counter[bytes] = Counter()
    for piece, count in pieces.items():
        for gram in grams(piece):
            often[gram] += count
    covered: set[bytes] = set()

    def worth(piece: bytes) -> float:
        new = grams(piece) - covered
        return sum(often[gram] for gram in new if often[gram] > 1) / (len(piece) + GRAM)

    # What a piece is worth only falls as others are chosen: it is asked again when it comes up.
    waiting = [(-worth(piece), piece) for piece in pieces]
    heapq.heapify(waiting)
    chosen: list[bytes] = []
    room = largest
    while waiting and room > 0:
        _, piece = heapq.heappop(waiting)
        now = -worth(piece)
        if waiting and now > waiting[0][0]:
            heapq.heappush(waiting, (now, piece))
        elif now < 0 and len(piece) <= room:
            chosen.append(piece)
            covered |= grams(piece)
            room -= len(piece)
    return b"".join(reversed(chosen))


def packed_size(found: list[bytes], words: bytes) -> float:
    """The bytes of an entry on average, packed with a dictionary."""
    primed = zlib.compressobj(6, zlib.DEFLATED, -14, 5, zdict=words)
    total = 0
    for body in found:
        packer = primed.copy()
        total += len(packer.compress(body) + packer.flush())
    return total / len(found)


def main() -> None:
    """Make it, say what it gains on other shifts, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=compression.NEWEST)
    given = parser.parse_args()
    words = made_from(bodies(1))
    others = bodies(2)
    path = FOLDER / f"{given.number}.txt"
    before = packed_size(others, path.read_bytes()) if path.exists() else 0
    told = f"{packed_size(others, words):.1f} bytes an entry, {before:.1f} before"
    path.write_bytes(words)
    print(f"{path.name}: {len(words):,} bytes; entries of other shifts: {told}")


if __name__ == "__main__":
    main()
