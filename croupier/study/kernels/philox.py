"""Random decks by counter: Philox4x32-10, and cards drawn from its words without bias.

Round `n` of a seed has the same deck whoever deals it and whatever was dealt before: the counter
is the number of the round, so any worker may take any rounds. One word of 32 bits gives the places
of four cards: it is multiplied by one bound after the other, the upper half of each product is a
place and the lower half goes on. The last lower half says whether the word falls into the part
that would favour some cards; such a word is thrown away (one in seven hundred).
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.study.kernels.seats import long

WORD = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
MULTIPLY_0, MULTIPLY_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
TURNS = 10
PER_WORD = 4  # cards that one word gives


def least_words() -> NDArray[np.uint64]:
    """By group of four cards: a last lower half below it is thrown away."""
    found = []
    for first in range(0, 52, PER_WORD):
        ways = 1
        for left in range(52 - first, 52 - first - PER_WORD, -1):
            ways *= left
        found.append(2**32 % ways)
    return np.array(found, np.uint64)


@numba.njit(cache=True, nogil=True)
def philox(counter: Any, key: Any, out: Any) -> None:
    """Four words of 32 bits for a counter of four and a key of two. Twin: NumPy's Philox."""
    a, b, c, d = counter[0], counter[1], counter[2], counter[3]
    one, two = key[0], key[1]
    for _ in range(TURNS):
        left, right = MULTIPLY_0 * a, MULTIPLY_1 * c
        a, b, c, d = (
            (right >> HALF) ^ b ^ one,
            right & WORD,
            (left >> HALF) ^ d ^ two,
            left & WORD,
        )
        one, two = (one + WEYL_0) & WORD, (two + WEYL_1) & WORD
    out[0], out[1], out[2], out[3] = a, b, c, d


@numba.njit(cache=True, nogil=True)
def deal(number: Any, key: Any, least: Any, groups: Any, room: Any, deck: Any) -> None:
    """The first `4 * groups` cards of the deck of a round. Naive twin: tests/twins.

    `room` has eight words: the counter, then the words it gives.
    """
    for card in range(52):
        deck[card] = card
    room[0] = np.uint64(number) & WORD
    room[1] = np.uint64(number) >> HALF
    room[2] = np.uint64(0)
    room[3] = np.uint64(0)
    at = 4
    for group in range(groups):
        first = group * PER_WORD
        left = np.uint64(52 - first)
        while True:
            if at == 4:
                philox(room[:4], key, room[4:])
                room[2] += np.uint64(1)
                at = 0
            word = room[4 + at]
            at += 1
            p0 = word * left
            p1 = (p0 & WORD) * (left - np.uint64(1))
            p2 = (p1 & WORD) * (left - np.uint64(2))
            p3 = (p2 & WORD) * (left - np.uint64(3))
            if p3 & WORD >= least[group]:
                break
        _swap(deck, first, first + long(p0 >> HALF))
        _swap(deck, first + 1, first + 1 + long(p1 >> HALF))
        _swap(deck, first + 2, first + 2 + long(p2 >> HALF))
        _swap(deck, first + 3, first + 3 + long(p3 >> HALF))


@numba.njit(cache=True, nogil=True, inline="always")
def _swap(deck: Any, one: Any, two: Any) -> None:
    card = deck[one]
    deck[one] = deck[two]
    deck[two] = card


@numba.njit(cache=True, nogil=True)
def deal_many(first: Any, key: Any, least: Any, groups: Any, decks: Any) -> None:
    """The decks of consecutive rounds, one a row."""
    room = np.zeros(8, np.uint64)
    for row in range(decks.shape[0]):
        deal(first + row, key, least, groups, room, decks[row])
