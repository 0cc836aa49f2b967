"""The hold'em kernels against loops that deal every card."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.analysis import payoffs, variants
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.enumerate import showdown_counts
from croupier.analysis.kernels.hands import frequencies, isomorphism
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers import board_enumeration
from croupier.analysis.solvers.single_raise import PlayRules, basis, river_worth
from croupier.games import GAMES, Facts, FactsSpace, House
from croupier.games.hand_names import poker_hand
from croupier.games.holdem import Contest
from croupier.games.texas_holdem_bonus.solver import ALWAYS_QUALIFIES, TexasRules
from croupier.ranking import CATEGORY_SHIFT, PAIR, category, poker_value, rank_hands

ULTIMATE = variants.standard_house("ultimate_texas_holdem")
QUALIFYING = PlayRules(ULTIMATE).qualifying
# Boards of every kind: no flush possible, three, four and five of a suit, paired, quads.
BOARDS = [
    [0, 5, 10, 19, 24],
    [0, 4, 8, 19, 26],
    [0, 4, 20, 28, 27],
    [0, 12, 20, 28, 48],
    [0, 1, 2, 3, 51],
    [8, 9, 44, 45, 30],
    [36, 40, 44, 48, 3],
]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_multisets_of_ranks_are_numbered_once(size: int) -> None:
    """Sorted by their highest rank, then by the next, whatever the order they are asked in."""
    listed = sorted(combinations_with_replacement(range(13), size), key=lambda ranks: ranks[::-1])
    numbers = {ranks: at for at, ranks in enumerate(listed)}
    ids = isomorphism.multiset_ids(size)

    assert [list(ranks) for ranks in listed] == isomorphism.multisets(size).tolist()
    sampled = random.Random(size).choices([*np.ndindex(ids.shape)], k=2_000)
    assert all(numbers[tuple(sorted(ranks))] == ids[ranks] for ranks in sampled)


def opponents(cards: list[int], board: list[int]) -> np.ndarray:
    """Values of all 990 hands a dealer may hold."""
    left = [card for card in range(52) if card not in cards and card not in board]
    return rank_hands([[*pair, *board] for pair in combinations(left, 2)])


def outcomes(cards: list[int], board: list[int], qualifying: int) -> list[int]:
    """Opponents unqualified and qualified, each behind, tied, ahead, one by one."""
    own = poker_value((*cards, *board))
    results = [0] * 6
    for value in opponents(cards, board).tolist():
        standing = 1 if own == value else 2 * (own > value)
        results[3 * (value >= qualifying) + standing] += 1
    return results


def sorted_types(board: list[int]) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Codes and counts of all hand types beside a board, with the suit that counts (or -1)."""
    numbering, ranks = isomorphism.numbering(), tables()
    available = np.zeros(isomorphism.CARD_TYPES, np.int64)
    codes = np.zeros(isomorphism.HAND_TYPES, np.int64)
    counts = np.zeros((isomorphism.HAND_TYPES, 6), np.int64)
    suit, most = Counter(card & 3 for card in board).most_common(1)[0]
    mask = 0
    if most >= 3:
        mask = sum(1 << (card >> 2) for card in board if card & 3 == suit)
        outside = np.array([card >> 2 for card in board if card & 3 != suit], np.int64)
        key = showdown_counts.flush_board_cards(mask, outside, available, ranks.weights)
    else:
        suit = -1
        held = np.array([card >> 2 for card in board], np.int64)
        key = showdown_counts.rank_board_cards(held, available, ranks.weights)
    args = (ranks.weights, ranks.row_offsets, ranks.rank_values, ranks.flush_values)
    count = showdown_counts.sort_hands(available, mask, key, *args, codes)
    showdown_counts.count_opponents(
        codes, count, available, numbering.type_pairs, QUALIFYING, counts,
        showdown_counts.new_room()[3],
    )  # fmt: skip
    return codes, counts, count, suit


def type_of(cards: list[int], suit: int) -> int:
    """The type of a hand as a suit sees it; by ranks alone where no suit counts."""
    number = deals.hand_number(cards)
    return int(deals.hand_ranks()[number] if suit < 0 else deals.hand_types()[suit, number])


def test_category_shift_is_the_ranking_room_s() -> None:
    """The kernels take categories out of values as `ranking` puts them in."""
    assert CATEGORY_SHIFT == showdown_counts.CATEGORY_SHIFT
    assert category(QUALIFYING) == PAIR


@pytest.mark.parametrize("board", BOARDS)
def test_count_opponents(board: list[int]) -> None:
    """Counts by subtraction are the counts one by one, on every kind of board."""
    codes, counts, count, suit = sorted_types(board)
    numbers = (codes[:count] & showdown_counts.TYPE_MASK).tolist()
    left = [card for card in range(52) if card not in board]
    chosen = random.Random(sum(board)).sample(list(combinations(left, 2)), 12)
    for pair in chosen:
        at = numbers.index(type_of(list(pair), suit))

        assert outcomes(list(pair), board, QUALIFYING) == counts[at].tolist()
        assert poker_value((*pair, *board)) == codes[at] >> showdown_counts.TYPE_BITS


