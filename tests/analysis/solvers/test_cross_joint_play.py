"""Run 'Em Twice and a progressive that a fold forfeits: against loops that deal every cross."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier import analysis
from croupier.analysis.solvers import forfeited_wagers, starting_hands
from croupier.errors import BadInput
from croupier.games import House, expected_returns
from croupier.games.hand_names import POKER_HANDS, poker_hand
from croupier.games.run_em_twice import boards, solver
from croupier.games.run_em_twice.game import Runs
from croupier.games.run_em_twice.joint_play import ForfeitingRuns
from croupier.ranking import rank_hands

BASES = ("first_run", "higher_run", "best_five_of_seven")
ANTE = 100  # no more than the wager, so that it has a say in most folds


def forfeiting(basis: str) -> House[Any]:
    """The standard House where a fold ends the progressive."""
    settings = {"progressive_after_fold": False, "progressive_basis": basis}
    return analysis.with_settings(analysis.standard_house("run_em_twice"), settings)


def classes_of(rows: list[list[int]]) -> list[int]:
    """The place of each hand among the names of hands."""
    return [POKER_HANDS.index(poker_hand(int(value))) for value in rank_hands(rows)]


def nets(game: ForfeitingRuns) -> NDArray[np.int64]:
    """What both runs bring by all three bets, in whole antes: [first, second, bets]."""
    rules = game.rules
    return np.array(
        [
            [
                [
                    int(rules.money.net(Runs("", first, second), rules.staked(*bets)))
                    for bets in product(rules.multiples, repeat=3)
                ]
                for second in POKER_HANDS
            ]
            for first in POKER_HANDS
        ]
    )


def naive_side(
    game: ForfeitingRuns, basis: str, hand: list[int], side: list[int]
) -> tuple[list[int], int]:
    """Sums over second sides and centers by the first two bets, and what a fold takes in all."""
    rules, pays = game.rules, nets(game)
    left = [card for card in range(52) if card not in (*hand, *side)]
    sums, lost = np.zeros(9, np.int64), 0
    for second in combinations(left, 2):
        centers = [card for card in left if card not in second]
        first_runs = classes_of([[*hand, *side, card] for card in centers])
        second_runs = classes_of([[*hand, *second, card] for card in centers])
        if basis == "best_five_of_seven":
            judged = classes_of([[*hand, *side, *second, card] for card in centers])
        else:
            runs = zip(first_runs, second_runs, strict=True)
            judged = [max(both) if basis == "higher_run" else both[0] for both in runs]
        taken = sum(int(game.lost[kind]) for kind in judged)
        lost += taken
        going_on = pays[first_runs, second_runs].sum(axis=0).reshape(9, 3).max(axis=1) * game.finer
        made = product(rules.multiples, repeat=2)
        fold = [rules.fold_at("center", *bets) * len(centers) * game.finer - taken for bets in made]
        sums += np.maximum(going_on, fold)
    return sums.tolist(), lost


@pytest.mark.parametrize("basis", BASES)
def test_sides_beside_a_naive_loop(basis: str) -> None:
    """A first side after which the wager prevents some folds, against every deal.

    Hands that are folded last have next to nothing to make, so that here every hand is paid.
    """
    game = ForfeitingRuns(forfeiting(basis), "progressive", ANTE)
    game.lost[:-1] = np.arange(len(POKER_HANDS))[::-1]
    game.finer = 100
    hand_class = starting_hands.hand_classes().names.index("72o")
    actual = boards.sides(hand_class)
    sums = game.sums(hand_class)
    alone = boards.value_hand(game.rules, hand_class) * game.finer
    changed = np.flatnonzero((sums < alone).any(axis=(1, 2))).tolist()
    at = random.Random(4).choice(changed)
    side = actual.others[boards.side_cards()[actual.chosen[at]]].tolist()
    expected, lost = naive_side(game, basis, actual.hand.tolist(), side)

    assert expected == sums[at].ravel().tolist()
    assert lost == game.lost_behind(hand_class, np.arange(len(actual.chosen)) == at)[at] > 0


@pytest.mark.parametrize("name", ["AA", "72o", "52o"])
def test_a_starting_hand(name: str) -> None:
    """Both earlier streets, decided side by side in a plain loop; 5-2 is folded at once."""
    game = ForfeitingRuns(forfeiting("higher_run"), "progressive", ANTE)
    rules, hand_class = game.rules, starting_hands.hand_classes().names.index(name)
    result = boards.sides(hand_class)
    lost = game.lost_behind(hand_class, np.ones(len(result.chosen), np.bool_)).tolist()
    sums = game.sums(hand_class).tolist()
    last = solver.LAST * game.finer
    options = []
    for bet, multiple in enumerate(rules.multiples):
        fold = rules.fold_at("second", multiple) * last
        options.append(
            sum(
                size * max(*sums[at][bet], fold - lost[at])
                for at, size in enumerate(result.sizes.tolist())
            )
        )
    every = sum(size * taken for size, taken in zip(result.sizes.tolist(), lost, strict=True))
    options.append(rules.fold_at("first") * 1225 * last - every)

    assert max(options) == game.best(hand_class)


def test_without_anything_to_lose() -> None:
    """Where the wager brings nothing, the main game is left, hand by hand."""
    game = ForfeitingRuns(forfeiting("first_run"), "progressive", ANTE)
    game.lost[:] = 0
    fold = game.rules.fold_at("first") * 1225 * solver.LAST
    for hand_class in range(0, 169, 28):
        sizes = boards.sides(hand_class).sizes
        sums = boards.value_hand(game.rules, hand_class).max(axis=2)
        seconds = [game.rules.fold_at("second", bet) * solver.LAST for bet in game.rules.multiples]
        alone = int((sizes @ np.maximum(sums, seconds)).max())

        assert max(alone, fold) * game.finer == game.best(hand_class)


@pytest.mark.parametrize(
    "basis", ["higher_run", *(pytest.param(basis, marks=pytest.mark.slow) for basis in BASES[::2])]
)
def test_the_sum_lies_between(basis: str) -> None:
    """Better than to forget the wager, not as good as if a fold forfeited nothing."""
    house = forfeiting(basis)
    result = analysis.joint_result(house, "progressive", ANTE)
    assert result is not None
    free = (
        forfeited_wagers.value_if_carried(house, "progressive") / ANTE
        + expected_returns.returns(house)["main"]
        - 1
    )

    assert result.separate_ev < result.ev < free


def test_an_ante_that_divides_nothing() -> None:
    """Parts of an ante too small to be added up are refused with the remedy."""
    with pytest.raises(BadInput, match="expected a rounder ante"):
        ForfeitingRuns(forfeiting("first_run"), "progressive", 10**15 + 37)
