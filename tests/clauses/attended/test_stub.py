"""The stub (chapters 8 to 10): when it is discarded, and findings after a wrong count."""

from __future__ import annotations

import pytest

from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import ANN, BOB, DEE, FLO, Floor
from tests.support.rounds import EVERY_GAME, JACKPOT, RUN, THB, TOP, UTH, house, opening_wagers

ONE = {"shuffle_method": "shuffler", "decks": 1}
SHOE = {"manual_shoe_location": "right"}
METHODS = ("manual_shoe", "hand", "automated_shoe")
# The clause of the discard rack by dealing method, and what is due after the last card.
RACK = {
    THB: {"manual_shoe": "8.D.4", "hand": "9.B.5", "automated_shoe": "10.B.5"},
    TOP: {"manual_shoe": "8.D.3.b", "hand": "9.B.2.b", "automated_shoe": "10.B.2.b"},
    UTH: {"manual_shoe": "8.D.4", "hand": "9.B.4", "automated_shoe": "10.B.5"},
    JACKPOT: {"manual_shoe": "8.D.4", "hand": "9.B.4", "automated_shoe": "10.B.4"},
    RUN: {"manual_shoe": "8.D.4.b", "hand": "9.B.3.b", "automated_shoe": "10.B.3.b"},
}
LAST_CARDS = {
    (THB, "manual_shoe"): "river",
    (THB, "hand"): "river",
    (THB, "automated_shoe"): "river",
    (TOP, "manual_shoe"): "play",
    (TOP, "hand"): "play",
    (TOP, "automated_shoe"): "play",
    (UTH, "manual_shoe"): "river",
    (UTH, "hand"): "river",
    (UTH, "automated_shoe"): "preflop",
    (JACKPOT, "manual_shoe"): "preflop",
    (JACKPOT, "hand"): "preflop",
    (JACKPOT, "automated_shoe"): "preflop",
    (RUN, "manual_shoe"): "first",
    (RUN, "hand"): "first",
    (RUN, "automated_shoe"): "first",
}
STAY = {THB: ["2x", "check", "check"], TOP: ["1x"], RUN: ["1x", "1x", "1x"]}
# The clauses on misdealt cards and incomplete decks, by dealing method.
MISDEALT = {
    THB: {"manual_shoe": ("8.G.1", "8.G.2"), "hand": ("9.G", "9.H")},
    TOP: {"manual_shoe": ("8.F.4", "8.F.5"), "hand": ("9.D.4", "9.D.5")},
    UTH: {"manual_shoe": ("8.G.1", "8.G.2"), "hand": ("9.E.1", "9.E.2")},
    JACKPOT: {"manual_shoe": ("8.G.1", "8.G.2"), "hand": ("9.E.1", "9.E.2")},
    RUN: {"manual_shoe": ("8.F.4", "8.F.5"), "hand": ("9.D.4", "9.D.5")},
}
MISDEALT[THB]["automated_shoe"] = ("10.G", "10.H")
MISDEALT[TOP]["automated_shoe"] = ("10.C.3", "10.C.4")
MISDEALT[UTH]["automated_shoe"] = MISDEALT[JACKPOT]["automated_shoe"] = ("10.E.1", "10.E.2")
MISDEALT[RUN]["automated_shoe"] = ("10.C.3", "10.C.4")


def ready(game: str, method: str, shuffler: str = "shuffler") -> Floor:
    """A table with one machine-shuffled deck."""
    choices = SHOE if method == "manual_shoe" else {}
    table = ONE | {"shuffle_method": shuffler}
    return Floor(house(game, method, table=table, **choices)).ready()


def stub_goes_with_the_last_card(game: str, method: str) -> None:
    """Assert that the stub is due with the last card, before any decision, and not earlier."""
    floor = ready(game, method)
    rack = RACK[game][method]
    floor.bet()
    floor.close_bets()
    words = list(STAY.get(game, ["check", "check", "1x"]))
    while floor.table.due().street != LAST_CARDS[game, method] or floor.table.due().kind == "deal":
        floor.refused(cmd.DiscardStub(), DEE, rack)
        floor.refused(cmd.CountStub(30), DEE, rack)
        floor.go_on(words.pop(0) if floor.table.due().kind == "decide" else "")
    due = floor.table.due()
    assert (due.kind, due.street) == ("show", LAST_CARDS[game, method])
    steps = {step.kind: step.due for step in floor.table.next_steps(floor.at)}
    assert ("due", "may") == (steps["discard_stub"], steps["count_stub"])
    (discarded,) = floor.do(cmd.DiscardStub(), DEE)
    assert rack in discarded.clauses
    floor.refused(cmd.DiscardStub(), DEE, rack)
    floor.play_until_settlement(words)
    floor.settle()
    (closed,) = floor.of(ev.RoundClosed)
    assert closed.stub == discarded.cards  # type: ignore[attr-defined]


