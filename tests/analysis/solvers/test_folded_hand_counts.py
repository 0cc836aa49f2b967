"""Folds and side wagers: forfeits, precomputed and counted again, and envy that ends with them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest

from croupier.analysis import advice, side_result, side_wagers, variants
from croupier.analysis.result_cache import main_result
from croupier.analysis.solvers import folded_hand_counts
from croupier.games import House, find
from croupier.games.expected_returns import load_folded_hands, precomputed_folds, returns
from croupier.games.ultimate_texas_holdem import envy_frequency
from croupier.games.ultimate_texas_holdem import folded_hands as ultimate_folds
from croupier.ranking import PAIR, STRAIGHT_FLUSH, category, poker_value

ULTIMATE = "ultimate_texas_holdem"
RUN = "run_em_twice"


def house(game: str = ULTIMATE, **settings: Any) -> House[Any]:
    """The standard House with some settings."""
    return variants.with_settings(variants.standard_house(game), settings)


@pytest.mark.parametrize(
    ("settings", "wager"),
    [
        ({"bad_beat_after_fold": False}, "bad_beat"),
        ({"progressive_after_fold": False}, "progressive"),
        (
            {"progressive_after_fold": False, "progressive_basis": "best_five_of_seven"},
            "progressive",
        ),
    ],
)
def test_a_forfeited_wager_is_worth_less(settings: dict[str, Any], wager: str) -> None:
    """Bad Beat and progressive lose what is folded, in `check` as in `analyze`."""
    forfeiting = house(**settings)
    carried: dict[str, Any] = {name: value or True for name, value in settings.items()}
    free, forfeited = (
        side_wagers.analyze_side_wager(house(**carried), wager),
        side_result(forfeiting, wager),
    )

    assert not free.upper_bound and not forfeited.upper_bound
    assert forfeited.ev < free.ev
    assert 1 + forfeited.ev == sum(line.contribution for line in forfeited.lines)
    assert 1 + forfeited.ev == returns(forfeiting)[wager]


@pytest.mark.parametrize(
    ("wager", "settings"),
    [
        ("bad_beat", {}),
        ("progressive", {"progressive_basis": "own_two_plus_flop"}),
        ("progressive", {"progressive_basis": "best_five_of_seven"}),
    ],
)
def test_precomputed_folds_are_those_of_optimal_play(wager: str, settings: dict[str, str]) -> None:
    """They equal a new count, and the frequency of folds."""
    standard = house(**settings)
    stored = precomputed_folds(standard, wager)
    assert stored is not None
    actions = main_result(standard).actions
    share = actions["preflop"]["check"] * actions["flop"]["check"] * actions["river"]["fold"]
    result = folded_hand_counts.folded(standard, wager)

    assert share == Fraction(sum(result.counts.values()), result.deals)
    assert stored.deals == result.deals
    assert stored.counts == {hand: count for hand, count in result.counts.items() if count}


@pytest.mark.slow
def test_all_kept_folds() -> None:
    """Every setting and basis, counted again."""
    assert folded_hand_counts.recount(ULTIMATE) == load_folded_hands(find(ULTIMATE))


def test_folded_hands_by_sample() -> None:
    """Random deals fold as often with each first five as the count of folds says."""
    house = variants.with_settings(
        variants.standard_house(ULTIMATE), {"progressive_after_fold": False}
    )
    folded = folded_hand_counts.folded(house, "progressive")
    strategy, deck, rounds = advice.optimal_strategy(house), random.Random(5), 6000
    pairs = 0
    for _ in range(rounds):
        cards = deck.sample(range(52), 7)
        own, board = cards[:2], cards[2:]
        words = [
            strategy.decide(street.name, own, board[: street.shown])
            for street in house.game.streets
        ]
        if words == ["check", "check", "fold"]:
            pairs += category(poker_value(cards[:5])) == PAIR
    expected = sum(count for hand, count in folded.counts.items() if hand.startswith("pair"))
    share = expected / folded.deals

    assert abs(pairs / rounds - share) < 4 * (share / rounds) ** 0.5


def test_envy_ends_with_a_fold() -> None:
    """An independent program has about 0.004694876 per dollar where 185/32487 ignores folds."""
    free = side_result(house(progressive="C"), "progressive")
    ended = side_result(house(progressive="C", envy_on_folded_hand=False), "progressive")

    assert Fraction(185, 32487) == free.envy[1]
    assert "0.004694876" == f"{float(ended.envy[1]):.9f}"
    assert 5 * ended.envy[1] == ended.envy[5]
    assert not ended.envy_upper_bound


def test_envy_of_runs_is_marked() -> None:
    """Without an enumeration of two hands that both stay, the figure is marked as a bound."""
    ended = side_result(house(RUN, envy_on_folded_hand=False), "progressive")

    assert ended.envy_upper_bound
    assert ended.envy == side_result(variants.standard_house(RUN), "progressive").envy


def test_others_fold_one_by_one() -> None:
    """Runouts without the holder's cards in which another hand folds, asked one by one."""
    standard = variants.standard_house(ULTIMATE)
    play, strategy = ultimate_folds.best_play(standard), advice.optimal_strategy(standard)
    flop, holder = [16, 20, 24], (12, 28)  # 6c 7c 8c, and 5c 9c
    sums = ultimate_folds.fold_sums(play, 3), ultimate_folds.fold_sums(play, 4)
    actual = envy_frequency.others_fold(play, *sums, flop, holder)
    left = [card for card in range(52) if card not in (*flop, *holder)]
    pairs = random.Random(4).sample(list(combinations(left, 2)), 12)
    for low, high in pairs:
        expected = 0
        checks = [strategy.decide("preflop", (low, high), ()), ""]
        checks[1] = strategy.decide("flop", (low, high), flop)
        if checks == ["check", "check"]:
            rest = [card for card in left if card not in (low, high)]
            for runout in combinations(rest, 2):
                expected += strategy.decide("river", (low, high), [*flop, *runout]) == "fold"

        assert expected == actual[high * (high - 1) // 2 + low]
    assert actual.any() and not actual[28 * 27 // 2 + 12]


def test_enviable_hands_of_seven_cards() -> None:
    """Boards and suited cards in hand add up to all straight flushes of seven cards."""
    standard = house(progressive_basis="best_five_of_seven")
    total = 0
    for size in (3, 4, 5):
        for ranks in combinations(range(13), size):
            mask = sum(1 << rank for rank in ranks)
            for held, _ in envy_frequency._makes(standard, mask):
                own = held.bit_count()
                total += envy_frequency._board_count(mask) * comb(39 - (5 - size), 2 - own)

    assert (37260 + 4324) * comb(7, 2) == total
    shares = envy_frequency.both_stay(standard)
    assert {"straight_flush", "royal_flush"} == set(shares)
    assert all(0 < share < Fraction(37260, comb(52, 7)) for share in shares.values())
    assert category(poker_value((16, 20, 24, 12, 28))) == STRAIGHT_FLUSH