def early_sums(
    rules_pay: np.ndarray, floors: list[int], cards: list[int], board: list[int], qualifying: int
) -> list[int]:
    """Payoff rows summed over every runout and every opponent, dealt one by one."""
    left = [card for card in range(52) if card not in cards and card not in board]
    totals = [0] * len(rules_pay)
    for runout in combinations(left, 5 - len(board)):
        full = [*board, *runout]
        own = poker_value((*cards, *full))
        values = opponents(cards, full)
        column = 3 * (values >= qualifying) + np.sign(own - values) + 1
        counts = np.bincount(column, minlength=6)
        for row, pay in enumerate(rules_pay):
            totals[row] += max(int(pay[own >> CATEGORY_SHIFT] @ counts), floors[row])
    return totals


def fast_sums(sums: board_enumeration.Sums, cards: list[int], board: list[int]) -> list[int]:
    """The same from the solver's arrays."""
    size = len(board)
    held = np.array(sorted(board), np.int64)
    rank_board = int(isomorphism.multiset_ids(size)[tuple(held >> 2)])
    out = np.zeros(deals.HANDS, np.int64)
    results = []
    for row in range(sums.plain.shape[1]):
        deals.value_early(
            held, rank_board, row, deals.hand_types(), deals.hand_ranks(),
            isomorphism.numbering().masks, board_enumeration.starts(size), sums.plain, sums.suited,
            out,
        )  # fmt: skip
        results.append(int(out[deals.hand_number(cards)]))
    return results


@pytest.fixture(scope="module")
def ultimate() -> tuple[PlayRules, board_enumeration.Sums]:
    rules = PlayRules(ULTIMATE)
    rows = basis(rules)
    (flops,) = board_enumeration.showdowns(rows.pay, rows.floors(rules), QUALIFYING).sums
    return rules, flops


@pytest.fixture(scope="module")
def texas() -> tuple[TexasRules, board_enumeration.Sums, board_enumeration.Sums]:
    rules = TexasRules(variants.standard_house("texas_holdem_bonus"))
    floors = np.full(2, board_enumeration.NO_FLOOR, np.int64)
    flops, turns = board_enumeration.showdowns(rules.pay, floors, ALWAYS_QUALIFIES, (3, 4)).sums
    return rules, flops, turns


@pytest.mark.parametrize(
    ("cards", "flop"),
    [
        ([51, 47], [43, 39, 35]),  # the royal draw's own suit
        ([50, 13], [9, 21, 44]),  # two of a suit
        ([20, 21], [0, 9, 18]),  # rainbow
        ([2, 6], [22, 23, 10]),  # two of the hand's suit
        ([4, 8], [49, 48, 50]),  # trips on the board
        ([3, 40], [16, 20, 24]),  # one suit, none of it held
    ],
)
def test_sums_over_runouts_of_a_flop(
    ultimate: tuple[PlayRules, board_enumeration.Sums], cards: list[int], flop: list[int]
) -> None:
    """Ranks plus corrections by suit give what 1,081 runouts against 990 hands give."""
    rules, sums = ultimate
    rows = basis(rules)

    expected = early_sums(rows.pay, rows.floors(rules).tolist(), cards, flop, QUALIFYING)

    assert expected == fast_sums(sums, cards, flop)


@pytest.mark.parametrize(
    ("cards", "turn"),
    [
        ([51, 47], [43, 39, 35, 0]),
        ([50, 13], [9, 21, 44, 40]),
        ([20, 21], [0, 9, 18, 31]),
        ([2, 6], [22, 10, 34, 50]),
        ([8, 4], [48, 49, 9, 5]),
    ],
)
def test_sums_over_rivers_of_a_turn(
    texas: tuple[TexasRules, board_enumeration.Sums, board_enumeration.Sums],
    cards: list[int],
    turn: list[int],
) -> None:
    """The same with one card to come."""
    rules, _, sums = texas
    floors = [board_enumeration.NO_FLOOR] * 2

    expected = early_sums(rules.pay, floors, cards, turn, ALWAYS_QUALIFIES)

    assert expected == fast_sums(sums, cards, turn)


@pytest.mark.parametrize("early", [3, 4])
def test_spread_is_the_transpose_of_collect(early: int) -> None:
    """Weights sent forward meet values as values sent back meet weights."""
    numbers = np.random.default_rng(early)
    rules = PlayRules(ULTIMATE)
    rows = basis(rules)
    changes = np.zeros((isomorphism.FLUSH_BOARDS, isomorphism.HAND_TYPES), np.int64)

    def keep(first: int, last: int, some: NDArray[np.int32], _: NDArray[np.int64]) -> None:
        changes[first:last] = some[: last - first, 0]

    floors = rows.floors(rules)[:1]
    boards = board_enumeration.showdowns(rows.pay[:1], floors, QUALIFYING, [early], keep)
    (sums,) = boards.sums
    plain = numbers.integers(0, 3, sums.plain.shape)
    suited = numbers.integers(0, 3, sums.suited.shape)
    plain_boards, suited_boards = board_enumeration.spread_weights(
        board_enumeration.Sums(plain, suited), early
    )
    # What lies on a flush board was taken off its ranks; put the correction back beside it.
    numbering = isomorphism.numbering()
    rank_boards = board_enumeration.ranks_of_flush_boards()
    full = changes + boards.plain[rank_boards, 0][:, numbering.rank_pairs]
    holds = numbering.flush_masks[:, None] << 13
    low, high = numbering.type_pairs.T
    clash = (holds >> low | holds >> high) & 1 == 1
    weights = np.where(clash, 0, suited_boards[:, 0].astype(np.int64))

    expected = (plain * sums.plain).sum() + (suited * sums.suited).sum()

    assert expected == (plain_boards * boards.plain).sum() + (weights * full).sum()


