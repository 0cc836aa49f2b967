"""Commands that staff enter for players, and the credits of an electronic table."""

from __future__ import annotations

import pytest

from croupier.errors import BadInput
from croupier.table import Account, Table, steps, viewer_of
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core import codec
from croupier.table.core.messages import Envelope
from croupier.table.parts.electronic_credits import LAW
from tests.support.attended_table import ANN, BOB, DEE, DOV, EYE, FLO, MAX, NOON, Floor
from tests.support.rounds import EVERY_GAME, RUN, TOP, UTH, house, opening_wagers, refuses


def entered(floor: Floor, command: cmd.SitDown | cmd.PlaceWagers, by: Account) -> Envelope:
    """Return a player's command entered by the dealer."""
    floor.at += 1000
    return Envelope("typed", by, floor.at, command, DEE)


def test_an_entered_command_records_player_and_staff() -> None:
    """The envelope names the player and the dealer, and survives encoding."""
    floor = Floor(house(UTH)).ready()
    envelope = entered(floor, cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN)
    assert envelope == codec.decode_envelope(codec.encode(envelope))
    assert b'"entered_by":{"id":"dee","role":"dealer"}' in codec.encode(envelope)
    events = floor.table.decide(envelope)
    assert [ev.RoundOpened, ev.WagersPlaced] == [type(event) for event in events]
    own = Envelope("typed", ANN, floor.at, cmd.Leave(1))
    assert b"entered_by" not in codec.encode(own)
    floor.table.do(cmd.SitDown(2), BOB, floor.at, entered_by=FLO)
    assert {1: "ann", 2: "bob"} == floor.table.seats.taken


@pytest.mark.parametrize(
    ("by", "typist"),
    [
        (ANN, DOV),  # deals elsewhere
        (ANN, Account("fay", "floorperson")),  # not assigned here
        (ANN, EYE),
        (ANN, BOB),
        (ANN, Account("ann", "dealer")),
        (FLO, DEE),  # staff act in their own name
        (DEE, DEE),
    ],
)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_else_enters_for_anybody_else(game: str, by: Account, typist: Account) -> None:
    """Only staff assigned here may enter, only for players, and never for themselves."""
    floor = Floor(house(game)).ready()
    command = cmd.PlaceWagers(1, opening_wagers(floor.house))
    with refuses("7.B.1" if game in (TOP, RUN) else "7.C"):
        floor.table.decide(Envelope("typed", by, floor.at, command, typist))
    assert floor.table.open_round is None


def test_entered_by_is_an_account() -> None:
    """A bare name is refused."""
    floor = Floor(house(UTH)).ready()
    envelope = Envelope("typed", ANN, floor.at, cmd.Leave(1), "dee")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="Account"):
        floor.table.decide(envelope)


def test_only_staff_of_an_attended_table_enter() -> None:
    """Players of a practice table act for themselves."""
    table = Table(house(UTH), service="practice")
    with refuses("7.C"):
        table.do(cmd.SitDown(1), ANN, NOON, entered_by=DEE)


def test_the_dealer_sees_the_steps_of_players_and_of_newcomers() -> None:
    """The dealer console has a step for everything that players may do."""
    floor = Floor(house(UTH)).ready()
    views = steps(floor.table, viewer_of(floor.table, DEE), floor.at)
    bets = [step for step in views if step.kind == "place_wagers"]
    assert bets and all(step.players == (ANN,) for step in bets)
    assert any(step.newcomers for step in views if step.kind == "sit_down")
    own = [step for step in views if step.kind == "buy_in"]
    assert own and not any(step.players or step.newcomers for step in own)
    for other in (DOV, EYE, BOB):
        views = steps(floor.table, viewer_of(floor.table, other), floor.at)
        assert not any(step.players for step in views)
    for supervisor in (FLO, MAX):
        views = steps(floor.table, viewer_of(floor.table, supervisor), floor.at)
        assert any(step.kind == "place_wagers" and step.players == (ANN,) for step in views)


