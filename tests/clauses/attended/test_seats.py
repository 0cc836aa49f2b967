"""Seats (chapter 7) and conduct (11.A): who may bet, leaving, and floor rulings."""

from __future__ import annotations

import pytest

from croupier.games import COMMUNITY
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import ANN, BOB, DEE, FLO, MAX, Floor
from tests.support.rounds import JACKPOT, RUN, THB, TOP, UTH, house, opening_wagers, stacked_deck

ONE = {"shuffle_method": "counting_shuffler", "decks": 1}


@proving(TUJ="7.A 7.B 7.C", FR="7.A 7.B.1")
def test_seated_players_bet_chips(game: str) -> None:
    """Unseated players and wagers beyond the rack are refused; a spoken bet is only noted."""
    floor = Floor(house(game, table=ONE)).ready()
    verbal, seated = ("7.A", "7.B.1") if game in (TOP, RUN) else ("7.B", "7.C")
    (noted,) = floor.do(cmd.NoteConduct("verbal", "seat 1", "called a bet of $50"), DEE)
    assert (verbal,) == noted.clauses and not floor.table.layout
    floor.refused(cmd.PlaceWagers(2, opening_wagers(floor.house)), BOB, seated)
    floor.refused(cmd.PlaceWagers(1, opening_wagers(floor.house), "bob"), ANN, seated)
    floor.bet()
    assert floor.rack("ann") == 1_000_000 - floor.table.layout
    floor.seat(3, BOB, cash=100)
    floor.refused(cmd.PlaceWagers(3, opening_wagers(floor.house)), BOB, "A34")


@proving(TUJ="7.C.1 7.C.2", FR="7.B.2 7.B.3")
def test_a_player_stays_or_a_floorperson_decides(game: str) -> None:
    """Leaving forfeits nothing by itself; a ruling with a reason forfeits the wagers."""
    floor = Floor(house(game, table=ONE)).ready()
    stay, lost = ("7.B.2", "7.B.3") if game in (TOP, RUN) else ("7.C.1", "7.C.2")
    floor.seat(3, BOB)
    floor.bet(1)
    floor.bet(3, BOB)
    floor.refused(cmd.Leave(1), ANN, at(game, TUJ="7.C", FR="7.B.1"))
    floor.close_bets()
    floor.refused(cmd.Leave(1), ANN, stay)
    floor.deal()
    floor.refused(cmd.RuleAbandoned("ann", True, "gone"), FLO, lost)
    floor.do(cmd.RecordWalkAway(1), DEE)
    floor.refused(cmd.RuleAbandoned("ann", True, " "), FLO, lost)
    floor.refused(cmd.RuleAbandoned("ann", True, "gone"), DEE, lost)
    ruled, forfeited = floor.do(cmd.RuleAbandoned("ann", True, "left for the bar"), FLO)
    assert isinstance(ruled, ev.AbandonmentRuled) and ruled.lost
    assert isinstance(forfeited, ev.WagersForfeited)
    floor.refused(cmd.RuleAbandoned("ann", False, "again"), MAX, lost)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    settled = [event for event in floor.of(ev.WagerSettled) if event.seat == 1]
    assert {"lose"} == {event.outcome for event in settled}
    assert {lost} == {event.clause for event in settled}


