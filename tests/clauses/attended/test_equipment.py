"""Equipment that fails during a shift: device state, decks, dealing method and boxes together."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games import COMMUNITY
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table import view, viewer_of
from croupier.table.parts.devices import Device, Mark, Method
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import ANN, BOB, DEE, EYE, FLO, HOUR, MINUTE, Floor
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    house,
    opening_wagers,
    stacked_deck,
)

TWO: dict[str, Any] = {"shuffle_method": "shuffler", "decks": 2}
ONE: dict[str, Any] = {"shuffle_method": "shuffler", "decks": 1}
COUNTING: dict[str, Any] = {"shuffle_method": "counting_shuffler", "decks": 1}
DEVICE: dict[str, Any] = {
    "continuous_device": True,
    "continuous_device_approval": "Device 7, 2031-01-02",
}
SHOE: dict[str, Any] = {"manual_shoe_location": "right"}
ONE_DECK = {"TUJ": "3.A.1", "FR": "3.A"}


def two_decks(game: str, method: str = "manual_shoe", **choices: Any) -> Floor:
    """A table with two decks, ready for the first round."""
    return Floor(house(game, method, table=TWO, **SHOE, **choices)).ready()


def fail(floor: Floor, device: Device = "shuffler", how: Mark = "covered") -> None:
    """Report a device as out of order and mark it."""
    floor.do(cmd.ReportFault(device), DEE)
    floor.do(cmd.MarkDevice(device, how), DEE)


def by_hand(floor: Floor, name: str) -> None:
    """Shuffle a deck by hand, cut it and load it."""
    floor.do(cmd.Shuffle(name, "manual"), DEE)
    floor.do(cmd.CutDeck(name, 20), DEE)
    floor.load(name)


def due(floor: Floor) -> set[str]:
    """The commands that are due."""
    return {step.kind for step in floor.table.next_steps(floor.at) if step.due != "may"}


# Two decks only while the shuffler works.


@proving(TUJ="3.A.1 3.B", FR="3.A 3.B")
def test_one_deck_is_used_while_the_shuffler_is_out_of_order(game: str) -> None:
    """The floor chooses the deck; it is dealt round after round, and no second one is asked for."""
    floor = two_decks(game)
    floor.round()
    fail(floor)
    assert "keep_deck" in due(floor)
    (kept,) = floor.do(cmd.KeepDeck("one"), FLO)
    assert isinstance(kept, ev.DeckKept) and ("one", "two") == (kept.deck, kept.aside)
    assert "A148" in kept.clauses
    for _ in range(3):
        by_hand(floor, "one")
        floor.round()
        assert not due(floor) & {"keep_deck", "receive_deck", "prepare_deck"}
        floor.refused(cmd.Shuffle("two", "manual"), DEE, "5.A")
    covers = floor.house.game.procedure.cover_cards
    third = cmd.ReceiveDeck(deck="three", back="green", design="lions", cover_cards=covers)
    floor.refused(third, DEE, at(game, **ONE_DECK))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_deck_in_play_stays_for_the_round(game: str) -> None:
    """If the shuffler jams beside a round, the round goes on; then the floor chooses."""
    floor = two_decks(game)
    floor.bet()
    floor.close_bets()
    floor.deal()
    floor.do(cmd.JamShuffler(), DEE)
    floor.do(cmd.MarkDevice("shuffler", "covered"), DEE)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    assert not floor.of(ev.RoundVoided)
    floor.do(cmd.KeepDeck("two"), FLO)
    by_hand(floor, "two")
    floor.round()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_round_begins_before_the_floor_has_chosen(game: str) -> None:
    """Two decks in play without the device: refused until one of them leaves play."""
    floor = two_decks(game)
    floor.bet()
    floor.do(cmd.ReportFault("shuffler"), DEE)
    floor.refused(cmd.NoMoreBets(), DEE, at(game, **ONE_DECK), "the floor chooses")
    floor.refused(cmd.KeepDeck("two"), FLO, "A148")  # deck one stays for this round
    floor.do(cmd.KeepDeck("one"), FLO)
    floor.refused(cmd.NoMoreBets(), DEE, "A148", "cover")
    floor.do(cmd.MarkDevice("shuffler", "covered"), DEE)
    floor.close_bets()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_without_a_cover_the_other_deck_goes_to_the_pit(game: str) -> None:
    """A device with a sign covers nothing."""
    floor = two_decks(game)
    fail(floor, how="signed")
    floor.do(cmd.KeepDeck("one"), FLO)
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, "A148")
    assert "pull_deck" in due(floor)
    floor.do(cmd.PullDeck("two", "to the pit"), DEE)
    floor.do(cmd.SignRemoval("two"), FLO)
    floor.close_bets()


@proving(TFUJR="3.B.4")
def test_both_decks_are_used_again_when_the_device_works(game: str) -> None:
    """The deck comes back from under the cover, is shuffled, and the decks alternate again."""
    floor = two_decks(game)
    fail(floor)
    floor.do(cmd.KeepDeck("one"), FLO)
    floor.round()
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.refused(cmd.KeepDeck("one"), FLO, "3.B")
    floor.shuffle("two")
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one"), DEE, "3.B.4")
    floor.load("two")
    floor.round()


@proving(TFUJR="3.B.4")
def test_the_decks_alternate_at_once_when_the_device_works(game: str) -> None:
    """The deck of the last round, loaded for the next one, goes back into the shuffler."""
    floor = two_decks(game)
    fail(floor)
    floor.do(cmd.KeepDeck("one"), FLO)
    floor.round()
    by_hand(floor, "one")
    floor.bet()
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.refused(cmd.NoMoreBets(), DEE, floor.house.cite("load")[0], "no deck is ready")
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one"), DEE, "3.B.4")
    floor.shuffle("two")
    floor.load("two")
    floor.close_bets()
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    assert ["one", "two"] == [event.deck for event in floor.of(ev.StubDiscarded)]


@proving(TFUJR="3.B.4")
def test_the_other_deck_stays_loaded_when_the_device_works_again(game: str) -> None:
    """It was not dealt in the last round; a table with one deck has no other."""
    floor = two_decks(game)
    floor.round()
    fail(floor)
    floor.do(cmd.KeepDeck("two"), FLO)
    floor.load("two")
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.shuffle("one")
    floor.round()
    assert ["one", "two"] == [event.deck for event in floor.of(ev.StubDiscarded)]
    floor = Floor(house(game, "manual_shoe", table=ONE, **SHOE)).ready()
    floor.round()
    fail(floor)
    by_hand(floor, "one")
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.round()


@proving(TFUJR="3.B.4")
def test_a_deck_that_is_dealt_stays_when_the_device_works_again(game: str) -> None:
    """The device is repaired after "no more bets": the deck stays for the round (A148)."""
    floor = two_decks(game)
    fail(floor)
    floor.do(cmd.KeepDeck("one"), FLO)
    floor.round()
    by_hand(floor, "one")
    floor.bet()
    floor.close_bets()
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    assert ["one", "one"] == [event.deck for event in floor.of(ev.StubDiscarded)]
    floor.shuffle("two")
    floor.shuffle("one")
    floor.load("two")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_floor_may_change_the_deck_that_stays(game: str) -> None:
    """Between rounds the deck under the cover may replace the other one."""
    floor = two_decks(game)
    fail(floor)
    floor.do(cmd.KeepDeck("one"), FLO)
    floor.round()
    (kept,) = floor.do(cmd.KeepDeck("two"), FLO)
    assert isinstance(kept, ev.DeckKept) and ("two", "one") == (kept.deck, kept.aside)
    by_hand(floor, "two")
    floor.round()
    floor.do(cmd.PullDeck("two", "worn"), DEE)
    floor.do(cmd.SignRemoval("two"), FLO)
    (kept,) = floor.do(cmd.KeepDeck("one"), FLO)
    assert isinstance(kept, ev.DeckKept) and ("one", "") == (kept.deck, kept.aside)
    by_hand(floor, "one")
    floor.round()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_table_opens_with_one_deck_while_the_shuffler_is_out_of_order(game: str) -> None:
    """One deck is asked for, and one is enough."""
    floor = Floor(house(game, "manual_shoe", table=TWO, **SHOE)).staff()
    fail(floor)
    floor.attest()
    floor.receive("one")
    floor.inspect("one")
    assert "receive_deck" not in due(floor)
    floor.do(cmd.CountInventory(5_000_000), DEE)
    floor.do(cmd.OpenTable(), FLO)
    floor.seat()
    floor.mix("one")
    by_hand(floor, "one")
    floor.round()


def test_an_unmixed_deck_comes_back_as_it_left() -> None:
    """A deck set aside before it was washed is washed when it comes back."""
    floor = Floor(house(UTH, "manual_shoe", table=TWO, **SHOE)).open()
    floor.seat()
    floor.mix("one")
    fail(floor)
    floor.do(cmd.KeepDeck("one"), FLO)
    floor.refused(cmd.PrepareDeck("two", "offer"), DEE, "4.C")
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.mix("two")


# Stub counts.


def counted_rounds(floor: Floor, rounds: int) -> list[int]:
    """Play rounds, with the stub counted when it is due; return those in which it was."""
    counted = []
    for number in range(1, rounds + 1):
        before = len(floor.of(ev.StubCounted))
        floor.round()
        if len(floor.of(ev.StubCounted)) > before:
            counted.append(number)
        floor.again()
    return counted


@proving(TFUJR="8.E")
def test_two_decks_are_both_counted_at_least_every_five_rounds(game: str) -> None:
    """The first deck in round 5, the other in round 6; then each in its first round after five."""
    assert [5, 6, 11, 12, 17, 18] == counted_rounds(two_decks(game), 18)


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize(("every", "counted"), [(1, [1, 2, 3, 4]), (2, [2, 3, 4, 5]), (4, [4, 5])])
def test_two_decks_are_counted_as_often_as_submitted(
    game: str, every: int, counted: list[int]
) -> None:
    """The interval of the submission counts rounds of the table, not of a deck."""
    floor = two_decks(game, stub_count_every=every)
    assert counted == counted_rounds(floor, counted[-1])


def replace(floor: Floor, old: str, new: str, back: str) -> None:
    """Take a deck away and prepare a new one."""
    floor.do(cmd.PullDeck(old, "worn"), DEE)
    floor.do(cmd.SignRemoval(old), FLO)
    floor.receive(new, back, prepared_by="card room 4")
    floor.shuffle(new)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_new_deck_does_not_put_off_the_count_of_the_other(game: str) -> None:
    """One deck stays and the other is replaced every four rounds: the first is counted."""
    floor = two_decks(game)
    other, counted = "two", []
    for number in range(1, 25):
        counted += [number] if counted_rounds(floor, 1) else []
        if not number % 4:
            replace(floor, other, f"new {number}", f"back {number}")
            other = f"new {number}"
    assert [5, 11, 17, 23] == counted
    assert {"one"} == {event.deck for event in floor.of(ev.StubCounted)}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_void_rounds_count_towards_the_interval(game: str) -> None:
    """After four void rounds the fifth is counted; a void fifth puts it off to the sixth."""
    for voids in (4, 5):
        floor = Floor(house(game, "manual_shoe", table=ONE, **SHOE)).ready()
        for _ in range(voids):
            floor.bet()
            floor.close_bets()
            floor.void()
            floor.settle()
            floor.again()
        floor.bet()
        floor.close_bets()
        floor.play_until_settlement()
        floor.refused(cmd.DiscardStub(), DEE, "8.E")
        floor.stub()
        floor.settle()
        floor.again()
        floor.round()
        assert 1 == len(floor.of(ev.StubCounted))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_opening_and_a_new_single_deck_restart_the_interval(game: str) -> None:
    """The interval of a deck starts when it arrives."""
    floor = Floor(house(game, "manual_shoe", table=ONE, **SHOE)).ready()
    for _ in range(4):
        floor.round()
        floor.again()
    floor.do(cmd.PullDeck("one", "worn"), DEE)
    floor.do(cmd.SignRemoval("one"), FLO)
    floor.receive("new", "blue", prepared_by="card room 4")
    floor.shuffle("new")
    floor.load("new")
    assert [5] == counted_rounds(floor, 5)


@proving(TFUJR="8.E")
def test_a_broken_counting_shuffler_does_not_excuse_the_count(game: str) -> None:
    """While it works no count is due; when it is out of order the deck is counted at once."""
    floor = Floor(house(game, "manual_shoe", table=COUNTING, **SHOE)).ready()
    for _ in range(6):
        floor.round()
        floor.again()
    assert not floor.of(ev.StubCounted)
    fail(floor)
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    floor.refused(cmd.DiscardStub(), DEE, "8.E")
    floor.stub()
    floor.settle()
    assert 1 == len(floor.of(ev.StubCounted))
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.shuffle("one")
    floor.load("one")
    for _ in range(6):
        floor.round()
        floor.again()
    assert 1 == len(floor.of(ev.StubCounted))


# A change of the dealing method.

PLACED: dict[str, Any] = {
    "six_card_deal_position": "after_hands",
    "six_card_deal_position_approval": "D 3 of 2026-01-01",
}


def shoe_fails(game: str, to: Method, table: dict[str, Any] = ONE, **choices: Any) -> Floor:
    """An automated shoe failed after a round, and the table changed its dealing method."""
    without = ("six_card_bonus",) if game == UTH and not choices else ()
    rules = house(game, table=table, without=without, **SHOE, **choices)
    floor = Floor(rules).ready()
    floor.round()
    fail(floor, "shoe")
    floor.switch(to)
    floor.again()
    return floor


def life_of(floor: Floor, name: str = "one") -> tuple[int, str]:
    """When a deck must be changed, after it entered play, and the clause."""
    floor_at, entered = floor.at, floor.table.decks.here[name].entered_at
    assert entered is not None
    first = floor.table.next_deadline(floor_at)
    while first is not None and "must be changed soon" not in first.what:
        first = floor.table.next_deadline(first.at)
    assert first is not None
    return first.at + 15 * MINUTE - entered, first.clause


@proving(TFUJR="3.C.1")
def test_a_deck_lasts_four_hours_after_a_change_to_the_hand(game: str) -> None:
    """Also a deck dealt from a shoe before; at four hours no further round begins."""
    floor = shoe_fails(game, "hand")
    assert (4 * HOUR, "3.C.1") == life_of(floor)
    entered = floor.table.decks.here["one"].entered_at
    assert entered is not None
    floor.bet()
    floor.at = entered + 4 * HOUR - MINUTE
    floor.close_bets()
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    floor.at = entered + 4 * HOUR
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one", "right"), DEE, "3.C.1")


@proving(TFUJR="3.C.1")
def test_changing_back_to_a_shoe_never_extends_the_life_of_a_deck(game: str) -> None:
    """Four hours for a deck once dealt by hand, eight again only for a new deck."""
    floor = shoe_fails(game, "hand")
    floor.round()
    floor.switch("manual_shoe")
    floor.again()
    assert (4 * HOUR, "3.C.1") == life_of(floor)
    floor.round()
    floor.do(cmd.PullDeck("one", "worn"), DEE)
    floor.do(cmd.SignRemoval("one"), FLO)
    floor.receive("new", "blue", prepared_by="card room 4")
    floor.shuffle("new")
    floor.load("new")
    # The submission of Texas Hold 'Em Bonus has four hours for its automated shoe (A137).
    assert ((4 if game == THB else 8) * HOUR, "3.C.2") == life_of(floor, "new")


@proving(TFUJR="3.C.1")
def test_a_deck_that_came_while_dealing_from_the_hand_keeps_the_shorter_life(game: str) -> None:
    """It was dealt from the hand in its first round."""
    floor = shoe_fails(game, "hand")
    floor.do(cmd.PullDeck("one", "worn"), DEE)
    floor.do(cmd.SignRemoval("one"), FLO)
    floor.receive("new", "blue", prepared_by="card room 4")
    floor.shuffle("new")
    floor.load("new")
    floor.round()
    floor.switch("manual_shoe")
    floor.again()
    assert (4 * HOUR, "3.C.1") == life_of(floor, "new")
    floor.do(cmd.PullDeck("new", "worn"), DEE)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_change_to_the_hand_and_back_without_a_round_keeps_the_shorter_life(game: str) -> None:
    """The life of a deck in play is never extended again."""
    floor = shoe_fails(game, "manual_shoe")
    floor.switch("hand")
    floor.switch("manual_shoe")
    floor.again()
    assert (4 * HOUR, "3.C.1") == life_of(floor)


@pytest.mark.proves(THB, "3.C.1")
def test_a_deck_whose_boards_came_from_the_hand_keeps_the_shorter_life() -> None:
    """10.B.4 deals the board from the hand, so a change to a manual shoe extends nothing."""
    assert (4 * HOUR, "3.C.1") == life_of(Floor(house(THB, table=ONE)).ready())
    floor = shoe_fails(THB, "manual_shoe")
    assert (4 * HOUR, "3.C.1") == life_of(floor)
    (pulled,) = floor.do(cmd.PullDeck("one", "worn"), DEE)
    assert "3.C.1" in pulled.clauses


@pytest.mark.parametrize("game", [TOP, UTH, JACKPOT, RUN])
def test_a_change_to_a_manual_shoe_keeps_eight_hours(game: str) -> None:
    """Both shoes have the same limit."""
    assert (8 * HOUR, "3.C.2") == life_of(shoe_fails(game, "manual_shoe"))


def after_a_round(floor: Floor) -> list[ev.CardsDealt]:
    """Play another round; return its deal."""
    before = len(floor.of(ev.CardsDealt))
    floor.round()
    return floor.of(ev.CardsDealt)[before:]


@pytest.mark.upholds("A103")
@pytest.mark.parametrize("method", ["hand", "manual_shoe"])
def test_the_six_card_box_after_a_change_of_method(method: Method) -> None:
    """Dealt after the hands where the submission names its position, with burns by hand."""
    dealt = after_a_round(shoe_fails(UTH, method, **PLACED))
    places = [place for event in dealt for place in event.places]
    hands = [1, "dealer", 1, "dealer", *["box"] * 4]
    board = ["community"] * 3 + ["community"] * 2
    if method == "hand":
        board = ["burn", *["community"] * 3, "burn", *["community"] * 2]
    assert [*hands, *board] == places
    (box,) = (event for event in dealt if "box" in event.places)
    assert "A103" in box.clauses and "10.B.1" not in box.clauses


@pytest.mark.upholds("A103")
def test_no_change_of_method_where_the_box_has_no_position() -> None:
    """Only chapter 10 deals the box, so the table waits for the shoe."""
    floor = Floor(house(UTH, table=ONE, **SHOE)).ready()
    fail(floor, "shoe")
    for command in (cmd.SwitchDealing("hand"), cmd.SwitchDealing("manual_shoe")):
        floor.refused(command, FLO, "A103")


def test_a_board_dealt_first_is_dealt_street_by_street_after_a_change() -> None:
    """10.I is about the automated shoe, so it is cited no more."""
    floor = shoe_fails(THB, "hand", COUNTING, community_first=True, **DEVICE)
    dealt = after_a_round(floor)
    assert [1, "dealer", 1, "dealer"] == list(dealt[0].places)
    shown = floor.of(ev.StreetShown)[-1]
    assert "10.I.2" not in shown.clauses and "10.I.1" not in dealt[0].clauses


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_broken_continuous_shuffler_excuses_neither_cut_nor_spread(game: str) -> None:
    """The exemption is for tables that use the device."""
    floor = Floor(house(game, "manual_shoe", table=COUNTING, **SHOE, **DEVICE)).ready()
    floor.round()
    fail(floor)
    floor.do(cmd.Shuffle("one", "manual"), DEE)
    floor.refused(cmd.LoadDeck("one"), DEE, at(game, TUJ="5.D.2", FR="5.C.2"))
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.load("one")
    floor.do(cmd.Leave(1), ANN)
    floor.seat(2, BOB)
    inspect = at(game, TUJ="5.H.2", FR="5.F.3")
    floor.refused(cmd.PlaceWagers(2, opening_wagers(floor.house)), BOB, inspect)
    floor.do(cmd.SpreadIdle(), DEE)


@proving(TUJ="5.E 8.E", FR="5.B 8.E")
def test_a_continuous_device_counts_whatever_the_shuffle_method(game: str) -> None:
    """It gives its count with every shuffle, so no stub is counted and nothing is cut."""
    floor = Floor(house(game, "manual_shoe", table=ONE, **SHOE, **DEVICE)).open()
    floor.seat()
    floor.mix("one")
    floor.refused(cmd.Shuffle("one", "machine"), DEE, at(game, TUJ="5.E", FR="5.B"))
    for _ in range(6):
        floor.do(cmd.Shuffle("one", "machine", 52), DEE)
        floor.load("one")
        floor.round()
    assert not floor.of(ev.StubCounted)
    fail(floor)
    floor.do(cmd.Shuffle("one", "manual"), DEE)
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.load("one")
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    floor.refused(cmd.DiscardStub(), DEE, "8.E")


@proving(TUJ="5.D.2", FR="5.C.2")
def test_a_preshuffled_deck_is_cut_unless_a_continuous_device_works(game: str) -> None:
    """The device reshuffles it; without the device it is cut."""
    for device in (DEVICE, {}):
        floor = Floor(house(game, "manual_shoe", table=COUNTING, **SHOE, **device)).ready()
        floor.do(cmd.PullDeck("one", "worn"), DEE)
        floor.do(cmd.SignRemoval("one"), FLO)
        floor.receive("new", "blue", prepared_by="card room 4")
        if not device:
            floor.refused(cmd.LoadDeck("new"), DEE, at(game, TUJ="5.D.2", FR="5.C.2"))
            floor.do(cmd.CutDeck("new", 20), DEE)
        floor.load("new")
        floor.round()


# A failed shoe, a failed progressive system.

MARKED = {"T": "13.I", "FR": "13.E", "UJ": "13.J"}


@proving(T="13.I", FR="13.E", UJ="13.J")
def test_a_failed_shoe_leads_to_another_approved_method(game: str) -> None:
    """Reported, marked, changed: each step is due after the other, and no round comes between."""
    without = ("six_card_bonus",) if game == UTH else ()
    floor = Floor(house(game, table=ONE, without=without, **SHOE)).ready()
    floor.do(cmd.ReportFault("shoe"), DEE)
    assert "mark_device" in due(floor) and "switch_dealing" not in due(floor)
    floor.do(cmd.MarkDevice("shoe", "covered"), DEE)
    assert {"hand", "manual_shoe"} == switch_steps(floor)
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, at(game, **MARKED), "take back the wagers")
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(floor.house), 0)), ANN)
    floor.switch("hand")
    assert not switch_steps(floor)
    floor.shuffle("one")
    floor.load("one")
    floor.round()


@proving(TFUJR="8.A")
def test_a_manual_shoe_that_replaces_another_method_is_at_its_location(game: str) -> None:
    """Attested after every change to it, before "no more bets"; no other method needs it."""
    without = ("six_card_bonus",) if game == UTH else ()
    floor = Floor(house(game, table=ONE, without=without, **SHOE)).ready()
    floor.refused(cmd.AttestShoe(), FLO, "8.A", "needs no shoe")
    fail(floor, "shoe")
    for _ in range(2):
        floor.do(cmd.SwitchDealing("manual_shoe"), FLO)
        assert "attest_shoe" in due(floor)
        floor.shuffle("one")
        floor.load("one")
        floor.bet()
        floor.refused(cmd.NoMoreBets(), DEE, "8.A", "approved location")
        (attested,) = floor.do(cmd.AttestShoe(), FLO)
        assert isinstance(attested, ev.ItemAttested) and "8.A" in attested.clauses
        floor.close_bets()
        floor.play_until_settlement()
        floor.stub()
        floor.settle()
        floor.do(cmd.SwitchDealing("hand"), FLO)
        assert "attest_shoe" not in due(floor)


def switch_steps(floor: Floor) -> set[str]:
    """The dealing methods that it is due to change to."""
    steps = [step for step in floor.table.next_steps(floor.at) if step.kind == "switch_dealing"]
    return {step.fixed["method"] for step in steps if step.due == "due"}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_without_another_method_the_table_waits_for_the_shoe_or_closes(game: str) -> None:
    """Neither a place for a manual shoe nor a shuffler: the repair is due, and closing works."""
    manual = {"shuffle_method": "manual", "decks": 1}
    floor = Floor(house(game, table=manual)).ready()
    fail(floor, "shoe")
    assert not switch_steps(floor)
    (clear,) = [s for s in floor.table.next_steps(floor.at) if s.kind == "clear_device"]
    assert "due" == clear.due and "close the table" in clear.why
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, at(game, **MARKED))
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(floor.house), 0)), ANN)
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_shoe_that_fails_beside_a_round_is_reported_during_it(game: str) -> None:
    """With its cards out it cannot jam; the round is settled and the shoe is out of order."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.bet()
    floor.close_bets()
    floor.refused(cmd.ReportFault("shoe"), DEE, at(game, T="A122", FR="13.D", UJ="13.I"), "jam")
    floor.play_until_settlement()
    floor.stub()
    floor.do(cmd.ReportFault("shoe"), DEE)
    floor.do(cmd.MarkDevice("shoe", "covered"), DEE)
    floor.settle()
    assert not floor.of(ev.RoundVoided)
    floor.shuffle("one")
    floor.refused(cmd.LoadDeck("one"), DEE, at(game, **MARKED))


