"""Events in words: who is named, for whom, and what a sentence may contain."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from croupier.table import Account, Event, Viewer
from croupier.table import events as ev
from croupier.table.core import codec
from croupier.table.core.views import redact
from croupier.table.event_text import EventText, spoken_cards
from tests.support.rounds import EVERY_GAME, UTH, house
from tests.support.shifts.casino import Shift
from tests.support.shifts.houses import houses

ANN, DEE = Account("ann", "player"), Account("dee", "dealer")
SEATS = {1: "ann", 3: "bob"}
GAME = house(UTH).game


def say(event: Event, viewer: Account, players: Mapping[int, str] = SEATS) -> str:
    """The sentence for a viewer at seat 1."""
    boxes = frozenset({1} if viewer == ANN else ())
    return EventText(Viewer(viewer, boxes), GAME, players).describe(event)


def settled(seat: int, outcome: str, returned: int, **more: object) -> ev.WagerSettled:
    """An ante of $10, settled."""
    return ev.WagerSettled(
        seat=seat,
        wager="ante",
        stake=1000,
        outcome=outcome,  # type: ignore[arg-type]
        returned=returned,
        clause="12.A",
        **more,  # type: ignore[arg-type]
    )


FOR_A_PLAYER = [
    (ev.Decided(seat=1, street="flop", word="fold"), "You fold."),
    (ev.Decided(seat=3, street="flop", word="fold"), "Bob folds."),
    (ev.Decided(seat=5, street="flop", word="check"), "Seat 5 checks."),
    (
        ev.Decided(seat=1, street="flop", word="2x", wager="play", stake=2000),
        "You bet 2x: Play $20.",
    ),
    (
        ev.Decided(seat=3, street="flop", word="1250c", wager="play", stake=1250),
        "Bob bets Play $12.50.",
    ),
    (ev.WagersPlaced(seat=1, player="ann", stakes={}), "You take back all bets."),
    (ev.HandKept(seat=3, wagers=("trips",)), "Bob's hand stays in play for Trips."),
    (
        ev.HandAnnounced(seat=0, hand="pair of kings", cards=("Ks", "Kd")),
        "The dealer shows Ks Kd: pair of kings.",
    ),
    (settled(1, "win", 2500, pays="3 to 2"), "Your Ante $10 wins 3 to 2, +$15."),
    (settled(3, "lose", 0), "Bob's Ante $10 loses."),
    (settled(3, "push", 1000), "Bob's Ante $10 pushes."),
    (settled(3, "void", 1000), "Bob's Ante $10 is void."),
    (
        settled(1, "win", 1900, pays="1 to 1", withheld=100),
        "Your Ante $10 wins 1 to 1, +$9 (reduced by $1: payout limit).",
    ),
    (
        ev.EnvyPaid(seat=1, holder=3, hand="royal_flush", paid=100_000, clause="12.D"),
        "You win an envy bonus of $1,000 for Bob's royal flush.",
    ),
    (
        ev.EnvyPaid(seat=3, holder=1, hand="royal_flush", paid=100_000, clause="12.D"),
        "Bob wins an envy bonus of $1,000 for your royal flush.",
    ),
    (
        ev.MeterPaid(seat=1, meter="mega", paid=1_000_004, refill=0, after="1000000.5"),
        "The mega meter pays you $10,000.04 and is now at $10,000.",
    ),
    (ev.CashedOut(seat=3, player="bob", chips=5000), ""),
    (ev.CashedOut(seat=1, player="ann", chips=5000), "You cash out $50."),
    (ev.DeckCut(deck="red deck", depth=20), ""),
    (ev.CardsDealt(cards=("Ks", "2c", "Kd"), places=(1, 3, 1)), "Dealt to you: Ks Kd."),
    (ev.CardsDealt(cards=("2c", "3c"), places=(3, 3)), ""),
]


@pytest.mark.parametrize(("event", "sentence"), FOR_A_PLAYER)
def test_a_player_is_addressed(event: Event, sentence: str) -> None:
    """The player is "you", others are named, an empty seat has its number."""
    assert sentence == say(event, ANN)


def test_staff_read_names_and_every_event() -> None:
    """The dealer sees no face-down card, and the fields of events without a text of their own."""
    dealt = ev.CardsDealt(cards=("Ks", "2c", "Kd"), places=(1, "community", 1))
    assert "Dealt to Ann: 2 face down; the board: 1 face down." == say(dealt, DEE)
    assert "Ann's Ante $10 loses." == say(settled(1, "lose", 0), DEE)
    pulled = ev.DeckPulled(deck="red deck", reason="torn", by=Account("flo", "floorperson"))
    assert "Deck pulled by Flo: red deck, “torn”." == say(pulled, DEE)
    cut = ev.DeckCut(deck="red deck", depth=20)
    assert "Deck cut: red deck, depth 20." == say(cut, DEE)


def test_boxes_of_one_player_are_named_by_seat() -> None:
    """A name would not say which box."""
    assert "Seat 2 folds." == say(
        ev.Decided(seat=2, street="flop", word="fold"), ANN, {1: "ann", 2: "ann", 3: "bob"}
    )


def test_a_member_of_staff_with_the_name_of_a_player_is_not_addressed() -> None:
    """Staff share one sentence by role."""
    assert "Ann folds." == say(
        ev.Decided(seat=1, street="flop", word="fold"), Account("ann", "dealer")
    )


def test_cards_are_spoken() -> None:
    """As dealers say them."""
    assert "king of diamonds, deuce of clubs, a card face down" == spoken_cards(["Kd", "2c", "??"])


@pytest.mark.parametrize("game", EVERY_GAME)
def test_staff_get_a_sentence_for_each_event_they_see(game: str) -> None:
    """In a random shift: none for hidden events, and no names of fields or hidden cards."""
    shift = Shift(houses(game)[0], Random(game))
    for _ in range(200):
        shift.act()
    for role in ("floorperson", "surveillance", "cage"):
        viewer = Viewer(Account("sam", role))
        text = EventText(viewer, shift.table.house.game)
        for _, events in shift.record:
            for event in map(codec.decode_event, events):
                sentence = text.describe(event)
                assert bool(sentence) == (redact(event, viewer) is not None)
                assert "_" not in sentence and "??" not in sentence and "=" not in sentence
                assert not sentence or (sentence[0].isupper() and sentence.endswith("."))


def test_names_are_written_as_people_write_them() -> None:
    """Only the first letter of an account id changes."""
    event = ev.Decided(seat=3, street="flop", word="fold")
    assert say(event, ANN, {3: "Dana McKay"}) == "Dana McKay folds."
