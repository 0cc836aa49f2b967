"""Two runs over a cross with a card of the cross, or of another seat, known before the first bet.

Sides and cards are numbered as in `cross_runs`. Known cards have numbers too, up to suits that are
equivalent for the starting hand: a first side represents its class, so values beside it are summed
over the known cards of one number.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.cross.cross_runs import (
    CENTERS,
    CLASSES,
    NONE,
    OTHERS,
    SIDES,
    add_better,
    side_number,
    sum_centers,
    sum_or_fold,
)


@numba.njit(cache=True, nogil=True)
def value_center(classes: Any, cards: Any, last: Any, folds: Any, out: Any) -> None:
    """Sums over both sides of a cross whose center is known, by first bet: out[m1].

    `classes[side]` are the runs with that center, `last[1st, 2nd class, m1, m2]` is the value of
    the box with all cards open, `folds[m1]` the cost of folding on the second street.
    """
    bets = out.size
    in_all = np.zeros(CLASSES, np.int64)
    with_card = np.zeros((OTHERS, CLASSES), np.int64)
    for side in range(SIDES):
        if classes[side] != NONE:
            in_all[classes[side]] += 1
            for card in cards[side]:
                with_card[card, classes[side]] += 1
    left = np.zeros(CLASSES, np.int64)
    sums = np.zeros((bets, bets), np.int64)
    for side in range(SIDES):
        mine = classes[side]
        if mine == NONE:
            continue
        left[:] = in_all - with_card[cards[side, 0]] - with_card[cards[side, 1]]
        left[mine] += 1  # the side itself was taken out twice
        sums[:] = 0
        for kind in range(CLASSES):
            if left[kind]:
                for one in range(bets):
                    for two in range(bets):
                        sums[one, two] += left[kind] * last[mine, kind, one, two]
        seconds = left.sum()
        for one in range(bets):
            out[one] += max(sums[one].max(), folds[one] * seconds)


@numba.njit(cache=True, nogil=True)
def value_with_second_card(
    chosen: Any, sizes: Any, cards: Any, ready: Any, fold_seconds: Any, card_ids: Any, out: Any
) -> None:
    """Sums over all crosses by a known card of the second side and by first bet: out[id, m1].

    `chosen` are representatives of first sides, `sizes` the sizes of their classes;
    `fold_seconds[m1]` is the cost of folding on the second street. Naive twin:
    tests/analysis/kernels.
    """
    runs, run_totals, antes, ante_totals, shared, packing, multiples, folds = ready
    bets = multiples.size
    room = np.zeros((4, SIDES), np.int32)
    mine, theirs, base, middle = room[0], room[1], room[2], room[3]
    sums = np.zeros((bets, OTHERS), np.int64)
    for at in range(chosen.size):
        side = chosen[at]
        a, b = cards[side]
        sum_centers(
            side, a, b, runs, run_totals, antes, ante_totals, shared, packing, mine, theirs, base,
            middle,
        )  # fmt: skip
        add_better(base, middle, multiples[0], multiples[bets - 1])
        for one in range(bets):
            sums[:] = 0
            for two in range(bets):
                fold = np.int32(folds[one, two] * CENTERS)
                first, second = np.int32(multiples[one]), np.int32(multiples[two])
                for other in range(SIDES):
                    worth = base[other] + first * mine[other] + second * theirs[other]
                    worth = max(np.int32(worth), fold)
                    sums[two, cards[other, 0]] += worth
                    sums[two, cards[other, 1]] += worth
            for card in range(OTHERS):
                if card not in (a, b):
                    fold_second = fold_seconds[one] * (OTHERS - 3) * CENTERS
                    best = max(sums[:, card].max(), fold_second)
                    out[card_ids[card], one] += sizes[at] * best


@numba.njit(cache=True, nogil=True)
def value_second_sides(chosen: Any, cards: Any, ready: Any, fold_seconds: Any, out: Any) -> None:
    """Sums over first sides and centers where the second side is known: out[at, m1].

    Both sides are open at the second bet, so the center bet has no new information.
    """
    runs, run_totals, antes, ante_totals, shared, packing, multiples, folds = ready
    bets = multiples.size
    room = np.zeros((4, SIDES), np.int32)
    mine, theirs, base, middle = room[0], room[1], room[2], room[3]
    for at in range(chosen.size):
        side = chosen[at]
        a, b = cards[side]
        sum_centers(
            side, a, b, runs, run_totals, antes, ante_totals, shared, packing, mine, theirs, base,
            middle,
        )  # fmt: skip
        add_better(base, middle, multiples[0], multiples[bets - 1])
        for one in range(bets):
            for other in range(SIDES):
                # A side that shares a card has value zero, which no fold exceeds.
                best = fold_seconds[one] * CENTERS
                for two in range(bets):
                    worth = base[other] + multiples[one] * theirs[other]
                    worth += multiples[two] * mine[other]
                    best = max(best, worth, folds[one, two] * CENTERS)
                out[at, one] += best


@numba.njit(cache=True, nogil=True)
def center_values(
    center: int, side: int, runs: Any, antes: Any, shared: Any, packing: Any, room: Any
) -> None:
    """The values of one center for a first side and every second side, as in `sum_centers`.

    Rows of `room` are the first run, the second run, both antes, and the center bet.
    """
    offset, bits = packing
    low_bits = np.int32((1 << bits) - 1)
    mine, theirs, base, middle = room[0], room[1], room[2], room[3]
    own, own_ante = shared[center, side], np.int32(antes[center, side] - offset)
    mine[:] = runs[center, side]
    theirs[:] = runs[center]
    for other in range(SIDES):
        better = np.int32(max(own, shared[center, other]))
        base[other] = own_ante + antes[center, other] + (better & low_bits)
        middle[other] = better >> np.int32(bits)


@numba.njit(cache=True, nogil=True)
def clear_sides_with(card: int, room: Any) -> None:
    """Set the values of all sides with a card to zero."""
    for other in range(OTHERS):
        if other != card:
            side = side_number(card, other)
            for row in range(room.shape[0]):
                room[row, side] = 0


@numba.njit(cache=True, nogil=True)
def subtract(whole: Any, part: Any, out: Any) -> None:
    """out = whole - part; separate arrays let the compiler vectorize."""
    for at in range(out.size):
        out[at] = whole[at] - part[at]


@numba.njit(cache=True, nogil=True)
def value_beside_dead(
    chosen: Any, sizes: Any, cards: Any, ready: Any, fold_seconds: Any, dead: Any, dead_ids: Any,
    out: Any,
) -> None:  # fmt: skip
    """Sums over all crosses without the `dead` cards, by their number and first bet: out[id, m1].

    `dead[n]` are one or two cards of another seat: neither side has them, and as centers they are
    subtracted from the sums over all centers. Naive twin: tests/analysis/kernels.
    """
    runs, run_totals, antes, ante_totals, shared, packing, multiples, folds = ready
    bets, known = multiples.size, dead.shape[1]
    whole, rooms = np.zeros((4, SIDES), np.int32), np.zeros((known, 4, SIDES), np.int32)
    centers = np.zeros((OTHERS, 4, SIDES), np.int32)
    # Second sides and centers left beside a first side.
    sides, left_centers = (OTHERS - 2 - known) * (OTHERS - 3 - known) // 2, CENTERS - known
    for at in range(chosen.size):
        side = chosen[at]
        a, b = cards[side]
        sum_centers(
            side, a, b, runs, run_totals, antes, ante_totals, shared, packing, whole[0], whole[1],
            whole[2], whole[3],
        )  # fmt: skip
        for card in range(OTHERS):
            if card not in (a, b):
                center_values(card, side, runs, antes, shared, packing, centers[card])
                clear_sides_with(a, centers[card])
                clear_sides_with(b, centers[card])
        for number in range(dead.shape[0]):
            if a in dead[number] or b in dead[number]:
                continue
            left = whole
            for at_dead in range(known):
                less = rooms[at_dead]
                part = centers[dead[number, at_dead]]
                subtract(left.reshape(-1), part.reshape(-1), less.reshape(-1))
                left = less
            for card in dead[number]:
                clear_sides_with(card, left)
            add_better(left[2], left[3], multiples[0], multiples[bets - 1])
            for one in range(bets):
                best = fold_seconds[one] * sides * left_centers
                for two in range(bets):
                    total = sum_or_fold(
                        left[2], left[0], left[1], multiples[one], multiples[two],
                        folds[one, two] * left_centers,
                    )  # fmt: skip
                    best = max(best, total)
                out[dead_ids[number], one] += sizes[at] * best
