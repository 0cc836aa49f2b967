"""The kernels that value, tally and count whole boards and runs, against loops over cards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from croupier.analysis import variants
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.enumerate import closest_decisions, runouts, showdown_counts
from croupier.analysis.kernels.hands import frequencies, isomorphism
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers.single_raise import PlayRules, basis
from croupier.analysis.solvers.starting_hands import hand_classes
from croupier.analysis.solvers.street_summaries import flush_cards, river_cards
from croupier.games.hand_names import POKER_HANDS, poker_hand
from croupier.games.run_em_twice import boards as cross
from croupier.ranking import CATEGORY_SHIFT, poker_value
from tests.analysis.kernels import naive_holdem as naive

NUMBERING = isomorphism.numbering()
RULES = PlayRules(variants.standard_house("ultimate_texas_holdem"))
ROWS = basis(RULES)
QUALIFYING = RULES.qualifying
# No flush possible, and paired; three, four and five of a suit.
PLAIN = [[0, 5, 10, 19, 24], [8, 9, 44, 45, 30]]
FLUSH = [[0, 4, 8, 19, 26], [0, 4, 20, 28, 27], [0, 12, 20, 28, 48]]


def rank_rows(boards: list[list[int]]) -> np.ndarray:
    """Boards by their ranks."""
    return np.array([[card >> 2 for card in board] for board in boards])


def flush_rows(boards: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Boards by their ranks in the suit that counts, and by those outside it."""
    masks, outside = [], []
    for board in boards:
        suit = naive.flush_suit(board)
        masks.append(sum(1 << (card >> 2) for card in board if card & 3 == suit))
        others = sorted(card >> 2 for card in board if card & 3 != suit)
        outside.append([*others, isomorphism.NO_RANK, isomorphism.NO_RANK][:2])
    return np.array(masks), np.array(outside)


@pytest.mark.parametrize("board", [*PLAIN, *FLUSH])
def test_value_boards(board: list[int]) -> None:
    """Every hand on a board: all payoff rows, whether it bets, and the closest bet by ranks."""
    suit = naive.flush_suit(board)
    size = isomorphism.RANK_PAIRS if suit < 0 else isomorphism.HAND_TYPES
    out = np.zeros((1, len(ROWS.pay), size), np.int32)
    above = np.zeros((1, size), np.uint8)
    near = closest_decisions.closest_buffer(isomorphism.RANK_PAIRS)
    money = (QUALIFYING, ROWS.pay, ROWS.floors(RULES))
    if suit < 0:
        showdown_counts.value_rank_boards(
            0, 1, rank_rows([board]), tables(), NUMBERING.type_pairs, NUMBERING.rank_pairs,
            *money, np.zeros_like(out[0]), out, above, near, showdown_counts.new_room(),
        )  # fmt: skip
    else:
        # Against a board of the same ranks worth nothing the correction is the whole value.
        masks, outside = flush_rows([board])
        nothing = np.zeros((7, len(ROWS.pay), isomorphism.RANK_PAIRS), np.int32)
        showdown_counts.value_flush_boards(
            0, 1, masks, outside, tables(), NUMBERING.type_pairs, NUMBERING.rank_pairs,
            np.zeros(1, np.int64), *money, nothing, out, above, near,
            showdown_counts.new_room(),
        )  # fmt: skip
    expected, bets = np.zeros_like(out), np.zeros_like(above)
    gaps: dict[int, set[int]] = {}
    for pair, value, dealers in naive.met(board):
        kind = naive.seen_by(pair, suit)
        counts = naive.outcomes(value, dealers, QUALIFYING)
        worth = ROWS.pay[:, value >> CATEGORY_SHIFT] @ counts
        expected[0, :, kind] = [worth[0] if worth[0] > RULES.floor else RULES.floor, *worth[1:]]
        bets[0, kind] = 2 if worth[0] > RULES.floor else 1
        gaps.setdefault(naive.seen_by(pair, -1), set()).add(int(worth[0]) - RULES.floor)

    assert (expected == out).all()
    assert (bets == above).all()
    for ranks, actual in gaps.items():
        gain, number = near[ranks].tolist()
        assert min(map(abs, actual)) == abs(gain) and gain in actual
        assert NUMBERING.rank_pairs[number % isomorphism.HAND_TYPES] == ranks
        assert number // isomorphism.HAND_TYPES == (0 if suit < 0 else 7)


