"""Run 'Em Twice and Top Five kernels against loops over the games' own judge and settle."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from croupier import analysis, submission
from croupier.analysis import variants
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.enumerate import closest_decisions
from croupier.analysis.solvers.starting_hands import hand_classes
from croupier.games import FactsSpace
from croupier.games.run_em_twice import boards
from croupier.games.run_em_twice.game import Runs
from croupier.games.run_em_twice.solver import judge
from croupier.games.top_five import solver
from croupier.games.top_five.game import LiveCardContest, contest
from croupier.ranking import live_card_value

READINGS = [
    {},
    {"ante_rule": "better_run"},
    {"center_rule": "even_money"},
    {"ante_rule": "better_run", "center_rule": "even_money", "ace_low_straight": False},
]


@cache
def paid(rules: boards.RunRules, facts: Runs, bets: tuple[int, ...]) -> int:
    """The net payoff of a box, as offered, in `scale`ths of an ante."""
    return whole(rules.offered.net(facts, rules.staked(*bets)) * rules.scale)


def whole(value: Fraction) -> int:
    """A number without a rest."""
    assert value.denominator == 1, value
    return value.numerator


def one_side(rules: boards.RunRules, sides: boards.Sides, at: int) -> dict[str, Any]:
    """All that can follow one first side, dealt card by card: sums, folds and facts by code."""
    house = rules.house
    own = sides.hand.tolist()
    pair = sides.others[boards.side_cards()[sides.chosen[at]]].tolist()
    left = [card for card in range(52) if card not in own and card not in pair]
    bets = rules.multiples
    sums = [[0 for _ in bets] for _ in bets]
    actions, gaps = [0] * (len(bets) + 1), []
    tally = np.zeros((len(bets), len(rules.space)), np.int64)
    folded = 0
    for other in combinations(left, 2):
        centers = [center for center in left if center not in other]
        met = Counter(judge(house, own, (*pair, *other, center)) for center in centers)
        for one, m1 in enumerate(bets):
            for two, m2 in enumerate(bets):
                options = [
                    sum(count * paid(rules, facts, (m1, m2, m)) for facts, count in met.items())
                    for m in bets
                ]
                fold = whole(Fraction(46 * rules.fold_at("center", m1, m2)) * rules.scale)
                sums[one][two] += max(*options, fold)
                if one == two == 0:
                    ranked = sorted([*options, fold])
                    gaps.append(ranked[-1] - ranked[-2])
                    if max(options) <= fold:
                        folded += 46
                        actions[-1] += 1
                    else:
                        best = options.index(max(options))
                        actions[best] += 1
                        for facts, count in met.items():
                            tally[best, rules.space.code(facts)] += count
    results = {"sums": sums, "tally": tally, "folded": folded}
    return results | {"actions": actions, "closest": min(gaps)}


@pytest.mark.parametrize(
    ("reading", "hand", "at", "ante"),
    [
        (READINGS[0], "A3s", 11, None),
        (READINGS[1], "76o", 200, None),
        (READINGS[2], "88", 3, None),
        (READINGS[3], "A4o", 40, None),
        (READINGS[0], "88", 3, 500_00),
        (READINGS[0], "T9s", 30, 777_77),
    ],
)
def test_sides(reading: dict[str, object], hand: str, at: int, ante: int | None) -> None:
    """Sums by vector are sums by card, under every reading, and under a payout limit."""
    house = variants.with_settings(submission.example("run_em_twice"), reading)
    rules = boards.RunRules(house, ante)
    assert (ante is None) == (rules.cuts.size == 0)
    hand_class = hand_classes().names.index(hand)
    actual = boards.sides(hand_class)
    expected = one_side(rules, actual, at)
    classes = boards.run_classes(rules, actual)
    ready = boards.prepare(rules, classes)
    bets = len(rules.multiples)
    chosen, size = actual.chosen[at : at + 1], np.ones(1, np.int64)
    sums = np.zeros((1, bets, bets), np.int64)
    cross_runs.value_sides(chosen, boards.side_cards(), *ready, sums)
    if ante is not None:
        sums *= rules.scale
        taken = boards.cuts(rules, classes)
        cross_runs.cut_sides(chosen, boards.side_cards(), *ready, taken, sums)

    assert expected["sums"] == sums[0].tolist()

    sets = np.zeros((cross_runs.OTHERS, cross_runs.CLASSES, cross_runs.WORDS + 1), np.uint64)
    cross_runs.class_sets(classes, sets)
    tally = np.zeros((bets, bets, len(rules.space)), np.int64)
    folded = np.zeros(bets, np.int64)
    second = np.zeros(1, np.int64)
    actions, near = np.zeros(bets + 1, np.int64), closest_decisions.closest_buffer(1)
    cross_runs.tally_sides(
        chosen, size, boards.side_cards(), *ready, classes, sets, 0, second,
        boards.cuts(rules, classes), rules.codes, tally,
        folded, actions, near,
    )  # fmt: skip

    assert expected["folded"] == folded[0]
    assert expected["actions"] == actions.tolist()
    assert expected["closest"] == near[0, 0]
    assert (expected["tally"] == tally[0]).all()


dealer_value = cache(live_card_value)


@pytest.mark.parametrize("extra_cards", [True, False])
@pytest.mark.parametrize(
    "mask",
    [
        0,
        0b1,
        0b1000_0000_0001,  # two cards, not a pair
        0b11 << 16,  # two aces
        0b0001_0001_0001_0001_0001,  # a royal flush
        0b0111_0011_0011,  # seven: full house and more
        0b1111_0001_0000_0001,  # four of a kind, two more
    ],
)
def test_live_cards(mask: int, extra_cards: bool) -> None:
    """Dealer hands by code of facts, set by set of live cards, through the game's own `contest`."""
    house = analysis.with_settings(
        variants.standard_house("top_five"), {"tie_break_extra_cards": extra_cards}
    )
    space = FactsSpace.of(house.every_facts(), LiveCardContest)
    players, _, counts = solver.count_facts(space, house)
    own = solver.held_cards(mask)
    value = live_card_value(own, extra_cards)
    expected = [0] * len(space)
    left = [card for card in range(solver.FIRST_LIVE, 52) if card not in own]
    dead = solver.DEAD - (7 - len(own))
    for size in range(8):
        ways = comb(dead, 7 - size)
        for dealer in combinations(left, size):
            expected[space.code(contest(value, dealer_value(dealer, extra_cards), house))] += ways
    at = int(np.searchsorted(players, solver.least_mask(own)))

    assert expected == counts[at].tolist()
