"""Dealing procedure (chapters 8 to 10): loading, dealing, the stub and its count."""

from __future__ import annotations

import pytest

from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.attended.claims import proving
from tests.support.attended_table import DEE, FLO, Floor
from tests.support.rounds import EVERY_GAME, JACKPOT, RUN, THB, TOP, UTH, house

SHUFFLER = {"shuffle_method": "shuffler", "decks": 1}
COUNTING = {"shuffle_method": "counting_shuffler", "decks": 1}
MANUAL = {"shuffle_method": "manual", "decks": 1}
SHOE = {"manual_shoe_location": "right"}


@proving(T="8.B 1.B.3 8.D.1", FUJR="8.B 8.D.1")
def test_a_stack_goes_into_the_manual_shoe(game: str) -> None:
    """No card is dealt before the deck is in the shoe."""
    floor = Floor(house(game, "manual_shoe", table=SHUFFLER, **SHOE)).open()
    floor.seat()
    floor.mix("one")
    floor.shuffle("one")
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, "8.B")
    floor.refused(cmd.LoadDeck("one", "left"), DEE, "8.B")
    floor.load("one")
    floor.close_bets()
    floor.play_until_settlement()


@proving(
    T="9.A.1 9.A.2 9.A.2.a 9.A.2.b 9.B.2",
    UJ="9.A.1 9.A.2 9.A.2.a 9.A.2.b 9.B.1",
    FR="9.A.1 9.A.2 9.A.3 9.A.4",
)
def test_dealing_from_the_hand_needs_a_machine_shuffle(game: str) -> None:
    """One hand holds the deck for the round; a hand-shuffled deck is refused (A135)."""
    floor = Floor(house(game, "hand", table=SHUFFLER)).staff()
    floor.receive("one", prepared_by="card room 4")
    floor.attest()
    floor.do(cmd.CountInventory(5_000_000), DEE)
    floor.do(cmd.OpenTable(), FLO)
    floor.seat()
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.refused(cmd.LoadDeck("one", "left"), DEE, "9.A.1")
    floor.do(cmd.PullDeck("one", "shuffle again"), DEE)
    floor.receive("two", prepared_by="card room 4")
    floor.do(cmd.Shuffle("two", "machine"), DEE)
    floor.refused(cmd.LoadDeck("two"), DEE, "9.A.2")
    floor.do(cmd.LoadDeck("two", "left"), DEE)
    floor.round()


@proving(TFUJR="10.A.1")
def test_the_stack_goes_into_the_automated_shoe(game: str) -> None:
    """A deck is loaded into the automated shoe once."""
    floor = Floor(house(game, table=COUNTING)).ready()
    floor.refused(cmd.LoadDeck("one"), DEE, "5.A")
    floor.round()


SHOES = ("manual_shoe", "hand", "automated_shoe")
DUE = dict(zip(SHOES, ("8.E", "9.C", "10.C")))
RACK = {
    "manual_shoe": {THB: "8.D.4", TOP: "8.D.3.b", UTH: "8.D.4", JACKPOT: "8.D.4", RUN: "8.D.4.b"},
    "hand": {THB: "9.B.5", TOP: "9.B.2.b", UTH: "9.B.4", JACKPOT: "9.B.4", RUN: "9.B.3.b"},
    "automated_shoe": {
        THB: "10.B.5",
        TOP: "10.B.2.b",
        UTH: "10.B.5",
        JACKPOT: "10.B.4",
        RUN: "10.B.3.b",
    },
}
WRONG = {
    "manual_shoe": {THB: "8.G", TOP: "8.F.3", UTH: "8.G", JACKPOT: "8.G", RUN: "8.F.3"},
    "hand": {THB: "9.F", TOP: "9.D.3", UTH: "9.E", JACKPOT: "9.E", RUN: "9.D.3"},
    "automated_shoe": {THB: "10.F", TOP: "10.C.2", UTH: "10.E", JACKPOT: "10.E", RUN: "10.C.2"},
}


