"""Devices (chapter 13): jams, failures, replacement methods; and table limits."""

from __future__ import annotations

import pytest

from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.parts.limit_changes import LAW
from tests.clauses.attended.claims import at, proving
from tests.support.attended_table import ANN, BOB, DEE, FLO, MAX, MINUTE, Floor
from tests.support.rounds import EVERY_GAME, JACKPOT, RUN, THB, TOP, UTH, house, opening_wagers

ONE = {"shuffle_method": "shuffler", "decks": 1}
TWO = {"shuffle_method": "shuffler", "decks": 2}
SHOE = {"manual_shoe_location": "right"}
MARKED = {THB: "13.I", TOP: "13.E", UTH: "13.J", JACKPOT: "13.J", RUN: "13.E"}


@proving(TUJ="13.H 13.H.1 13.H.3")
def test_a_shuffler_jam_returns_everything_and_the_cards_are_merged(game: str) -> None:
    """The cards in the shuffler and those dealt are shuffled together before the next round."""
    recover(game)


@pytest.mark.parametrize("game", [TOP, RUN])
def test_a_shuffler_jam_where_the_document_is_silent(game: str) -> None:
    """The rule is borrowed from Ultimate (A122)."""
    recover(game)


def recover(game: str) -> None:
    """Assert the refund and the recovery after a jam."""
    floor = Floor(house(game, "manual_shoe", table=ONE, **SHOE)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    floor.do(cmd.JamShuffler(), DEE)
    floor.settle()
    assert 1_000_000 == floor.rack("ann")
    floor.refused(cmd.Shuffle("one", "machine"), DEE, MARKED[game])
    floor.refused(cmd.Shuffle("one", "manual"), DEE, MARKED[game])
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    (shuffled,) = floor.do(cmd.Shuffle("one", "machine"), DEE)
    assert isinstance(shuffled, ev.DeckShuffled) and "shuffler" == shuffled.recovered
    floor.load("one")
    floor.round()


def jams_while_betting(game: str, table: dict[str, object]) -> Floor:
    """A shuffler jam while wagers are placed for the next deal."""
    floor = Floor(house(game, "manual_shoe", table=table, **SHOE)).open()
    floor.seat()
    for name in list(floor.table.decks.here):
        floor.mix(name)
    more = {"progressive": floor.house.progressive.stake} if floor.house.progressive else {}
    floor.bet(1, ANN, **more)
    before = dict(floor.table.meters)
    floor.do(cmd.JamShuffler(), DEE)
    floor.refused(
        cmd.PlaceWagers(1, opening_wagers(floor.house)), ANN, at(game, TUJ="7.E", FR="7.D")
    )
    floor.refused(cmd.NoMoreBets(), DEE, at(game, TF="8.C", UJR="8.C.1"))
    floor.settle()
    assert 1_000_000 == floor.rack("ann")
    assert before == floor.table.meters
    assert {"void"} == {event.outcome for event in floor.of(ev.WagerSettled)}
    return floor


@proving(TUJ="13.H 13.H.1 13.H.2 13.H.3")
def test_a_jam_during_a_shuffle_returns_the_wagers_that_lie_there(game: str) -> None:
    """The round is void; the cards come out of the device and are shuffled again."""
    shuffled_again(jams_while_betting(game, ONE))


@pytest.mark.parametrize("game", [TOP, RUN])
def test_the_same_where_the_document_is_silent(game: str) -> None:
    """The rule is borrowed from Ultimate (A122)."""
    shuffled_again(jams_while_betting(game, ONE))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_jam_of_the_deck_about_to_be_dealt_returns_the_wagers(game: str) -> None:
    """With two decks, neither of them ready, the round is void (A123)."""
    floor = jams_while_betting(game, TWO)
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.shuffle("two")
    floor.shuffle("one")
    floor.load("one")
    floor.round()


def shuffled_again(floor: Floor) -> None:
    """Assert that the deck is shuffled by hand under a cover and the next round is played."""
    floor.refused(cmd.Shuffle("one", "machine"), DEE, MARKED[floor.house.game.key])
    floor.do(cmd.MarkDevice("shuffler", "covered"), DEE)
    (shuffled,) = floor.do(cmd.Shuffle("one", "manual"), DEE)
    assert isinstance(shuffled, ev.DeckShuffled) and "shuffler" == shuffled.recovered
    floor.do(cmd.CutDeck("one", 20), DEE)
    floor.load("one")
    floor.round()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_jam_of_the_idle_deck_leaves_the_wagers_where_they_are(game: str) -> None:
    """If the other deck is dealt next, the wagers stay (A123)."""
    floor = Floor(house(game, "manual_shoe", table=TWO, **SHOE)).ready()
    floor.round()
    floor.bet()
    floor.do(cmd.JamShuffler(), DEE)
    assert not floor.of(ev.RoundVoided)
    floor.load("two")
    floor.refused(cmd.NoMoreBets(), DEE, at(game, TUJ="3.A.1", FR="3.A"))
    floor.do(cmd.MarkDevice("shuffler", "covered"), DEE)
    floor.do(cmd.KeepDeck("two"), FLO)
    floor.close_bets()
    floor.play_until_settlement()


def test_nothing_jams_that_does_not_shuffle() -> None:
    """With the deck loaded or no wager placed it is a device failure, which returns nothing."""
    floor = Floor(house(UTH, "manual_shoe", table=ONE, **SHOE)).ready()
    floor.refused(cmd.JamShuffler(), DEE, "8.C.1")
    floor.bet()
    floor.refused(cmd.JamShuffler(), DEE, "13.H")
    floor.do(cmd.ReportFault("shuffler"), DEE)
    floor.close_bets()
    floor.play_until_settlement()


@proving(UJ="13.I.2 13.I.3", FR="13.D")
def test_a_shoe_jam_empties_the_device_and_reshuffles(game: str) -> None:
    """The round is void; the cards in the shoe and those dealt are shuffled together."""
    floor = Floor(house(game, table=ONE)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    floor.do(cmd.JamShoe(), DEE)
    floor.settle()
    assert 1_000_000 == floor.rack("ann")
    (shuffled,) = floor.do(cmd.Shuffle("one", "machine"), DEE)
    assert isinstance(shuffled, ev.DeckShuffled) and "shoe" == shuffled.recovered
    floor.refused(cmd.LoadDeck("one"), DEE, MARKED[game])
    floor.refused(cmd.ClearDevice("shoe"), DEE, MARKED[game])
    floor.do(cmd.ClearDevice("shoe"), FLO)
    floor.load("one")
    floor.round()


@proving(
    T="13.I 13.I.1 13.I.2",
    FR="13.E 13.E.1 13.E.2",
    UJ="13.J 13.J.1 13.J.2",
)
def test_a_failed_device_is_covered_or_signed_before_another_method(game: str) -> None:
    """Manual shuffling and a manual shoe are allowed only after both devices are marked."""
    without = ("six_card_bonus",) if game == UTH else ()
    rules = house(game, table=ONE, without=without, **SHOE)
    floor = Floor(rules).ready()
    floor.do(cmd.ReportFault("shoe"), DEE)
    floor.refused(cmd.ReportFault("shoe"), DEE, MARKED[game])
    floor.bet()
    floor.refused(cmd.NoMoreBets(), DEE, MARKED[game])
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(rules), 0)), ANN)
    floor.refused(cmd.SwitchDealing("manual_shoe"), FLO, MARKED[game])
    floor.do(cmd.MarkDevice("shoe", "covered"), DEE)
    floor.refused(cmd.SwitchDealing("manual_shoe"), DEE, MARKED[game])
    floor.switch("manual_shoe")
    floor.do(cmd.ReportFault("shuffler"), DEE)
    floor.refused(cmd.Shuffle("one", "manual"), DEE, MARKED[game])
    floor.do(cmd.MarkDevice("shuffler", "signed"), DEE)
    floor.refused(cmd.SwitchDealing("hand"), FLO, "9.A.1")  # the hand needs a machine shuffle
    floor.do(cmd.Shuffle("one", "manual"), DEE)
    floor.do(cmd.CutDeck("one", 30), DEE)
    floor.load("one")
    floor.round()
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.refused(cmd.SwitchDealing("automated_shoe"), FLO, MARKED[game])
    floor.do(cmd.ClearDevice("shoe"), FLO)
    floor.switch("automated_shoe")
    floor.do(cmd.Shuffle("one", "machine"), DEE)
    floor.load("one")
    floor.round()


