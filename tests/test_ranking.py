"""The hand evaluator against a naive one: the order of hands must agree, not the values."""

from __future__ import annotations

import random
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, parse_cards
from croupier.ranking import (
    CATEGORIES,
    category,
    live_card_category,
    live_card_value,
    live_count,
    poker_value,
    royal_suit,
    super_royal_suit,
)
from tests.support import naive_evaluator

Value = TypeVar("Value", int, tuple[int, ...], naive_evaluator.TopFive)


def hands(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)


def order(first: Value, second: Value) -> int:
    return (first > second) - (first < second)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("ace_low", [True, False])
def test_poker_hands_compare_as_the_naive_twin_says(size: int, ace_low: bool) -> None:
    """Two thousand pairs of random hands, half of them from few ranks so that ties occur."""
    chance = random.Random(size + ace_low)
    for trial in range(2000):
        deck = DECK if trial % 2 else [card for card in DECK if card >> 2 in (0, 1, 2, 3, 4, 12)]
        first, second = chance.sample(deck, size), chance.sample(deck, size)
        expected = order(
            naive_evaluator.poker_hand(first, ace_low), naive_evaluator.poker_hand(second, ace_low)
        )

        assert expected == order(poker_value(first, ace_low), poker_value(second, ace_low))
        assert naive_evaluator.poker_hand(first, ace_low)[0] == category(
            poker_value(first, ace_low)
        )


@pytest.mark.parametrize("extra_cards", [True, False])
def test_top_five_hands_compare_as_the_naive_twin_says(extra_cards: bool) -> None:
    """Hands of zero to seven live cards, each number equally likely."""
    chance = random.Random(extra_cards)
    live = [card for card in DECK if card >> 2 >= 8]
    for trial in range(4000):
        live_cards = chance.randrange(8)
        cards = [
            chance.sample(live, live_cards) + chance.sample(DECK[:32], 7 - live_cards)
            for _ in range(2)
        ]
        expected = order(*(naive_evaluator.top_five(hand, extra_cards) for hand in cards))

        assert expected == order(*(live_card_value(hand, extra_cards) for hand in cards)), trial
        assert live_cards == live_count(live_card_value(cards[0]))


@given(hands(7), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(cards: list[int], chance: random.Random) -> None:
    """A hand is a set of cards."""
    shuffled = list(cards)
    chance.shuffle(shuffled)

    assert poker_value(cards) == poker_value(shuffled)
    assert live_card_value(cards) == live_card_value(shuffled)


@given(hands(7), st.permutations(range(4)))
def test_suits_are_equal(cards: list[int], suits: list[int]) -> None:
    """A permutation of the suits changes no value."""
    renamed = [card >> 2 << 2 | suits[card & 3] for card in cards]

    assert poker_value(cards) == poker_value(renamed)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("As Ks Qs Js Ts 2d 3d", "royal_flush"),
        ("5h 4h 3h 2h Ah Kd Qd", "straight_flush"),
        ("9c 9d 9h 9s Ah Ad Ac", "four_of_a_kind"),
        ("Kc Kd Kh 2s 2h 2d 3c", "full_house"),
        ("Ah 9h 7h 4h 2h Kd Kc", "flush"),
        ("Ah 2d 3s 4c 5h Kd Kc", "straight"),
        ("Qh Kd As 2c 3h 4d 9c", "high_card"),
    ],
)
def test_categories(cards: str, expected: str) -> None:
    """One hand of each notable kind; a straight does not wrap around the ace."""
    assert expected == CATEGORIES[category(poker_value(parse_cards(cards)))]


def test_the_royal_and_the_super_royal_know_their_suit() -> None:
    """Two paytables have separate lines for diamonds."""
    royal = parse_cards("Ad Kd Qd Jd Td 9d")

    assert 1 == royal_suit(royal)
    assert 1 == super_royal_suit(royal)
    assert -1 == royal_suit(parse_cards("Ad Kd Qd Jd Ts 9d"))
    assert -1 == super_royal_suit(parse_cards("Ad Kd Qd Jd Td 8d"))


def test_a_straight_of_seven_live_cards_beats_its_trips() -> None:
    """6.C ranks the five card straight above three of a kind."""
    assert (
        "straight"
        == CATEGORIES[live_card_category(live_card_value(parse_cards("Ah Ad As Kh Qs Jc Th")))]
    )
