"""Cost of decisions over many situations, by the rule of a strategy that decides."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.cross.cross_runs import CENTERS, SIDES, worth_of_sides
from croupier.analysis.kernels.enumerate.flops import HANDS, mark_clashes, value_early

KEPT = 64  # the costliest mistakes


def mistake_buffer() -> NDArray[np.int64]:
    """An empty heap of mistakes: [mistake, (total cost, situation, rule, loss per occurrence)]."""
    return np.zeros((KEPT, 4), np.int64)


@numba.njit(cache=True, nogil=True)
def keep_costliest(cost: int, place: int, line: int, loss: int, worst: Any) -> None:
    """Store a mistake in the min-heap if it costs more than the least one."""
    if cost <= worst[0, 0]:
        return
    # Replace the root and sift down.
    at = 0
    while True:
        child = 2 * at + 1
        if child >= worst.shape[0]:
            break
        if child + 1 < worst.shape[0] and worst[child + 1, 0] < worst[child, 0]:
            child += 1
        if worst[child, 0] >= cost:
            break
        for column in range(4):
            worst[at, column] = worst[child, column]
        at = child
    worst[at, 0] = cost
    worst[at, 1] = place
    worst[at, 2] = line
    worst[at, 3] = loss


@numba.njit(cache=True, nogil=True)
def add_costs(
    gains: Any, bets: Any, which: Any, weights: Any, first_place: int, costs: Any, worst: Any
) -> None:
    """Add up the cost of each rule: costs[rule] = (cost, times used, times wrong).

    `gains` are those of betting over the alternative; `bets[rule]` is whether a rule bets.
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
def gain_over_fold(
    first: int, last: int, boards: Any, row: int, plain: Any, rank_boards: Any, rank_pairs: Any,
    floor: int, out: Any,
) -> None:  # fmt: skip
    """The value of one row on flush boards over folding; `boards` are corrections to rank boards.

    `boards` starts at board `first`; `out` has all boards.
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
    """The gain of a bet on one turn with every hand, and how often it is reached."""
    hands, hand_types, hand_ranks = deals
    value_early(
        turns[turn], rank_boards[turn], row, hand_types, hand_ranks, masks, starts, plain,
        suited, values,
    )  # fmt: skip
    mark_clashes(turns[turn], hands, clash)
    for hand in range(HANDS):
        weights[hand] = 0 if clash[hand] else sizes[turn] * hand_weights[hand]


@numba.njit(cache=True, nogil=True)
def add_turn_costs(
    first: int, last: int, turns: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, row: int, bets: Any, which: Any, hand_weights: Any,
    costs: Any, worst: Any,
) -> None:  # fmt: skip
    """`add_costs` on turns; gains are computed here because [turn, hand] takes too much memory."""
    clash = np.zeros(HANDS, np.bool_)
    values = np.zeros(HANDS, np.int64)
    weights = np.zeros(HANDS, np.int64)
    for turn in range(first, last):
        value_turn(
            turn, turns, sizes, rank_boards, deals, masks, starts, plain, suited, row,
            hand_weights, clash, values, weights,
        )  # fmt: skip
        add_costs(values, bets, which[turn], weights, turn * HANDS, costs, worst)


@numba.njit(cache=True, nogil=True)
def sum_turns(
    first: int, last: int, turns: Any, sizes: Any, rank_boards: Any, deals: Any, masks: Any,
    starts: Any, plain: Any, suited: Any, row: int, hand_weights: Any, keys: Any, sums: Any,
) -> None:  # fmt: skip
    """The gain of a bet on turns, summed by the keys of situations."""
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
def add_center_costs(
    chosen: Any, sizes: Any, cards: Any, runs: Any, run_totals: Any, antes: Any,
    ante_totals: Any, shared: Any, packing: Any, multiples: Any, folds: Any, first_bet: int,
    second_bets: Any, codes: Any, which: Any, actions: Any, costs: Any, worst: Any,
) -> None:  # fmt: skip
    """`add_costs` for the center street of a cross, by the odds alone.

    `codes[side]` are the features of a run; `which[code, code]` is the rule that decides and
    `actions[rule]` its bet, -1 for a fold. Situations are numbered `at * SIDES + side`.
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
        rules = which[codes[side]]
        for other in range(SIDES):
            if not fits[other]:
                continue
            most = multiples[bets - 1] if middle[other] > 0 else multiples[0]
            best = max(worths[other] + most * middle[other], fold)
            line = rules[codes[other]]
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
    """The gain of each center bet over a fold, summed by features: sums[code, code, bet]."""
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
