"""Counts of deals folded under optimal play, by the hand that decides a side wager."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.advice import money_digest
from croupier.analysis.hand_frequencies import Counts, compared
from croupier.analysis.solvers import board_enumeration, single_raise
from croupier.analysis.solvers.single_raise import PlayRules
from croupier.games import House
from croupier.games.expected_returns import FoldedHands
from croupier.games.hand_names import POKER_HANDS
from croupier.games.ultimate_texas_holdem.form import UltimateChoices


class BestPlay(NamedTuple):
    """Decisions of a solved game with one Play bet, indexed as in the kernels."""

    rules: PlayRules
    plain_above: NDArray[np.uint8]  # by board without a flush and pair of ranks: BETS or FOLDS
    suited_above: NDArray[np.uint8]  # by flush board and hand type
    openings: NDArray[np.int64]  # the best opening option, 0 to check
    gains: NDArray[np.int64]  # of betting on each flop with each hand


_played: dict[str, BestPlay] = {}


def best_play(house: House) -> BestPlay:
    """The best play of a House; the last one is cached."""
    key = money_digest(house)
    if key not in _played:
        rules = single_raise.PlayRules(house)
        rows = single_raise.basis(rules)
        boards = board_enumeration.showdowns(rows.pay, rows.floors(rules), rules.qualifying)
        gains, totals = single_raise.decide(rules, rows, *boards.sums)
        best = single_raise.best_openings(totals)
        _played.clear()
        _played[key] = BestPlay(rules, boards.plain_above, boards.suited_above, best, gains)
    return _played[key]


def folded(house: House[UltimateChoices], wager: str) -> FoldedHands:
    """The folded deals of a wager, by what it is judged on."""
    from croupier.analysis.solvers import single_raise

    play = best_play(house)
    deals = single_raise.total_deals(play.rules)
    if wager == "progressive" and house.choices.progressive_basis == "own_two_plus_flop":
        return FoldedHands(_by_first_five(play), deals)
    counts = compared(*river_folds(play))
    if wager == "bad_beat":
        return FoldedHands(counts, deals)
    by_category: Counts = {}
    for name, count in counts.items():
        category = name.split("/")[1]
        by_category[category] = by_category.get(category, 0) + count
    return FoldedHands(by_category, deals)


def river_folds(play: BestPlay) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how often each hand folds on the river: on rank boards, and on flush boards."""
    import numpy as np

    from croupier.analysis.kernels.enumerate.showdown_counts import FOLDS
    from croupier.analysis.solvers import single_raise

    (plain, suited), _ = single_raise.board_weights(play.rules, play.openings, play.gains)
    rank_times = np.where(play.plain_above == FOLDS, plain[:, -1], 0)
    return rank_times, np.where(play.suited_above == FOLDS, suited[:, -1], 0).astype(np.int64)


def fold_sums(play: BestPlay, early: int) -> board_enumeration.Sums:
    """Sum the runouts in which the river is folded, as input of `flops.value_early`."""
    import numpy as np

    from croupier.analysis.kernels.enumerate import runouts
    from croupier.analysis.kernels.enumerate.showdown_counts import FOLDS
    from croupier.analysis.kernels.hands import isomorphism
    from croupier.analysis.solvers import board_enumeration

    rank_boards, pairs = (
        board_enumeration.ranks_of_flush_boards(),
        isomorphism.numbering().rank_pairs,
    )
    plain = (play.plain_above == FOLDS).astype(np.int64)

    def changes(first: int, last: int, out: NDArray[np.int32]) -> None:
        above = play.suited_above[first:last]
        same_ranks = plain[rank_boards[first:last]][:, pairs]
        out[: last - first, 0] = np.where(above > 0, (above == FOLDS) - same_ranks, 0)

    suited = board_enumeration.suit_sums(changes, 1, [early], runouts.NONE_GONE)
    return board_enumeration.Sums(
        board_enumeration.rank_sums(plain[:, None], early, runouts.NONE_GONE), suited[early]
    )


def _by_first_five(play: BestPlay) -> Counts:
    """Folded deals by the hand of the two own cards and the flop."""
    import numpy as np

    from croupier.analysis.kernels.cross import cross_runs
    from croupier.analysis.kernels.enumerate import flops as deals
    from croupier.analysis.kernels.enumerate.showdown_counts import OPPONENTS
    from croupier.analysis.kernels.hands import isomorphism
    from croupier.analysis.lookup_tables import rank_hands
    from croupier.analysis.solvers import board_enumeration

    sums = fold_sums(play, 3)
    flops = deals.early_boards(3)
    hands, hand_types, hand_ranks = board_enumeration.deal_tables()
    out = np.zeros(deals.HANDS, np.int64)
    clash = np.zeros(deals.HANDS, np.bool_)
    checked = play.openings[play.rules.openings.ids[0]] == 0
    tally = np.zeros(cross_runs.CLASSES, np.int64)
    classes = np.vectorize(cross_runs.finest_class.py_func, otypes=[np.int64])
    for at, (cards, size) in enumerate(zip(flops.cards, flops.sizes.tolist(), strict=True)):
        deals.value_early(
            cards, board_enumeration.rank_ids(3)[at], 0, hand_types, hand_ranks,
            isomorphism.numbering().masks, board_enumeration.starts(3), sums.plain, sums.suited,
            out,
        )  # fmt: skip
        deals.mark_clashes(cards, hands, clash)
        reaches_river = checked & (play.gains[at] <= 0) & ~clash
        five = np.column_stack(
            [hands[reaches_river], np.tile(cards, (int(reaches_river.sum()), 1))]
        )
        np.add.at(tally, classes(rank_hands(five)), size * OPPONENTS * out[reaches_river])
    return dict(zip(POKER_HANDS, tally.tolist(), strict=True))
