"""What a player sees, and what decisions cost, against plain loops over a few situations."""

from __future__ import annotations

import random

import numpy as np
import pytest

from croupier.analysis import variants
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.enumerate import board_features as kernel
from croupier.analysis.kernels.enumerate import decision_costs, flops
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers import starting_hands
from croupier.analysis.strategies import features
from croupier.analysis.strategies.situation import (
    holdem_features,
    own_features,
    side_features,
)
from croupier.cards import Card
from croupier.games.run_em_twice import strategy_cost
from croupier.games.run_em_twice.boards import RunRules, prepare, run_classes, side_cards, sides
from croupier.games.run_em_twice.solver import RunStrategy
from tests.analysis.kernels import naive_holdem as naive
from tests.analysis.kernels.test_street_kernels import Sample


def seen(hand: list[Card], board: list[Card]) -> dict[str, int]:
    """The features of a hand and board, from the plain Python that explains decisions."""
    features_of_hand = own_features(hand) | holdem_features(hand, board)
    return {name: features_of_hand[name] for name in features_of_hand if name in kernel.NAMES}


@pytest.mark.parametrize("size", [3, 4])
def test_early_sights(size: int) -> None:
    """Flops and turns, some of one suit or with pairs, with many hands."""
    every = flops.early_boards(size).cards
    numbers = random.Random(size)
    picked = [0, len(every) - 1, *numbers.sample(range(len(every)), 10)]
    out = np.zeros((len(picked), len(kernel.EARLY_NAMES), flops.HANDS), np.uint8)
    kernel.early_features(
        0, len(picked), every[picked], flops.hands(), tables(), kernel.straight_completions(), out
    )

    for at, board in enumerate(every[picked].tolist()):
        for hand in numbers.sample(range(flops.HANDS), 60):
            cards = flops.hands()[hand].tolist()
            if not set(cards) & set(board):
                visible = dict(zip(kernel.EARLY_NAMES, out[at, :, hand].tolist(), strict=True))
                assert seen(cards, board) == visible, (cards, board)


def test_river_sights() -> None:
    """Random boards and hands are looked up as they are numbered; outs are counted one by one."""
    river = variants.standard_house("ultimate_texas_holdem").game.streets[-1]
    plain, suited = (
        {name: np.concatenate([part.values(name) for part in parts]) for name in kernel.RIVER_NAMES}
        for parts in (features.of_rank_rivers(river), features.of_flush_rivers(river))
    )
    numbers = random.Random(5)
    flushes = 0
    for _ in range(100):
        dealt = numbers.sample(range(52), 7)
        hand, board = sorted(dealt[:2]), dealt[2:]
        number = flops.hand_number(hand)
        suit = next((s for s in range(4) if sum(card & 3 == s for card in board) >= 3), None)
        if suit is None:
            of, row = plain, isomorphism.multiset_ids(5)[tuple(card >> 2 for card in board)]
            kind = flops.hand_ranks()[number]
        else:
            flushes += 1
            mask = sum(1 << (card >> 2) for card in board if card & 3 == suit)
            outside = sorted(card >> 2 for card in board if card & 3 != suit)
            of, row = suited, isomorphism.flush_board_number(mask, outside)
            kind = flops.hand_types()[suit, number]

        assert seen(hand, board) == {name: int(values[row, kind]) for name, values in of.items()}
    assert 15 < flushes < 70


def test_charges() -> None:
    """Costs, uses and wrong decisions by rule, and the costliest mistakes, by a plain loop."""
    numbers = np.random.default_rng(1)
    gains, which = numbers.integers(-9, 9, 999), numbers.integers(0, 3, 999)
    weights, bets = numbers.integers(0, 3, 999), np.array([True, False, True])
    costs, room = np.zeros((3, 3), np.int64), decision_costs.mistake_buffer()
    decision_costs.add_costs(gains, bets, which, weights, 7, costs, room)
    expected = np.zeros((3, 3), np.int64)
    mistakes = []
    for at, (gain, line, weight) in enumerate(zip(gains, which, weights, strict=True)):
        loss = max(0, -gain if bets[line] else gain)
        expected[line] += weight * np.array([loss, 1, loss > 0])
        mistakes.append((weight * loss, 7 + at, line, loss))

    assert expected.tolist() == costs.tolist()
    stored = sorted(room[:, 0].tolist())
    assert sorted(cost for cost, *_ in mistakes)[-len(room) :] == stored
    assert {tuple(row) for row in room.tolist()} <= {tuple(map(int, row)) for row in mistakes}


