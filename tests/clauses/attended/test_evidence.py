"""Irregularities (chapter 13) that are impossible or contradict the table's record."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import names
from croupier.games import COMMUNITY
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.messages import Command
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import DEE, FLO, MAX, Floor
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

ONE = {"shuffle_method": "shuffler", "decks": 1}
BOARD_FIRST: dict[str, Any] = {
    "community_first": True,
    "continuous_device": True,
    "continuous_device_approval": "Device 7, 2031-01-02",
}
NUMBER = {THB: "13.E", TOP: "13.C", UTH: "13.E", JACKPOT: "13.E", RUN: "13.C"}
EXPOSED = {THB: "13.F", TOP: "A116", UTH: "13.F", JACKPOT: "13.F"}
JAM = {THB: "A122", TOP: "13.D", UTH: "13.I", JACKPOT: "13.I", RUN: "13.D"}
WHY = "counted again"
BETS = {THB: ["2x"], TOP: ["1x"], RUN: ["1x", "1x", "1x"]}


def closed(game: str) -> Floor:
    """Betting is closed and no card is dealt."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.bet()
    floor.close_bets()
    return floor


def shown(game: str) -> Floor:
    """The round is played, the stub is discarded and the hands are face up."""
    floor = closed(game)
    floor.play_until_settlement(BETS.get(game, ["check", "check", "1x"]))
    floor.stub()
    floor.turn_hands()
    return floor


@proving(TUJ="13.E", F="13.C", R="13.C 13.F")
def test_a_wrong_number_needs_cards_and_contradicts_a_whole_hand(game: str) -> None:
    """Impossible before the first card; after the hand is dealt it needs a floorperson."""
    clause = NUMBER[game]
    floor = closed(game)
    for by in (DEE, FLO, MAX):
        floor.refused(cmd.FindWrongNumber("seat 1", WHY), by, clause)
    floor.deal()
    floor.refused(cmd.FindWrongNumber("seat 1"), DEE, clause)
    floor.refused(
        cmd.FindWrongNumber("seat 1", WHY), DEE, clause
    )  # a dealer may not, even with a reason
    floor.refused(cmd.FindWrongNumber("seat 1", "  "), FLO, clause)  # a floorperson needs a reason
    floor.do(cmd.FindWrongNumber("seat 1", WHY), FLO)
    floor.settle()
    assert 1_000_000 == floor.rack("ann")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_wrong_number_is_plain_while_the_place_is_dealt_to(game: str) -> None:
    """While the seat still misses a card the dealer may declare a wrong number."""
    floor = closed(game)
    assert floor.table.dealing is not None
    places = floor.table.dealing.pending
    last = len(places) - 1 - places[::-1].index(1)
    cards = floor.unseen()[:last]
    floor.do(cmd.DealCards(tuple(names(cards))), DEE)
    floor.do(cmd.FindWrongNumber("seat 1"), DEE)
    assert floor.of(ev.RoundVoided)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_player_is_not_skipped_at_the_showdown(game: str) -> None:
    """After the last hand a skip is impossible; a complete hand makes it a floor decision."""
    floor = shown(game)
    for by in (DEE, FLO):
        floor.refused(cmd.SkipPlayer(1, WHY), by, at(game, TUJ="13.E", F="13.C", R="13.G"))
    if game == RUN:
        return  # players can be skipped only before the hands are dealt (A121)
    floor = closed(game)
    floor.refused(cmd.SkipPlayer(1, WHY), FLO, NUMBER[game])
    floor.deal()
    floor.refused(cmd.SkipPlayer(1, WHY), DEE, NUMBER[game])
    floor.do(cmd.SkipPlayer(1, WHY), FLO)
    assert floor.of(ev.RoundVoided)


@proving(UJ="13.I", FR="13.D")
def test_a_shoe_does_not_jam_after_the_stub_is_in_the_rack(game: str) -> None:
    """A shoe can jam only while it still holds the stub."""
    floor = closed(game)
    floor.play_until_settlement(BETS.get(game, ["check", "check", "1x"]))
    assert floor.table.allows(cmd.JamShoe(), DEE, floor.at)
    floor.stub()
    for by in (DEE, FLO):
        floor.refused(cmd.JamShoe(WHY), by, JAM[game])
        floor.refused(cmd.JamShuffler(WHY), by, at(game, FR="A122", UJ="13.H"))
        floor.refused(cmd.DrawInError(WHY), by, at(game, FR="13.B", UJ="13.D"))


@pytest.mark.upholds("A122")
def test_a_shoe_of_texas_does_not_jam_once_the_hands_are_dealt() -> None:
    """After the hands are dealt the shoe is empty (10.B.4), unless the board comes first (10.I)."""
    floor = closed(THB)
    assert floor.table.allows(cmd.JamShoe(), DEE, floor.at)
    floor.deal()
    for by in (DEE, FLO):
        floor.refused(cmd.JamShoe(WHY), by, "A122")
    counting = {"shuffle_method": "counting_shuffler", "decks": 1}
    first = Floor(house(THB, table=counting, **BOARD_FIRST)).ready()
    first.bet()
    first.close_bets()
    first.deal()
    first.do(cmd.JamShoe(), DEE)
    assert first.of(ev.RoundVoided)


