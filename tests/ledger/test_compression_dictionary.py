"""The dictionary that entries are packed with: made here, the same each time, small enough."""

from __future__ import annotations

import random
import zlib

from croupier.ledger import Ledger
from croupier.ledger.log import compression
from tests.support.recorded_rounds import SYSTEM, example_house, random_round
from tools.compression_dictionary import LARGEST, made_from, packed_size

PLAIN = 0.4  # of what an entry takes without a dictionary


def rounds(ledger: Ledger, count: int) -> list[bytes]:
    """What the entries of some six-seat rounds hold."""
    table = ledger.open_table("A", example_house(), by=SYSTEM)
    rng = random.Random(8)
    for _ in range(count):
        random_round(table, rng, seats=6)
    return [stored.entry.body for stored in ledger.store.scan()]


def test_a_dictionary_is_made_the_same_each_time(lite: Ledger) -> None:
    """Of what comes again, never more than fits."""
    found = rounds(lite, 3)
    words = made_from(found)

    assert words == made_from(list(reversed(found)))
    assert 1_000 < len(words) <= LARGEST
    assert len(made_from(found, 500)) <= 500


def test_the_dictionary_of_this_version_is_worth_its_place(lite: Ledger) -> None:
    """A forgotten `make dictionary` after new commands shows here."""
    found = rounds(lite, 6)
    words = compression.dictionary(compression.NEWEST)
    alone = sum(len(zlib.compress(body, 6)) for body in found) / len(found)

    assert len(words) <= LARGEST
    assert packed_size(found, words) < PLAIN * alone
    assert all(compression.unpack(compression.pack(body), words) == body for body in found)