@proving(UJ="2.C 2.C.2", R="2.B.6 2.B.6.2")
def test_a_progressive_system_that_fails_during_a_round(game: str) -> None:
    """The wager is locked and adds nothing more; wagers accepted before stay valid."""
    rules = house(game, table=ONE)
    assert rules.progressive is not None
    stake, ante = rules.progressive.stake, rules.game.ante.name
    floor = Floor(rules).ready()
    floor.bet(progressive=stake)
    floor.close_bets()
    contributed = dict(floor.table.meters)
    floor.deal()
    (failed,) = floor.do(cmd.ReportFault("progressive"), DEE)
    assert isinstance(failed, ev.DeviceFailed)
    assert ("2.B.6.2" if game == RUN else "2.C.2") in failed.clauses
    assert "clear_device" in due(floor)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    assert not floor.of(ev.RoundVoided)
    settled = [event for event in floor.of(ev.WagerSettled) if event.wager == "progressive"]
    assert [stake] == [event.stake for event in settled] and "void" != settled[0].outcome
    assert contributed == floor.table.meters
    floor.again()
    progressive = opening_wagers(rules, progressive=stake)
    floor.refused(cmd.PlaceWagers(1, progressive), ANN, "2.B.6" if game == RUN else "2.C")
    floor.round()
    assert contributed == floor.table.meters
    floor.do(cmd.ClearDevice("progressive"), FLO)
    floor.again()
    floor.round(progressive=stake)
    assert contributed != floor.table.meters
    assert ante in floor.of(ev.WagersPlaced)[-1].stakes


