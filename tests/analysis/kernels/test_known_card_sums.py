"""The kernels of seen cards against loops that deal every card."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from croupier.analysis import variants
from croupier.analysis.exposure import holdem_exposure
from croupier.analysis.exposure.known_cards import KnownCards, openings
from croupier.analysis.kernels.cross import cross_known_cards, cross_runs
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.enumerate import known_card_sums, ranked_boards
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers import board_enumeration
from croupier.analysis.solvers.single_raise import PlayRules, basis
from croupier.analysis.solvers.starting_hands import hand_classes
from croupier.games.run_em_twice import boards as cross
from croupier.ranking import CATEGORY_SHIFT, poker_value, rank_hands

RULES = PlayRules(variants.standard_house("ultimate_texas_holdem"))
ROWS = basis(RULES)
QUALIFYING = RULES.qualifying
CARD = 6 << 2  # the eight of clubs
SIX = 4 << 2 | 1  # of diamonds
EIGHT = KnownCards("8", Fraction(1, 13), dealer=(CARD,))
EIGHT_SIX = KnownCards("86o", Fraction(12, 1326), dealer=(CARD, SIX))
DEAD = KnownCards("8", Fraction(1, 13), dead=(CARD,))
TWO_DEAD = KnownCards("86o", Fraction(12, 1326), dead=(CARD, SIX))
ONE_EACH = KnownCards("8, 6", Fraction(1), dealer=(CARD,), dead=(SIX,))
SEEN = {
    "one": EIGHT, "both": EIGHT_SIX, "a dead one": DEAD, "two dead": TWO_DEAD, "each": ONE_EACH
}  # fmt: skip
# No flush possible; three clubs; three, four and five of another suit; the known rank paired.
BOARDS = [
    [0, 5, 10, 19, 30],
    [0, 4, 8, 19, 27],
    [1, 5, 9, 18, 26],
    [1, 5, 21, 29, 27],
    [1, 13, 21, 29, 49],
    [25, 26, 44, 45, 31],
]
DEALT = np.array([[1, 5, 9, 13], [0, 14, 51, 21], [2, 3, 40, 50]])  # or flops, without the last


def floors(what: KnownCards) -> np.ndarray:
    """The least sums, where the river may be folded."""
    return ROWS.floors(RULES, what.opponents)


@cache
def sums(what: KnownCards) -> holdem_exposure.Early:
    """All flops, summed once for all tests here."""
    (result,) = holdem_exposure.early_sums(what, ROWS.pay, floors(what), QUALIFYING)
    return result


def worth(what: KnownCards, cards: Any, board: list[int]) -> list[int]:
    """Every payoff row summed over the dealer's hands that are left, one by one."""
    own = poker_value((*cards, *board))
    left = [c for c in range(52) if c not in (*what.cards, *cards, *board)]
    hands = combinations(left, 2 - len(what.dealer))
    dealers = rank_hands([[*what.dealer, *more, *board] for more in hands]).astype(np.int64)
    column = 3 * (dealers >= QUALIFYING) + np.sign(own - dealers) + 1
    counts = np.bincount(column, minlength=6)
    totals = (ROWS.pay[:, own >> CATEGORY_SHIFT] @ counts).tolist()
    return [max(one) for one in zip(totals, floors(what).tolist(), strict=True)]


def read(what: KnownCards, cards: Any, board: list[int]) -> list[int]:
    """The same from the kernels: by ranks, and corrected where a flush is possible."""
    numbering, weights = isomorphism.numbering(), tables()[-1]
    by_rank, by_suit = holdem_exposure.orders_of_hands(QUALIFYING)
    terms = holdem_exposure.terms_of(ROWS.pay, what.opponents)
    plain = np.zeros(
        (board_enumeration.RANK_BOARDS, len(ROWS.pay), isomorphism.RANK_PAIRS), np.int64
    )
    number = deals.hand_number(cards)
    at = int(isomorphism.multiset_ids(5)[tuple(card >> 2 for card in board)])
    ranked_boards.value_rank_boards(
        at, at + 1, isomorphism.multisets(5), weights, *what.ranks, by_rank, terms, floors(what),
        plain,
    )  # fmt: skip
    total = plain[at, :, deals.hand_ranks()[number]].copy()
    for suit in range(4):
        inside = sum(1 << (card >> 2) for card in board if card & 3 == suit)
        if inside.bit_count() >= 3:
            outside = sorted(card >> 2 for card in board if card & 3 != suit)
            row = isomorphism.flush_board_number(inside, outside)
            suited = np.zeros((1, len(ROWS.pay), isomorphism.HAND_TYPES), np.int32)
            ranked_boards.value_flush_boards(
                row, row + 1, numbering.flush_masks, numbering.flush_outside, weights,
                numbering.rank_pairs, board_enumeration.ranks_of_flush_boards(),
                *what.types(int(what.views[suit])), by_suit, terms, floors(what), plain, suited,
            )  # fmt: skip
            total += suited[0, :, deals.hand_types()[suit, number]]
    return [int(value) for value in total]