def test_river_worth() -> None:
    """The advisor's loop is the table's row over counted opponents."""
    rules = PlayRules(ULTIMATE)
    for board in BOARDS:
        cards = [card for card in (51, 22, 17, 33) if card not in board][:2]
        row = rules.pay[0][poker_value((*cards, *board)) >> CATEGORY_SHIFT]
        counts = np.array(outcomes(cards, board, QUALIFYING))

        assert int(row @ counts) == river_worth(rules, cards, board)


@pytest.mark.parametrize("board", BOARDS[1:5:3])
def test_compare_categories(board: list[int]) -> None:
    """Player against dealer by category, on single boards."""
    codes, counts, count, suit = sorted_types(board)
    numbering, ranks = isomorphism.numbering(), tables()
    available = np.zeros(isomorphism.CARD_TYPES, np.int64)
    if suit < 0:
        held = np.array([card >> 2 for card in board], np.int64)
        showdown_counts.rank_board_cards(held, available, ranks.weights)
    else:
        mask = sum(1 << (card >> 2) for card in board if card & 3 == suit)
        outside = np.array([card >> 2 for card in board if card & 3 != suit], np.int64)
        showdown_counts.flush_board_cards(mask, outside, available, ranks.weights)
    tally = np.zeros((3, 10, 10), np.int64)
    pairs = numbering.type_pairs
    times = np.zeros(isomorphism.HAND_TYPES, np.int64)
    for number, (low, high) in enumerate(pairs.tolist()):
        ways = available[low] * (available[high] - (low == high))
        times[number] = ways // 2 if low == high else ways
    frequencies.compare_categories(codes, count, available, pairs, counts, times, tally)
    expected = np.zeros((3, 10, 10), np.int64)
    left = [card for card in range(52) if card not in board]
    values = {pair: poker_value((*pair, *board)) for pair in combinations(left, 2)}
    for pair, own in values.items():
        dealers = np.array([v for other, v in values.items() if not set(pair) & set(other)])
        standing = np.sign(own - dealers) + 1
        for at, other in zip(standing.tolist(), (dealers >> CATEGORY_SHIFT).tolist()):
            expected[at, own >> CATEGORY_SHIFT, other] += 1

    assert (expected == tally).all()


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("top", [7, 11, 15])
def test_count_hands(size: int, top: int) -> None:
    """Hands of a few low cards, counted one by one."""
    actual = np.zeros(cross_runs.CLASSES + 4, np.int64)
    frequencies.count_hands(top, size, tables(), actual)
    expected = np.zeros(cross_runs.CLASSES + 4, np.int64)
    for others in combinations(range(top), size - 1):
        expected[cross_runs.finest_class(poker_value((*others, top)))] += 1

    assert expected.tolist() == actual.tolist()


def test_finest_class_is_the_name() -> None:
    """The kernels number runs as `games.hands` names them."""
    from croupier.games.hand_names import POKER_HANDS

    for _ in range(700):
        value = poker_value(random.sample(range(52), 5))

        assert poker_hand(value) == POKER_HANDS[cross_runs.finest_class(value)]


def test_payoffs_follow_the_paytable() -> None:
    """No payout is in a kernel: another Blind pays another straight."""
    other: House = variants.with_settings(ULTIMATE, {"blind": "B"})
    stakes = {"ante": 1, "blind": 1, "play": 4}
    space = FactsSpace.of(ULTIMATE.every_facts(), Contest)
    rows = [payoffs.Payoffs(house).by_code(space, stakes) for house in (ULTIMATE, other)]
    changed = [space[code] for code in range(len(space)) if rows[0][code] != rows[1][code]]

    assert [(False, "ahead", "straight"), (True, "ahead", "straight")] == [
        (facts.dealer_qualifies, facts.versus, facts.hand) for facts in changed
    ]


@pytest.mark.parametrize("game", GAMES)
def test_codes_are_the_order_of_the_table(game: str) -> None:
    """`tabulate` lists every group of facts by its code, from 0 without gaps."""
    house = variants.standard_house(game)
    listed: dict[tuple[type[Facts], str], list[Facts]] = {}
    for facts in house.tabulate():
        listed.setdefault((type(facts), getattr(facts, "wager", "")), []).append(facts)
    for (kind, wager), group in listed.items():
        space = FactsSpace.of(house.every_facts(), kind, wager)

        assert group == list(space)
        assert list(range(len(group))) == [space.code(facts) for facts in group]