@pytest.mark.parametrize("boards", [PLAIN, FLUSH])
def test_tally_boards(boards: list[list[int]]) -> None:
    """Weights meet opponents by action and code of facts; some river bets turn to folds."""
    numbers = np.random.default_rng(len(boards))
    plain = boards is PLAIN
    size = isomorphism.RANK_PAIRS if plain else isomorphism.HAND_TYPES
    weights = np.zeros((len(boards), 3, size), np.int64)
    codes = RULES.codes
    expected = np.zeros((3, codes.size), np.int64)
    for at, board in enumerate(boards):
        for pair, value, dealers in naive.met(board):
            kind = naive.seen_by(pair, naive.flush_suit(board))
            if weights[at, :, kind].any():
                continue  # another hand of this type stands for it
            weights[at, :, kind] = numbers.integers(1, 9, 3)
            category = value >> CATEGORY_SHIFT
            counts = naive.outcomes(value, dealers, QUALIFYING)
            folds = RULES.pay[0, category] @ counts <= RULES.floor
            for action in range(3):
                if action == 2 and folds:
                    expected[action, codes.folded] += weights[at, action, kind] * counts.sum()
                else:
                    place = codes.showdowns[category]
                    expected[action, place] += weights[at, action, kind] * counts
    tally = np.zeros_like(expected)
    rest: Any = (NUMBERING.type_pairs, QUALIFYING, weights, RULES.pay[0], RULES.floor)
    rest += (codes.showdowns, codes.folded, tally, showdown_counts.new_room())
    if plain:
        showdown_counts.tally_rank_boards(0, len(boards), rank_rows(boards), tables(), *rest)
    else:
        showdown_counts.tally_flush_boards(0, len(boards), *flush_rows(boards), tables(), *rest)

    assert expected[2, codes.folded] > 0
    assert (expected == tally).all()


def test_hand_times_and_compare_all() -> None:
    """How many hands of each type there are, and how all of them fare against a dealer."""
    sizes = [3, 5, 2, 1, 7]
    rank_times = np.zeros((len(PLAIN), isomorphism.RANK_PAIRS), np.int64)
    flush_times = np.zeros((len(FLUSH), isomorphism.HAND_TYPES), np.int64)
    masks, outside = flush_rows(FLUSH)
    frequencies.hand_times(
        rank_rows(PLAIN), np.array(sizes[:2]), masks, outside, np.array(sizes[2:]),
        tables().weights, NUMBERING.type_pairs, rank_times, flush_times,
    )  # fmt: skip
    tally = np.zeros((3, 10, 10), np.int64)
    frequencies.compare_all(
        rank_rows(PLAIN), rank_times, masks, outside, flush_times, tables(),
        NUMBERING.type_pairs, tally, showdown_counts.new_room(),
    )  # fmt: skip
    times = [np.zeros_like(row) for row in [*rank_times, *flush_times]]
    expected = np.zeros_like(tally)
    for size, board, row in zip(sizes, [*PLAIN, *FLUSH], times, strict=True):
        for pair, value, dealers in naive.met(board):
            row[naive.seen_by(pair, naive.flush_suit(board))] += size
            own = np.full(len(dealers), value >> CATEGORY_SHIFT)
            place = np.sign(value - dealers) + 1, own, dealers >> CATEGORY_SHIFT
            np.add.at(expected, place, size)

    assert all((a == b).all() for a, b in zip(times, [*rank_times, *flush_times], strict=True))
    assert (expected == tally).all()


def test_higher_classes() -> None:
    """The better of two runs, over every second side and center."""
    actual = cross.sides(hand_classes().names.index("A5s"))
    classes = cross.run_classes(cross.RunRules(variants.standard_house("run_em_twice")), actual)
    counts = np.zeros(cross_runs.CLASSES, np.int64)
    chosen = actual.chosen[7:8]
    frequencies.higher_classes(chosen, np.array([3]), cross.side_cards(), classes, counts)
    own = actual.hand.tolist()
    pair = actual.others[cross.side_cards()[chosen[0]]].tolist()
    left = [card for card in range(52) if card not in own and card not in pair]
    expected = np.zeros(cross_runs.CLASSES, np.int64)
    for center in left:
        first = poker_value((*own, *pair, center))
        for other in combinations([card for card in left if card != center], 2):
            better = max(first, poker_value((*own, *other, center)))
            expected[POKER_HANDS.index(poker_hand(better))] += 3

    assert expected.tolist() == counts.tolist()


def test_run_classes_one_by_one() -> None:
    """Classes by center and side are those of the cards; bit sets list the same."""
    result = cross.sides(hand_classes().names.index("T9s"))
    classes = cross.run_classes(cross.RunRules(variants.standard_house("run_em_twice")), result)
    sets = np.zeros((cross_runs.OTHERS, cross_runs.CLASSES, cross_runs.WORDS + 1), np.uint64)
    cross_runs.class_sets(classes, sets)
    deck = random.Random(3)
    for _ in range(100):
        center, side = deck.randrange(cross_runs.OTHERS), deck.randrange(cross_runs.SIDES)
        a, b = cross.side_cards()[side].tolist()
        assert side == cross_runs.side_number(a, b) == cross_runs.side_number(b, a)
        bits = [int(word) >> (side & 63) & 1 for word in sets[center, :, side >> 6]]
        if center in (a, b):
            assert classes[center, side] == cross_runs.NONE and not any(bits)
            continue
        held = [*result.hand.tolist(), *result.others[[a, b, center]].tolist()]
        kind = POKER_HANDS.index(poker_hand(poker_value(held)))
        assert kind == classes[center, side]
        assert [kind] == [at for at, bit in enumerate(bits) if bit]