@pytest.mark.parametrize("game", [THB, TOP, UTH, JACKPOT, RUN])
def test_an_undecided_hand_is_settled_as_it_lies(game: str) -> None:
    """The dealer decides without a bet; money returned is held for the player (A89)."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    floor.do(cmd.RecordWalkAway(1), DEE)
    floor.do(cmd.ShowStreet(), DEE)
    assert 0 == floor.rack("ann")
    street = floor.table.dealing.street  # type: ignore[union-attr]
    assert street is not None
    bet = next(option.word for option in street.options if option.wager)
    floor.refused(cmd.Decide(1, bet), DEE, "A89")
    floor.refused(cmd.Decide(1, "fold"), ANN, at(game, TUJ="7.C", FR="7.B.1"))
    while floor.table.due().kind != "settle":
        match floor.table.due().kind:
            case "deal":
                floor.deal()
            case "show":
                floor.do(cmd.ShowStreet(), DEE)
            case _:
                options = [o.word for o in floor.table.dealing.street.options]  # type: ignore[union-attr]
                floor.do(cmd.Decide(1, "check" if "check" in options else "fold"), DEE)
    floor.stub()
    floor.settle()
    back = sum(event.returned for event in floor.of(ev.WagerSettled))
    held = sum(event.amount for event in floor.of(ev.UnclaimedHeld))
    assert back == held == sum(floor.table.book.held().values())
    if held:
        floor.do(cmd.PayUnclaimed("ann"), FLO)
        assert not floor.table.book.held()


def test_money_of_an_absent_winner_waits() -> None:
    """A void round returns the wagers of a player who left."""
    floor = Floor(house(UTH, table=ONE)).ready()
    floor.bet()
    floor.close_bets()
    floor.do(cmd.RecordWalkAway(1), DEE)
    floor.void()
    floor.settle()
    assert {"ann": 2000} == floor.table.book.held()
    floor.do(cmd.PayUnclaimed("ann"), FLO)
    floor.refused(cmd.PayUnclaimed("ann"), FLO, "COMAR 36.05.03.23E")


@proving(T="7.H")
def test_one_position_per_player(game: str) -> None:
    """A second box is refused, and so is a second seat."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.bet()
    floor.refused(cmd.PlaceWagers(2, opening_wagers(floor.house)), ANN, "7.H")
    floor.refused(cmd.SitDown(2), ANN, "7.H")


@pytest.mark.parametrize("game", [TOP, UTH, JACKPOT])
def test_adjacent_boxes_where_they_are_submitted(game: str) -> None:
    """A player bets on their own box first, then on an adjacent one, and withdraws from it last."""
    floor = Floor(house(game, table=ONE | {"max_adjacent_boxes": 2})).ready()
    floor.refused(cmd.PlaceWagers(2, opening_wagers(floor.house)), ANN, at(game, F="7.F", UJ="7.G"))
    floor.bet(1)
    floor.bet(2)
    floor.refused(cmd.PlaceWagers(3, opening_wagers(floor.house)), ANN, at(game, F="7.F", UJ="7.G"))
    floor.refused(cmd.SitDown(2), BOB, at(game, F="2.A.1", UJ="2.A"))
    stakes = floor.table.open_round.boxes[1].stakes  # type: ignore[union-attr]
    floor.refused(cmd.PlaceWagers(1, dict.fromkeys(stakes, 0)), ANN, at(game, F="7.F", UJ="7.G"))


@pytest.mark.parametrize("game", [THB, UTH, JACKPOT])
def test_players_sit_at_the_positions_of_the_table(game: str) -> None:
    """Every seat is offered until it is taken, and there is no other."""
    floor = Floor(house(game, table=ONE | {"positions": 3})).ready()  # Ann is at seat 1
    steps = floor.table.next_steps(floor.at)
    offered = {step.fixed["seat"] for step in steps if step.command is cmd.SitDown}
    assert {2, 3} == offered
    floor.refused(cmd.SitDown(4), BOB, "2.A")
    floor.seat(3, BOB)