@proving(UJ="2.C", R="2.B.6")
def test_progressive_wagers_of_every_box_are_taken_back_before_the_deal(game: str) -> None:
    """A system that fails before "no more bets" has locked nothing yet."""
    boxes = {} if game == RUN else {"max_adjacent_boxes": 2}
    rules = house(game, table=ONE | boxes)
    assert rules.progressive is not None
    floor = Floor(rules).ready()
    seats = (1,) if game == RUN else (1, 2)
    for seat in seats:
        floor.bet(seat, progressive=rules.progressive.stake)
    floor.do(cmd.ReportFault("progressive"), DEE)
    for seat in seats:
        floor.refused(cmd.NoMoreBets(), DEE, "2.B.6" if game == RUN else "2.C")
        floor.do(cmd.PlaceWagers(seat, {"progressive": 0}), ANN)
    before = dict(floor.table.meters)
    floor.close_bets()
    assert before == floor.table.meters


@proving(UJ="2.C", R="2.B.6")
def test_an_award_is_paid_though_the_system_failed(game: str) -> None:
    """Its light is off: a floorperson validates the award with a reason."""
    rules = house(game, table=ONE)
    assert rules.progressive is not None
    floor = Floor(rules).ready()
    board = "Qs Js 2d 3c Ts" if game == RUN else "Qs Js Ts 2d 3c"
    floor.deck = stacked_deck(rules, {1: "As Ks", COMMUNITY: board}, (1,))
    floor.bet(progressive=rules.progressive.stake)
    floor.close_bets()
    floor.do(cmd.ReportFault("progressive"), DEE)
    floor.play_until_settlement(["1x"] * 3 if game == RUN else ["check", "check", "1x"])
    floor.stub()
    floor.turn_hands()
    while "verify_award" not in due(floor):  # bonuses and runs come before the progressive
        floor.do(cmd.SettleSeat(1), DEE)
    floor.do(cmd.VerifyAward(1, False), DEE)
    floor.do(cmd.ValidateAward(1, "the system failed during the round"), FLO)
    while "prepare_payout" in due(floor) or "witness_payout" in due(floor):
        step = next(s for s in floor.table.next_steps(floor.at) if "payout" in s.kind)
        floor.do(step.filled(), step.actor())
    (event,) = [e for e in floor.table.payments_due() if isinstance(e, ev.MeterPaid)]
    assert 1 == event.seat and event.paid > 0


