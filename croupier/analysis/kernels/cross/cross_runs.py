"""Two five-card hands (runs) that share two own cards and the center of a cross.

For one starting hand the other fifty cards are numbered 0 to 49. A *side* is a pair of them, the
two outer cards of a run, numbered `high * (high - 1) / 2 + low`. The class of a run is its index
among 22 hand names, worst first: high card, thirteen pairs, then the other categories.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.kernels.enumerate.closest_decisions import keep_closest
from croupier.analysis.kernels.hands.evaluator import (
    COLUMN_MASK,
    FLUSH_BITS,
    ROW_SHIFT,
    SUITS_START,
)

OTHERS = 50
SIDES = 1225
CENTERS = 46  # cards left for the center
CLASSES = 22
NONE = 22  # class where center and side share a card
LEAST_GAP = 2**60  # above any gap between two options
WORDS = (SIDES + 63) // 64


@numba.njit(cache=True, nogil=True)
def finest_class(value: int) -> int:
    """The class of a poker value."""
    category = value >> 20
    if category == 0:
        return 0
    if category == 1:
        return 1 + (value >> 16 & 15)
    return 12 + category


@numba.njit(cache=True, nogil=True)
def side_number(one: int, two: int) -> int:
    """The number of two different cards of the fifty."""
    if one > two:
        return one * (one - 1) // 2 + two
    return two * (two - 1) // 2 + one


@numba.njit(cache=True, nogil=True)
def run_classes(hand: Any, others: Any, tables: Any, classes: Any) -> None:
    """classes[center, side] of all runs of a starting hand; NONE where they share a card."""
    card_keys, row_offsets, rank_values, flush_values, _ = tables
    classes[:] = NONE
    own = SUITS_START + card_keys[hand[0]] + card_keys[hand[1]]
    for a in range(OTHERS):
        for b in range(a):
            for c in range(b):
                key = own + card_keys[others[a]] + card_keys[others[b]] + card_keys[others[c]]
                if key & FLUSH_BITS:
                    mask = 1 << (hand[0] >> 2) | 1 << (hand[1] >> 2) | 1 << (others[a] >> 2)
                    value = flush_values[mask | 1 << (others[b] >> 2) | 1 << (others[c] >> 2)]
                else:
                    ranks = key & 0xFFFFFFFF
                    value = rank_values[(ranks & COLUMN_MASK) + row_offsets[ranks >> ROW_SHIFT]]
                kind = finest_class(value)
                classes[c, side_number(a, b)] = kind
                classes[b, side_number(a, c)] = kind
                classes[a, side_number(b, c)] = kind


@numba.njit(cache=True, nogil=True)
def fill_pay(classes: Any, by_class: Any, out: Any, totals: Any) -> None:
    """Payoffs by center and side, 0 where they share a card, and sums over centers."""
    totals[:] = 0
    for center in range(OTHERS):
        for side in range(SIDES):
            kind = classes[center, side]
            if kind == NONE:
                out[center, side] = 0
            else:
                out[center, side] = by_class[kind]
                totals[side] += by_class[kind]


@numba.njit(cache=True, nogil=True)
def sum_centers(
    side: int, a: int, b: int, runs: Any, run_totals: Any, antes: Any, ante_totals: Any,
    shared: Any, packing: Any, mine: Any, theirs: Any, base: Any, middle: Any
) -> None:  # fmt: skip
    """Sums over the 46 centers for one first side, the cards a and b, and every second side.

    Payoffs of the first run (`mine`), the second (`theirs`), all antes (`base`) and the center bet
    (`middle`). Payoffs that follow the better run are packed in `shared`, so that one comparison
    serves both: the center bet above `bits` bits, the antes below, plus an offset. A second side
    that shares a card with the first gets zeros. Loops run over second sides, which vectorizes.
    """
    offset, bits = packing
    packed = np.zeros(SIDES, shared.dtype)
    for center in range(0, OTHERS, 5):  # five at a time: fewer loads and stores of the sums
        own = shared[center : center + 5, side]
        one, two, three, four, five = own[0], own[1], own[2], own[3], own[4]
        for other in range(SIDES):
            both = max(one, shared[center, other]) + max(two, shared[center + 1, other])
            more = max(three, shared[center + 2, other]) + max(four, shared[center + 3, other])
            last = max(five, shared[center + 4, other])
            packed[other] += both + more + last
    for other in range(SIDES):  # the first side's own cards cannot be centers
        packed[other] -= shared[a, other] + shared[b, other]
    own_shared, own_runs = shared[:, side].copy(), runs[:, side].copy()
    own_antes = antes[:, side].copy()
    for high in range(OTHERS):
        others = slice(side_number(high, 0), side_number(high, 0) + high)
        less_shared, less_runs, less_antes = packed[others], mine[others], base[others]
        high_shared = own_shared[high]
        high_runs = np.int32(run_totals[side] - own_runs[high])
        high_antes = np.int32(ante_totals[side] - own_antes[high])
        for low in range(high):
            # A center from the second side left the first side's own payoff in the sum.
            less_shared[low] -= high_shared + own_shared[low]
            less_runs[low] = high_runs - own_runs[low]
            less_antes[low] = high_antes - own_antes[low]
    for other in range(SIDES):
        theirs[other] = run_totals[other] - runs[a, other] - runs[b, other]
        base[other] += ante_totals[other] - antes[a, other] - antes[b, other]
    low_bits, lifted = np.int32((1 << bits) - 1), np.int32(offset * CENTERS)
    for other in range(SIDES):
        middle[other] = np.int32(packed[other]) >> np.int32(bits)
        base[other] += (np.int32(packed[other]) & low_bits) - lifted
    for card in range(OTHERS):
        for held in (a, b):
            if card != held:
                other = side_number(card, held)
                mine[other] = 0
                theirs[other] = 0
                base[other] = 0
                middle[other] = 0


@numba.njit(cache=True, nogil=True)
def worth_of_sides(
    side: int, a: int, b: int, runs: Any, run_totals: Any, antes: Any, ante_totals: Any,
    shared: Any, packing: Any, one: int, two: int, room: Any
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Values by second side, over the 46 centers, with `one` and `two` antes bet before.

    Returns the value without the center bet, the value of one ante on the center, and whether the
    side shares no card with the first. `room` is a buffer of four rows.
    """
    mine, theirs, base, middle = room[0], room[1], room[2], room[3]
    sum_centers(
        side, a, b, runs, run_totals, antes, ante_totals, shared, packing, mine, theirs, base,
        middle,
    )  # fmt: skip
    for other in range(SIDES):
        base[other] += one * mine[other] + two * theirs[other]
    fits = mine  # the buffer is free again
    fits[:] = 1
    for card in range(OTHERS):
        for held in (a, b):
            if card != held:
                fits[side_number(card, held)] = 0
    return base, middle, fits


