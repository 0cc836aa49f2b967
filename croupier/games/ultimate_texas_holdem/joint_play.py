"""Joint optimal play of the main game and a side wager that a fold forfeits.

A fold also forfeits the expected return of the wager, so a player bets where the bet costs less
than that. Only the value of folding changes, because the wager stays live unless the hand folds: it
drops by the average return of the wager, and the values of earlier streets follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.enumerate import runouts
from croupier.analysis.kernels.enumerate.showdown_counts import new_room
from croupier.analysis.kernels.hands import frequencies, isomorphism
from croupier.analysis.lookup_tables import rank_hands, tables
from croupier.analysis.solvers import board_enumeration, single_raise
from croupier.analysis.solvers.forfeited_wagers import lost_by_folding, value_if_carried
from croupier.analysis.strategies.holdem_cost import PlayWorth, flop_weights, play_solved
from croupier.errors import BadInput
from croupier.games import VERSUS, House
from croupier.games.ultimate_texas_holdem.form import UltimateChoices
from croupier.money import Cents
from croupier.ranking import CATEGORIES, CATEGORY_SHIFT

Longs = NDArray[np.int64]
OPPONENTS = single_raise.OPPONENTS


def of_one_play_bet(house: House[UltimateChoices], wager: str, ante: Cents) -> Fraction:
    """Return the optimal value of the main game plus the wager, per ante."""
    solved = play_solved(house)
    lost = lost_by_folding(house, wager)
    river = River(solved.worth, lost, Fraction(solved.rules.scale, ante))
    if wager == "progressive" and house.choices.progressive_basis == "own_two_plus_flop":
        changes = river.by_first_five()
    else:
        changes = river.by_all_seven()
    gains = solved.worth.gains * river.finer
    flops = np.maximum(gains, changes) - np.maximum(gains, 0)  # value lost by continuing
    all_openings = np.ones(len(solved.rules.openings.names), np.bool_)
    by_hand = (flops * flop_weights(solved.rules, all_openings)).sum(axis=0)
    totals = solved.worth.totals * river.finer
    np.add.at(totals[:, 0], solved.rules.openings.ids[0], by_hand)
    unit = single_raise.total_deals(solved.rules) * solved.rules.scale * river.finer
    return Fraction(sum(totals.max(axis=1).tolist()), unit) + value_if_carried(house, wager) / ante


class River:
    """The last decision of a one-Play-bet game when a fold also loses a wager.

    `lost` is in cents, by the hand the wager is judged on; one cent is `per_cent` units of a gain.
    Gains are multiplied by `finer` here, so that everything is a whole number.
    """

    def __init__(self, worth: PlayWorth, lost: Mapping[str, Fraction], per_cent: Fraction) -> None:
        self.worth, self.lost = worth, lost
        self.finer = lcm(*((cents * per_cent).denominator for cents in lost.values()))
        if int(np.abs(worth.suited).max()) * self.finer >= 2**31:
            raise BadInput(
                f"the forfeited amount is in {self.finer}ths of a payoff at this ante, too fine "
                "to be summed exactly; expected a rounder ante, such as whole dollars"
            )
        self.units = {hand: int(cents * per_cent * self.finer) for hand, cents in lost.items()}

    def by_all_seven(self) -> Longs:
        """Return the change of value by [flop, hand] from costlier folds, over all runouts."""
        worth = np.zeros((len(VERSUS), len(CATEGORIES), len(CATEGORIES)), np.int64)
        for at in np.ndindex(worth.shape):
            versus, own, dealer = VERSUS[at[0]], CATEGORIES[at[1]], CATEGORIES[at[2]]
            worth[at] = self.units.get(f"{versus}/{own}/{dealer}", self.units.get(own, 0))
        plain, suited = sums_by_category(worth)
        sums = self.changes(plain[:, None], lambda first, last: suited[first:last, None])
        return np.stack([row for _, row in early_rows(sums, 1)])[:, 0]

    def by_first_five(self) -> Longs:
        """As `by_all_seven`, for a wager that the hand category on the flop decides."""
        units = np.array([self.units.get(name, 0) for name in CATEGORIES], np.int64) * OPPONENTS
        paid, row_of = np.unique(units, return_inverse=True)
        every = paid[None, :, None]
        changes = np.zeros((len(deals.early_boards(3).cards), deals.HANDS), np.int64)
        for at, rows in early_rows(self.changes(every, lambda first, last: every), len(paid)):
            board = np.tile(deals.early_boards(3).cards[at], (deals.HANDS, 1))
            values = rank_hands(np.column_stack([deals.hands(), board]))
            changes[at] = np.take_along_axis(rows, row_of[values >> CATEGORY_SHIFT][None], 0)[0]
        return changes

    def changes(self, plain: Longs, suited: Any) -> board_enumeration.Sums:
        """Sum over runouts the change of value when a fold loses more: [board, row, hand].

        `suited(first, last)` are the losses on flush boards.
        """
        finer, known = self.finer, self.worth
        rank_boards, pairs = (
            board_enumeration.ranks_of_flush_boards(),
            isomorphism.numbering().rank_pairs,
        )
        by_rank = less(known.plain[:, None] * finer, plain) * known.plain_dealt[:, None]

        def value(first: int, last: int, out: NDArray[np.int32]) -> None:
            gains = known.suited[first:last, None].astype(np.int64) * finer
            found = less(gains, suited(first, last)) - by_rank[rank_boards[first:last]][:, :, pairs]
            out[: last - first] = found * known.suited_dealt[first:last, None]

        rows = by_rank.shape[1]
        sums = board_enumeration.suit_sums(value, rows, [3], runouts.NONE_GONE)
        return board_enumeration.Sums(
            board_enumeration.rank_sums(by_rank, 3, runouts.NONE_GONE), sums[3]
        )


def less(gains: Longs, lost: Longs) -> Longs:
    """Return the change of the river's value when a fold loses `lost` more; at most zero."""
    change: Longs = np.maximum(gains, -lost) - np.maximum(gains, 0)
    return change


def sums_by_category(worth: Longs) -> tuple[Longs, Longs]:
    """Sum `worth` over opponents: by rank board and pair of ranks, then by flush board."""
    numbering, ranks = isomorphism.numbering(), tables()
    every = board_enumeration.RANK_BOARDS + isomorphism.FLUSH_BOARDS
    out = np.zeros((every, isomorphism.HAND_TYPES), np.int64)
    parallel.parallel_for(
        every,
        lambda first, last: frequencies.sum_by_category(
            first, last, isomorphism.multisets(5), numbering.flush_masks, numbering.flush_outside,
            ranks, numbering.type_pairs, worth, out, new_room(),
        ),
    )  # fmt: skip
    return out[: board_enumeration.RANK_BOARDS, : isomorphism.RANK_PAIRS], out[
        board_enumeration.RANK_BOARDS :
    ]


def early_rows(sums: board_enumeration.Sums, rows: int) -> Any:
    """Yield every flop's index with the sums of all hands on it: [row, hand]."""
    flops = deals.early_boards(3)
    _, hand_types, hand_ranks = board_enumeration.deal_tables()
    out = np.zeros((rows, deals.HANDS), np.int64)
    for at, cards in enumerate(flops.cards):
        for row in range(rows):
            deals.value_early(
                cards, board_enumeration.rank_ids(3)[at], row, hand_types, hand_ranks,
                isomorphism.numbering().masks, board_enumeration.starts(3), sums.plain, sums.suited,
                out[row],
            )  # fmt: skip
        yield at, out.copy()
