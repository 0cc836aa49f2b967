"""Cards of the board to come: bets that gain one unit for sure are counted deal by deal."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from croupier.analysis import variants
from croupier.analysis.exposure import holdem_exposure
from croupier.analysis.exposure.known_cards import KnownCards, by_shown, count_openings, openings
from croupier.analysis.kernels.enumerate import flops, known_card_sums
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.solvers import board_enumeration
from croupier.analysis.solvers.starting_hands import hand_classes
from croupier.cards import parse_cards
from croupier.games.texas_holdem_bonus.exposure import texas_openings
from croupier.games.texas_holdem_bonus.solver import ALWAYS_QUALIFIES, TexasRules
from croupier.ranking import CATEGORY_SHIFT, poker_value, rank_hands

NOTHING = KnownCards("", Fraction(1))
A_CARD = KnownCards("8", Fraction(1, 13), dead=(24,))
FLOORS = np.array([board_enumeration.NO_FLOOR, board_enumeration.NO_FLOOR, 0])


@pytest.mark.parametrize(
    "places", [(), ("flop",), ("turn",), ("river",), ("flop", "flop"), ("flop", "river")]
)
def test_texas_counts_every_deal(places: tuple[str, ...]) -> None:
    """Every showdown worth one: the antes and both later bets come to three on each deal."""
    sure: Any = SimpleNamespace(pay=np.ones((2, 10, 6), np.int64), fold=Fraction(-1), scale=1)
    board = holdem_exposure.Board(places)
    totals, folds, times = texas_openings(sure, NOTHING, board)
    shown = len(places)
    hands = 1326 * len(list(combinations(range(50), shown)))

    assert hands == times.sum()
    assert (totals == -3 * folds).all()
    # A board is dealt flop, turn, river; those that show known cards somewhere else do not count.
    per_known = {(): 2118760 * 20, ("flop",): 19600 * 3 * 47 * 46 // 50}
    if places in per_known:
        assert -folds.sum() == hands * per_known[places] * 990


def test_the_last_bet_of_texas_with_the_river_known() -> None:
    """Three of the flop and the river in view: one turn to come, which shows before the last bet.

    The bet after the flop is made once for all turns, the last one on each of them by itself.
    """
    rules = TexasRules(variants.standard_house("texas_holdem_bonus"))
    (sums,) = holdem_exposure.early_sums(
        A_CARD, rules.pay[[0, 1, 1]], FLOORS, ALWAYS_QUALIFIES, (4,)
    )
    cards, board = parse_cards("Jd 9d"), parse_cards("Td 4c 2d Ks")
    left = [card for card in range(52) if card not in (*cards, *board, *A_CARD.cards)]
    expected = [0, 0, 0]
    for turn in left:
        own = poker_value((*cards, *board, turn))
        rest = combinations([card for card in left if card != turn], 2)
        dealers = rank_hands([[*pair, *board, turn] for pair in rest]).astype(np.int64)
        counts = np.bincount(3 + np.sign(own - dealers) + 1, minlength=6)
        base, bet = (rules.pay[:, own >> CATEGORY_SHIFT] @ counts).tolist()
        expected = [sum(pair) for pair in zip(expected, (base, bet, max(bet, 0)), strict=True)]
    held = np.array(sorted(board), np.int64)
    rank_board = int(isomorphism.multiset_ids(4)[tuple(held >> 2)])
    out = np.zeros(flops.HANDS, np.int64)
    results = []
    for row in range(3):
        known_card_sums.value_early(
            held, rank_board, row, flops.hand_types(), flops.hand_ranks(),
            isomorphism.numbering().masks, board_enumeration.starts(4), *sums, A_CARD.views, out,
        )  # fmt: skip
        results.append(int(out[flops.hand_number(cards)]))

    assert expected == results and expected[2] > max(expected[1], 0)


@pytest.mark.parametrize("shown", [0, 1, 2])
def test_openings_are_counted_once(shown: int) -> None:
    """Every hand beside every choice of cards that are neither in it nor dead."""
    times, classes = count_openings(A_CARD, shown), openings((0,), shown)

    assert len(list(combinations(range(51), 2))) * [1, 49, 49 * 48 // 2][shown] == times.sum()
    if shown == 1:
        four, hand = parse_cards("4h"), flops.hand_number(parse_cards("Kh Qd"))
        # Hearts, diamonds and spades may be renamed; clubs, the suit of the dead card, may not.
        assert 6 == times[classes.ids[four[0], hand]]


def test_names_of_known_cards_of_the_board() -> None:
    """By rank where one is known, the other one lying open or not; two as a starting hand."""
    worth = np.arange(openings((), 2).size)
    one, two = by_shown(worth, 2, 1), by_shown(worth, 2, 2)
    sizes = dict(zip(hand_classes().names, hand_classes().sizes.tolist(), strict=True))

    assert worth.sum() == sum(one.values()) / 13
    assert worth.sum() == sum(total * sizes[name] for name, total in two.items()) / 1326
    assert set(two) == set(sizes)