@numba.njit(cache=True, nogil=True)
def mark_centers(classes: Any, wanted: Any, bits: Any) -> None:
    """By side, the centers with which its run has a wanted class, as a bit set."""
    for center in range(OTHERS):
        for side in range(SIDES):
            kind = classes[center, side]
            if kind != NONE and wanted[kind]:
                bits[side] |= np.uint64(1) << np.uint64(center)


@numba.njit(cache=True, nogil=True)
def sum_cuts(side: int, other: int, cuts: Any, sums: Any) -> bool:
    """Payout reductions over all centers, by the index of the three bets; whether there are any.

    `cuts` are the classes, the affected centers by side, the amounts, and their scale.
    """
    classes, centers, amounts, _ = cuts
    left = centers[side] | centers[other]
    if left == 0:
        return False
    sums[:] = 0
    any_cut = False
    for center in range(OTHERS):
        if left >> np.uint64(center) & np.uint64(1):
            mine, theirs = classes[center, side], classes[center, other]
            if mine != NONE and theirs != NONE:
                for bets in range(sums.size):
                    sums[bets] += amounts[mine, theirs, bets]
                any_cut = True
    return any_cut


@numba.njit(cache=True, nogil=True)
def add_better(base: Any, middle: Any, least: int, most: int) -> None:
    """Add the best center bet, which is either the smallest or the largest."""
    small, large = np.int32(least), np.int32(most)
    for other in range(SIDES):
        base[other] += max(np.int32(small * middle[other]), np.int32(large * middle[other]))


@numba.njit(cache=True, nogil=True)
def sum_or_fold(base: Any, mine: Any, theirs: Any, one: int, two: int, fold: int) -> Any:
    """The value of all second sides after two bets, folding those below `fold`."""
    first, second, least = np.int32(one), np.int32(two), np.int32(fold)
    total: Any = 0
    for other in range(SIDES):
        worth = np.int32(base[other] + first * mine[other] + second * theirs[other])
        total += max(worth, least)
    return total


