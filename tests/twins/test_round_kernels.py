"""Decks by counter: known answers, NumPy's generator, and a shuffle without bias."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from croupier.study.kernels import philox

# Known answers of Random123 (kat_vectors, philox4x32 10): counter, key, words.
ZEROS = ([0, 0, 0, 0], [0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8])
ONES = (
    [0xFFFFFFFF] * 4,
    [0xFFFFFFFF] * 2,
    [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD],
)
PI = (
    [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
    [0xA4093822, 0x299F31D0],
    [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
)


@pytest.mark.parametrize(("counter", "key", "words"), [ZEROS, ONES, PI])
def test_known_answers(counter: list[int], key: list[int], words: list[int]) -> None:
    """The published vectors of Salmon and others (2011)."""
    out = np.zeros(4, np.uint64)
    philox.philox(np.array(counter, np.uint64), np.array(key, np.uint64), out)

    assert words == out.tolist()


def naive_words(counter: list[int], key: list[int]) -> list[int]:
    """Philox in plain integers."""
    a, b, c, d = counter
    one, two = key
    for _ in range(10):
        left, right = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (right >> 32) ^ b ^ one, right % 2**32, (left >> 32) ^ d ^ two, left % 2**32
        one, two = (one + 0x9E3779B9) % 2**32, (two + 0xBB67AE85) % 2**32
    return [a, b, c, d]


def places_of(word: int, bounds: list[int], bits: int) -> list[int] | None:
    """The places that a word gives, or None if it is thrown away."""
    ways = 1
    found = []
    for bound in bounds:
        ways *= bound
        place, word = divmod(word * bound, 2**bits)
        found.append(place)
    return None if word < 2**bits % ways else found


def naive_deck(number: int, key: list[int]) -> list[int]:
    """A whole deck, card by card."""
    deck = list(range(52))
    words: list[int] = []
    calls = 0
    for first in range(0, 52, 4):
        places = None
        while places is None:
            if not words:
                words = naive_words([number % 2**32, number >> 32, calls, 0], key)
                calls += 1
            places = places_of(words.pop(0), [52 - first - at for at in range(4)], 32)
        for at, place in enumerate(places, first):
            deck[at], deck[at + place] = deck[at + place], deck[at]
    return deck


@pytest.mark.parametrize("first", [0, 2**32 - 20, 2**40])
def test_decks_by_their_naive_twin(first: int) -> None:
    """Every card of every deck; some words are thrown away among these."""
    decks = np.zeros((400, 52), np.uint8)
    philox.deal_many(first, np.array([3, 9], np.uint64), philox.least_words(), 13, decks)

    assert [naive_deck(first + at, [3, 9]) for at in range(400)] == decks.tolist()


def test_no_place_is_favoured() -> None:
    """All words of eight bits: every order of places comes equally often, none is left out."""
    bounds = [5, 4, 3]
    kept = Counter(
        tuple(places) for word in range(256) if (places := places_of(word, bounds, 8)) is not None
    )

    assert 60 == len(kept)
    assert {256 // 60} == set(kept.values())


def test_a_short_deal_is_the_beginning_of_the_whole() -> None:
    """Fewer words deal the same first cards, and a whole deck has every card once (R27)."""
    whole, few = np.zeros((50, 52), np.uint8), np.zeros((50, 52), np.uint8)
    key = np.array([1, 0], np.uint64)
    philox.deal_many(7, key, philox.least_words(), 13, whole)
    philox.deal_many(7, key, philox.least_words(), 4, few)

    assert whole[:, :16].tolist() == few[:, :16].tolist()
    assert all(sorted(deck) == list(range(52)) for deck in whole.tolist())
