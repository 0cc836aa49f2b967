"""Known cards of a cross or of another seat against sums over all crosses, side by side."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier import submission
from croupier.analysis import variants
from croupier.analysis.kernels.cross import cross_known_cards, cross_runs
from croupier.analysis.solvers.starting_hands import hand_classes
from croupier.games.run_em_twice import boards, exposure

Longs = NDArray[np.int64]
# Made up: folds on the second street that pay, so that it is often best to fold.
FOLDS = np.array([2, 5, 8])
READINGS: tuple[dict[str, object], ...] = (
    {},
    {"ante_rule": "better_run", "center_rule": "even_money"},
)


@cache
def rules_of(reading: int) -> boards.RunRules:
    """The rules under one reading."""
    house = variants.with_settings(submission.example("run_em_twice"), READINGS[reading])
    return boards.RunRules(house)


@cache
def paid(reading: int) -> Longs:
    """What a box gains by the classes of its runs and by its three bets, as it is settled."""
    rules = rules_of(reading)
    bets = rules.multiples
    rows = [[[rules.money.by_code(rules.space, rules.staked(one, two, three)) for three in bets]
             for two in bets] for one in bets]  # fmt: skip
    by_bets = np.array(rows, object).astype(np.int64)[..., rules.codes]
    return np.ascontiguousarray(by_bets.transpose(3, 4, 0, 1, 2))


def last_street(reading: int, hand: int, first: int, second: int, dead: Any = ()) -> Longs:
    """What both sides are worth, by first and second bet: every center, the best bet or a fold."""
    rules, cards = rules_of(reading), boards.side_cards()
    classes = boards.run_classes(rules, boards.sides(hand))
    gone = {*cards[first].tolist(), *cards[second].tolist(), *dead}
    left = [center for center in range(cross_runs.OTHERS) if center not in gone]
    sums = paid(reading)[classes[left, first], classes[left, second]].sum(axis=0)
    result: Longs = np.maximum(sums.max(axis=2), rules.folds * len(left))
    return result


def seconds_beside(first: int, dead: Any = ()) -> list[int]:
    """The second sides that can lie beside a first one, and beside dead cards."""
    cards = boards.side_cards()
    gone = [*cards[first].tolist(), *dead]
    return np.flatnonzero(~np.isin(cards, gone).any(axis=1)).tolist()


@pytest.mark.parametrize("dead", [[17], [17, 31], [48, 3]])
@pytest.mark.parametrize(("reading", "hand"), [(0, "T9s"), (1, "88")])
def test_value_beside_dead(reading: int, hand: str, dead: list[int]) -> None:
    """One first side, all second sides and centers without the dead cards."""
    rules, at = rules_of(reading), hand_classes().names.index(hand)
    result, ready, _, bets = exposure._kernel_hand(rules, at)
    first = int(result.chosen[25])
    assert not set(dead) & set(boards.side_cards()[first].tolist())
    out = np.zeros((2, bets), np.int64)
    cross_known_cards.value_beside_dead(
        np.array([first, first]), np.array([3, 4]), boards.side_cards(), ready, FOLDS,
        np.array([dead]), np.array([1]), out,
    )  # fmt: skip
    others = seconds_beside(first, dead)
    sums = np.sum([last_street(reading, at, first, other, dead) for other in others], axis=0)
    fold = FOLDS * len(others) * (cross_runs.CENTERS - len(dead))

    assert (7 * np.maximum(sums.max(axis=1), fold)).tolist() == out[1].tolist()
    assert not out[0].any()


@pytest.mark.parametrize(("reading", "hand"), [(0, "T9s"), (1, "88")])
def test_value_with_second_card(reading: int, hand: str) -> None:
    """One first side, and the second sides that hold each card."""
    rules, at = rules_of(reading), hand_classes().names.index(hand)
    result, ready, _, bets = exposure._kernel_hand(rules, at)
    first = int(result.chosen[25])
    out = np.zeros((cross_runs.OTHERS, bets), np.int64)
    cross_known_cards.value_with_second_card(
        np.array([first]), np.array([2]), boards.side_cards(), ready, FOLDS,
        np.arange(cross_runs.OTHERS), out,
    )  # fmt: skip
    cards = boards.side_cards()
    for card in (0, 13, 30, 49):
        others = [other for other in seconds_beside(first) if card in cards[other]]
        sums = np.sum([last_street(reading, at, first, other) for other in others], axis=0)
        best = np.maximum(sums.max(axis=1), FOLDS * len(others) * cross_runs.CENTERS)

        assert (2 * best).tolist() == out[card].tolist()
    assert not out[cards[first]].any()


@pytest.mark.parametrize(("reading", "hand"), [(0, "T9s"), (1, "88")])
def test_value_second_sides(reading: int, hand: str) -> None:
    """One second side, known from the start, behind every first side."""
    rules, at = rules_of(reading), hand_classes().names.index(hand)
    actual, ready, _, bets = exposure._kernel_hand(rules, at)
    cheap = np.array([-1, -2, -1])  # a fold that pays would count beside sides that clash
    second = int(actual.chosen[200])
    out = np.zeros((1, bets), np.int64)
    cross_known_cards.value_second_sides(np.array([second]), boards.side_cards(), ready, cheap, out)
    expected = np.zeros(bets, np.int64)
    for first in seconds_beside(second):
        behind = last_street(reading, at, first, second).max(axis=1)
        expected += np.maximum(behind, cheap * cross_runs.CENTERS)

    assert expected.tolist() == out[0].tolist()


@pytest.mark.parametrize("known", [1, 2])
@pytest.mark.parametrize("hand", ["T9s", "88", "A4o"])
def test_classes_of_known_cards(hand: str, known: int) -> None:
    """First sides up to suits stand for all of them: the same sums by class of what is known."""
    rules, at = rules_of(0), hand_classes().names.index(hand)
    result, ready, folds, bets = exposure._kernel_hand(rules, at)
    classes = exposure.known_classes(at, known)
    few = np.flatnonzero(classes.ids == classes.ids[len(classes.ids) // 2])
    every, by_class = np.zeros((2, len(classes.sizes), bets), np.int64)
    common = ready, folds, classes.cards[few], classes.ids[few]
    ones = np.ones(cross_runs.SIDES, np.int64)
    cross_known_cards.value_beside_dead(
        np.arange(cross_runs.SIDES), ones, boards.side_cards(), *common, every
    )
    cross_known_cards.value_beside_dead(
        result.chosen, result.sizes, boards.side_cards(), *common, by_class
    )

    assert len(few) == classes.sizes[classes.ids[few[0]]] and every.any()
    assert (every == by_class).all()


def test_a_card_of_the_first_side_by_the_game_without_it() -> None:
    """Each first side holds two cards: over all of them it is twice the game as it is dealt."""
    house = submission.example("run_em_twice")
    rules, cards = boards.RunRules(house), exposure.horizontal_card(house)
    pairs = exposure.horizontal_pair(house)
    for hand in (0, 50, 168):
        sums = boards.value_hand(rules, hand).max(axis=2)
        fold = exposure.fold_seconds(rules) * exposure.SECONDS
        dealt = boards.sides(hand).sizes @ np.maximum(sums, fold)

        assert (2 * dealt).tolist() == cards(hand).sum(axis=0).tolist()
        assert dealt.tolist() == pairs(hand).sum(axis=0).tolist()


def test_bets_to_try() -> None:
    """Where folds cost the same for every unit the middle bet is left out, and it gains nothing."""
    rules = rules_of(0)
    result, ready, folds, bets = exposure._kernel_hand(rules, 40)
    classes = exposure.known_classes(40, 1)
    out = np.zeros((len(classes.sizes), bets), np.int64)
    cross_known_cards.value_beside_dead(
        result.chosen,
        result.sizes,
        boards.side_cards(),
        ready,
        folds,
        classes.cards,
        classes.ids,
        out,
    )
    least, middle, most = out.T

    assert [0, 2] == exposure.bets_to_try(rules)
    assert (middle <= np.maximum(least, most)).all()
    tried = exposure.dead_cards(rules.house, 1)(40)
    assert least.tolist() == tried[:, 0].tolist() and most.tolist() == tried[:, 2].tolist()