@proving(F="11.A.1 11.A.2 11.A.3 11.A.4 11.A.5", R="11.A.1 11.A.2 11.A.3 11.A.4 11.A.5")
def test_conduct_forfeits_by_a_finding(game: str) -> None:
    """A floorperson's finding, with a reason, forfeits all wagers of the round (A90)."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.seat(2, BOB)
    floor.bet(1)
    floor.bet(2, BOB)
    floor.close_bets()
    floor.deal()
    floor.do(cmd.ShowStreet(), DEE)
    floor.refused(cmd.ForfeitForConduct("ann", "share", "told Bob"), DEE, "11.A.5")
    floor.refused(cmd.ForfeitForConduct("ann", "share", ""), FLO, "11.A.5")
    floor.refused(cmd.ForfeitForConduct("ann", "noise", "sang"), FLO, "11.A.5")
    floor.do(cmd.ForfeitForConduct("ann", "share", "told Bob"), FLO)
    floor.refused(cmd.ForfeitForConduct("ann", "touch", "again"), FLO, "11.A.5")
    assert 2 == floor.table.due().seat
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    lost = [event for event in floor.of(ev.WagerSettled) if event.seat == 1]
    assert lost and all(event.returned == 0 and event.clause == "11.A.5" for event in lost)


@pytest.mark.parametrize("game", [THB, UTH, JACKPOT])
def test_no_forfeiture_where_no_clause_has_one(game: str) -> None:
    """Only Top Five and Run 'Em Twice forfeit for conduct."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    floor.refused(cmd.ForfeitForConduct("ann", "share", "told Bob"), FLO, "A90")


# The clauses on conduct, typed from the documents.
PARTED = {"conduct.hand": "11.A.1", "conduct.touch": "11.A.2", "conduct.view": "11.A.3"}
TOGETHER = {"conduct.hand": "11.A.1", "conduct.touch": "11.A.1", "conduct.view": "11.A.2"}
CONDUCT = {
    THB: PARTED,
    TOP: {**PARTED, "conduct.share": "11.A.4"},
    UTH: TOGETHER,
    JACKPOT: TOGETHER,
    RUN: {**PARTED, "conduct.share": "11.A.4"},
}


@proving(
    T="11.A.1 11.A.2 11.A.3 11.J",
    F="11.A.1 11.A.2 11.A.3 11.A.4 11.D",
    U="11.A.1 11.A.2 11.G.3 11.H.2.c 11.K",
    J="11.A.1 11.A.2 11.H.3 11.I.2.c 11.L",
    R="11.A.1 11.A.2 11.A.3 11.A.4 11.K",
)
def test_what_people_do_is_recorded_with_its_clause(game: str) -> None:
    """Showing a street, announcing and clearing the table cite the conduct clauses."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.round()
    closed = floor.of(ev.RoundClosed)[-1]
    assert 52 == len(closed.discards) + closed.stub
    steps = [step for step in floor.table.next_steps(floor.at) if step.kind == "note_conduct"]
    form = steps[0].fields["duty"]
    named: dict[str, str] = {}
    for duty in form.values:  # type: ignore[attr-defined]
        (noted,) = floor.do(cmd.NoteConduct(duty, "seat 1", "as it was seen"), FLO)
        named[duty] = noted.clauses[0]
    conduct = {duty: clause for duty, clause in named.items() if duty.startswith("conduct.")}
    assert CONDUCT[game] == conduct
    viewed = at(game, TFR="11.A.3", UJ="11.A.2")
    floor.refused(cmd.NoteConduct("weather", "seat 1", "rain"), FLO, viewed)
    floor.refused(cmd.NoteConduct("load", "seat 1", ""), FLO, viewed)


@proving(R="13.G")
def test_a_skipped_player_joins_the_next_hand(game: str) -> None:
    """The wagers are returned and the seat plays in the next round."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.seat(2, BOB)
    floor.bet(1)
    floor.bet(2, BOB)
    floor.close_bets()
    floor.do(cmd.SkipPlayer(1), DEE)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    assert 1_000_000 == floor.rack("ann")
    floor.again()
    floor.round()


def test_the_winner_is_paid_into_the_rack() -> None:
    """Stakes leave the rack, returns come back, and the tray takes the difference."""
    rules = house(UTH, table=ONE)
    floor = Floor(rules).ready()
    floor.deck = stacked_deck(rules, {1: "As Ah", COMMUNITY: "Ad Ac 2c 3d 4h"}, (1,))
    floor.round(["4x"])
    paid = sum(event.returned for event in floor.of(ev.WagerSettled))
    assert 1_000_000 - 6000 + paid == floor.rack("ann")
    assert 5_000_000 - 1_000_000 + 6000 - paid == floor.table.book.tray
