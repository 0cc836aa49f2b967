"""Value of hold'em to a player who knows the whole flop, or the turn and river.

Consecutive decisions then see the same cards. If the flop is known, the first decision is made on
flops, like the second. If turn and river are known, the second decision is made on full boards: the
flop bet replaces the river bet wherever it gains more.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

import numpy as np

from croupier.analysis import parallel
from croupier.analysis.exposure.holdem_exposure import Board, early_sums, over_boards
from croupier.analysis.exposure.known_cards import (
    KnownCards,
    Longs,
    Worths,
    boards_beside,
    by_shown,
    count_openings,
)
from croupier.analysis.kernels.enumerate import known_card_sums
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.solvers import board_enumeration, single_raise
from croupier.errors import BadInput
from croupier.games import House

NOTHING = KnownCards("", Fraction(1))
DEALS_BESIDE = 48 * comb(47, 2) * NOTHING.opponents  # of one hand and two known cards; see below
# Typed, because Numba compiles a separate version for a literal argument.
FLOP_OR_RIVER: Any = np.int64(2)  # leading rows
FOLD_ALONE: Any = np.int64(1)
NO_ROW: Any = np.int64(-1)


def known_boards(places: tuple[str, ...], open_cards: int) -> Board:
    """Return the board of an exposed flop and at most one more card, or of turn and river."""
    board = Board(places, open_cards)
    flop, later = open_cards + places.count("flop"), board.early - 3
    if not (flop == 3 and later < 2) and not (board.shown == later == 2):
        raise BadInput(
            f"knowing {' and '.join(places)} besides {open_cards} open board cards is "
            f"not supported; expected the whole flop and at most one more card, or turn and river"
        )
    return board


class EarlyBoardDecisions(NamedTuple):
    """First decisions on flops or turns: the sum of best values, and the count of each option."""

    early: int
    best: int
    times: Longs

    @property
    def hands(self) -> int:
        """All early boards with all hands beside them."""
        return comb(52, self.early) * comb(52 - self.early, 2)

    def worths(self, words: Sequence[str], scale: int, orders: int = 1) -> Worths:
        """Values per hand; every runout was counted in `orders` orders."""
        every = self.hands * orders * comb(50 - self.early, 5 - self.early) * NOTHING.opponents
        actions = dict.fromkeys(words, Fraction(0))
        for word, times in zip(words, self.times.tolist(), strict=True):
            actions[word] += Fraction(times, self.hands)
        return Fraction(self.best, every * scale), {}, actions


def decided(kernel: Any, early: int, options: int, *more: Any) -> EarlyBoardDecisions:
    """Run a decision kernel on all flops or turns, and merge its results."""
    boards = boards_beside((), early)
    ranks = isomorphism.multiset_ids(early)[tuple((boards.cards >> 2).T)]
    parts: list[tuple[Longs, Longs]] = []

    def work(first: int, last: int) -> None:
        parts.append(part := (np.zeros(1, np.int64), np.zeros(options, np.int64)))
        kernel(
            first, last, boards.cards, boards.sizes, ranks, board_enumeration.deal_tables(),
            isomorphism.numbering().masks, board_enumeration.starts(early), *more, *part,
        )  # fmt: skip

    parallel.parallel_for(len(boards.cards), work)
    best, times = (np.sum(column, axis=0) for column in zip(*parts, strict=True))
    return EarlyBoardDecisions(early, int(best[0]), times)


def one_play_bet(house: House, places: tuple[str, ...]) -> Worths:
    """Games with one Play bet."""
    rules = single_raise.PlayRules(house)
    board = known_boards(places, rules.opening.shown)
    words = ["check", *(bet.word for bet in rules.opening_bets)]
    if "flop" in places:
        rows = single_raise.basis(rules)
        pay, floors = rows.pay, rows.floors(rules)
        (sums,) = board_enumeration.showdowns(pay, floors, rules.qualifying, (board.early,)).sums
        mixes = np.array(rows.mixes, np.int64)
        decisions = decided(
            known_card_sums.decide_known_boards,
            board.early,
            len(words),
            *sums,
            FLOP_OR_RIVER,
            mixes,
        )
        return decisions.worths(words, rules.scale)
    # On a full board the flop bet is made where it gains more than the river bet. Those hands would
    # not fold the river, because nothing loses more than a fold.
    more = rules.pay[1] - rules.pay[0]
    pay = np.array([rules.pay[0], more, *rules.pay[2:]])
    floors = np.array(
        [rules.floor, 0] + [board_enumeration.NO_FLOOR] * len(rules.opening_bets), np.int64
    )
    sums_by = by_opening(pay, floors, rules.qualifying)
    totals = np.column_stack([sums_by[:, 0] + sums_by[:, 1], sums_by[:, 2:]])
    return compared(totals, words, rules.scale)


def by_opening(pay: Longs, floors: Longs, qualifying: int) -> Longs:
    """Sum payoff rows by hand and two known cards, over all boards that contain both.

    The sum runs over flops that contain both, so every board counts three times.
    """
    (sums,) = early_sums(NOTHING, pay, floors, qualifying)
    return over_boards(known_card_sums.sum_early, NOTHING, 3, sums, 2, NO_ROW)


def compared(totals: Longs, words: Sequence[str], scale: int) -> Worths:
    """Return the values under the best option of each opening; on a tie the first option."""
    best, times = totals.max(axis=1), count_openings(NOTHING, 2)
    hands = int(times.sum())
    every = hands * DEALS_BESIDE * scale
    taken = totals.argmax(axis=1)
    actions = {
        word: Fraction(int(times[taken == option].sum()), hands)
        for option, word in enumerate(words)
    }
    by_cards = {name: total / every for name, total in by_shown(best, 2, 2).items()}
    return Fraction(sum(best.tolist()), every), by_cards, actions