# Cards that wait in the shuffler.

STAYING = {TOP: ["1x"], UTH: ["check", "check", "1x"], JACKPOT: ["check", "check", "1x"]}
in_shuffler = pytest.mark.parametrize("game", [TOP, UTH, JACKPOT])


def in_the_device(
    game: str, order: str = "dealer_in_shuffler", boxes: int = 1, **side: Any
) -> Floor:
    """The cards are dealt and the stub is away; the dealer's cards wait in the device."""
    table = COUNTING | {"max_adjacent_boxes": boxes}
    floor = Floor(house(game, table=table, dealer_stack_order=order)).ready()
    for seat in range(1, boxes + 1):
        floor.bet(seat, **side)
    floor.close_bets()
    floor.deal()
    floor.stub()
    return floor


def dealer_seen(floor: Floor) -> int:
    """The number of dealer cards that a camera sees on the table."""
    shown = view(floor.table, viewer_of(floor.table, EYE)).round
    assert shown is not None
    return len(shown.dealer)


@proving(F="11.B.4", U="10.B.4", J="10.B.3")
def test_the_dealers_cards_stay_in_the_device_until_the_players_have_acted(game: str) -> None:
    """They are not on the table, and the stub goes to the rack without them."""
    floor = in_the_device(game)
    cards = floor.house.game.dealer_cards
    (event,) = floor.of(ev.StubDiscarded)
    dealt = [place for each in floor.of(ev.CardsDealt) for place in each.places]
    assert ["dealer"] * cards == dealt[-cards:]
    assert 52 == event.cards + len(dealt)
    assert 0 == dealer_seen(floor)
    floor.play_until_settlement(STAYING[game])
    assert 0 == dealer_seen(floor)
    floor.turn_hands()
    assert cards == dealer_seen(floor)
    floor.settle()


