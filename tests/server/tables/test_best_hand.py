"""The hands that a viewer sees: the cards that make them, and none before they are shown."""

from __future__ import annotations

import random
import re

import pytest

from croupier import Account, Decide, NoMoreBets, PlaceWagers, Shoe, Table, example, viewer_of
from croupier.cards import DECK, names, parse_cards, rank_of
from croupier.games import CATALOGUE, Game
from croupier.ranking import CATEGORIES, LOWEST_LIVE_RANK, poker_value
from croupier.server.protocol import HandView
from croupier.server.tables.best_hand import best_five, visible_hands
from croupier.table import Viewer

ANN = Account("ann", "player")


def played(game: Game, seed: int) -> Table:
    """A table whose only player has decided to the end, before the settlement."""
    house = example(game.key)
    table = Table(house)
    ante = house.game.ante.name
    main = {wager.name: 10_00 for wager in game.wagers if wager.role == "matching"}
    table.do(PlaceWagers(1, {ante: 10_00, **main}, ANN.id))
    table.do(NoMoreBets())
    shoe = Shoe(random.Random(seed).sample(DECK, len(DECK)))
    while shoe.serve(table).kind == "decide":
        word = next(option.word for option in table.options() if option.word != "fold")
        table.do(Decide(1, word))
    return table


def own_hand(table: Table) -> HandView | None:
    """The player's hand as the player sees it."""
    hands = visible_hands(table, viewer_of(table, ANN))
    return next((hand for hand in hands if hand.seat == 1), None)


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_the_cards_of_a_hand(game: Game) -> None:
    """The best five of all cards, the live ones, or those of every line of the layout."""
    for seed in range(20):
        table = played(game, seed)
        current = table.round
        assert current is not None
        cards = (*names(current.boxes[1].cards), *names(current.layout))
        hand = own_hand(table)
        assert hand is not None and not current.boxes[1].folded_at
        if game.layout.lines:
            assert set(cards) == set(hand.cards)
        elif game.community_cards:
            assert 5 == len(hand.cards)
            assert poker_value(parse_cards(list(cards))) == poker_value(
                parse_cards(list(hand.cards))
            )
        else:
            live = [c for c in parse_cards(list(cards)) if rank_of(c) >= LOWEST_LIVE_RANK]
            assert names(live) == list(hand.cards)


def test_of_several_fives_the_first_is_taken() -> None:
    """The same cards are highlighted for everyone."""
    cards = tuple(parse_cards("As Ks Qs Js Ts 9s 2c"))
    assert tuple(parse_cards("As Ks Qs Js Ts")) == best_five(cards)


def test_hands_are_named_with_their_ranks() -> None:
    """Of every category, "pair of nines" rather than "pair"; both runs are named."""
    said = {
        hand.words
        for game in CATALOGUE
        for seed in range(12)
        for hand in visible_hands(played(game, seed), Viewer(ANN, frozenset({1})))
    }
    assert not said & {each.replace("_", " ") for each in CATEGORIES[:-1]}
    assert any(re.fullmatch("two pair, [a-z]+s and [a-z]+s", words) for words in said)
    assert any(re.fullmatch("1st run .*pair of [a-z]+s, 2nd run .+", words) for words in said)
