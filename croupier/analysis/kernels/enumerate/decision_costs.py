"""What decisions cost: over many situations, by the line of a strategy that decided there."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.cross.cross_runs import CENTERS, SIDES, worth_of_sides
from croupier.analysis.kernels.enumerate.flops import HANDS, mark_clashes, value_early

KEPT = 64  # mistakes kept, the costliest


def room() -> NDArray[np.int64]:
    """Room for the costliest mistakes: cost in all, situation, line, cost when it comes up."""
    return np.zeros((KEPT, 4), np.int64)


@numba.njit(cache=True, nogil=True)
def keep_costliest(cost: int, place: int, line: int, loss: int, worst: Any) -> None:
    """Keep a mistake if it costs more than the least of those kept, which stands first."""
    if cost <= worst[0, 0]:
        return
    # A heap whose least comes first: the new one sinks from the top.
    at = 0
    while True:
        child = 2 * at + 1
        if child >= worst.shape[0]:
            break
        if child + 1 < worst.shape[0] and worst[child + 1, 0] < worst[child, 0]:
            child += 1
        if worst[child, 0] >= cost:
            break
        worst[at] = worst[child]
        at = child
    worst[at, 0] = cost
    worst[at, 1] = place
    worst[at, 2] = line
    worst[at, 3] = loss


@numba.njit(cache=True, nogil=True)
def charge(
    gains: Any, bets: Any, which: Any, weights: Any, first_place: int, costs: Any, worst: Any
) -> None:
    """Add up what each line costs: costs[line] is the cost, how often used, how often wrong.

    `gains` are the bet's over its alternative, `bets[line]` says whether a line bets.
    """
    for at in range(gains.size):
        weight: Any = np.int64(weights[at])
        if weight == 0:
            continue
        line = which[at]
        loss: Any = -np.int64(gains[at]) if bets[line] else np.int64(gains[at])
        costs[line, 1] += weight
        if loss > 0:
            costs[line, 0] += weight * loss
            costs[line, 2] += weight
            keep_costliest(weight * loss, first_place + at, line, loss, worst)


@numba.njit(cache=True, nogil=True)
def over_fold(
    first: int, last: int, boards: Any, row: int, plain: Any, rank_boards: Any, rank_pairs: Any,
    floor: int, out: Any,
) -> None:  # fmt: skip
    """One row of flush boards, kept as what the suit changes, less what a fold costs.

    `boards` begins with the first board asked for, `out` has them all.
    """
    for board in range(first, last):
        same_ranks = plain[rank_boards[board], row]
        changes = boards[board - first, row]
        for number in range(out.shape[1]):
            out[board, number] = changes[number] + same_ranks[rank_pairs[number]] - floor


@numba.njit(cache=True, nogil=True)
def value_turn(
    turn: int, turns: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any, starts: Any,
    plain: Any, suited: Any, row: int, hand_weights: Any, clash: Any, values: Any, weights: Any,
) -> None:  # fmt: skip
    """What a bet gains on one turn with every hand, and how often that is come to."""
    hands, hand_types, hand_ranks = deals
    value_early(
        turns[turn], rank_boards[turn], row, hand_types, hand_ranks, masks, starts, plain,
        suited, values,
    )  # fmt: skip
    mark_clashes(turns[turn], hands, clash)
    for hand in range(HANDS):
        weights[hand] = 0 if clash[hand] else sizes[turn] * hand_weights[hand]


@numba.njit(cache=True, nogil=True)
def charge_turns(
    first: int, last: int, turns: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, row: int, bets: Any, which: Any, hand_weights: Any,
    costs: Any, worst: Any,
) -> None:  # fmt: skip
    """`charge` on turns, whose gains are worked out here: [turn, hand] is too much to keep."""
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros(HANDS, np.int64)
    weights = np.zeros(HANDS, np.int64)
    for turn in range(first, last):
        value_turn(
            turn, turns, sizes, rank_boards, deals, masks, starts, plain, suited, row,
            hand_weights, clash, values, weights,
        )  # fmt: skip
        charge(values, bets, which[turn], weights, turn * HANDS, costs, worst)


@numba.njit(cache=True, nogil=True)
def sum_turns(
    first: int, last: int, turns: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, row: int, hand_weights: Any, keys: Any, sums: Any,
) -> None:  # fmt: skip
    """What a bet gains on turns, added up by the keys of situations."""
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros(HANDS, np.int64)
    weights = np.zeros(HANDS, np.int64)
    for turn in range(first, last):
        value_turn(
            turn, turns, sizes, rank_boards, deals, masks, starts, plain, suited, row,
            hand_weights, clash, values, weights,
        )  # fmt: skip
        for hand in range(HANDS):
            sums[keys[turn, hand]] += values[hand] * weights[hand]


@numba.njit(cache=True, nogil=True)
def charge_centers(
    chosen: Any, sizes: Any, cards: Any, runs: Any, run_totals: Any, antes: Any,
    ante_totals: Any, shared: Any, packing: Any, multiples: Any, folds: Any, first_bet: int,
    second_bets: Any, codes: Any, which: Any, actions: Any, costs: Any, worst: Any,
) -> None:  # fmt: skip
    """The same for the center street of a cross, by the odds alone.

    `codes[side]` tells what is seen of a run; `which[code, code]` is the line that decides and
    `actions[line]` its bet, -1 for a fold. Situations are numbered `at * SIDES + side`.
    """
    bets = multiples.size
    room = np.zeros((4, SIDES), np.int32)
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
        seen = which[codes[side]]
        for other in range(SIDES):
            if not fits[other]:
                continue
            most = multiples[bets - 1] if middle[other] > 0 else multiples[0]
            best = max(worths[other] + most * middle[other], fold)
            line = seen[codes[other]]
            action = actions[line]
            got = fold if action < 0 else worths[other] + multiples[action] * middle[other]
            costs[line, 1] += sizes[at]
            if got < best:
                cost = sizes[at] * (best - got)
                costs[line, 0] += cost
                costs[line, 2] += sizes[at]
                keep_costliest(cost, at * SIDES + other, line, best - got, worst)


@numba.njit(cache=True, nogil=True)
def sum_centers_by_code(
    chosen: Any, sizes: Any, cards: Any, runs: Any, run_totals: Any, antes: Any,
    ante_totals: Any, shared: Any, packing: Any, multiples: Any, folds: Any, first_bet: int,
    second_bets: Any, codes: Any, sums: Any,
) -> None:  # fmt: skip
    """What each center bet gains over a fold, added up by what is seen: sums[code, code, bet]."""
    room = np.zeros((4, SIDES), np.int32)
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
        for other in range(SIDES):
            if not fits[other]:
                continue
            for bet in range(multiples.size):
                gain = sizes[at] * (worths[other] - fold + multiples[bet] * middle[other])
                sums[codes[side], codes[other], bet] += gain
