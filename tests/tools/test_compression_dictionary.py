"""The compression dictionary of entries: reproducible, small and effective."""

from __future__ import annotations

import random
import zlib

from croupier.ledger import Ledger
from croupier.ledger.log import compression
from tests.support.recorded_rounds import SYSTEM, example_house, random_round
from tools.compression_dictionary import SIZE_MAX, average_size, build_dictionary

RATIO_MAX = 0.4  # of the compressed size without a dictionary


def rounds(ledger: Ledger, count: int) -> list[bytes]:
    """The bodies of the entries of six-seat rounds."""
    table = ledger.open_table("A", example_house(), by=SYSTEM)
    rng = random.Random(8)
    for _ in range(count):
        random_round(table, rng, seats=6)
    return [stored.entry.body for stored in ledger.store.scan()]


def test_a_dictionary_is_reproducible(lite: Ledger) -> None:
    """It does not depend on the order of the samples and keeps to its limit."""
    bodies = rounds(lite, 3)
    words = build_dictionary(bodies)

    assert words == build_dictionary(list(reversed(bodies)))
    assert 1_000 < len(words) <= SIZE_MAX
    assert len(build_dictionary(bodies, 500)) <= 500


def test_the_current_dictionary_is_effective(lite: Ledger) -> None:
    """If it fails after adding commands, run `make dictionary`."""
    bodies = rounds(lite, 6)
    words = compression.load_dictionary(compression.LATEST_DICTIONARY)
    alone = sum(len(zlib.compress(body, 6)) for body in bodies) / len(bodies)

    assert len(words) <= SIZE_MAX
    assert average_size(bodies, words) < RATIO_MAX * alone
    assert all(compression.decompress(compression.compress(body), words) == body for body in bodies)