@proving(TUJ="8.D.4", F="8.D.3.a 8.D.3.b", R="8.D.4 8.D.4.a 8.D.4.b")
def test_the_stub_leaves_the_manual_shoe_with_the_last_card(game: str) -> None:
    """See `stub_goes_with_the_last_card`."""
    stub_goes_with_the_last_card(game, "manual_shoe")


@proving(T="9.B.5", F="9.B.2.a 9.B.2.b", UJ="9.B.4", R="9.B.3.a 9.B.3.b")
def test_the_stub_leaves_the_hand_with_the_last_card(game: str) -> None:
    """See `stub_goes_with_the_last_card`."""
    stub_goes_with_the_last_card(game, "hand")


@proving(TU="10.B.5", F="10.B.2.a 10.B.2.b", J="10.B.4", R="10.B.3.a 10.B.3.b")
def test_the_stub_leaves_the_automated_shoe_with_the_last_card(game: str) -> None:
    """See `stub_goes_with_the_last_card`."""
    stub_goes_with_the_last_card(game, "automated_shoe")


def test_nobody_plays_on_so_no_card_is_pending() -> None:
    """If all players fold before the flop, the stub is discarded without a board (A85)."""
    floor = ready(THB, "manual_shoe")
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement(["fold"])
    floor.stub()
    floor.settle()
    assert 48 == floor.of(ev.StubDiscarded)[0].cards


def counted_short(
    game: str, method: str, short: int = 3, shuffler: str = "shuffler"
) -> tuple[Floor, dict[str, int]]:
    """A stub counted short, and the recorded number of cards at every place."""
    floor = ready(game, method, shuffler)
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    current = floor.table.dealing
    assert current is not None
    lies = {"seat 1": len(current.boxes[1].cards)}
    lies |= {"dealer": len(current.dealer)} if current.game.dealer_cards else {}
    lies |= {"community": len(current.community)} if current.game.community_cards else {}
    lies |= {"box": len(current.six_card_box)} if current.six_card_box else {}
    lies |= {"rack": len(current.burned), "stub": 52 - len(current.left_deck)}
    assert 52 == sum(lies.values())
    lies["stub"] -= short
    floor.do(cmd.CountStub(lies["stub"]), DEE)
    return floor, lies


def misdealt_needs_the_cards(game: str, method: str) -> None:
    """Assert that a misdeal finding needs counts at every place that make 52 with the stub."""
    misdealt, lost = MISDEALT[game][method]
    floor, lies = counted_short(game, method)
    by = FLO if game == RUN and method != "automated_shoe" else DEE
    whole = lies | {"seat 1": lies["seat 1"] + 3}
    other_stub = lies | {"stub": lies["stub"] + 1, "seat 1": lies["seat 1"] + 2}
    partial = {place: count for place, count in whole.items() if place != "rack"}
    for wrong in ({}, lies, other_stub, partial, whole | {"floor": 0}):
        floor.refused(cmd.FindWrongCount(True, wrong), by, misdealt)
    floor.refused(cmd.FindWrongCount(False, whole), by, lost)  # all 52 are there
    floor.do(cmd.FindWrongCount(True, whole), by)
    floor.settle()
    assert 1_000_000 == floor.rack("ann")
    assert "rack" == floor.table.decks.here["one"].stage
    floor, lies = counted_short(game, method)
    floor.do(cmd.FindWrongCount(False, lies), by)
    floor.settle()
    assert 1_000_000 == floor.rack("ann")
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, lost, "must be removed")
    (pulled,) = floor.do(cmd.PullDeck("one", "49 cards"), DEE)
    assert lost in pulled.clauses


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("method", METHODS)
def test_a_dealer_may_count_short_beside_a_counting_shuffler(game: str, method: str) -> None:
    """The deck leaves under the clause on the stub, not under the one on the shuffler's count."""
    floor, lies = counted_short(game, method, shuffler="counting_shuffler")
    floor.do(cmd.FindWrongCount(False, lies), FLO)
    floor.settle()
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, MISDEALT[game][method][1], "must be removed")
    (pulled,) = floor.do(cmd.PullDeck("one", "49 cards"), DEE)
    assert MISDEALT[game][method][1] in pulled.clauses


@proving(TUJ="8.G 8.G.1 8.G.2", FR="8.F.3 8.F.4 8.F.5")
def test_cards_missing_from_a_manual_shoe_are_found_or_the_deck_goes(game: str) -> None:
    """See `misdealt_needs_the_cards`."""
    misdealt_needs_the_cards(game, "manual_shoe")


