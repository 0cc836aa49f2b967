"""Decks in play (chapters 3, 5): alternation, time limits, shuffling, cutting, idle tables."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import ANN, BOB, DEE, FLO, HOUR, MAX, MINUTE, SYSTEM, Floor
from tests.support.rounds import RUN, THB, TOP, house, opening_wagers

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}
TWO = {"shuffle_method": "counting_shuffler", "decks": 2}
MANUAL = {"shuffle_method": "manual", "decks": 1}
SHOE = {"manual_shoe_location": "right"}


@proving(TFUJR="3.B.3 3.B.4 3.B.5")
def test_two_decks_alternate(game: str) -> None:
    """The used deck goes into the shuffler and the other is dealt; they always alternate."""
    floor = Floor(house(game, table=TWO)).ready()
    floor.round()
    floor.refused(cmd.LoadDeck("two"), DEE, "3.B.5")
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one"), DEE, "3.B.4")
    floor.load("two")
    floor.round()
    floor.again()
    assert ["one", "two", "one"] == [event.deck for event in floor.of(ev.DeckLoaded)]


@proving(TFUJR="3.C.1")
def test_a_deck_dealt_from_the_hand_lasts_four_hours(game: str) -> None:
    """An expired deck stops the next round, never the current one."""
    expires(Floor(house(game, "hand", table=ONE)).ready(), 4 * HOUR, "3.C.1")


@proving(TFUJR="3.C.2")
def test_a_deck_dealt_from_a_shoe_lasts_eight_hours(game: str) -> None:
    """Texas Hold 'Em Bonus deals its board from the hand unless it comes first (A137)."""
    device: dict[str, Any] = {
        "continuous_device": True,
        "continuous_device_approval": "Device 7, 2031-01-02",
    }
    first: dict[str, Any] = {"community_first": True, **device} if game == THB else {}
    expires(Floor(house(game, table=ONE, **first)).ready(), 8 * HOUR, "3.C.2")


def expires(floor: Floor, life: int, clause: str) -> None:
    """Assert a warning 15 minutes before the limit, a block at the limit, and a deck change."""
    entered = floor.table.decks.here["one"].entered_at
    assert entered is not None
    floor.at = entered + life - 20 * MINUTE
    floor.bet()
    pulls = [step for step in floor.table.next_steps(floor.at) if step.kind == "pull_deck"]
    assert ["may"] == [step.due for step in pulls]
    floor.at = entered + life - 10 * MINUTE
    pulls = [step for step in floor.table.next_steps(floor.at) if step.kind == "pull_deck"]
    assert [("due", "10 minutes left")] == [(step.due, step.why) for step in pulls]
    floor.close_bets()
    floor.at = entered + life + MINUTE
    floor.play_until_settlement()
    floor.stub()
    floor.settle()  # the current round may finish
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one", hand(floor)), DEE, clause)
    floor.do(cmd.PullDeck("one", "its time is over"), DEE)
    floor.refused(cmd.SignRemoval("one"), DEE, "COMAR 36.05.02.16J")
    (removed,) = floor.do(cmd.SignRemoval("one"), FLO)
    assert clause in removed.clauses
    floor.receive("new")
    floor.inspect("new")
    floor.mix("new")
    floor.shuffle("new")
    floor.load("new")
    floor.round()


def hand(floor: Floor) -> Literal["", "right"]:
    """The hand that a deck is loaded into."""
    return "right" if floor.table.devices.method == "hand" else ""


@pytest.mark.parametrize("minutes", [1, 60])
def test_an_expired_deck_that_is_loaded_starts_no_round(minutes: int) -> None:
    """Wagers may be placed, but "no more bets" needs a deck change, even if the clock goes back."""
    floor = Floor(house(TOP, table=ONE)).ready()
    floor.bet()
    floor.at += 8 * HOUR + minutes * MINUTE
    floor.refused(cmd.NoMoreBets(), DEE, "3.C.2")
    floor.do(cmd.NoteConduct("shuffle", "deck one", "old"), DEE)
    floor.at -= 6 * HOUR
    floor.refused(cmd.NoMoreBets(), DEE, "3.C.2")


@proving(
    TUJ="5.A 5.A.1 5.A.2 5.A.3 5.B 5.D.1 4.D",
    FR="5.A 5.A.1 5.A.2 5.A.3 5.C 5.C.1 4.D",
)
def test_the_cards_are_shuffled_before_play_after_each_round_and_when_ordered(game: str) -> None:
    """An unshuffled deck cannot be dealt; a floorperson may order one more shuffle."""
    floor = Floor(house(game, table=ONE)).open()
    floor.seat()
    floor.mix("one")
    floor.refused(cmd.LoadDeck("one"), DEE, "5.A")
    floor.shuffle("one")
    floor.load("one")
    floor.bet()
    floor.close_bets()
    floor.refused(cmd.OrderShuffle("seen"), DEE, "5.A.3")
    floor.do(cmd.OrderShuffle("a card was seen"), FLO)
    floor.refused(cmd.DealCards(("2c",)), DEE, "5.A.3")
    floor.refused(cmd.Shuffle("one", "manual"), DEE, at(game, T="13.I", FR="13.E", UJ="13.J"))
    floor.do(cmd.Shuffle("one", "machine", 52), SYSTEM)
    floor.load("one")
    floor.play_until_settlement()
    floor.refused(cmd.OrderShuffle("late"), FLO, "5.A.3")
    floor.stub()
    floor.settle()
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, "10.A.1")
    (shuffled,) = floor.do(cmd.Shuffle("one", "machine", 52), DEE)
    assert "5.A.2" in shuffled.clauses
    floor.load("one")
    floor.do(cmd.NoMoreBets(), DEE)