@numba.njit(cache=True, nogil=True)
def value_sides(
    chosen: Any, cards: Any, runs: Any, run_totals: Any, antes: Any, ante_totals: Any,
    shared: Any, packing: Any, multiples: Any, folds: Any, out: Any,
) -> None:  # fmt: skip
    """Sums over the second side and the center, by first and second bet: out[at, m1, m2].

    `chosen` are the first sides; `folds[m1, m2]`, the value of folding last, is not positive, so
    sides that share a card add nothing.
    """
    bets = multiples.size
    mine, theirs = np.zeros(SIDES, np.int32), np.zeros(SIDES, np.int32)
    base, middle = np.zeros(SIDES, np.int32), np.zeros(SIDES, np.int32)
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
                out[at, one, two] = sum_or_fold(
                    base, mine, theirs, multiples[one], multiples[two], fold
                )


@numba.njit(cache=True, nogil=True)
def sum_pair(
    one: Any, other: Any, runs: Any, run_totals: Any, antes: Any, ante_totals: Any, by_side: Any,
    packing: Any, cards: Any,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """`sum_centers` for one pair of sides without a common card: mine, theirs, base, middle.

    `by_side` are the packed payoffs of the better run, by side and center.
    """
    offset, bits = packing
    a, b = cards[one, 0], cards[one, 1]
    c, d = cards[other, 0], cards[other, 1]
    first, second = by_side[one], by_side[other]
    packed = np.int32(0)
    for center in range(OTHERS):
        packed += np.int32(max(first[center], second[center]))
    packed -= np.int32(second[a]) + np.int32(second[b]) + np.int32(first[c]) + np.int32(first[d])
    mine = run_totals[one] - runs[c, one] - runs[d, one]
    theirs = run_totals[other] - runs[a, other] - runs[b, other]
    base = ante_totals[one] - antes[c, one] - antes[d, one]
    base += ante_totals[other] - antes[a, other] - antes[b, other]
    base += (packed & np.int32((1 << bits) - 1)) - offset * CENTERS
    return np.int64(mine), np.int64(theirs), np.int64(base), np.int64(packed >> np.int32(bits))


@numba.njit(cache=True, nogil=True)
def cut_sides(
    chosen: Any, cards: Any, runs: Any, run_totals: Any, antes: Any, ante_totals: Any,
    shared: Any, packing: Any, multiples: Any, folds: Any, cuts: Any, out: Any,
) -> None:  # fmt: skip
    """Apply payout reductions to the sums of `value_sides`, in `scale`ths; see `sum_cuts`.

    Only few pairs of sides are affected; they are valued one by one.
    """
    bets = multiples.size
    centers, scale = cuts[1], cuts[3]
    cut = np.zeros(bets**3, np.int64)
    by_side = shared.T.copy()
    for at in range(chosen.size):
        side = chosen[at]
        a, b = cards[side, 0], cards[side, 1]
        for other in range(SIDES):
            if centers[side] | centers[other] == 0:
                continue
            c, d = cards[other, 0], cards[other, 1]
            if a in (c, d) or b in (c, d) or not sum_cuts(side, other, cuts, cut):
                continue
            mine, theirs, base, middle = sum_pair(
                side, other, runs, run_totals, antes, ante_totals, by_side, packing, cards
            )
            most = max(multiples[0] * middle, multiples[bets - 1] * middle)
            for one in range(bets):
                for two in range(bets):
                    worth = base + multiples[one] * mine + multiples[two] * theirs
                    fold = folds[one, two] * CENTERS * scale
                    paid = fold
                    for three in range(bets):
                        whole = (worth + multiples[three] * middle) * scale
                        paid = max(paid, whole + cut[(one * bets + two) * bets + three])
                    out[at, one, two] += paid - max((worth + most) * scale, fold)


@numba.njit(cache=True, nogil=True)
def class_sets(classes: Any, sets: Any) -> None:
    """Second sides by center and class, as bit sets: sets[center, class, word].

    The last word is nonzero if the set is not empty.
    """
    sets[:] = 0
    for center in range(OTHERS):
        for side in range(SIDES):
            kind = classes[center, side]
            if kind != NONE:
                sets[center, kind, side >> 6] |= np.uint64(1) << np.uint64(side & 63)
                sets[center, kind, WORDS] = 1


@numba.njit(cache=True, nogil=True, inline="always")
def popcount(word: Any) -> Any:
    """The number of set bits, in a form that compilers recognize."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@numba.njit(cache=True, nogil=True)
def best_center_bet(
    worth: int, middle: int, fold: int, multiples: Any, scale: int, cut: Any
) -> tuple[int, int]:
    """The best center bet with payout reductions, or `bets` to fold; and its gain over the next."""
    bets = multiples.size
    best, most, next_most = bets, fold * scale, -LEAST_GAP
    for three in range(bets):
        option = (worth + multiples[three] * middle) * scale + cut[three]
        if option > most:
            best, next_most, most = three, most, option
        elif option > next_most:
            next_most = option
    return best, most - next_most


@numba.njit(cache=True, nogil=True)
def best_uncut_center_bet(over: int, middle: int, multiples: Any) -> tuple[int, int]:
    """`best_center_bet` without reductions; `over` is the gain over folding without a center bet.

    The value is linear in the bet: the best is the smallest or the largest, the next best a fold
    or the adjacent bet.
    """
    bets = multiples.size
    best = bets - 1 if middle > 0 else 0
    over += multiples[best] * middle
    if over <= 0:
        return bets, -over
    beside = bets - 2 if best else 1
    return best, min(over, (multiples[best] - multiples[beside]) * middle)


@numba.njit(cache=True, nogil=True)
def tally_sides(
    chosen: Any, sizes: Any, cards: Any, runs: Any, run_totals: Any, antes: Any,
    ante_totals: Any, shared: Any, packing: Any, multiples: Any, folds: Any, classes: Any,
    sets: Any, first_bet: int, second_bets: Any, cuts: Any, facts: Any, tally: Any,
    folded: Any, actions: Any, closest: Any,
) -> None:  # fmt: skip
    """Counts of facts by bets made: tally[m2, mc, code].

    `facts[1st, 2nd]` is the code of two classes; `second_bets[at]` is the index of the second
    bet, -1 for a fold, which is skipped; `folded[m2]` counts folds on the last street. `actions`
    counts pairs of sides by the last action, a fold after the bets. Situations of the closest
    decisions are numbered `at * SIDES + side`.
    """
    bets = multiples.size
    room = np.zeros((4, SIDES), np.int32)
    taken = np.zeros((bets, WORDS), np.uint64)
    scale = cuts[3]
    cut = np.zeros(bets**3, np.int64)
    for at in range(chosen.size):
        two = second_bets[at]
        if two < 0:
            continue
        side = chosen[at]
        worths, middle, fits = worth_of_sides(
            side, cards[side, 0], cards[side, 1], runs, run_totals, antes, ante_totals, shared,
            packing, multiples[first_bet], multiples[two], room,
        )  # fmt: skip
        fold = folds[first_bet, two] * CENTERS
        taken[:] = 0
        for other in range(SIDES):
            if not fits[other]:
                continue
            if cuts[2].size > 0 and sum_cuts(side, other, cuts, cut):
                after = cut[(first_bet * bets + two) * bets :]
                best, gap = best_center_bet(
                    worths[other], middle[other], fold, multiples, scale, after
                )
            else:
                best, gap = best_uncut_center_bet(worths[other] - fold, middle[other], multiples)
                gap *= scale
            keep_closest(gap, at * SIDES + other, closest, 0)
            actions[best] += 1
            if best == bets:
                folded[two] += sizes[at] * CENTERS
            else:
                taken[best, other >> 6] |= np.uint64(1) << np.uint64(other & 63)
        for best in range(bets):
            add_classes(classes[:, side], sets, taken[best], sizes[at], facts, tally[two, best])


@numba.njit(cache=True, nogil=True)
def add_classes(own: Any, sets: Any, taken: Any, times: int, facts: Any, tally: Any) -> None:
    """Count, over all centers, a side's class against the classes of the `taken` sides."""
    if not taken.any():
        return
    for center in range(OTHERS):
        mine = own[center]
        if mine == NONE:
            continue
        for kind in range(CLASSES):
            if sets[center, kind, WORDS]:
                count = np.uint64(0)
                for word in range(WORDS):
                    count += popcount(sets[center, kind, word] & taken[word])
                tally[facts[mine, kind]] += times * np.int64(count)
