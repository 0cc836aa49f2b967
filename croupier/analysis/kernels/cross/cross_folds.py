"""Folded boxes over a cross: the hands they would have had, and wagers forfeited by a fold."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.cross.cross_runs import (
    CENTERS,
    NONE,
    OTHERS,
    SIDES,
    add_better,
    finest_class,
    sum_centers,
    sum_or_fold,
)
from croupier.analysis.kernels.hands.evaluator import (
    COLUMN_MASK,
    FLUSH_BITS,
    ROW_SHIFT,
    SUITS_START,
)

FIRST_RUN, HIGHER_RUN, ALL_SEVEN = 0, 1, 2


@numba.njit(cache=True, nogil=True)
def keyed_class(key: int, held: Any, tables: Any) -> int:
    """The class of the best five of seven cards, from the sum of their keys."""
    _, row_offsets, rank_values, flush_values, _ = tables
    if key & FLUSH_BITS == 0:
        ranks = key & 0xFFFFFFFF
        return finest_class(rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]])
    suit = 0
    while not key >> (35 + 4 * suit) & 1:
        suit += 1
    mask = 0
    for card in held:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    return finest_class(flush_values[mask])


@numba.njit(cache=True, nogil=True)
def judge_centers(
    basis: int, by_side: Any, side: int, other: int, cards: Any, hand: Any, others: Any,
    tables: Any, kinds: Any,
) -> None:  # fmt: skip
    """The class of the hand that a wager is judged on, by center; NONE for cards of the sides.

    `by_side[side, center]` are the classes of runs, also NONE where they share a card.
    """
    a, b = cards[side]
    c, d = cards[other]
    if basis == FIRST_RUN:
        for center in range(OTHERS):
            kinds[center] = by_side[side, center]
    elif basis == HIGHER_RUN:
        for center in range(OTHERS):
            kinds[center] = max(by_side[side, center], by_side[other, center])
    else:
        held = np.empty(7, np.int64)
        held[0], held[1], held[2], held[3] = hand[0], hand[1], others[a], others[b]
        held[4], held[5] = others[c], others[d]
        six = SUITS_START
        for card in held[:6]:
            six += tables[0][card]
        for center in range(OTHERS):
            held[6] = others[center]
            kinds[center] = keyed_class(six + tables[0][held[6]], held, tables)
    for card in (a, b, c, d):
        kinds[card] = NONE


@numba.njit(cache=True, nogil=True)
def count_folds(
    chosen: Any, sizes: Any, cards: Any, runs: Any, run_totals: Any, antes: Any,
    ante_totals: Any, shared: Any, packing: Any, multiples: Any, folds: Any, by_side: Any,
    hand: Any, others: Any, tables: Any, first_bet: int, second_bets: Any, basis: int,
    counts: Any,
) -> None:  # fmt: skip
    """Count folded deals by class on a basis: counts[class], with an extra entry for NONE.

    `second_bets[at]` is -1 where the box folds before the last street.
    """
    bets = multiples.size
    mine, theirs = np.zeros(SIDES, np.int64), np.zeros(SIDES, np.int64)
    base, middle = np.zeros(SIDES, np.int64), np.zeros(SIDES, np.int64)
    kinds = np.zeros(OTHERS, np.uint8)
    for at in range(chosen.size):
        side, two = chosen[at], second_bets[at]
        a, b = cards[side]
        if two >= 0:
            sum_centers(
                side, a, b, runs, run_totals, antes, ante_totals, shared, packing, mine, theirs,
                base, middle,
            )  # fmt: skip
        for other in range(SIDES):
            c, d = cards[other]
            if a in (c, d) or b in (c, d):
                continue
            if two >= 0:
                best = bets - 1 if middle[other] > 0 else 0
                worth = base[other] + multiples[first_bet] * mine[other]
                worth += multiples[two] * theirs[other] + multiples[best] * middle[other]
                if worth > folds[first_bet, two] * CENTERS:
                    continue
            judge_centers(basis, by_side, side, other, cards, hand, others, tables, kinds)
            for center in range(OTHERS):
                counts[kinds[center]] += sizes[at]


@numba.njit(cache=True, nogil=True)
def lost_over_centers(
    basis: int, by_side: Any, side: int, other: int, cards: Any, hand: Any, others: Any,
    tables: Any, lost: Any, kinds: Any,
) -> int:  # fmt: skip
    """The forfeited amount, summed over the 46 centers of two sides; `lost[class]` per deal."""
    judge_centers(basis, by_side, side, other, cards, hand, others, tables, kinds)
    total = 0
    for center in range(OTHERS):
        total += lost[kinds[center]]
    return total


@numba.njit(cache=True, nogil=True)
def value_sides_forfeiting(
    chosen: Any, cards: Any, runs: Any, run_totals: Any, antes: Any, ante_totals: Any,
    shared: Any, packing: Any, multiples: Any, folds: Any, by_side: Any, hand: Any, others: Any,
    tables: Any, basis: int, lost: Any, finer: int, out: Any,
) -> None:  # fmt: skip
    """`cross_runs.value_sides` where the last fold also forfeits `lost`: out[at, m1, m2].

    In `finer`ths of an ante. A fold never forfeits a negative amount, so it matters only where a
    side is folded without it, and that happens after the least bets if at all.
    """
    bets = multiples.size
    mine, theirs = np.zeros(SIDES, np.int32), np.zeros(SIDES, np.int32)
    base, middle = np.zeros(SIDES, np.int32), np.zeros(SIDES, np.int32)
    kinds = np.zeros(OTHERS, np.uint8)
    for at in range(chosen.size):
        side = chosen[at]
        sum_centers(
            side, cards[side, 0], cards[side, 1], runs, run_totals, antes, ante_totals, shared,
            packing, mine, theirs, base, middle,
        )  # fmt: skip
        add_better(base, middle, multiples[0], multiples[bets - 1])
        for one in range(bets):
            for two in range(bets):
                fold = folds[one, two] * CENTERS
                total = sum_or_fold(base, mine, theirs, multiples[one], multiples[two], fold)
                out[at, one, two] = total * finer
        least = multiples[0]
        for other in range(SIDES):  # one that shares a card has zeros, above any fold
            if base[other] + least * (mine[other] + theirs[other]) >= folds[0, 0] * CENTERS:
                continue
            taken = lost_over_centers(
                basis, by_side, side, other, cards, hand, others, tables, lost, kinds
            )
            for one in range(bets):
                for two in range(bets):
                    worth = multiples[one] * mine[other] + multiples[two] * theirs[other]
                    over = base[other] + worth - folds[one, two] * CENTERS
                    if over < 0:
                        out[at, one, two] += max(over * finer, -taken)


@numba.njit(cache=True, nogil=True)
def lost_with_three(a: int, b: int, hand: Any, others: Any, tables: Any, lost: Any) -> int:
    """The forfeited amount for the best five of seven, over the three cards to come.

    Unordered triples count three times, because each card may be the center.
    """
    keys = tables[0]
    held = np.empty(7, np.int64)
    held[0], held[1], held[2], held[3] = hand[0], hand[1], others[a], others[b]
    four = SUITS_START
    for card in held[:4]:
        four += keys[card]
    total = 0
    for x in range(OTHERS):
        if x in (a, b):
            continue
        held[4] = others[x]
        for y in range(x):
            if y in (a, b):
                continue
            held[5] = others[y]
            six = four + keys[held[4]] + keys[held[5]]
            for z in range(y):
                if z != a and z != b:
                    held[6] = others[z]
                    total += lost[keyed_class(six + keys[held[6]], held, tables)]
    return 3 * total


@numba.njit(cache=True, nogil=True)
def lost_behind(
    chosen: Any, cards: Any, by_side: Any, hand: Any, others: Any, tables: Any, basis: int,
    lost: Any, out: Any,
) -> None:  # fmt: skip
    """The forfeited amount after a first side, over all second sides and centers: out[at]."""
    kinds = np.zeros(OTHERS, np.uint8)
    for at in range(chosen.size):
        side = chosen[at]
        a, b = cards[side]
        if basis == ALL_SEVEN:
            out[at] = lost_with_three(a, b, hand, others, tables, lost)
            continue
        for other in range(SIDES):
            c, d = cards[other]
            if a not in (c, d) and b not in (c, d):
                out[at] += lost_over_centers(
                    basis, by_side, side, other, cards, hand, others, tables, lost, kinds
                )