@proving(TUJ="5.C 5.D.1", FR="5.B 5.C.1")
def test_a_shuffler_may_load_the_shoe_itself(game: str) -> None:
    """The shuffler loads the shoe without a dealer."""
    table = {"shuffle_method": "shuffler_loading_shoe", "decks": 1}
    floor = Floor(house(game, "manual_shoe", table=table, **SHOE)).open()
    floor.seat()
    floor.mix("one")
    shuffled, loaded = floor.do(cmd.Shuffle("one", "machine"), SYSTEM)
    assert isinstance(shuffled, ev.DeckShuffled) and shuffled.loaded
    assert isinstance(loaded, ev.DeckLoaded)
    floor.refused(cmd.LoadDeck("one"), DEE, "5.A")
    floor.round()


@proving(TUJ="5.E 5.E.1 5.E.2", FR="5.B 5.B.1 5.B.2")
def test_a_deck_that_the_machine_counts_wrong_leaves_the_table(game: str) -> None:
    """Any count but 52 means that the deck is pulled and replaced."""
    floor = Floor(house(game, table=ONE)).open()
    floor.seat()
    floor.mix("one")
    floor.refused(
        cmd.Shuffle("one", "machine"), DEE, at(game, TUJ="5.E", FR="5.B")
    )  # the device counts
    _, failed = floor.do(cmd.Shuffle("one", "machine", 51), DEE)
    assert isinstance(failed, ev.DeckCountFailed)
    floor.refused(cmd.LoadDeck("one"), DEE, "5.A")
    floor.refused(cmd.Shuffle("one", "machine", 52), DEE, "5.A")
    floor.do(cmd.PullDeck("one", "51 cards"), DEE)
    floor.do(cmd.SignRemoval("one"), MAX)
    assert not floor.table.decks.here


@proving(
    TUJ="5.A 5.B 5.D.2 5.F 5.F.1 5.F.2 5.G",
    FR="5.A 5.C 5.C.2 5.D 5.D.1 5.D.2 5.E",
)
def test_a_hand_shuffle_is_cut_ten_cards_deep_and_may_be_cut_again(game: str) -> None:
    """Nine and 52 cards are refused; a floorperson may order a recut before the first card."""
    deep, again = ("5.D", "5.E") if game in (TOP, RUN) else ("5.F", "5.G")
    floor = Floor(house(game, "manual_shoe", table=MANUAL, **SHOE)).open()
    floor.seat()
    floor.mix("one")
    floor.do(cmd.Shuffle("one", "manual"), DEE)
    floor.refused(cmd.LoadDeck("one"), DEE, "5.C.2" if game in (TOP, RUN) else "5.D.2")
    floor.refused(cmd.CutDeck("one", 9), DEE, deep)
    floor.refused(cmd.CutDeck("one", 52), DEE, deep)
    floor.do(cmd.CutDeck("one", 10), DEE)
    floor.load("one")
    floor.bet()
    floor.close_bets()
    floor.refused(cmd.OrderRecut("shallow"), DEE, again)
    floor.do(cmd.OrderRecut("the dealer saw a card"), FLO)
    floor.refused(cmd.DealCards(("2c",)), DEE, again)
    floor.do(cmd.CutDeck("one", 51), DEE)
    floor.load("one")
    floor.deal()
    floor.refused(cmd.OrderRecut("too late"), FLO, again)


@proving(TUJ="5.H.1 5.H.2", FR="5.F.1 5.F.2 5.F.3")
def test_an_idle_table_is_spread_and_the_newcomer_inspects(game: str) -> None:
    """After all players left, a new player is shown the cards before a round begins."""
    spread, inspect = ("5.F.2", "5.F.3") if game in (TOP, RUN) else ("5.H.1", "5.H.2")
    floor = Floor(house(game, table=ONE, idle_minutes=10)).ready()
    floor.bet()
    floor.refused(cmd.SpreadIdle(), DEE, spread)
    floor.close_bets()
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    floor.refused(cmd.SpreadIdle(), DEE, spread)  # a wager was placed a minute ago
    floor.do(cmd.Leave(1), ANN)
    floor.seat(4, BOB)
    floor.shuffle("one")
    floor.load("one")
    floor.refused(cmd.PlaceWagers(4, opening_wagers(floor.house)), BOB, inspect)
    (idle,) = floor.do(cmd.SpreadIdle(face_up=True, asked_by="bob"), DEE)
    assert isinstance(idle, ev.IdleSpread) and idle.face_up
    floor.mix("one")
    floor.shuffle("one")
    floor.load("one")
    floor.bet(4, BOB)
    floor.do(cmd.NoMoreBets(), DEE)


@proving(FR="5.H")
def test_an_approved_device_makes_cut_recut_and_idle_spread_lapse(game: str) -> None:
    """Cards in a continuous shuffler are neither cut nor spread (A133)."""
    lapse(game, "5.H")


@pytest.mark.parametrize("game", ["texas_holdem_bonus", "ultimate_texas_holdem", "jackpot_holdem"])
def test_the_same_where_the_clause_is_one_of_the_submission(game: str) -> None:
    """The three hold'em games have the rule in 5.I."""
    lapse(game, "5.I")


def lapse(game: str, clause: str) -> None:
    """Assert that only the shuffle of chapter 5 is left."""
    device: dict[str, Any] = {
        "continuous_device": True,
        "continuous_device_approval": "Device 7, 2031-01-02",
    }
    floor = Floor(house(game, table=ONE, **device)).ready()
    floor.round()
    floor.refused(cmd.SpreadIdle(), DEE, clause)
    floor.refused(cmd.CutDeck("one", 20), DEE, clause)
    floor.refused(cmd.OrderRecut("shallow"), FLO, clause)
