"""The dictionary that entries are packed with: made here, the same each time, small enough."""

from __future__ import annotations

import random
import zlib

from croupier.ledger import Ledger
from croupier.ledger.log import compression
from tests.support.recorded_rounds import SYSTEM, example, random_round
from tools.compression_dictionary import SIZE_MAX, average_size, build_dictionary

PLAIN = 0.4  # of what an entry takes without a dictionary


def rounds(ledger: Ledger, count: int) -> list[bytes]:
    """What the entries of some six-seat rounds hold."""
    table = ledger.open_table("A", example(), by=SYSTEM)
    rng = random.Random(8)
    for _ in range(count):
        random_round(table, rng, seats=6)
    return [stored.entry.body for stored in ledger.store.scan()]


def test_a_dictionary_is_made_the_same_each_time(lite: Ledger) -> None:
    """Of what comes again, never more than fits."""
    found = rounds(lite, 3)
    words = build_dictionary(found)

    assert words == build_dictionary(list(reversed(found)))
    assert 1_000 < len(words) <= SIZE_MAX
    assert len(build_dictionary(found, 500)) <= 500


def test_the_dictionary_of_this_version_is_worth_its_place(lite: Ledger) -> None:
    """A forgotten `make dictionary` after new commands shows here."""
    found = rounds(lite, 6)
    words = compression.load_dictionary(compression.LATEST_DICTIONARY)
    alone = sum(len(zlib.compress(body, 6)) for body in found) / len(found)

    assert len(words) <= SIZE_MAX
    assert average_size(found, words) < PLAIN * alone
    assert all(compression.decompress(compression.compress(body), words) == body for body in found)
