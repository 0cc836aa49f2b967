"""A whole evening at an attended table: the people of the house do what it asks them to."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random

import pytest

from croupier.clock import MINUTE, now_ms
from croupier.games.game import COMMUNITY, DEALER, Slot
from croupier.games.house import House
from croupier.table import Table
from croupier.table import events as ev
from croupier.table.drivers.shuffler import CommittedDeck
from croupier.terminal.bankroll import BUY_IN
from croupier.terminal.io.styled_text import plain
from tests.support.rounds import EVERY_GAME, RUN, THB, UTH, house, stacked_deck
from tests.terminal.scripted_sessions import Evening, answer

SHOE = {"manual_shoe_location": "right of the dealer"}
WAYS = (
    ("automated_shoe", "counting_shuffler", 2),
    ("manual_shoe", "manual", 1),
    ("manual_shoe", "shuffler_loading_shoe", 2),
    ("hand", "shuffler", 1),
)


def flowing(text: str) -> str:
    """Text without its line breaks."""
    return " ".join(text.split())


def floor(game: str, method: str, shuffle: str, decks: int) -> House:
    """A House that deals and shuffles in this way."""
    table = {"shuffle_method": shuffle, "decks": decks}
    shoe = SHOE if game != THB or method == "manual_shoe" else {}
    return house(game, method, table=table, **shoe)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_rounds_are_played_on_the_table_that_was_opened(
    game: str, way: tuple[str, str, int]
) -> None:
    """Seven rounds with two companions: posts, decks, shuffles, stubs, showdowns, all as due."""
    rules = floor(game, *way)
    rng = Random(game)
    words = [option.word for street in rules.game.streets for option in street.options]
    evening = Evening(rules, *rng.choices(words, k=400), service="attended", players=2)
    sitting = evening.sitting
    if rules.offers("progressive"):
        sitting.change("progressive on")
    for _ in range(7):
        sitting.play_round()
    sitting.leave()
    table = evening.opened.table

    assert 7 == table.rounds_played == evening.bank.purse.rounds
    assert 7 == len(evening.of(ev.HandsShown)) == len(evening.of(ev.RoundClosed))
    assert 7 == len(evening.of(ev.StubCounted)) + len(evening.of(ev.StubDiscarded))
    assert len(evening.of(ev.DeckLoaded)) >= 7
    assert evening.text.count("The house ") >= 6  # what was done between the rounds
    assert evening.bank.bankroll == evening.of(ev.Left)[0].chips
    assert Table.replay(rules, evening.opened.events, service="attended") == table


def test_a_worn_deck_is_changed() -> None:
    """A minute passes with every act: the deck's time runs out and another one comes."""
    ticks = count(now_ms(), MINUTE)
    rules = floor(RUN, "manual_shoe", "manual", 1)
    answers = ["1x"] * 120
    evening = Evening(rules, *answers, service="attended", clock=ticks.__next__)
    for _ in range(40):
        evening.sitting.play_round()

    assert evening.of(ev.DeckRemoved)
    assert len(evening.of(ev.DeckReceived)) >= 2
    assert 40 == evening.opened.table.rounds_played


def test_a_royal_flush_is_verified_documented_and_paid() -> None:
    """Award and documents by other people, a fill for the tray, a check that becomes chips."""
    rules = house(UTH)
    evening = Evening(rules, "4x", service="attended")
    sitting = evening.sitting
    sitting.buy(20_000_00)
    sitting.change("500, trips 100, progressive on")
    wanted: dict[Slot, str] = {1: "As Ks", DEALER: "Kc Kd", COMMUNITY: "Qs Js Ts 2c 3d"}
    sitting.deck = CommittedDeck(tuple(stacked_deck(rules, wanted, [1])), "salt")
    sitting.committed = sitting.deck.commitment
    sitting.play_round()
    net = sitting.current.boxes[1].net

    assert evening.of(ev.AwardVerified)
    assert evening.of(ev.AwardValidated)
    assert evening.of(ev.PayoutWitnessed)
    assert evening.of(ev.SurveillanceNotified)
    assert evening.of(ev.FillReceived)
    (check,) = evening.of(ev.PaidByCheck)
    assert "by check and changes it into chips. [COMAR 36.05.03.23]" in flowing(evening.text)
    assert check.amount == evening.of(ev.ChipsAdded)[0].chips
    assert net > 250_000_00
    assert BUY_IN + 20_000_00 + net == sitting.chips == evening.bank.bankroll


def test_the_opening_is_walked_and_played_on(home: Path) -> None:
    """Enter after Enter leads to a round on that table; what the house does is told."""
    played = answer(home, *[""] * 60, game="top five", full_procedure=True, seats=[4])
    text = flowing(played.text)

    assert "washes the cards" in text
    assert "The cards are ready. The first round may start." in text
    assert "No more bets." in text
    assert "turns the hands up" in text
    assert played.conserved()


def test_the_rest_of_the_opening_can_be_skipped(home: Path) -> None:
    """The first q skips the ceremony, the second leaves the table."""
    played = answer(home, "q", "", "1x", "q", game="top five", full_procedure=True)

    assert "The cards are ready" not in played.text
    assert 1 == len(played.nets) and played.conserved()


def test_who_has_nothing_buys_chips_before_the_opening(home: Path) -> None:
    """Nobody can be led to a round without a chip; who declines goes home."""
    answer(home, "", "f", "n", game="top five", bankroll=5)
    declined = answer(home, "n", game="top five", full_procedure=True)
    bought = answer(home, "y", "q", "", "1x", "q", game="top five", full_procedure=True)

    assert 0 == declined.bankroll and "opening the table" not in declined.text
    assert 1005_00 == bought.bought
    assert 1 == len(bought.nets)


def test_house_work_is_told_in_one_line() -> None:
    """A long list is cut, and every kind of work is told once."""
    evening = Evening(floor(UTH, "manual_shoe", "manual", 1), "4x", "4x", service="attended")
    evening.sitting.play_round()
    list(evening.sitting.dealing.keep_house())
    steps = list(evening.sitting.dealing.chores)
    (told,) = evening.sitting._chores()

    assert len(steps) >= 3
    assert "The house shuffles and stacks the cards, puts the cover card in and cuts" in plain(told)
    assert not evening.sitting._chores()