def test_turns_are_charged_and_summed() -> None:
    """The gains of turns are those of the naive look-up; sums go where their keys say."""
    sample = Sample(4, 2, 3)
    shape = (len(sample.boards), flops.HANDS)
    which = sample.numbers.integers(0, 2, shape).astype(np.uint8)
    keys = sample.numbers.integers(0, 5, shape)
    times = sample.numbers.integers(0, 2, flops.HANDS)
    known = *sample.known, sample.starts, sample.plain, sample.suited, 1
    bets = np.array([True, False])
    costs, room, sums = (
        np.zeros((2, 3), np.int64),
        decision_costs.mistake_buffer(),
        np.zeros(5, np.int64),
    )
    decision_costs.add_turn_costs(0, len(sample.boards), *known, bets, which, times, costs, room)
    decision_costs.sum_turns(0, len(sample.boards), *known, times, keys, sums)
    expected, by_key = np.zeros((2, 3), np.int64), np.zeros(5, np.int64)
    for at, board, size, hand, pair in sample.dealt():
        gain = naive.value(sample.plain, sample.suited, 1, board, pair)
        line, weight = which[at, hand], size * times[hand]
        loss = max(0, -gain if bets[line] else gain)
        expected[line] += weight * np.array([loss, 1, loss > 0])
        by_key[keys[at, hand]] += weight * gain

    assert expected.tolist() == costs.tolist()
    assert by_key.tolist() == sums.tolist()


def test_centers_are_charged() -> None:
    """One starting hand and first side against every second side, by the game's own judge."""
    house = variants.standard_house("run_em_twice")
    rules = RunRules(house)
    strategy = RunStrategy(house, {})
    at = starting_hands.hand_classes().names.index("JTs")
    actual = sides(at)
    chosen = actual.chosen[100:101]
    numbers = np.random.default_rng(2)
    codes = numbers.integers(0, 4, cross_runs.SIDES)
    which = numbers.integers(0, 3, (4, 4)).astype(np.uint8)
    actions = np.array([-1, 0, 2])  # fold, 1x, 3x
    costs, room = np.zeros((3, 3), np.int64), decision_costs.mistake_buffer()
    ready = prepare(rules, run_classes(rules, actual))
    one, two = np.int64(0), np.array([2])
    sums = np.zeros((4, 4, 3), np.int64)
    common = chosen, np.array([5]), side_cards(), *ready, int(one), two, codes
    decision_costs.add_center_costs(*common, which, actions, costs, room)
    decision_costs.sum_centers_by_code(*common, sums)
    expected, gained = np.zeros((3, 3), np.int64), np.zeros((4, 4, 3), np.int64)
    side = side_cards()[chosen[0]]
    for other, pair in enumerate(side_cards()):
        if set(side.tolist()) & set(pair.tolist()):
            continue
        board = [*actual.others[side].tolist(), *actual.others[pair].tolist()]
        answers = strategy.ask(
            "center", actual.hand.tolist(), board, {"first_run": 1, "second_run": 3}
        )
        worth = {answer.option: int(answer.ev * cross_runs.CENTERS) for answer in answers}
        seen_codes = codes[chosen[0]], codes[other]
        line = which[seen_codes]
        loss = max(worth.values()) - worth[["fold", "1x", "3x"][line]]
        expected[line] += 5 * np.array([loss, 1, loss > 0])
        for bet, word in enumerate(("1x", "2x", "3x")):
            gained[seen_codes][bet] += 5 * (worth[word] - worth["fold"])

    assert expected.tolist() == costs.tolist()
    assert gained.tolist() == sums.tolist()


def test_what_is_seen_of_a_run() -> None:
    """The code of a run tells its four cards: pairs, suits, straights, jacks and sixes."""
    numbers = random.Random(9)
    result = strategy_cost.codes()
    for _ in range(70):
        at, side = numbers.randrange(169), numbers.randrange(cross_runs.SIDES)
        cards = [*sides(at).hand.tolist(), *sides(at).others[side_cards()[side]].tolist()]
        visible = dict(
            zip(strategy_cost.NAMES, result.seen[result.of_side[at, side]].tolist(), strict=True)
        )
        assert side_features(cards) == visible
