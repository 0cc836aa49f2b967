"""Batches of rounds: unbiased counter-based decks, hands by their order, nets added up."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from croupier.analysis.kernels.cross.cross_runs import finest_class
from croupier.analysis.kernels.hands.compact_evaluator import one_order, order_sums, sum_keys
from croupier.analysis.kernels.simulate import philox, tally
from croupier.analysis.lookup_tables import orders
from croupier.ranking import poker_value

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
    """The published vectors of Salmon and others (2011), by the twin of the generator."""
    assert words == naive_words(counter, key)


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
    results = []
    for bound in bounds:
        ways *= bound
        place, word = divmod(word * bound, 2**bits)
        results.append(place)
    return None if word < 2**bits % ways else results


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
    decks = np.zeros((2, 52, 200), np.uint8)
    philox.deal_many(first, np.array([3, 9], np.uint64), philox.rejection_thresholds(), decks)

    assert [naive_deck(first + at, [3, 9]) for at in range(400)] == np.concatenate(
        decks, axis=1
    ).T.tolist()


def test_no_place_is_favoured() -> None:
    """All words of eight bits: every sequence of positions occurs equally often."""
    bounds = [5, 4, 3]
    accepted = Counter(
        tuple(places) for word in range(256) if (places := places_of(word, bounds, 8)) is not None
    )

    assert 60 == len(accepted)
    assert {256 // 60} == set(accepted.values())


def test_a_short_deal_is_the_beginning_of_the_whole() -> None:
    """Fewer words deal the same first cards, and a whole deck has every card once (R27)."""
    whole, few = np.zeros((1, 52, 5_000), np.uint8), np.zeros((1, 13, 5_000), np.uint8)
    key = np.array([1, 0], np.uint64)
    philox.deal_many(7, key, philox.rejection_thresholds(), whole)
    philox.deal_many(7, key, philox.rejection_thresholds(), few)

    assert np.array_equal(whole[:, :13], few)
    assert (np.sort(whole[0], axis=0) == np.arange(52)[:, None]).all()


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("ace_low", [True, False])
def test_orders_by_their_naive_twin(size: int, ace_low: bool) -> None:
    """Hands of a whole deck and, for flushes, of one suit and a half."""
    known = orders(ace_low)
    decks = np.zeros((1, 52, 3_000), np.uint8)
    philox.deal_many(0, np.array([5, 5], np.uint64), philox.rejection_thresholds(), decks)
    suited = np.argsort(decks[0] & 1 | (decks[0] > 26) << 1, axis=0, kind="stable")
    half = np.take_along_axis(decks[0], suited, axis=0)
    places = np.arange(size)
    for cards in (decks[0], half):
        one, two = np.empty((2, cards.shape[1]), np.int64)
        sum_keys(cards, places[:3], known.card_keys, one)
        sum_keys(cards, places[3:], known.card_keys, two)
        result = np.empty(cards.shape[1], np.uint16)
        lookups = known.row_offsets, known.orders, known.flush_orders
        order_sums(cards, places, one, two, *lookups, result)
        values = [poker_value(hand, ace_low) for hand in cards[:size].T.tolist()]

        assert values == known.values[result].tolist()
        assert [value >> 20 for value in values] == known.categories[result].tolist()
        assert [finest_class(value) for value in values] == known.classes[result].tolist()
        assert result[7] == one_order(cards, 7, places, *known[:4])


def naive_shifts(
    nets: list[list[int]], buys: int, stay: int, need: int, per_shift: int
) -> list[list[int]]:
    """Win and drop of every shift, round by round; seats by rows."""
    banks, left = [0] * len(nets), [0] * len(nets)
    results: list[list[int]] = []
    for number in range(len(nets[0])):
        if number % per_shift == 0:
            results.append([0, 0])
            left = [0] * len(nets)
        for seat, row in enumerate(nets):
            if left[seat] == 0:
                banks[seat], left[seat] = buys, stay
                results[-1][1] += buys
            while banks[seat] < need:
                banks[seat] += buys
                results[-1][1] += buys
            left[seat] -= 1
            banks[seat] += row[number]
            results[-1][0] -= row[number]
    return results


@pytest.mark.parametrize("limit", [12, 99])
@pytest.mark.parametrize("equal", [False, True])
def test_rounds_are_added_up_as_one_by_one(limit: int, equal: bool) -> None:
    """Counts, nets, products, shifts and marks of two seats with two side wagers, by batch.

    With stakes that are the same whatever is met or not, with a limit that is reached or not.
    """
    chance = np.random.default_rng(4)
    lots, count, rounds = 3, 70, 210
    main, sides = chance.integers(-9, 9, (6, 4)), chance.integers(-9, 9, (2, 5, 4))
    main[:, tally.MARKED], sides[..., tally.MARKED] = 0, 0
    sides[1, 4, tally.MARKED] = 1
    if equal:
        sides[..., tally.STAKED] = [[5], [7]]
    codes = chance.integers(0, 5, (lots, 2, 3, count)).astype(np.int32)
    counts, side_counts = np.zeros((2, 6), np.int64), np.zeros((2, 2, 5), np.int64)
    sums, banks, left = np.zeros((3, 2), np.int64)
    products, shifts = np.zeros((2, 2), np.int64), np.zeros((7, 3), np.int64)
    marked = np.zeros((lots, count), np.bool_)
    tally.tally(
        0, codes, main, sides, limit, 40, 11, 35, 30, counts, side_counts, sums, products, shifts,
        0, banks, left, marked,
    )  # fmt: skip

    rows = np.concatenate(codes, axis=2).transpose(2, 0, 1)  # [round, seat, wager]
    worth = main[rows[..., 0]] + sides[0, rows[..., 1]] + sides[1, rows[..., 2]]
    nets = worth[..., tally.NET]
    by_row = worth[..., tally.MARKED].astype(bool) | (worth[..., tally.COVERED] > limit)
    assert by_row.any(axis=1).tolist() == marked.ravel().tolist()
    assert nets.sum(axis=0).tolist() == sums.tolist()
    assert np.tril(nets.T @ nets).tolist() == products.tolist()
    assert [np.bincount(row, minlength=6).tolist() for row in rows[..., 0].T] == counts.tolist()
    assert np.bincount(rows[:, 1, 2], minlength=5).tolist() == side_counts[1, 1].tolist()
    handle = worth[..., tally.STAKED].sum(axis=1).reshape(7, 30).sum(axis=1)
    assert handle.tolist() == shifts[:, tally.HANDLE].tolist()
    expected = naive_shifts(nets.T.tolist(), 40, 11, 35, 30)
    assert rounds == len(rows) and expected == shifts[:, [tally.WIN, tally.DROP]].tolist()