def test_a_round_without_wagers_is_dealt_by_the_new_method() -> None:
    """If the shoe fails before the deal, the round is dealt by the new method."""
    floor = Floor(house(JACKPOT, table=ONE)).ready()
    floor.bet()
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(floor.house), 0)), ANN)
    floor.do(cmd.ReportFault("shoe"), DEE)
    floor.do(cmd.MarkDevice("shoe", "signed"), FLO)
    floor.switch("hand")
    floor.do(cmd.Shuffle("one", "machine"), DEE)
    floor.load("one")
    floor.bet()
    floor.close_bets()
    floor.deal()
    assert {(1, "dealer", 1, "dealer")} == {event.places[:4] for event in floor.of(ev.CardsDealt)}


@pytest.mark.parametrize("game", [THB, UTH, JACKPOT])
def test_a_jam_of_the_idle_deck_lets_the_round_go_on(game: str) -> None:
    """With two decks the shuffler holds the idle one (A123)."""
    floor = Floor(house(game, "manual_shoe", table=TWO, **SHOE)).ready()
    floor.bet()
    floor.close_bets()
    floor.deal()
    floor.do(cmd.JamShuffler(), DEE)
    floor.play_until_settlement()
    floor.stub()
    floor.settle()
    floor.refused(cmd.Shuffle("one", "machine"), DEE, MARKED[game])
    floor.do(cmd.ClearDevice("shuffler"), FLO)
    floor.shuffle("two")
    floor.again()
    floor.round()