def test_credits_are_acknowledged_and_cashed_out_to_nothing() -> None:
    """A buy-in is acknowledged before a bet; credits are cashed out in full (R47)."""
    floor = Floor(house(UTH, electronic_version=True)).ready()
    bet = cmd.PlaceWagers(1, opening_wagers(floor.house))
    floor.refused(bet, ANN, LAW)
    step = next(s for s in floor.table.next_steps(floor.at) if s.kind == "acknowledge_buy_in")
    assert "due" == step.due and (ANN,) == step.who
    floor.refused(cmd.AcknowledgeBuyIn(1, 999_999), ANN, LAW)
    floor.do(cmd.AcknowledgeBuyIn(1, 1_000_000), ANN)
    floor.refused(cmd.AcknowledgeBuyIn(1, 1_000_000), ANN, LAW)
    floor.do(bet, ANN)
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(floor.house), 0)), ANN)
    floor.refused(cmd.CashOut(1, 500_000), ANN, LAW)
    floor.do(cmd.CashOut(1, 1_000_000), ANN)
    assert 0 == floor.rack("ann")
    floor.do(cmd.BuyIn(1, 10_000), DEE)
    floor.do(cmd.Leave(1), ANN)
    assert {} == floor.table.credits.waiting


@pytest.mark.upholds(LAW)
def test_chips_brought_along_are_acknowledged_as_credits() -> None:
    """Whatever the dealer credits is confirmed by the player, together with a buy-in."""
    floor = Floor(house(UTH, electronic_version=True)).ready()
    floor.do(cmd.AcknowledgeBuyIn(1, 1_000_000), ANN)
    floor.do(cmd.AddChips(1, 5_000), DEE)
    floor.refused(cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN, LAW)
    floor.do(cmd.BuyIn(1, 10_000), DEE)
    floor.refused(cmd.AcknowledgeBuyIn(1, 10_000), ANN, LAW)
    floor.do(cmd.AcknowledgeBuyIn(1, 15_000), ANN)
    floor.bet()


@pytest.mark.upholds(LAW)
@pytest.mark.parametrize("typist", [DEE, FLO, MAX])
def test_only_the_player_acknowledges_a_buy_in(typist: Account) -> None:
    """Nobody enters it for the player, and no console lists it (COMAR 36.05.02.21D(2))."""
    floor = Floor(house(UTH, electronic_version=True)).ready()
    with refuses(LAW, match="only player ann may do this"):
        command = cmd.AcknowledgeBuyIn(1, 1_000_000)
        floor.table.decide(Envelope("typed", ANN, floor.at, command, typist))
    views = steps(floor.table, viewer_of(floor.table, typist), floor.at)
    assert "acknowledge_buy_in" not in {step.kind for step in views}
    own = steps(floor.table, viewer_of(floor.table, ANN), floor.at)
    assert "acknowledge_buy_in" in {step.kind for step in own}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_staff_enter_a_tip_for_a_player(game: str) -> None:
    """The dealer enters the tip of a player without a phone, never one of their own."""
    floor = Floor(house(game)).ready()
    with refuses(floor.house.cite("table.equipment")[0]):
        floor.table.decide(Envelope("own", DEE, floor.at, cmd.Tip(1, 500)))
    (tipped,) = floor.table.decide(Envelope("typed", ANN, floor.at, cmd.Tip(1, 500), DEE))
    assert isinstance(tipped, ev.Tipped) and "ann" == tipped.player
    assert "tip" in {
        step.kind for step in steps(floor.table, viewer_of(floor.table, DEE), floor.at)
    }


def test_staff_of_an_electronic_table_enter_no_tip() -> None:
    """Credits are the player's own to give (COMAR 36.05.02.21D(2))."""
    floor = Floor(house(UTH, electronic_version=True)).ready()
    floor.do(cmd.AcknowledgeBuyIn(1, 1_000_000), ANN)
    with refuses(floor.house.cite("table.equipment")[0], match="only player ann may do this"):
        floor.table.decide(Envelope("typed", ANN, floor.at, cmd.Tip(1, 500), DEE))
    views = steps(floor.table, viewer_of(floor.table, DEE), floor.at)
    assert "tip" not in {step.kind for step in views}


def test_chips_need_no_acknowledgement() -> None:
    """With chips there is nothing to acknowledge, and a part of them may be cashed out."""
    floor = Floor(house(UTH)).ready()
    assert {} == floor.table.credits.waiting
    floor.do(cmd.CashOut(1, 500_000), ANN)
    assert 500_000 == floor.rack("ann")