@pytest.mark.parametrize("what", SEEN.values(), ids=SEEN)
@pytest.mark.parametrize("board", BOARDS)
def test_value_boards(board: list[int], what: KnownCards) -> None:
    """Hands of every kind where the dealer, or another seat, shows a club or a diamond too."""
    left = [card for card in range(52) if card not in (*what.cards, *board)]
    for cards in random.Random(sum(board)).sample(list(combinations(left, 2)), 13):
        assert worth(what, cards, board) == read(what, cards, board)


@pytest.mark.parametrize(
    ("what", "cards", "flop"),
    [
        (EIGHT, [48, 44], [40, 36, 32]),  # clubs, the known card among their draws
        (EIGHT_SIX, [49, 45], [41, 37, 33]),  # another suit
        (EIGHT, [25, 26], [0, 9, 18]),  # two more of the known rank
        (TWO_DEAD, [25, 26], [0, 9, 18]),
        (EIGHT_SIX, [2, 6], [22, 27, 10]),
        (TWO_DEAD, [48, 44], [40, 36, 32]),
    ],
)
def test_sums_over_runouts(what: KnownCards, cards: list[int], flop: list[int]) -> None:
    """All runouts without the known cards, each against the dealer's hands that are left."""
    plain, suited = sums(what)
    held = np.array(sorted(flop), np.int64)
    rank_board = int(isomorphism.multiset_ids(3)[tuple(held >> 2)])
    left = [card for card in range(52) if card not in (*what.cards, *cards, *flop)]
    expected = np.zeros(len(ROWS.pay), np.int64)
    for runout in combinations(left, 2):
        expected += worth(what, cards, [*flop, *runout])
    out = np.zeros(deals.HANDS, np.int64)
    for row in range(len(ROWS.pay)):
        known_card_sums.value_early(
            held, rank_board, row, deals.hand_types(), deals.hand_ranks(),
            isomorphism.numbering().masks, board_enumeration.starts(3), plain, suited, what.views,
            out,
        )  # fmt: skip

        assert expected[row] == out[deals.hand_number(cards)]


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("shown", [0, 1, 2])
def test_decide_and_sum_early(shown: int, size: int) -> None:
    """Made-up sums, added up hand by hand: the better of two, and bets where they gain."""
    numbers = np.random.default_rng(3)
    rows, early = 3, {3: (455, 2483), 4: (1820, 11531)}[size]
    plain = numbers.integers(-9, 9, (early[0], rows, isomorphism.RANK_PAIRS))
    suited = numbers.integers(-9, 9, (2, early[1], rows, isomorphism.HAND_TYPES))
    flops = np.ascontiguousarray(DEALT[:, :size])  # as they come in earnest: compiled once
    sizes = np.array([2, 5, 7])
    ranks = isomorphism.multiset_ids(size)[tuple((flops >> 2).T)]
    ids, count, _ = openings((0,), shown)
    common = (
        0, 3, np.array([CARD]), flops, sizes, ranks, board_enumeration.deal_tables(),
        isomorphism.numbering().masks, board_enumeration.starts(size), plain, suited, EIGHT.views,
    )  # fmt: skip
    actual, sums = np.zeros((2, count, rows), np.int64)
    kernels: Any = known_card_sums  # compiled, and so without a signature that can be checked
    kernels.decide_flops(*common, shown, ids, actual)
    kernels.sum_early(*common, shown, ids, 1, sums)
    expected, added = np.zeros_like(actual), np.zeros_like(sums)
    out = np.zeros((rows, deals.HANDS), np.int64)
    for flop, times, rank in zip(flops, sizes.tolist(), ranks.tolist(), strict=True):
        for row in range(rows):
            known_card_sums.value_early(
                flop, rank, row, deals.hand_types(), deals.hand_ranks(),
                isomorphism.numbering().masks, board_enumeration.starts(size), plain, suited,
                EIGHT.views, out[row],
            )  # fmt: skip
        for hand, pair in enumerate(deals.hands().tolist()):
            if {CARD, *flop.tolist()} & set(pair):
                continue
            check, bet, opening = out[:, hand].tolist()
            for cards in combinations(flop.tolist(), shown):
                place = (0, *cards)[-1] if shown < 2 else deals.hand_number(cards)
                expected[ids[place, hand]] += np.array([max(check, bet), bet, opening]) * times
                added[ids[place, hand]] += np.array([check, max(bet, 0), opening]) * times

    assert (expected == actual).all()
    assert (added == sums).all()


