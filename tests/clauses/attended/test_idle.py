"""Chapter 5: idle spread, dealing from the hand, ordered shuffles."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import Account
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import ANN, BOB, CHAPTER_4, DEE, FLO, MINUTE, Floor
from tests.support.rounds import EVERY_GAME, RUN, TOP, house, opening_wagers

ONE = {"shuffle_method": "shuffler", "decks": 1}
TWO = {"shuffle_method": "shuffler", "decks": 2}
MANUAL = {"shuffle_method": "manual", "decks": 1}
SHOE = {"manual_shoe_location": "right"}


def urgency(floor: Floor) -> str:
    """The urgency of the spread step."""
    steps = [step for step in floor.table.next_steps(floor.at) if step.kind == "spread_idle"]
    return steps[0].due if steps else ""


@proving(TUJ="5.H.1 5.H.2", FR="5.F.1 5.F.2 5.F.3")
def test_the_spread_is_overdue_after_the_idle_minutes(game: str) -> None:
    """After ten idle minutes the spread is overdue and wagers are refused before it."""
    spread = "5.F.2" if game in (TOP, RUN) else "5.H.1"
    floor = Floor(house(game, table=ONE, idle_minutes=10)).ready()
    floor.round()
    floor.again()
    played = floor.at
    deadline = floor.table.next_deadline(played)
    assert deadline is not None
    assert (played + 10 * MINUTE, spread) == (deadline.at, deadline.clause)
    floor.at = played + 9 * MINUTE
    assert "" == urgency(floor)
    floor.refused(cmd.SpreadIdle(), DEE, spread)
    floor.bet()  # a wager ends the idle time
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(floor.house), 0)), ANN)
    floor.at = played + 18 * MINUTE
    assert "" == urgency(floor)
    floor.at = played + 20 * MINUTE
    assert "overdue" == urgency(floor)
    floor.refused(cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN, spread)
    floor.do(cmd.SpreadIdle(), DEE)
    shown_before_bets(floor, ANN, 1)
    floor.round()


def shown_before_bets(floor: Floor, player: Account, seat: int) -> None:
    """Assert that no wager is accepted before spread cards are shown, mixed and shuffled."""
    inspect = "5.F.3" if floor.house.game.key in (TOP, RUN) else "5.H.2"
    wagers = opening_wagers(floor.house)
    outside = cmd.AcceptWager(seat, opening_wagers(floor.house, ante=600_000), "called")
    decks = [deck.name for deck in floor.table.decks.usable()]
    for name in decks:
        for step in CHAPTER_4:
            floor.refused(cmd.PlaceWagers(seat, wagers), player, inspect)
            floor.refused(outside, FLO, inspect)
            floor.do(cmd.PrepareDeck(name, step), DEE)  # type: ignore[arg-type]
    for name in decks:
        floor.refused(cmd.PlaceWagers(seat, wagers), player, inspect)
        floor.shuffle(name)
    if floor.table.decks.in_play() is None:
        floor.load(decks[0] if floor.table.decks.last != decks[0] else decks[-1])
    floor.bet(seat, player)
    floor.do(cmd.PlaceWagers(seat, dict.fromkeys(wagers, 0)), player)


@proving(TUJ="5.H.1 5.H.2", FR="5.F.1 5.F.2 5.F.3")
def test_both_decks_are_spread_shown_and_mixed_before_a_newcomer_bets(game: str) -> None:
    """All players left: spread, newcomer, chapter 4 from 4.C for each deck, bets (A156)."""
    inspect = "5.F.3" if game in (TOP, RUN) else "5.H.2"
    floor = Floor(house(game, "manual_shoe", table=TWO, **SHOE)).ready()
    floor.round()
    floor.again()
    floor.do(cmd.Leave(1), ANN)
    assert "due" == urgency(floor)
    floor.seat(4, BOB)
    floor.refused(cmd.PlaceWagers(4, opening_wagers(floor.house)), BOB, inspect)
    assert "overdue" == urgency(floor)
    (spread,) = floor.do(cmd.SpreadIdle(), DEE)
    assert isinstance(spread, ev.IdleSpread) and {"one", "two"} == set(spread.decks)
    assert not {step.kind for step in floor.table.next_steps(floor.at)} & {"no_more_bets"}
    shown_before_bets(floor, BOB, 4)
    floor.bet(4, BOB)
    floor.close_bets()
    assert "4.A" not in {
        clause for event in floor.of(ev.DeckPrepared)[-4:] for clause in event.clauses
    }


def test_another_deck_is_not_dealt_over_spread_cards() -> None:
    """A deck that replaces one of two spread decks is not dealt before the other is mixed."""
    floor = Floor(house(TOP, "manual_shoe", table=TWO, **SHOE)).ready()
    floor.do(cmd.SpreadIdle(), DEE)
    floor.do(cmd.PullDeck("two", "worn"), DEE)
    floor.do(cmd.SignRemoval("two"), FLO)
    floor.receive("three", "blue", prepared_by="card room 4")
    floor.do(cmd.CutDeck("three", 20), DEE)
    floor.load("three")
    floor.refused(cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN, "5.F.3")
    floor.mix("one")
    floor.shuffle("one")
    floor.bet()
    floor.close_bets()


@proving(TUJ="5.H.1", FR="5.F.2")
def test_cards_are_spread_face_up_only_if_a_seated_player_asks(game: str) -> None:
    """Face up needs a request by a seated player."""
    spread = "5.F.2" if game in (TOP, RUN) else "5.H.1"
    floor = Floor(house(game, table=ONE)).ready()
    floor.refused(cmd.SpreadIdle(face_up=True), DEE, spread)
    floor.refused(cmd.SpreadIdle(face_up=True, asked_by="bob"), DEE, spread)
    floor.refused(cmd.SpreadIdle(face_up=False, asked_by="ann"), DEE, spread)
    floor.refused(
        cmd.SpreadIdle(face_up=True, asked_by="ann"), ANN, at(game, TUJ="5.H.1", FR="5.F.2")
    )
    (lies,) = floor.do(cmd.SpreadIdle(face_up=True, asked_by="ann"), DEE)
    assert isinstance(lies, ev.IdleSpread)
    assert (True, "ann") == (lies.face_up, lies.asked_by)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_without_a_time_the_spread_is_due_as_soon_as_no_seated_player_bets(game: str) -> None:
    """The default: no deadline, and a bet before the spread still counts as activity."""
    floor = Floor(house(game, table=ONE)).ready()
    assert "due" == urgency(floor)
    floor.bet()
    assert "" == urgency(floor)
    floor.close_bets()
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    assert "may" == urgency(floor)  # the cards are not ready for a bet yet
    floor.again()
    assert "due" == urgency(floor)
    floor.at += 90 * MINUTE
    floor.round()
    floor.do(cmd.Leave(1), ANN)
    assert "due" == urgency(floor)
    floor.refused(
        cmd.SpreadIdle(face_up=True, asked_by="ann"), DEE, at(game, TUJ="5.H.1", FR="5.F.2")
    )
    floor.do(cmd.SpreadIdle(), DEE)
    floor.refused(cmd.PrepareDeck("one", "offer"), DEE, "4.C")  # no player is seated
    floor.seat(4, BOB)
    floor.mix("one")


@proving(TUJ="9.A.2.a", FR="9.A.3")
def test_the_hand_that_holds_the_deck_stays_the_same(game: str) -> None:
    """The hand stays the same for the round, even after an ordered shuffle."""
    same = "9.A.3" if game in (TOP, RUN) else "9.A.2.a"
    floor = Floor(house(game, "hand", table=ONE)).open()
    floor.seat()
    floor.mix("one")
    floor.shuffle("one")
    floor.do(cmd.LoadDeck("one", "left"), DEE)
    floor.bet()
    floor.do(cmd.OrderShuffle("a card was seen"), FLO)
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one", "right"), DEE, same)
    floor.do(cmd.LoadDeck("one", "left"), DEE)
    floor.close_bets()
    floor.do(cmd.OrderShuffle("and another"), FLO)
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one", "right"), DEE, same)
    loads = [step for step in floor.table.next_steps(floor.at) if step.kind == "load_deck"]
    assert ["left"] == [step.fields["hand"].example() for step in loads]
    floor.do(cmd.LoadDeck("one", "left"), DEE)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    floor.shuffle("one")
    floor.do(cmd.LoadDeck("one", "right"), DEE)  # the next round, another choice
    floor.round()


@proving(TFUJR="5.A.3")
def test_a_cut_deck_that_is_not_loaded_may_be_shuffled_again(game: str) -> None:
    """A floorperson may order a shuffle before the deck is loaded; a dealer may not."""
    floor = Floor(house(game, "manual_shoe", table=MANUAL, **SHOE)).open()
    floor.seat()
    floor.mix("one")
    floor.refused(cmd.OrderShuffle("nothing is shuffled"), FLO, "5.A.3")
    floor.do(cmd.Shuffle("one", "manual"), DEE)
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.refused(cmd.OrderShuffle("seen"), DEE, "5.A.3")
    floor.do(cmd.OrderShuffle("the bottom card was seen"), FLO)
    floor.refused(cmd.LoadDeck("one"), DEE, "5.A")
    (shuffled,) = floor.do(cmd.Shuffle("one", "manual"), DEE)
    assert "5.A.3" in shuffled.clauses
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.load("one")
    floor.round()


@proving(TFUJR="3.B.3")
def test_a_preshuffled_deck_is_not_stored_in_the_device(game: str) -> None:
    """The second deck must be shuffled in the shuffler that stores it."""
    floor = prepared(house(game, "manual_shoe", table=TWO, **SHOE))
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.load("one")
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, "3.B.3")
    floor.do(cmd.CutDeck("two", 20), DEE)
    floor.refused(cmd.NoMoreBets(), DEE, "3.B.3")
    shuffles = [step for step in floor.table.next_steps(floor.at) if step.kind == "shuffle"]
    assert [("two", "due")] == [(step.fixed["deck"], step.due) for step in shuffles]
    floor.do(cmd.Shuffle("two", "machine"), DEE)
    floor.close_bets()
    floor.play_until_settlement()


@proving(TFUJR="9.A.1")
def test_preshuffled_decks_that_were_cut_may_still_go_into_the_machine(game: str) -> None:
    """A hand-shuffled and cut deck can still be machine-shuffled to deal from the hand (A135)."""
    floor = prepared(house(game, "hand", table=TWO))
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.refused(cmd.LoadDeck("one", "right"), DEE, "9.A.1")
    floor.refused(cmd.Shuffle("one", "manual"), DEE, at(game, T="13.I", FR="13.E", UJ="13.J"))
    for name in ("one", "two"):
        floor.do(cmd.Shuffle(name, "machine"), DEE)
    floor.refused(cmd.Shuffle("one", "machine"), DEE, "5.A")  # once is enough
    floor.load("one")
    floor.round()


def prepared(rules: Any) -> Floor:
    """An open table with two prepared decks and Ann seated."""
    floor = Floor(rules).staff()
    floor.attest()
    floor.receive("one", "red", prepared_by="card room 4")
    floor.receive("two", "blue", prepared_by="card room 4")
    floor.do(cmd.CountInventory(5_000_000), DEE)
    floor.do(cmd.OpenTable(), FLO)
    floor.seat()
    return floor


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_hand_shuffle_under_a_cover_is_no_dead_end_when_the_machine_works_again(
    game: str,
) -> None:
    """After a jam is cleared, the shuffler may take over a deck shuffled and cut by hand."""
    floor = Floor(house(game, "manual_shoe", table=TWO, **SHOE)).ready()
    floor.round()
    floor.bet()
    floor.do(cmd.JamShuffler(), DEE)
    floor.do(cmd.MarkDevice("shuffler", "signed"), DEE)
    floor.do(cmd.Shuffle("one", "manual"), DEE)
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.load("two")
    floor.refused(cmd.NoMoreBets(), DEE, "3.B.3")
    floor.do(cmd.Shuffle("one", "machine"), DEE)
    floor.close_bets()
    floor.play_until_settlement()
    floor.stub()
    floor.settle()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_bet_accepted_with_a_continuous_shuffler_may_be_changed_after_it_failed(
    game: str,
) -> None:
    """No spread was due for it; the cards cannot be spread under a wager."""
    device: dict[str, Any] = {
        "continuous_device": True,
        "continuous_device_approval": "Device 7, 2031-01-02",
    }
    counting = {"shuffle_method": "counting_shuffler", "decks": 1}
    floor = Floor(house(game, table=counting, **device)).ready()
    floor.do(cmd.Leave(1), ANN)
    floor.seat(2, BOB)
    assert floor.table.seats.unseen
    wagers = opening_wagers(floor.house)
    floor.do(cmd.PlaceWagers(2, wagers), BOB)
    floor.do(cmd.ReportFault("shuffler"), FLO)
    changed = cmd.PlaceWagers(2, {name: 2 * stake for name, stake in wagers.items()})
    steps = floor.table.next_steps(floor.at)
    assert any(step.admits(changed, BOB) for step in steps if step.kind == "place_wagers")
    floor.do(changed, BOB)