@in_shuffler
def test_dealer_first_puts_the_cards_on_the_table_with_the_players(game: str) -> None:
    """The default: nothing waits, so an empty shoe cannot jam."""
    floor = in_the_device(game, "dealer_first")
    assert floor.house.game.dealer_cards == dealer_seen(floor)
    floor.refused(cmd.JamShoe(), DEE, "13.D" if game == TOP else "13.I")
    floor.do(cmd.ReportFault("shoe"), DEE)


@in_shuffler
@pytest.mark.parametrize("acted", [False, True])
@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_a_jam_with_the_dealers_cards_inside_voids_the_round(
    game: str, acted: bool, device: Device
) -> None:
    """Before or after the players acted; both boxes of a player get their wagers back.

    The text calls the device an automated dealing shoe or shuffler, so either may be reported.
    """
    floor = in_the_device(game, boxes=2)
    if acted:
        floor.play_until_settlement([word for word in STAYING[game] for _ in range(2)])
    jam = {"shoe": {"F": "13.D", "UJ": "13.I"}, "shuffler": {"F": "A122", "UJ": "13.H"}}[device]
    floor.refused(cmd.ReportFault(device), DEE, at(game, **jam), "jam")
    steps = {step.kind for step in floor.table.next_steps(floor.at)}
    assert f"jam_{device}" in steps and "expose_dealer_card" not in steps
    floor.do(cmd.JamShoe() if device == "shoe" else cmd.JamShuffler(), DEE)
    floor.settle()
    assert 1_000_000 == floor.rack("ann")
    assert {"void"} == {event.outcome for event in floor.of(ev.WagerSettled)}
    assert device == floor.table.decks.here["one"].recover


