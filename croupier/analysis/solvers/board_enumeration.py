"""Exact values of all hands on all boards, summed back to flops and turns.

Shared by the hold'em solvers. Boards and hands are enumerated once per suit isomorphism class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.enumerate import closest_decisions as closest
from croupier.analysis.kernels.enumerate import flops, runouts, showdown_counts
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.lookup_tables import tables
from croupier.analysis.payoffs import ContestCodes

Longs = NDArray[np.int64]
Flags = NDArray[np.uint8]
# Receives flush boards `first` to `last` and the values of rank boards.
BoardCallback: TypeAlias = Callable[[int, int, NDArray[np.int32], Longs], None]

RANK_BOARDS = 6188
BOARDS_AT_ONCE = 2**7  # flush boards valued and summed at a time, within the processor's cache
NO_FLOOR = -(10**15)  # below any sum of payoffs


class Sums(NamedTuple):
    """Sums over runouts, by early board, payoff row and hand: input of `flops.value_early`."""

    plain: Longs
    suited: NDArray[Any]


class Showdowns(NamedTuple):
    """Sums of payoffs over all opponents, by board, payoff row and hand."""

    plain: Longs  # [rank board, row, pair of ranks]
    plain_above: Flags  # BETS where the first row exceeds its floor, else FOLDS
    suited_above: Flags
    closest: Longs  # closest decisions by pair of ranks: first row over its floor
    sums: tuple[Sums, ...]  # over the runouts of the requested flops or turns


def discard_boards(first: int, last: int, boards: NDArray[np.int32], plain: Longs) -> None:
    """Board callback that does nothing."""


@cache
def ranks_of_flush_boards() -> Longs:
    """The rank board with the same ranks as each flush board."""
    numbering = isomorphism.numbering()
    ranks = np.arange(13)
    held = (numbering.flush_masks[:, None] >> ranks & 1).astype(np.int64)
    for column in range(2):
        held += numbering.flush_outside[:, column, None] == ranks
    columns = np.repeat(np.tile(ranks, len(held)), held.ravel()).reshape(-1, 5)
    ids: Longs = isomorphism.multiset_ids(5)[tuple(columns.T)]
    return ids


def showdowns(
    pay: Longs,
    floors: Longs,
    qualifying: int,
    early: Sequence[int] = (3,),
    on_boards: BoardCallback = discard_boards,
) -> Showdowns:
    """Every hand on every board against every opponent, once per isomorphism class.

    Flush boards do not fit in memory: their sums over flops (3) or turns (4) are accumulated on
    the way, and `on_boards` receives the boards in slices.
    """
    numbering, ranks = isomorphism.numbering(), tables()
    boards = isomorphism.multisets(5)
    # Values fit 32 bits (`payoffs.scale_to_int32`); their sums over runouts do not.
    by_rank = np.zeros((RANK_BOARDS, len(pay), isomorphism.RANK_PAIRS), np.int32)
    nothing = np.zeros_like(by_rank[0])
    plain_above = np.zeros((RANK_BOARDS, isomorphism.RANK_PAIRS), np.uint8)
    suited_above = np.zeros((isomorphism.FLUSH_BOARDS, isomorphism.HAND_TYPES), np.uint8)
    rank_boards = ranks_of_flush_boards()
    closest_parts: list[Longs] = []

    def plain_slice(first: int, last: int) -> None:
        closest_parts.append(buffer := closest.closest_buffer(isomorphism.RANK_PAIRS))
        showdown_counts.value_rank_boards(
            first, last, boards, ranks, numbering.type_pairs, numbering.rank_pairs, qualifying,
            pay, floors, nothing, by_rank, plain_above, buffer, showdown_counts.new_room(),
        )  # fmt: skip

    def suited_slice(first: int, last: int, out: NDArray[np.int32]) -> None:
        closest_parts.append(buffer := closest.closest_buffer(isomorphism.RANK_PAIRS))
        showdown_counts.value_flush_boards(
            first, last, numbering.flush_masks, numbering.flush_outside, ranks,
            numbering.type_pairs, numbering.rank_pairs, rank_boards, qualifying, pay, floors,
            by_rank, out, suited_above, buffer, showdown_counts.new_room(),
        )  # fmt: skip
        on_boards(first, last, out, plain)

    parallel.parallel_for(RANK_BOARDS, plain_slice)
    plain = by_rank.astype(np.int64)
    suited = suit_sums(suited_slice, len(pay), early, runouts.NONE_GONE)
    sums = (Sums(rank_sums(plain, size, runouts.NONE_GONE), suited[size]) for size in early)
    return Showdowns(
        plain, plain_above, suited_above, closest.merge_closest(closest_parts), tuple(sums)
    )


@cache
def runout_ids(early: int) -> Longs:
    """The rank board of each early rank board and rank runout: [early board, runout]."""
    before = isomorphism.multisets(early)
    drawn = isomorphism.multisets(5 - early)
    columns = [before[:, [column]] for column in range(early)]
    columns += [drawn[None, :, column] for column in range(5 - early)]
    ids: Longs = isomorphism.multiset_ids(5)[tuple(np.broadcast_arrays(*columns))]
    return ids


def starts(early: int) -> Longs:
    """The first numbers of the less suited partial boards of a size."""
    return np.array(isomorphism.FLOP_STARTS if early == 3 else isomorphism.TURN_STARTS, np.int64)


def rank_sums(boards: Longs, early: int, gone: Longs) -> Longs:
    """Sums over runouts, ignoring suits; `gone` cards, by rank, cannot be drawn."""
    before, drawn = isomorphism.multisets(early), isomorphism.multisets(5 - early)
    plain = np.zeros((len(before), boards.shape[1], isomorphism.RANK_PAIRS), np.int64)

    def sum_slice(first: int, last: int) -> None:
        for board in range(first, last):
            ways = runouts.rank_runouts(before[board], drawn, gone)
            plain[board] = np.einsum("pr,rlp->lp", ways, boards[runout_ids(early)[board]])

    parallel.parallel_for(len(before), sum_slice)
    return plain


def suit_sums(
    value: Callable[[int, int, NDArray[np.int32]], None],
    rows: int,
    early: Sequence[int],
    gone: Longs,
    most: int = np.iinfo(np.int32).max,
) -> dict[int, NDArray[Any]]:
    """Corrections for possible flushes, summed over runouts, by size of the early board.

    `value(first, last, out)` fills in flush boards, [board, row, hand type]. `gone` cards outside
    the suit, by rank, cannot be drawn. Sums are 32-bit if no correction exceeds `most` and the
    sum over all runouts fits.
    """
    numbering = isomorphism.numbering()
    collect = {3: runouts.collect_flops, 4: runouts.collect_turns}

    def make_buffer() -> tuple[NDArray[np.int32], dict[int, NDArray[Any]]]:
        sums: dict[int, NDArray[Any]] = {}
        for size in early:
            fits = most * comb(52 - size, 5 - size) <= np.iinfo(np.int32).max
            count = len(isomorphism.partial_boards(size)[0])
            shape = count, rows, isomorphism.HAND_TYPES
            sums[size] = np.zeros(shape, np.int32 if fits else np.int64)
        return np.empty((BOARDS_AT_ONCE, rows, isomorphism.HAND_TYPES), np.int32), sums

    buffers = parallel.BufferPool(make_buffer)

    def work(first: int, last: int) -> None:
        with buffers.borrow() as (boards, sums):
            value(first, last, boards)
            held = np.zeros(5, np.int64)
            for size, out in sums.items():
                collect[size](
                    first, last, numbering.flush_masks, numbering.flush_outside, numbering.masks,
                    starts(size), numbering.type_pairs, gone, boards, out, held,
                )  # fmt: skip

    parallel.parallel_for(
        isomorphism.FLUSH_BOARDS, work, parts=-(-isomorphism.FLUSH_BOARDS // BOARDS_AT_ONCE)
    )
    (_, total), *others = buffers.buffers
    for _, sums in others:
        for size in early:
            total[size] += sums[size]
    return total


def spread_weights(weights: Sums, early: int) -> tuple[Longs, NDArray[np.int32]]:
    """Carry weights from early boards to full boards: the transpose of summing over runouts."""
    numbering = isomorphism.numbering()
    rows = weights.plain.shape[1]
    before, drawn = isomorphism.multisets(early), isomorphism.multisets(5 - early)
    plain = np.zeros((RANK_BOARDS, rows, isomorphism.RANK_PAIRS), np.int64)
    suited = np.zeros((isomorphism.FLUSH_BOARDS, rows, isomorphism.HAND_TYPES), np.int32)
    for board, weight in enumerate(weights.plain):
        ways = runouts.rank_runouts(before[board], drawn, runouts.NONE_GONE)
        plain[runout_ids(early)[board]] += np.einsum("pr,lp->rlp", ways, weight)
    few = np.ascontiguousarray(weights.suited, np.int32)
    spread_part = {3: runouts.spread_flops, 4: runouts.spread_turns}[early]
    parallel.parallel_for(
        isomorphism.FLUSH_BOARDS,
        lambda first, last: spread_part(
            first, last, numbering.flush_masks, numbering.flush_outside, numbering.masks,
            starts(early), numbering.type_pairs, runouts.NONE_GONE, few, suited,
        ),
    )  # fmt: skip
    runouts.take_flush_weights(
        numbering.flush_masks, numbering.type_pairs, ranks_of_flush_boards(),
        numbering.rank_pairs, suited, plain,
    )  # fmt: skip
    return plain, suited


def tally(
    weights: tuple[Longs, NDArray[np.int32]],
    river_pay: Longs,
    floor: int,
    qualifying: int,
    codes: ContestCodes,
) -> Longs:
    """Counts of facts by action: [action, code]. Only the last action may fold."""
    plain, suited = weights
    numbering, ranks = isomorphism.numbering(), tables()
    shape = (plain.shape[1], codes.size)
    parts: list[Longs] = []

    def plain_slice(first: int, last: int) -> None:
        part = np.zeros(shape, np.int64)
        parts.append(part)
        showdown_counts.tally_rank_boards(
            first, last, isomorphism.multisets(5), ranks, numbering.type_pairs, qualifying,
            plain, river_pay, floor, codes.showdowns, codes.folded, part,
            showdown_counts.new_room(),
        )  # fmt: skip

    def suited_slice(first: int, last: int) -> None:
        part = np.zeros(shape, np.int64)
        parts.append(part)
        showdown_counts.tally_flush_boards(
            first, last, numbering.flush_masks, numbering.flush_outside, ranks,
            numbering.type_pairs, qualifying, suited, river_pay, floor, codes.showdowns,
            codes.folded, part, showdown_counts.new_room(),
        )  # fmt: skip

    parallel.parallel_for(RANK_BOARDS, plain_slice)
    parallel.parallel_for(isomorphism.FLUSH_BOARDS, suited_slice)
    total: Longs = np.sum(parts, axis=0)
    return total


@cache
def rank_ids(early: int) -> Longs:
    """The rank-board number of each canonical flop or turn."""
    cards = flops.early_boards(early).cards >> 2
    ids: Longs = isomorphism.multiset_ids(early)[tuple(cards.T)]
    return ids


def deal_tables() -> tuple[Longs, Longs, Longs]:
    """Lookup tables of two-card hands for the `flops` kernels."""
    return flops.hands(), flops.hand_types(), flops.hand_ranks()
