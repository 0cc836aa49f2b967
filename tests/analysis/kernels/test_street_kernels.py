"""The kernels that decide and weigh early streets, against loops over a few boards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.analysis.kernels.enumerate import closest_decisions, turns
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.solvers import board_enumeration, starting_hands
from tests.analysis.kernels import naive_holdem as naive

Longs = NDArray[np.int64]
HANDS = deals.hands().tolist()
MASKS = isomorphism.numbering().masks


class Sample:
    """A few early boards up to suits, as the kernels take them, and made-up sums beside them."""

    def __init__(self, size: int, rows: int, seed: int) -> None:
        numbers = np.random.default_rng(seed)
        every = deals.early_boards(size)
        one_suit, one_rank = [0, 4, 8, 12][:size], [0, 1, 2, 3][:size]
        wanted = [every.cards.tolist().index(board) for board in (one_suit, one_rank)]
        wanted += numbers.choice(len(every.cards), 2).tolist()
        self.wanted, self.boards, self.sizes = wanted, every.cards[wanted], every.sizes[wanted]
        self.rank_ids = board_enumeration.rank_ids(size)[wanted]
        partial = len(isomorphism.partial_boards(size)[0])
        ranks = len(isomorphism.multisets(size))
        self.plain = numbers.integers(-5, 5, (ranks, rows, isomorphism.RANK_PAIRS))
        self.suited = numbers.integers(-2, 3, (partial, rows, isomorphism.HAND_TYPES))
        self.starts = board_enumeration.starts(size)
        self.known = self.boards, self.sizes, self.rank_ids, board_enumeration.deal_tables(), MASKS
        self.numbers = numbers

    def dealt(self) -> list[tuple[int, list[int], int, int, list[int]]]:
        """Board, its cards, how many it stands for, hand and its cards, where none clash."""
        return [
            (at, board, size, hand, pair)
            for at, (board, size) in enumerate(
                zip(self.boards.tolist(), self.sizes.tolist(), strict=True)
            )
            for hand, pair in enumerate(HANDS)
            if not set(pair) & set(board)
        ]

    def value(self, row: int, board: list[int], pair: list[int]) -> int:
        return naive.value(self.plain, self.suited, row, board, pair)


def test_boards_up_to_suits_are_the_least_of_their_kind() -> None:
    """Every renaming of every flop, card by card: the least stands for them all."""
    least = Counter(
        min(
            tuple(sorted((card >> 2 << 2 | order[card & 3] for card in flop), reverse=True))
            for order in permutations(range(4))
        )
        for flop in combinations(range(52), 3)
    )
    result = deals.early_boards(3)

    assert sorted(least) == [tuple(flop[::-1]) for flop in result.cards.tolist()]
    assert [least[flop] for flop in sorted(least)] == result.sizes.tolist()


@pytest.mark.parametrize("size", [3, 4])
def test_views_and_clashes(size: int) -> None:
    """Boards as suits see them are found where they are listed; clashes card by card."""
    sample = Sample(size, 1, 1)
    clash = np.zeros(deals.HANDS, np.bool_)
    for cards in sample.boards:
        board = cards.tolist()
        results = [deals.suit_view(cards, suit, MASKS, sample.starts) for suit in range(4)]
        assert [naive.place_of(board, suit) for suit in range(4)] == results

        deals.mark_clashes(cards, deals.hands(), clash)
        assert [bool(set(pair) & set(board)) for pair in HANDS] == clash.tolist()


OPENINGS = [starting_hands.hand_classes, starting_hands.hand_and_card_classes]


@pytest.mark.parametrize("openings", OPENINGS)
def test_decide_flops(openings: object) -> None:
    """Gains of the bet, and sums by what was known before the flop, hand by hand."""
    ids = openings().ids  # type: ignore[operator]
    sample = Sample(3, 4, 2)
    shown = 3 if len(ids) > 1 else 1
    gains = np.zeros((1755, deals.HANDS), np.int64)
    totals = np.zeros((len(ids), 4, deals.HANDS), np.int64)
    deals.decide_flops(
        sample.wanted, board_enumeration.rank_ids(3), sample.plain, sample.suited, shown, gains,
        totals,
    )  # fmt: skip
    expected, expected_gains = np.zeros_like(totals), np.zeros_like(gains)
    for at, board, size, hand, pair in sample.dealt():
        check, bet, *others = (sample.value(row, board, pair) for row in range(4))
        expected_gains[sample.wanted[at], hand] = bet - check
        for card in board if len(ids) > 1 else [0]:
            expected[card, :, hand] += size * np.array([max(check, bet), bet, *others])

    assert (expected_gains == gains).all()
    assert (expected == totals).all()


@pytest.mark.parametrize("openings", OPENINGS)
def test_weigh_flops(openings: object) -> None:
    """Every flop, hand and shown card is laid on the action taken there, once."""
    ids = openings().ids  # type: ignore[operator]
    sample = Sample(3, 4, 3)
    opening = sample.numbers.integers(0, 3, ids.max() + 1)
    gains = sample.numbers.integers(-1, 2, (len(sample.boards), deals.HANDS))
    plain, suited = np.zeros_like(sample.plain), np.zeros_like(sample.suited)
    frequency = np.zeros(4, np.int64)
    deals.weigh_flops(*sample.known, sample.starts, ids, opening, gains, plain, suited, frequency)
    by_rank, by_suit = np.zeros_like(plain), np.zeros_like(suited)
    expected = [0] * 4
    for at, board, size, hand, pair in sample.dealt():
        for shown in board if len(ids) > 1 else [0]:
            option = opening[ids[shown, hand]]
            action = option - 1 if option else 2 if gains[at, hand] > 0 else 3
            expected[action] += size
            _lay(by_rank, by_suit, board, pair, action, size)

    assert expected == frequency.tolist()
    assert (by_rank == plain).all()
    assert (by_suit == suited).all()


def _lay(
    by_rank: Longs, by_suit: Longs, board: list[int], pair: list[int], action: int, weight: int
) -> None:
    rank_cell, suit_cells = naive.cells(board, pair)
    by_rank[rank_cell[0], action, rank_cell[1]] += weight
    for place, kind in suit_cells:
        by_suit[place, action, kind] += weight


def test_sum_flops() -> None:
    """What every hand brings to the turn, and gains by betting, by starting hand."""
    ids = starting_hands.hand_classes().ids[0]
    sample = Sample(3, 2, 4)
    gains = np.zeros((len(sample.boards), deals.HANDS), np.int64)
    totals = np.zeros((169, 2), np.int64)
    turns.sum_flops(
        0, len(sample.boards), *sample.known, sample.starts, sample.plain, sample.suited, ids,
        gains, totals,
    )  # fmt: skip
    expected, expected_gains = np.zeros_like(totals), np.zeros_like(gains)
    for at, board, size, hand, pair in sample.dealt():
        on, gain = (sample.value(row, board, pair) for row in range(2))
        expected_gains[at, hand] = gain
        expected[ids[hand]] += [size * on, size * gain if gain > 0 else 0]

    assert (expected_gains == gains).all()
    assert (expected == totals).all()


def test_decide_turns() -> None:
    """Where the bet gains, by how much in all, and where by the least, hand by hand."""
    ids = starting_hands.hand_classes().ids[0]
    sample = Sample(4, 2, 5)
    bet = np.zeros((len(sample.boards), deals.HANDS), np.bool_)
    totals = np.zeros(169, np.int64)
    near = closest_decisions.closest_buffer(169)
    turns.decide_turns(
        0, len(sample.boards), *sample.known, sample.starts, sample.plain, sample.suited, 1, ids,
        bet, totals, near,
    )  # fmt: skip
    expected, expected_bets = np.zeros_like(totals), np.zeros_like(bet)
    gaps: dict[int, list[tuple[int, int, int]]] = {}
    for at, board, size, hand, pair in sample.dealt():
        gain = sample.value(1, board, pair)
        gaps.setdefault(int(ids[hand]), []).append((abs(gain), at * deals.HANDS + hand, gain))
        if gain > 0:
            expected_bets[at, hand] = True
            expected[ids[hand]] += size * gain
    least = [min(gaps[kind]) for kind in range(169)]

    assert (expected_bets == bet).all()
    assert expected.tolist() == totals.tolist()
    assert [[gain, number] for _, number, gain in least] == near.tolist()


def seen_alike(flop: list[int], pair: list[int]) -> int:
    """Some gain that no renaming of suits changes."""
    total = sum(card >> 2 for card in flop + pair)
    for one in pair:
        for two in flop:
            total += (3 * (one >> 2) + (two >> 2) + 1) * (one & 3 == two & 3)
    return total % 5 - 2


def all_alike() -> Longs:
    """`seen_alike` of every canonical flop and hand."""
    flops, hands = deals.early_boards(3).cards[:, None], deals.hands()[None]
    total = (flops >> 2).sum(axis=2) + (hands >> 2).sum(axis=2)
    for one in range(2):
        for two in range(3):
            mine, theirs = hands[:, :, one], flops[:, :, two]
            same = mine & 3 == theirs & 3
            total = total + (3 * (mine >> 2) + (theirs >> 2) + 1) * same
    gains: Longs = total % 5 - 2
    return gains


def test_weigh_turns() -> None:
    """Every turn four times, with the flop that each card would have come after."""
    sample = Sample(4, 4, 6)
    gains = all_alike()
    bet = sample.numbers.integers(0, 2, (len(sample.boards), deals.HANDS)).astype(np.bool_)
    playing = sample.numbers.integers(0, 2, deals.HANDS).astype(np.bool_)
    plain, suited = np.zeros_like(sample.plain), np.zeros_like(sample.suited)
    turns.weigh_turns(
        0, len(sample.boards), *sample.known, sample.starts, deals.flop_places(),
        deals.renamed_hands(), gains, bet, playing, plain, suited,
    )  # fmt: skip
    by_rank, by_suit = np.zeros_like(plain), np.zeros_like(suited)
    for at, board, size, hand, pair in sample.dealt():
        if playing[hand]:
            on_turn = int(bet[at, hand])
            for last in board:
                flop = [card for card in board if card != last]
                on_flop = int(seen_alike(flop, pair) > 0)
                _lay(by_rank, by_suit, board, pair, 2 * on_flop + on_turn, size)

    assert (by_rank == plain).all()
    assert (by_suit == suited).all()


@pytest.mark.parametrize("size", [3, 4])
def test_one_question_sees_what_the_kernel_sees(size: int) -> None:
    """The uncompiled door numbers early boards as `suit_view` does."""
    chance = random.Random(size)
    masks = isomorphism.numbering().masks
    for _ in range(100):
        board = sorted(chance.sample(range(52), size))
        for suit in range(4):
            expected = deals.suit_view(
                np.array(board, np.int64), suit, masks, board_enumeration.starts(size)
            )

            assert expected == isomorphism.suit_view_number(board, suit)