@proving(F="13.D", UJ="13.I")
@pytest.mark.parametrize("live", [False, True])
def test_a_jam_after_every_fold_voids_what_still_needs_the_device(game: str, live: bool) -> None:
    """A side wager that a fold left alive is returned; without one nothing is left to decide."""
    side = {TOP: "poker_bonus", UTH: "trips", JACKPOT: "player_bonus"}[game]
    wagers: dict[str, Any] = {side: 500} if live else {}
    floor = in_the_device(game, **wagers)
    floor.play_until_settlement()
    floor.do(cmd.JamShoe(), DEE)
    assert live == bool(floor.of(ev.RoundVoided))
    floor.settle()
    lost = 0 if live else sum(opening_wagers(floor.house).values())
    assert 1_000_000 - lost == floor.rack("ann")
    other = Floor(house(game, table=COUNTING)).ready()
    other.bet(**wagers)
    other.close_bets()
    other.play_until_settlement()
    other.do(cmd.JamShoe(), DEE)  # the dealer's cards are on the table
    assert not other.of(ev.RoundVoided)


@in_shuffler
def test_cards_in_the_device_are_neither_exposed_nor_miscounted(game: str) -> None:
    """That can be found only once they are on the table."""
    floor = in_the_device(game)
    dealer, number = cmd.ExposeDealerCard(), cmd.FindWrongNumber("dealer", "counted")
    floor.refused(dealer, DEE, at(game, F="A116", UJ="13.F"), "in the shuffler")
    floor.refused(number, FLO, at(game, F="13.C", UJ="13.E"), "in the shuffler")
    other = in_the_device(game, "dealer_first")
    other.do(dealer, DEE)
    assert other.of(ev.RoundVoided)


