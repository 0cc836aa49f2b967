"""The clause of a refusal fits the situation: expected clauses are read from the documents."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games import House
from croupier.table import Account, Command
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.round.turn_order import unturned_places
from tests.clauses.attended.claims import BY_LETTER
from tests.clauses.attended.fixtures.moments import BY_HAND, COUNTING, STAYING
from tests.support.attended_table import ANN, BOB, DEE, FLO, Floor
from tests.support.rounds import METHODS, house
from tests.table.parts.round.test_card_reading import Blind

Tried = tuple[Command, Account]
Situation = Callable[[str, str], tuple[Floor, Tried]]
CITED: dict[str, dict[str, dict[str, str]]] = tomllib.loads(
    Path(__file__).with_name("cited.toml").read_text("utf-8")
)


def rules(game: str, method: str, **changes: Any) -> House[Any]:
    """A House of one dealing method, with one deck and a counting shuffler."""
    location = {"manual_shoe_location": "right"} if method == "manual_shoe" else {}
    return house(game, method, **{"table": COUNTING, **location, **changes})


def betting(game: str, method: str) -> Floor:
    """Ann has placed her wagers."""
    floor = Floor(rules(game, method)).ready()
    floor.bet()
    return floor


def unapproved(game: str, method: str) -> tuple[Floor, Tried]:
    """Everything is ready but the approval of the layout."""
    floor = Floor(rules(game, method, layout_approval=None)).staff()
    floor.do(cmd.AttestEquipment(), DEE)
    floor.receive()
    floor.inspect("one")
    floor.do(cmd.CountInventory(5_000_000), DEE)
    return floor, (cmd.OpenTable(), FLO)


def undealt(game: str, method: str) -> tuple[Floor, Tried]:
    """The betting is closed and no card is dealt."""
    floor = betting(game, method)
    floor.close_bets()
    return floor, (cmd.ShowStreet(), DEE)


def deciding(game: str, method: str) -> tuple[Floor, Tried]:
    """Ann is asked for her first decision."""
    floor = betting(game, method)
    floor.close_bets()
    while floor.table.due().kind != "decide":
        floor.go_on()
    return floor, (cmd.DealCards(("2c",)), DEE)


def settling_early(game: str, method: str) -> tuple[Floor, Tried]:
    """The round is settled instead."""
    return deciding(game, method)[0], (cmd.Settle(), DEE)


def short_stub(game: str, method: str) -> tuple[Floor, Tried]:
    """The dealer counted too few cards; the deck is still at the table."""
    manual = {"shuffle_method": "manual", "decks": 1}
    floor = Floor(rules(game, method, table=manual)).ready()
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    assert floor.table.dealing is not None
    left = 52 - len(floor.table.dealing.left_deck)
    floor.stub(left - 1)
    floor.do(cmd.FindWrongCount(misdealt=False), FLO)
    floor.settle()
    assert all(deck.failed for deck in floor.table.decks.here.values())
    floor.bet()
    return floor, (cmd.NoMoreBets(), DEE)


def short_deck(game: str, method: str) -> tuple[Floor, Tried]:
    """The shuffler counted too few cards; the deck is still at the table."""
    floor = Floor(rules(game, method)).open()
    floor.seat()
    floor.mix("one")
    floor.do(cmd.Shuffle("one", "machine", 51), DEE)
    floor.bet()
    return floor, (cmd.NoMoreBets(), DEE)


def reordered(game: str, method: str) -> tuple[Floor, Tried]:
    """A floorperson ordered a shuffle after the betting closed."""
    floor = betting(game, method)
    floor.close_bets()
    floor.do(cmd.OrderShuffle("fairness"), FLO)
    return floor, (cmd.DealCards(("2c",)), DEE)


def unloaded(game: str, method: str) -> tuple[Floor, Tried]:
    """The ordered shuffle is done; the deck is not loaded."""
    floor, tried = reordered(game, method)
    floor.do(cmd.Shuffle("one", "machine", 52), DEE)
    return floor, tried


def recut(game: str, method: str) -> tuple[Floor, Tried]:
    """A floorperson ordered another cut of a deck shuffled by hand."""
    floor = Floor(rules(game, method, table=BY_HAND)).ready()
    floor.bet()
    floor.close_bets()
    floor.do(cmd.OrderRecut("the cut was shallow"), FLO)
    return floor, (cmd.DealCards(("2c",)), DEE)


def dealt(command: Command, by: Account) -> Situation:
    """A command while the cards are dealt."""

    def reach(game: str, method: str) -> tuple[Floor, Tried]:
        floor = betting(game, method)
        floor.close_bets()
        floor.deal()
        return floor, (command, by)

    return reach


def pulled_twice(game: str, method: str) -> tuple[Floor, Tried]:
    """The deck is pulled and waits for the second signature."""
    floor = Floor(rules(game, method)).ready()
    pull = cmd.PullDeck("one", "marked")
    floor.do(pull, DEE)
    return floor, (pull, DEE)


def ending(floor: Floor, game: str) -> Floor:
    """Ann and Bob have played; the stub is away, and Bob's hand is next after the dealer's."""
    floor.ready()
    floor.seat(2, BOB)
    floor.bet()
    floor.bet(2, BOB)
    floor.close_bets()
    floor.play_until_settlement([word for word in STAYING[game] for _ in (ANN, BOB)])
    floor.stub()
    return floor


def turned(game: str, method: str) -> Floor:
    """Everything before the first player's hand is face up."""
    floor = ending(Floor(rules(game, method)), game)
    while (place := unturned_places(floor.table.in_progress())[0]) != 2:
        floor.do(cmd.TurnHand(place), DEE)
    return floor