@pytest.mark.parametrize(("size", "leading"), [(3, 2), (4, 1)])
def test_decide_known_boards(size: int, leading: int) -> None:
    """Made-up sums on three boards, hand by hand: the best of the first rows, or a mix."""
    plain, suited = made_up(size, 3)
    boards = np.ascontiguousarray(
        np.array([[1, 5, 9, 13], [0, 14, 51, 21], [2, 3, 40, 50]])[:, :size]
    )
    sizes, mixes = np.array([2, 5, 7]), np.array([[0, 4, -2], [0, 0, 1]])
    best, times = np.zeros(1, np.int64), np.zeros(3, np.int64)
    kernels: Any = known_card_sums
    kernels.decide_known_boards(
        0, 3, boards, sizes, ranks_of(boards), board_enumeration.deal_tables(),
        isomorphism.numbering().masks, board_enumeration.starts(size), plain, suited,
        np.int64(leading), mixes, best, times,
    )  # fmt: skip
    total, taken = 0, [0, 0, 0]
    for board, often in zip(boards, sizes.tolist(), strict=True):
        values = [early(board, plain, suited, row) for row in range(3)]
        for hand, pair in enumerate(deals.hands().tolist()):
            if {*board.tolist()} & {*pair}:
                continue
            one, two, three = (int(row[hand]) for row in values)
            options = [max((one, two)[:leading]), 2 * two - three, three]
            total += often * max(options)
            taken[options.index(max(options))] += often

    assert total == best[0]
    assert taken == times.tolist()


def test_decide_street_bet_flops() -> None:
    """Made-up sums on two flops: what is staked, a bet on the flop, one on each turn, or a fold."""
    (flop_plain, flop_suited), (turn_plain, turn_suited) = made_up(3, 2), made_up(4, 2)
    flops, sizes, fold = np.array([[1, 5, 9], [0, 14, 51]]), np.array([2, 5]), -3
    best, times = np.zeros(1, np.int64), np.zeros(2, np.int64)
    kernels: Any = known_card_sums
    kernels.decide_street_bet_flops(
        0, 2, flops, sizes, ranks_of(flops), board_enumeration.deal_tables(),
        isomorphism.numbering().masks, board_enumeration.starts(3), flop_plain, flop_suited,
        board_enumeration.starts(4), isomorphism.multiset_ids(4), turn_plain, turn_suited,
        np.int64(fold), best, times,
    )  # fmt: skip
    total, taken = 0, [0, 0]
    for flop, often in zip(flops, sizes.tolist(), strict=True):
        staked, bet = (early(flop, flop_plain, flop_suited, row) for row in range(2))
        left = [card for card in range(52) if card not in flop]
        turns = {card: early([*flop, card], turn_plain, turn_suited, 1) for card in left}
        for hand, pair in enumerate(deals.hands().tolist()):
            if {*flop.tolist()} & {*pair}:
                continue
            play = 2 * (int(staked[hand]) + max(int(bet[hand]), 0))
            play += sum(max(int(row[hand]), 0) for card, row in turns.items() if card not in pair)
            total += often * max(play, fold)
            taken[play > fold] += often

    assert total == best[0]
    assert taken == times.tolist()


def made_up(size: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums that no game has, by ranks and by suit."""
    numbers = np.random.default_rng(size)
    plain, suited = {3: (455, 2483), 4: (1820, 11531)}[size]
    return (
        numbers.integers(-9, 9, (plain, rows, isomorphism.RANK_PAIRS)),
        numbers.integers(-9, 9, (suited, rows, isomorphism.HAND_TYPES)),
    )


def ranks_of(boards: np.ndarray) -> np.ndarray:
    """The multiset of ranks of each board."""
    result: np.ndarray = isomorphism.multiset_ids(boards.shape[1])[tuple((boards >> 2).T)]
    return result


def early(board: Any, plain: np.ndarray, suited: np.ndarray, row: int) -> np.ndarray:
    """One row for every hand beside a board, suit by suit."""
    rank = int(isomorphism.multiset_ids(len(board))[tuple(int(card) >> 2 for card in board)])
    result: np.ndarray = plain[rank, row, deals.hand_ranks()].copy()
    for suit in range(4):
        seen = isomorphism.suit_view_number([int(card) for card in board], suit)
        if seen >= 0:
            result += suited[seen, row, deals.hand_types()[suit]]
    return result


def test_value_center() -> None:
    """One starting hand and center: every pair of sides, one first side after the other."""
    rules = cross.RunRules(variants.standard_house("run_em_twice"))
    actual = cross.sides(hand_classes().names.index("T9s"))
    classes = cross.run_classes(rules, actual)[17].astype(np.int64)
    numbers = np.random.default_rng(5)
    last = numbers.integers(-8, 30, (cross_runs.CLASSES, cross_runs.CLASSES, 3, 3))
    folds = np.array([2, 5, 8])
    out = np.zeros(3, np.int64)
    cross_known_cards.value_center(classes.astype(np.uint8), cross.side_cards(), last, folds, out)
    cards = cross.side_cards()
    expected = np.zeros(3, np.int64)
    for side in np.flatnonzero(classes != cross_runs.NONE).tolist():
        apart = ~np.isin(cards, cards[side]).any(axis=1) & (classes != cross_runs.NONE)
        sums = last[classes[side], classes[apart]].sum(axis=0)
        expected += np.maximum(sums.max(axis=1), folds * int(apart.sum()))

    assert expected.tolist() == out.tolist()