@in_shuffler
def test_no_jam_after_the_dealers_cards_have_left_the_device(game: str) -> None:
    """At the showdown the device is empty."""
    floor = in_the_device(game)
    floor.play_until_settlement(STAYING[game])
    floor.turn_hands()
    floor.refused(cmd.JamShoe(), DEE, "13.D" if game == TOP else "13.I")


@in_shuffler
def test_nothing_waits_in_a_device_that_does_not_deal(game: str) -> None:
    """After a change of method the dealer's cards lie on the table."""
    without = ("six_card_bonus",) if game == UTH else ()
    order = {"dealer_stack_order": "dealer_in_shuffler"}
    floor = Floor(house(game, table=ONE, without=without, **SHOE, **order)).ready()
    fail(floor, "shoe")
    floor.switch("hand")
    floor.shuffle("one")
    floor.load("one")
    floor.bet()
    floor.close_bets()
    floor.deal()
    assert floor.house.game.dealer_cards == dealer_seen(floor)


# Two boxes of one player.

BOXES: dict[str, Any] = {
    TOP: {"table": ONE | {"max_adjacent_boxes": 2}},
    RUN: {"table": ONE | {"max_adjacent_boxes": 2}, "max_adjacent_boxes_approval": "B 1"},
}


def two_boxes(game: str) -> Floor:
    """Ann has two boxes, Bob has one; the hands are dealt."""
    rules = house(game, **BOXES[game])
    floor = Floor(rules).ready()
    floor.seat(3, BOB)
    side = {w.name: 500 for w in rules.game.wagers if w.role == "optional"}
    for seat, player in ((1, ANN), (2, ANN), (3, BOB)):
        floor.bet(seat, player, **side)
    floor.close_bets()
    floor.deal()
    floor.do(cmd.ShowStreet(), DEE)
    return floor