@proving(TUJ="13.F")
def test_a_dealer_card_that_lies_face_up_is_not_exposed_again(game: str) -> None:
    """After the showdown the dealer's hand cannot be exposed."""
    floor = shown(game)
    for by in (DEE, FLO):
        floor.refused(cmd.ExposeDealerCard(WHY), by, EXPOSED[game])
    floor = closed(game)
    floor.refused(cmd.ExposeDealerCard(), DEE, EXPOSED[game])
    floor.deal()
    floor.do(cmd.ExposeDealerCard(), DEE)
    assert floor.of(ev.RoundVoided)


@pytest.mark.parametrize("game", [THB, UTH, JACKPOT, RUN])
def test_a_community_card_that_lies_face_up_is_not_exposed_again(game: str) -> None:
    """Only a face-down community card can be exposed, by a floorperson (A117)."""
    floor = shown(game)
    floor.refused(cmd.ExposeCommunityCard(WHY), FLO, "A117")
    floor = closed(game)
    floor.refused(cmd.ExposeCommunityCard(WHY), FLO, "A117")
    if game == THB:  # no community cards before the flop
        return
    floor.deal()
    floor.do(cmd.ExposeCommunityCard(), FLO)
    assert floor.of(ev.RoundVoided)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_players_card_is_exposed_while_it_lies_face_down(game: str) -> None:
    """A player card cannot be exposed before it is dealt or after it is turned up (A117)."""
    floor = closed(game)
    floor.refused(cmd.ExposePlayerCard(1), FLO, "A117")
    floor.deal()
    floor.do(cmd.ExposePlayerCard(1), FLO)
    floor = shown(game)
    floor.refused(cmd.ExposePlayerCard(1), FLO, "A117")


ANYTHING: tuple[Command, ...] = (cmd.FindWrongNumber("dealer", WHY), cmd.JamShuffler(WHY))


@pytest.mark.parametrize(("command", "clause"), [*zip(ANYTHING, ("13.E", "13.H"), strict=True)])
def test_what_was_verified_is_taken_back_by_somebody_above(command: Command, clause: str) -> None:
    """After an award is verified, a void needs a floorperson and a reason."""
    rules = house(UTH, "manual_shoe", table=ONE, manual_shoe_location="right")
    floor = Floor(rules).ready()
    floor.deck = stacked_deck(rules, {1: "7s 7h", COMMUNITY: "7d 2c 9s Jh 3h"}, (1,))
    assert rules.progressive is not None
    floor.bet(progressive=rules.progressive.stake)
    floor.close_bets()
    floor.play_until_settlement(["check", "check", "1x"])
    floor.turn_hands()
    if isinstance(command, cmd.JamShuffler):
        assert floor.table.allows(cmd.JamShuffler(), DEE, floor.at)
    floor.do(cmd.VerifyAward(1, True), DEE)
    floor.refused(type(command)(*command_place(command)), FLO, clause)
    floor.refused(command, DEE, clause)
    floor.do(command, FLO)
    assert floor.of(ev.AwardsReopened)
    floor.settle()
    assert 1_000_000 == floor.rack("ann")


def command_place(command: Command) -> tuple[str, ...]:
    """The fields of a command without its reason."""
    return (command.where,) if isinstance(command, cmd.FindWrongNumber) else ()


def test_what_was_documented_is_taken_back_by_somebody_above() -> None:
    """After a payout is documented, a void needs a floorperson and a reason."""
    rules = house(UTH, "manual_shoe", table=ONE, manual_shoe_location="right")
    floor = Floor(rules).ready()
    floor.deck = stacked_deck(rules, {1: "As Ks", COMMUNITY: "Qs Js Ts 2d 3c"}, (1,))
    floor.bet(ante=2_000)
    floor.close_bets()
    floor.play_until_settlement(["4x"])
    floor.do(cmd.CountStub(30), DEE)
    floor.turn_hands()
    finding = cmd.FindWrongCount(False)
    assert floor.table.allows(finding, DEE, floor.at)
    floor.do(cmd.PreparePayout(1, "blind"), FLO)
    floor.refused(finding, DEE, "8.G")
    floor.refused(finding, FLO, "8.G")
    floor.do(cmd.FindWrongCount(False, reason=WHY), FLO)
    assert floor.of(ev.PayoutVoided)


def test_every_listed_declaration_is_accepted_as_it_is_proposed() -> None:
    """Every listed step is accepted, and a reason is required exactly where it is needed."""
    floor = Floor(house(UTH, table=ONE)).ready()
    floor.bet()
    floor.do(cmd.NoMoreBets(), DEE)
    seen = set()
    while floor.table.due().kind != "settle":
        for step in floor.table.next_steps(floor.at):
            if "reason" in step.fields and not step.asks_for():
                for person in step.who:
                    seen.add((step.kind, person.role))
                    assert floor.table.allows(step.filled(), person, floor.at), step
        floor.go_on()
    assert {("find_wrong_number", "floorperson"), ("jam_shoe", "dealer")} <= seen
    assert ("find_wrong_number", "dealer") not in seen  # complete hands: none is partly dealt


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_rehearsal_asks_for_no_evidence(game: str) -> None:
    """A table without staff accepts an irregularity without an evidence check."""
    rules = house(game)
    table = Table(rules)
    table.do(cmd.PlaceWagers(1, opening_wagers(rules)))
    table.do(cmd.NoMoreBets())
    table.do(cmd.FindWrongNumber("seat 1"))
    table.do(cmd.Settle())
    assert table.round is not None and table.round.void is not None
