"""Counter-based RNG (Philox4x32-10) and unbiased dealing by Fisher-Yates shuffle.

The counter is the round number, so round `n` of a seed has the same deck in every worker and in
any order. One 32-bit word gives the swap positions of four cards: it is multiplied by one bound
after the other; the upper half of each product is a position and the lower half is the next
factor (Lemire). A word whose last lower half is below the threshold would be biased and is
rejected (one in seven hundred).
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

WORD = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
MULTIPLY_0, MULTIPLY_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
ROUNDS = 10
PER_WORD = 4  # cards per word


def rejection_thresholds() -> NDArray[np.uint64]:
    """The rejection threshold of each group of four cards: 2^32 modulo the product of bounds."""
    thresholds = []
    for first in range(0, 52, PER_WORD):
        ways = 1
        for left in range(52 - first, 52 - first - PER_WORD, -1):
            ways *= left
        thresholds.append(2**32 % ways)
    return np.array(thresholds, np.uint64)


@numba.njit(cache=True, nogil=True)
def generate_words(first: Any, call: Any, key: Any, words: Any) -> None:
    """The four words of one call for consecutive rounds, one column each. Twin: NumPy's Philox.

    The counter has four words: two for the round, one for the call, and zero. Rounds are
    independent, so this and the other loops over rounds below are vectorized.
    """
    for row in range(words.shape[1]):
        number = np.uint64(first) + np.uint64(row)
        a, b, c, d = number & WORD, number >> HALF, np.uint64(call), np.uint64(0)
        one, two = key[0], key[1]
        for _ in range(ROUNDS):
            left, right = MULTIPLY_0 * a, MULTIPLY_1 * c
            a, b, c, d = (
                (right >> HALF) ^ b ^ one,
                right & WORD,
                (left >> HALF) ^ d ^ two,
                left & WORD,
            )
            one, two = (one + WEYL_0) & WORD, (two + WEYL_1) & WORD
        words[0, row], words[1, row], words[2, row], words[3, row] = a, b, c, d


@numba.njit(cache=True, nogil=True)
def swap_positions(words: Any, first: Any, least: Any, places: Any, unfair: Any) -> None:
    """The swap positions of four cards; marks words below the threshold `least` as `unfair`."""
    left = np.uint64(52 - first)
    for row in range(words.size):
        p0 = np.uint64(words[row]) * left
        p1 = (p0 & WORD) * (left - np.uint64(1))
        p2 = (p1 & WORD) * (left - np.uint64(2))
        p3 = (p2 & WORD) * (left - np.uint64(3))
        unfair[row] |= np.uint8(p3 & WORD < least)
        places[0, row] = (p0 >> HALF) + np.uint64(first)
        places[1, row] = (p1 >> HALF) + np.uint64(first + 1)
        places[2, row] = (p2 >> HALF) + np.uint64(first + 2)
        places[3, row] = (p3 >> HALF) + np.uint64(first + 3)


@numba.njit(cache=True, nogil=True)
def trace(places: Any, decks: Any) -> None:
    """The cards that a sequence of swaps leaves in the first positions, traced backwards.

    A position holds what its last swap left there, that is the card of the position swapped with
    it, and so on back to the new deck. No deck is stored, and decks are traced in parallel.
    """
    for at in range(decks.shape[0]):
        for row in range(decks.shape[1]):
            decks[at, row] = places[at, row]
        for turn in range(at - 1, -1, -1):
            step_back(np.uint8(turn), places[turn], decks[at])


@numba.njit(cache=True, nogil=True)
def step_back(turn: Any, swapped: Any, positions: Any) -> None:
    """Undo one swap: the card in a swapped position came from position `turn`."""
    for row in range(positions.size):
        position = positions[row]
        positions[row] = turn if swapped[row] == position else position


@numba.njit(cache=True, nogil=True)
def deal_with_rejection(
    number: Any, key: Any, least: Any, words: Any, places: Any, unfair: Any
) -> None:
    """The swap positions of one round, with biased words rejected; all arrays have one column."""
    call, at = np.int64(0), 0  # typed: a literal argument compiles a separate version
    for group in range(places.shape[0] // PER_WORD):
        unfair[0] = 1
        while unfair[0]:
            if at == 0:
                generate_words(number, call, key, words)
                call += 1
            unfair[0] = 0
            first = group * PER_WORD
            four = places[first : first + PER_WORD]
            swap_positions(words[at], first, least[group], four, unfair)
            at = (at + 1) % PER_WORD


def deal_many(first: int, key: Any, least: Any, decks: Any) -> None:
    """Deal consecutive rounds: decks[batch, card, round]. Naive twin: tests/analysis/kernels."""
    lots, cards, count = decks.shape
    groups = -(-cards // PER_WORD)
    words = np.empty((PER_WORD * -(-groups // PER_WORD), count), np.uint32)
    places = np.empty((PER_WORD * groups, count), np.uint8)
    unfair = np.empty(count, np.uint8)
    column = np.empty((PER_WORD, 1), np.uint32), np.empty((len(places), 1), np.uint8)
    for lot in range(lots):
        deal_lot(first + lot * count, key, least, words, places, unfair, *column, decks[lot])


@numba.njit(cache=True, nogil=True)
def deal_lot(
    first: Any, key: Any, least: Any, words: Any, places: Any, unfair: Any, again_words: Any,
    again: Any, decks: Any,
) -> None:  # fmt: skip
    """One batch; all arguments from `words` to `again` are buffers."""
    unfair[:] = 0
    for call in range(words.shape[0] // PER_WORD):
        generate_words(first, call, key, words[PER_WORD * call : PER_WORD * (call + 1)])
    for group in range(places.shape[0] // PER_WORD):
        at = PER_WORD * group
        swap_positions(words[group], at, least[group], places[at : at + PER_WORD], unfair)
    for row in range(unfair.size):
        if unfair[row]:  # a few in a thousand
            deal_with_rejection(first + row, key, least, again_words, again, unfair[row : row + 1])
            for at in range(places.shape[0]):
                places[at, row] = again[at, 0]
    trace(places, decks)