@proving(FR="11.A.5")
@pytest.mark.parametrize("folded", [False, True])
def test_conduct_forfeits_every_box_of_the_player(game: str, folded: bool) -> None:
    """All wagers of both boxes, also those that a fold kept alive; Bob plays on."""
    floor = two_boxes(game)
    if folded:
        floor.decide("fold")
    floor.do(cmd.ForfeitForConduct("ann", "share", "told Bob"), FLO)
    assert [1, 2] == [event.seat for event in floor.of(ev.WagersForfeited)]
    assert 3 == floor.table.due().seat
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    lost = [event for event in floor.of(ev.WagerSettled) if event.seat in (1, 2)]
    assert {1, 2} == {event.seat for event in lost}
    assert {0} == {event.returned for event in lost}
    staked = 2 * (sum(opening_wagers(floor.house).values()) + 500 * 2)
    assert 1_000_000 - staked == floor.rack("ann")


@proving(F="7.B.3", R="7.B.3")
def test_a_ruling_on_a_player_who_left_concerns_every_box(game: str) -> None:
    """The wagers of both boxes are lost."""
    floor = two_boxes(game)
    floor.do(cmd.RecordWalkAway(1), DEE)
    floor.do(cmd.RuleAbandoned("ann", True, "left the property"), FLO)
    assert [1, 2] == [event.seat for event in floor.of(ev.WagersForfeited)]