def stub_outcomes(game: str, method: str) -> None:
    """Assert the outcomes of a stub: discarded, counted on time, or an incomplete deck."""
    choices = SHOE if method == "manual_shoe" else {}
    rules = house(game, method, table=SHUFFLER, stub_count_every=2, **choices)
    floor = Floor(rules).ready()
    floor.round()
    assert 1 == len(floor.of(ev.StubDiscarded))
    floor.again()
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    floor.refused(cmd.Settle(), DEE, RACK[method][game])
    floor.refused(cmd.DiscardStub(), DEE, DUE[method])
    floor.stub()
    assert 1 == len(floor.of(ev.StubCounted))
    floor.settle()
    before = floor.rack("ann")
    floor.again()
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    floor.refused(cmd.FindWrongCount(False), DEE, WRONG[method][game])
    floor.stub(count=7)
    floor.refused(cmd.Settle(), DEE, WRONG[method][game])
    asks = game == RUN and method != "automated_shoe"
    if asks:
        floor.refused(cmd.FindWrongCount(False), DEE, WRONG[method][game])
    floor.do(cmd.FindWrongCount(False), FLO if asks else DEE)
    floor.settle()
    assert before == floor.rack("ann")
    assert "failed" == floor.table.decks.here["one"].stage
    floor.refused(cmd.Shuffle("one", "machine"), DEE, "5.A")
    floor.do(cmd.PullDeck("one", "a card is missing"), DEE)
    floor.do(cmd.SignRemoval("one"), FLO)


@proving(
    TUJ="8.D.4 8.E 8.F 8.G",
    F="8.D.3.a 8.D.3.b 1.B.6 8.E 8.F.1 8.F.2 8.F.3",
    R="8.D.4.a 8.D.4.b 1.B.6 8.E 8.F.1 8.F.2 8.F.3",
)
def test_the_stub_of_a_manual_shoe(game: str) -> None:
    """See `stub_outcomes`."""
    stub_outcomes(game, "manual_shoe")


@proving(
    T="9.B.5 9.C 9.D 9.E 9.F",
    F="9.B.2.a 9.B.2.b 9.C 9.D.1 9.D.2 9.D.3",
    UJ="9.B.4 9.C 9.D 9.E",
    R="9.B.3.a 9.B.3.b 9.C 9.D.1 9.D.2 9.D.3",
)
def test_the_stub_in_the_hand(game: str) -> None:
    """See `stub_outcomes`."""
    stub_outcomes(game, "hand")


@proving(
    T="10.B.5 10.C 10.D 10.E 10.F",
    F="10.B.2.a 10.B.2.b 10.C 10.C.1 10.C.2",
    U="10.B.5 10.C 10.D 10.E",
    J="10.B.4 10.C 10.D 10.E",
    R="10.B.3.a 10.B.3.b 10.C 10.C.1 10.C.2",
)
def test_the_stub_of_an_automated_shoe(game: str) -> None:
    """See `stub_outcomes`."""
    stub_outcomes(game, "automated_shoe")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_fifth_round_at_the_latest(game: str) -> None:
    """Four stubs are discarded, the fifth is counted, and the interval restarts."""
    floor = Floor(house(game, "manual_shoe", table=MANUAL, **SHOE)).ready()
    for number in range(1, 11):
        floor.round()
        counted = floor.of(ev.StubCounted)
        assert number // 5 == len(counted)
        floor.again()


@pytest.mark.parametrize(
    ("game", "method"),
    [
        pytest.param(game, method, marks=pytest.mark.proves(game, DUE[method]))
        for game in EVERY_GAME
        for method in SHOES
    ],
)
def test_a_counting_shuffler_excuses_the_count(game: str, method: str) -> None:
    """A counting shuffler makes stub counts unnecessary: seven rounds without one (A126)."""
    choices = SHOE if method == "manual_shoe" else {}
    floor = Floor(house(game, method, table=COUNTING, **choices)).ready()
    for _ in range(7):
        floor.round()
        floor.again()
    assert not floor.of(ev.StubCounted)
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    floor.do(cmd.CountStub(52 - len(floor.table.in_progress().left_deck)), DEE)  # but may be made
    assert 7 == len(floor.of(ev.RoundClosed))