def test_ones() -> None:
    """Bits counted as Python counts them."""
    for word in [0, 1, 2**64 - 1, *(random.Random(1).getrandbits(64) for _ in range(100))]:
        assert word.bit_count() == cross_runs.popcount(np.uint64(word))


def test_boards_are_numbered_as_listed() -> None:
    """Flush boards and pairs, each found at its place in the list."""
    for at, (low, high) in enumerate(NUMBERING.type_pairs.tolist()):
        assert at == isomorphism.pair_number(low, high) == isomorphism.pair_number(high, low)
    rows = zip(NUMBERING.flush_masks.tolist(), NUMBERING.flush_outside.tolist(), strict=True)
    for at, (mask, (one, two)) in list(enumerate(rows))[::97]:
        result = isomorphism.flush_board(NUMBERING.masks, mask, mask.bit_count(), one, two)
        assert at == result


def test_ways_to_draw() -> None:
    """Drawn ranks counted as cards, beside board, hand, and cards that cannot be drawn."""
    rng = random.Random(8)
    runs = np.array(list(combinations_with_replacement(range(13), 2)))
    for _ in range(10):
        held = rng.sample(range(52), 7)
        board, (low, high), gone = held[:3], sorted(card >> 2 for card in held[3:5]), held[5:]
        counts = np.bincount([card >> 2 for card in gone], minlength=13)
        pair = isomorphism.pair_number(low, high)
        cards = [card >> 2 for card in range(52) if card not in held]
        drawn = Counter(tuple(sorted(two)) for two in combinations(cards, 2))
        ranks = [card >> 2 for card in board]

        ways = runouts.rank_runouts(ranks, runs, counts)[pair]
        assert [drawn[one, two] for one, two in runs.tolist()] == ways.tolist()
        ways = runouts.rank_runouts(ranks, np.arange(13)[:, None], counts)[pair]
        assert [cards.count(rank) for rank in range(13)] == ways.tolist()


@pytest.mark.parametrize("hand", [(3, 3), (3, 4), (16, 3), (17, 20), (5, 6)])
def test_two_outside(hand: tuple[int, int]) -> None:
    """Pairs of cards outside a suit of clubs, beside a hand of these types."""
    held: list[int] = []
    for kind in hand:
        suits = range(1) if kind >= 13 else range(1, 4)
        held.append(next(c for s in suits if (c := kind % 13 << 2 | s) not in held))
    cards = [card for card in range(52) if card & 3 and card not in held]
    drawn = [sorted((a >> 2, b >> 2)) for a, b in combinations(cards, 2)]
    for one, two in combinations_with_replacement(range(2, 7), 2):
        assert drawn.count([one, two]) == runouts.two_outside(*hand, one, two, 3, 3)


def test_keep_closest() -> None:
    """Of each kind the least gain either way, the first among equals, however it is split."""
    numbers = np.random.default_rng(4)
    gains, kinds = numbers.integers(-400, 400, 500), numbers.integers(0, 9, 500)
    parts = [closest_decisions.closest_buffer(10) for _ in range(3)]
    for number, (gain, kind) in enumerate(zip(gains.tolist(), kinds.tolist(), strict=True)):
        closest_decisions.keep_closest(gain, number, parts[number * 3 // 500], kind)
    expected = [
        min((abs(gains[at]), at, gains[at]) for at in range(500) if kinds[at] == kind)
        for kind in range(9)
    ]
    actual = closest_decisions.merge_closest(parts[::-1])

    assert [[gain, number] for _, number, gain in expected] == actual[:9].tolist()
    assert closest_decisions.FREE == actual[9, 0]  # nothing came of the last kind
    nearest = [(gain, number) for _, number, gain in sorted(expected)]
    assert nearest[:4] == closest_decisions.nearest(actual, 4)
    assert nearest == closest_decisions.nearest(actual, 20)


def test_cards_of_signatures() -> None:
    """The cards shown for a numbered board and hand have those numbers."""
    deck = random.Random(2)
    for _ in range(70):
        hand = deck.sample(range(52), 2)
        board: list[int] = []
        while len(board) < 5:
            card = deck.randrange(52 if len(board) < 2 else 20)
            if card not in hand and card not in board:
                board.append(card)
        suit = naive.flush_suit(board)
        kind = naive.seen_by(hand, suit)
        if suit < 0:
            at = int(isomorphism.multiset_ids(5)[tuple(card >> 2 for card in board)])
            held, table = river_cards(at, kind)
        else:
            mask, outside = (rows[0].tolist() for rows in flush_rows([board]))
            at = isomorphism.flush_board_number(mask, [rank for rank in outside if rank < 13])
            held, table = flush_cards(at, kind)
            assert flush_rows([board])[1].tolist() == flush_rows([list(table)])[1].tolist()

        assert naive.flush_suit(list(table)) == min(suit, 0)
        assert kind == naive.seen_by(list(held), min(suit, 0))
        assert sorted(card >> 2 for card in board) == sorted(card >> 2 for card in table)
        assert 7 == len({*held, *table})