def out_of_order(game: str, method: str) -> tuple[Floor, Tried]:
    """Ann's hand before Bob's."""
    return turned(game, method), (cmd.TurnHand(1), DEE)


def before_the_dealers(game: str, method: str) -> tuple[Floor, Tried]:
    """A player's hand before the dealer's."""
    return ending(Floor(rules(game, method)), game), (cmd.TurnHand(2), DEE)


def seat_out_of_order(game: str, method: str) -> tuple[Floor, Tried]:
    """Ann's seat before Bob's, whose hand is up."""
    floor = turned(game, method)
    floor.do(cmd.TurnHand(2), DEE)
    return floor, (cmd.SettleSeat(1), DEE)


def pay_face_down(game: str, method: str) -> tuple[Floor, Tried]:
    """Bob's seat before his hand is up."""
    return turned(game, method), (cmd.SettleSeat(2), DEE)


def unread_dealer(game: str, method: str) -> tuple[Floor, Tried]:
    """The dealer's cards were dealt unseen."""
    return ending(Blind(rules(game, method)), game), (cmd.TurnHand("dealer"), DEE)


def bet_of(floor: Floor, cents: int) -> Command:
    """A wager of this amount on the ante."""
    return cmd.PlaceWagers(1, {floor.house.game.ante.name: cents})


def simply(command: Command, by: Account) -> Situation:
    """A command while wagers are being placed."""
    return lambda game, method: (betting(game, method), (command, by))


def below_nothing(game: str, method: str) -> tuple[Floor, Tried]:
    """A wager of less than nothing."""
    floor = Floor(rules(game, method)).ready()
    return floor, (bet_of(floor, -500), ANN)


SITUATIONS: dict[str, Situation] = {
    "deal before no more bets": simply(cmd.DealCards(("2c",)), DEE),
    "decide before no more bets": simply(cmd.Decide(1, "fold"), ANN),
    "open without the layout's approval": unapproved,
    "open an open table": simply(cmd.OpenTable(), FLO),
    "show a street before the hands are dealt": undealt,
    "deal while a player decides": deciding,
    "leave with wagers on the layout": simply(cmd.Leave(1), ANN),
    "bet less than nothing": below_nothing,
    "begin with a short deck, counted by the dealer": short_stub,
    "begin with a short deck, counted by the shuffler": short_deck,
    "settle while a player decides": settling_early,
    "turn a hand out of order": out_of_order,
    "turn a hand before the dealer's": before_the_dealers,
    "settle a seat out of order": seat_out_of_order,
    "pay before the hand is turned up": pay_face_down,
    "turn up the dealer's hand without its cards read": unread_dealer,
    "expose a dealer card where there is no dealer's hand": dealt(cmd.ExposeDealerCard(), DEE),
    "expose a community card where there is none": dealt(cmd.ExposeCommunityCard(), FLO),
    "pull the deck that is dealt": dealt(cmd.PullDeck("one", "marked"), DEE),
    "pull a deck twice": pulled_twice,
    "sign for a deck that was not pulled": simply(cmd.SignRemoval("one"), FLO),
    "deal after a shuffle was ordered": reordered,
    "deal after a cut was ordered": recut,
    "deal a deck that is not loaded again": unloaded,
}


def cases() -> Iterator[Any]:
    """Every situation in every game, by each dealing method that the table lists."""
    for situation, methods in CITED.items():
        for listed, clauses in methods.items():
            for method in METHODS if listed == "any" else (listed,):
                for letters, clause in clauses.items():
                    for letter in letters:
                        name = f"{situation}-{BY_LETTER[letter]}-{method}"
                        case = (situation, BY_LETTER[letter], method, clause)
                        yield pytest.param(*case, id=name)


@pytest.mark.parametrize(("situation", "game", "method", "clause"), cases())
def test_a_refusal_cites_the_clause_that_fits(
    situation: str, game: str, method: str, clause: str
) -> None:
    """The clause is about what was tried."""
    floor, (command, by) = SITUATIONS[situation](game, method)
    refused = floor.refused(command, by, clause)
    assert bool(refused.game) == (not clause.startswith("COMAR"))
    if situation.startswith("begin with a short deck"):
        (pulled,) = floor.do(cmd.PullDeck("one", "it is short"), DEE)
        assert isinstance(pulled, ev.DeckPulled) and clause in pulled.clauses


def test_every_situation_is_tried() -> None:
    """The table and the situations have the same names."""
    assert set(CITED) == set(SITUATIONS)