def test_a_notice_leaves_a_wager_that_chips_can_make() -> None:
    """A maximum below the lowest chip would make every wager impossible, so it is refused."""
    rules = house(TOP, table=ONE, chip_rounding="up_to_chip", lowest_chip=1)
    floor = Floor(rules).ready()
    for least, most in ((30, 30), (30, 99), (1, 1)):
        floor.refused(cmd.GiveLimitNotice(wager="ante", minimum=least, maximum=most), MAX, LAW)
    floor.do(cmd.GiveLimitNotice(wager="ante", minimum=30, maximum=100), MAX)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_minimum_is_never_raised_and_a_notice_runs_thirty_minutes(game: str) -> None:
    """Limits change after notice with players seated, at once without; only a manager may."""
    rules = house(game, table=ONE, limits={"first_ante" if game == RUN else "ante": (10, 500)})
    ante = rules.game.ante.name
    floor = Floor(rules).ready()

    def notice(minimum: int, maximum: int | None) -> cmd.GiveLimitNotice:
        return cmd.GiveLimitNotice(wager=ante, minimum=minimum, maximum=maximum)

    floor.refused(notice(1500, 50_000), MAX, LAW)
    floor.refused(notice(1000, 900), MAX, LAW)
    floor.refused(notice(500, 50_000), FLO, LAW)
    floor.do(notice(500, 100_000), MAX)
    floor.refused(cmd.ApplyLimits(ante), FLO, LAW)
    floor.at += 31 * MINUTE
    floor.bet()
    floor.refused(cmd.ApplyLimits(ante), FLO, LAW)
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(rules), 0)), ANN)
    floor.refused(cmd.PlaceWagers(1, opening_wagers(rules, ante=500)), ANN, "A69")
    floor.do(cmd.ApplyLimits(ante), FLO)
    floor.do(cmd.PlaceWagers(1, opening_wagers(rules, ante=500)), ANN)
    floor.do(cmd.PlaceWagers(1, dict.fromkeys(opening_wagers(rules), 0)), ANN)
    floor.do(cmd.Leave(1), ANN)
    floor.do(notice(100, None), MAX)
    floor.do(cmd.SitDown(5), BOB)
    floor.refused(cmd.ApplyLimits(ante), FLO, LAW)  # a seated player has not had the notice
    floor.do(cmd.Leave(5), BOB)
    floor.do(cmd.ApplyLimits(ante), FLO)
    assert (100, None) == floor.table.limits.changed[ante]
    assert rules.digest == floor.table.house.digest


def test_the_seat_of_an_absent_player_is_kept() -> None:
    """A player who left may return to their seat; others wait until the round ends."""
    floor = Floor(house(UTH, table=ONE)).ready()
    floor.bet()
    floor.close_bets()
    floor.do(cmd.RecordWalkAway(1), DEE)
    floor.refused(cmd.SitDown(1), BOB, "2.A")
    floor.do(cmd.SitDown(2), BOB)
    floor.do(cmd.SitDown(1), ANN)
    assert not floor.table.seats.absent
