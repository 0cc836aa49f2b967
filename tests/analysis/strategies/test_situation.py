"""Explanations of single decisions: features, the rule that applies, the cards that beat you."""

from __future__ import annotations

import random

import numpy as np
import pytest

from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.solvers import starting_hands
from croupier.analysis.strategies import features
from croupier.analysis.strategies.rule_language import practical_strategy
from croupier.analysis.strategies.situation import Situation, explain
from croupier.cards import DECK, parse_cards
from croupier.games import CATALOGUE, Game, find
from croupier.games.top_five import strategy_cost as live
from croupier.games.top_five.solver import held_cards
from croupier.submission import example


def explained(game: str, street: str, cards: str, board: str, best: str) -> str:
    """The explanation of a decision."""
    record = find(game)
    at = next(each for each in record.streets if each.name == street)
    return explain(record, at, parse_cards(cards), parse_cards(board), best)


@pytest.mark.parametrize(
    ("cards", "board", "best", "says"),
    [
        ("Ah 7d", "Kc 7s 2h Jd 4s", "1x", "Simple rule: 1x with a pair or better that uses"),
        ("Kh 5d", "Ac 9s 8h 2d 3s", "1x", "15 cards in the dealer's hand beat you."),
        ("6h 5d", "Ac Ks Qh 9d 8s", "fold", "Simple rule: fold, because no rule for a bet applies"),
        ("Ah 7d", "Kc 7s 2h Jd 4s", "fold", "An exception: exact values favor fold, although"),
    ],
)
def test_river_of_ultimate(cards: str, board: str, best: str, says: str) -> None:
    """The rule that applies, or that none does; and how many cards beat the player."""
    assert says in explained("ultimate_texas_holdem", "river", cards, board, best)


def test_first_cards() -> None:
    """Ranges of starting hands are matched with and without the suit."""
    game = "ultimate_texas_holdem"
    assert explained(game, "preflop", "Ks 2s", "", "4x").startswith("Simple rule: 4x with a pair")
    assert explained(game, "preflop", "Ks 2d", "", "check").startswith("Simple rule: check, bec")


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_every_decision_is_explained(game: Game) -> None:
    """Every rule can be evaluated on every street, and some rule applies to some hands."""
    strategy = practical_strategy(game.key)
    assert strategy is not None
    for street in game.streets:
        applied = set()
        for seed in range(60):
            dealt = random.Random(f"{game.key} {street.name} {seed}").sample(DECK, 12)
            cards, board = dealt[: game.player_cards], dealt[7 : 7 + street.shown]
            situation = Situation(game, street, cards, board)
            applied.add(situation.rule(strategy.on(street.name)))
            text = explain(game, street, cards, board, situation.options[0])
            assert text.startswith(("Simple rule: ", "An exception: ")) and text.endswith(".")
        assert len(applied) > 1 or strategy.on(street.name)[0].condition == "always"


def test_features_of_starting_hands_and_one_card() -> None:
    """Those of the arrays, for every class."""
    (first, *_) = find("jackpot_holdem").streets
    arrays = features.of_hand_and_card(first)
    ids = starting_hands.hand_and_card_classes().ids
    _, numbers = np.unique(ids, return_index=True)
    cards, hands = np.divmod(numbers[1:], flops.HANDS)
    for at in random.Random(1).sample(range(len(cards)), 200):
        held = flops.hands()[hands[at]].tolist()
        one = Situation(find("jackpot_holdem"), first, held, [int(cards[at])])
        assert {name: int(arrays.values(name)[at]) for name in arrays.names} == dict(one.numbers)


def test_features_of_live_cards() -> None:
    """Those of the arrays, for the masks of random hands."""
    game, house = find("top_five"), example("top_five")
    (street,) = game.streets
    for seed in range(100):
        cards = random.Random(seed).sample(DECK, 7)
        mask = sum(1 << card for card in cards if game.is_live(card))
        arrays = live.live_features(house, np.array([mask >> 32]))
        held = held_cards(mask >> 32)
        assert sorted(held) == sorted(card for card in cards if game.is_live(card))
        one = Situation(game, street, cards, [])
        assert {name: int(arrays.values(name)[0]) for name in arrays.names} == dict(one.numbers)