@proving(T="9.F 9.G 9.H", UJ="9.E 9.E.1 9.E.2", FR="9.D.3 9.D.4 9.D.5")
def test_cards_missing_from_the_hand_are_found_or_the_deck_goes(game: str) -> None:
    """See `misdealt_needs_the_cards`."""
    misdealt_needs_the_cards(game, "hand")


@proving(T="10.F 10.G 10.H", UJ="10.E 10.E.1 10.E.2", FR="10.C.2 10.C.3 10.C.4")
def test_cards_missing_from_an_automated_shoe_are_found_or_the_deck_goes(game: str) -> None:
    """See `misdealt_needs_the_cards`."""
    misdealt_needs_the_cards(game, "automated_shoe")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_stub_may_be_counted_again_before_a_finding(game: str) -> None:
    """After a correct recount nothing is void and no finding is possible."""
    floor, lies = counted_short(game, "automated_shoe")
    floor.refused(cmd.DiscardStub(), DEE, at(game, T="10.F", FR="10.C.2", UJ="10.E"))
    floor.refused(cmd.Settle(), DEE, at(game, T="10.F", FR="10.C.2", UJ="10.E"))
    steps = {step.kind: step.due for step in floor.table.next_steps(floor.at)}
    assert ("may", "due") == (steps["count_stub"], steps["find_wrong_count"])
    floor.do(cmd.CountStub(lies["stub"] + 1), DEE)
    floor.do(cmd.CountStub(lies["stub"] + 3), DEE)
    floor.refused(cmd.FindWrongCount(False), FLO, at(game, T="10.F", FR="10.C.2", UJ="10.E"))
    floor.settle()
    assert not floor.of(ev.RoundVoided)
    assert 1 == len(floor.of(ev.StubCounted))


@pytest.mark.parametrize("count", [53, 104])
def test_more_cards_than_a_deck_were_never_misdealt(count: int) -> None:
    """With too many cards in the stub, only an incomplete deck can be found."""
    floor = ready(TOP, "automated_shoe")
    floor.bet()
    floor.close_bets()
    floor.play_until_settlement()
    floor.do(cmd.CountStub(count), DEE)
    findings = [s for s in floor.table.next_steps(floor.at) if s.kind == "find_wrong_count"]
    assert [False] == [step.fixed["misdealt"] for step in findings]


@proving(TUJ="5.E 5.E.2", FR="5.B 5.B.2")
def test_no_round_begins_and_no_table_closes_beside_a_failed_deck(game: str) -> None:
    """A failed deck blocks the next round until two people have signed its removal."""
    clause = "5.B" if game in (TOP, RUN) else "5.E"
    table = {"shuffle_method": "counting_shuffler", "decks": 1}
    floor = Floor(house(game, table=table)).open()
    floor.seat()
    floor.mix("one")
    floor.do(cmd.Shuffle("one", "machine", 51), DEE)
    floor.receive("new", prepared_by="card room 4")
    floor.do(cmd.Shuffle("new", "machine", 52), DEE)
    floor.load("new")
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, clause)
    floor.do(cmd.PullDeck("one", "51 cards"), DEE)
    floor.refused(cmd.NoMoreBets(), DEE, clause)
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(floor.house), 0)), ANN)
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.CountInventory(5_000_000), DEE)
    floor.refused(cmd.CloseTable(), FLO, "COMAR 36.05.02.16J", "one, new")
    floor.do(cmd.SignRemoval("one"), FLO)
    floor.seat(2, BOB)
    floor.do(cmd.SpreadIdle(), DEE)
    floor.mix("new")
    floor.do(cmd.Shuffle("new", "machine", 52), DEE)
    floor.load("new")
    floor.bet(2, BOB)
    floor.do(cmd.NoMoreBets(), DEE)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_failed_deck_that_nobody_pulled_keeps_the_table_open(game: str) -> None:
    """A failed deck must be pulled and signed for before closing."""
    table = {"shuffle_method": "counting_shuffler", "decks": 1}
    floor = Floor(house(game, table=table)).open()
    floor.seat()
    floor.mix("one")
    floor.do(cmd.Shuffle("one", "machine", 53), DEE)
    floor.do(cmd.Leave(1), ANN)
    floor.do(cmd.CountInventory(floor.table.book.tray), DEE)
    floor.refused(cmd.CloseTable(), FLO, "COMAR 36.05.02.16J")
    floor.do(cmd.PullDeck("one", "53 cards"), DEE)
    floor.do(cmd.SignRemoval("one"), FLO)
    floor.do(cmd.CloseTable(), FLO)
