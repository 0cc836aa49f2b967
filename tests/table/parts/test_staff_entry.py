"""What a console enters for players, and the credits of an electronic table."""

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
    """A player's command that the dealer types."""
    floor.at += 1000
    return Envelope("typed", by, floor.at, command, DEE)


def test_the_staff_enters_what_a_player_says_and_the_record_has_both() -> None:
    """The player acts and somebody else types; on the wire and back nothing is lost."""
    floor = Floor(house(UTH)).ready()
    given = entered(floor, cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN)
    assert given == codec.decode_envelope(codec.encode(given))
    assert b'"entered_by":{"id":"dee","role":"dealer"}' in codec.encode(given)
    assert [ev.RoundOpened, ev.WagersPlaced] == [type(one) for one in floor.table.decide(given)]
    plain = Envelope("typed", ANN, floor.at, cmd.Leave(1))
    assert b"entered_by" not in codec.encode(plain)
    floor.table.do(cmd.SitDown(2), BOB, floor.at, entered_by=FLO)
    assert {1: "ann", 2: "bob"} == floor.table.seats.taken


@pytest.mark.parametrize(
    ("by", "typist"),
    [
        (ANN, DOV),  # deals elsewhere
        (ANN, Account("fay", "floorperson")),  # has no post here
        (ANN, EYE),
        (ANN, BOB),
        (ANN, Account("ann", "dealer")),
        (FLO, DEE),  # the staff acts in its own name
        (DEE, DEE),
    ],
)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_nobody_else_enters_for_anybody_else(game: str, by: Account, typist: Account) -> None:
    """Only staff on a post here, only for players, and never for oneself."""
    floor = Floor(house(game)).ready()
    command = cmd.PlaceWagers(1, opening_wagers(floor.house))
    with refuses("7.B.1" if game in (TOP, RUN) else "7.C"):
        floor.table.decide(Envelope("typed", by, floor.at, command, typist))
    assert floor.table.open_round is None


def test_a_typist_is_an_account() -> None:
    """A bare name is no account."""
    floor = Floor(house(UTH)).ready()
    given = Envelope("typed", ANN, floor.at, cmd.Leave(1), "dee")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="Account"):
        floor.table.decide(given)


def test_only_an_attended_table_has_typists() -> None:
    """Players of a practice table act themselves."""
    table = Table(house(UTH), service="practice")
    with refuses("7.C"):
        table.do(cmd.SitDown(1), ANN, NOON, entered_by=DEE)


def test_the_dealer_sees_the_steps_of_players_and_of_newcomers() -> None:
    """A console has a form for everything that somebody at the table may say or lay down."""
    floor = Floor(house(UTH)).ready()
    found = steps(floor.table, viewer_of(floor.table, DEE), floor.at)
    bets = [step for step in found if step.kind == "place_wagers"]
    assert bets and all(step.players == (ANN,) for step in bets)
    assert any(step.newcomers for step in found if step.kind == "sit_down")
    own = [step for step in found if step.kind == "buy_in"]
    assert own and not any(step.players or step.newcomers for step in own)
    for looks_on in (DOV, EYE, BOB):
        seen = steps(floor.table, viewer_of(floor.table, looks_on), floor.at)
        assert not any(step.players for step in seen)
    for above in (FLO, MAX):
        seen = steps(floor.table, viewer_of(floor.table, above), floor.at)
        assert any(step.kind == "place_wagers" and step.players == (ANN,) for step in seen)


def test_credits_are_acknowledged_and_cashed_out_to_nothing() -> None:
    """A buy-in is agreed with before a bet; an account is emptied, never halved (R47)."""
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


def test_chips_need_no_acknowledgement() -> None:
    """A table with chips asks nobody to agree, and part of a rack may be taken away."""
    floor = Floor(house(UTH)).ready()
    assert {} == floor.table.credits.waiting
    floor.do(cmd.CashOut(1, 500_000), ANN)
    assert 500_000 == floor.rack("ann")
