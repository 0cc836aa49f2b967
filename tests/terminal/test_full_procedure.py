"""Sessions at an attended table, with simulated staff."""

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
from croupier.terminal.io.styled_text import plain_text
from tests.support.rounds import EVERY_GAME, RUN, THB, UTH, house, stacked_deck
from tests.terminal.scripted_sessions import ScriptedTable, answer

SHOE = {"manual_shoe_location": "right of the dealer"}
WAYS = (
    ("automated_shoe", "counting_shuffler", 2),
    ("manual_shoe", "manual", 1),
    ("manual_shoe", "shuffler_loading_shoe", 2),
    ("hand", "shuffler", 1),
)


def flowing(text: str) -> str:
    """Text without line breaks."""
    return " ".join(text.split())


def house_with(game: str, method: str, shuffle: str, decks: int) -> House:
    """A House with these dealing and shuffling methods."""
    table = {"shuffle_method": shuffle, "decks": decks}
    shoe = SHOE if game != THB or method == "manual_shoe" else {}
    return house(game, method, table=table, **shoe)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_rounds_at_an_attended_table(game: str, way: tuple[str, str, int]) -> None:
    """Seven rounds with two bots: posts, decks, shuffles, stubs and showdowns follow procedure."""
    rules = house_with(game, *way)
    rng = Random(game)
    words = [option.word for street in rules.game.streets for option in street.options]
    scripted = ScriptedTable(rules, *rng.choices(words, k=400), service="attended", players=2)
    session = scripted.session
    if rules.offers("progressive"):
        session.change_bets("progressive on")
    for _ in range(7):
        session.play_round()
    session.leave()
    table = scripted.opened.table

    assert 7 == table.rounds_played == scripted.bankroll.saved.rounds
    assert 7 == len(scripted.of(ev.RoundClosed))
    assert 7 == len(scripted.of(ev.StubCounted)) + len(scripted.of(ev.StubDiscarded))
    assert len(scripted.of(ev.DeckLoaded)) >= 7
    assert scripted.text.count("The house ") >= 6  # steps of the staff
    assert scripted.bankroll.amount == scripted.of(ev.Left)[0].chips
    assert Table.replay(rules, scripted.opened.events, service="attended") == table


def test_a_worn_deck_is_changed() -> None:
    """Each command takes a minute, so the deck is replaced when its time is over."""
    ticks = count(now_ms(), MINUTE)
    rules = house_with(RUN, "manual_shoe", "manual", 1)
    answers = ["1x"] * 120
    scripted = ScriptedTable(rules, *answers, service="attended", clock=ticks.__next__)
    for _ in range(40):
        scripted.session.play_round()

    assert scripted.of(ev.DeckRemoved)
    assert len(scripted.of(ev.DeckReceived)) >= 2
    assert 40 == scripted.opened.table.rounds_played


@pytest.mark.parametrize(
    ("bets", "by_check"), [("500, trips 1500", True), ("90, trips 900", False)]
)
def test_a_royal_flush_is_verified_documented_and_paid(bets: str, by_check: bool) -> None:
    """The staff verify and document it: a check is exchanged for chips, or the tray is filled."""
    rules = house(UTH)
    scripted = ScriptedTable(rules, "4x", service="attended")
    session = scripted.session
    session.buy(20_000_00)
    session.change_bets(f"{bets}, progressive on")
    wanted: dict[Slot, str] = {1: "As Ks", DEALER: "Kc Kd", COMMUNITY: "Qs Js Ts 2c 3d"}
    session.deck = CommittedDeck(tuple(stacked_deck(rules, wanted, [1])), "salt")
    session.committed = session.deck.commitment
    session.play_round()
    net = session.current.boxes[1].net

    assert scripted.of(ev.AwardVerified)
    assert scripted.of(ev.AwardValidated)
    assert scripted.of(ev.PayoutWitnessed)
    assert scripted.of(ev.SurveillanceNotified)
    assert by_check != bool(scripted.of(ev.FillReceived))
    for check in scripted.of(ev.PaidByCheck):
        assert "by check. [COMAR 36.05.03.23]" in flowing(scripted.text)
        assert check.amount in [added.chips for added in scripted.of(ev.ChipsAdded)]
    assert by_check == bool(scripted.of(ev.PaidByCheck))
    assert net > (250_000_00 if by_check else 90_000_00)
    assert BUY_IN + 20_000_00 + net == session.chips == scripted.bankroll.amount


def test_the_opening_leads_to_a_round(home: Path) -> None:
    """Pressing Enter runs the opening and a round; the steps of the staff are shown."""
    played = answer(home, *[""] * 60, game="top five", full_procedure=True, seats=[4])
    text = flowing(played.text)

    assert "washes the cards" in text
    assert "The cards are ready. The first round may start." in text
    assert "No more bets." in text
    assert "turns a hand up" in text
    assert played.conserved()


def test_the_rest_of_the_opening_can_be_skipped(home: Path) -> None:
    """The first q skips the opening, the second quits."""
    played = answer(home, "q", "", "1x", "q", game="top five", full_procedure=True)

    assert "The cards are ready" not in played.text
    assert 1 == len(played.nets) and played.conserved()


def test_a_player_without_chips_buys_in_before_the_opening(home: Path) -> None:
    """A player who declines to buy chips quits."""
    answer(home, "", "f", "n", game="top five", bankroll=5)
    declined = answer(home, "n", game="top five", full_procedure=True)
    bought = answer(home, "y", "q", "", "1x", "q", game="top five", full_procedure=True)

    assert 0 == declined.bankroll and "the opening of a table" not in declined.text
    assert 1005_00 == bought.bought
    assert 1 == len(bought.nets)


def test_staff_steps_are_shown_in_one_line() -> None:
    """A long list is cut, and each kind of step is shown once."""
    scripted = ScriptedTable(
        house_with(UTH, "manual_shoe", "manual", 1), "4x", "4x", service="attended"
    )
    scripted.session.play_round()
    list(scripted.session.dealer.do_staff_steps())
    steps = list(scripted.session.dealer.staff_log)
    (row,) = scripted.session._staff_lines()
    text = plain_text(row)

    assert len(steps) >= 3
    assert "The house shuffles and stacks the cards, puts the cover card in and cuts" in text
    assert not scripted.session._staff_lines()
