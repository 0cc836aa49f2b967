"""Irregularities (chapter 13) and misdeals (8 to 10), by game and stage."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    Play,
    Seat,
    house,
    opening_wagers,
    refuses,
)

# Seats 1 and 3 have the wager that a void may save; seat 1 wins it, seat 3 loses it.
SAVED: dict[str, tuple[str, int]] = {
    THB: ("texas_holdem_bonus", 500 + 10 * 500),
    UTH: ("trips", 500 + 3 * 500),
    JACKPOT: ("player_bonus", 500 + 3 * 500),
}
SIDE = {TOP: ("top_five_bonus", 0), RUN: ("five_card_bonus", 0)} | SAVED
OWN = {1: "Qh Qd", 3: "2c 7d", 5: "Kh 9s"}
BOARD = "Qs 8c 3d 5h Jc"
ANSWERS = {
    THB: ["2x check check", "fold", "2x 1x 1x"],
    TOP: ["1x", "fold", "1x"],
    UTH: ["check check 1x", "check check fold", "check 2x"],
    JACKPOT: ["check check 1x", "check check fold", "check 2x"],
    RUN: ["1x 2x 3x", "1x fold", "2x 2x fold"],
}
STREETS = {
    THB: ("preflop", "flop", "turn"),
    TOP: ("play",),
    UTH: ("preflop", "flop", "river"),
    JACKPOT: ("preflop", "flop", "river"),
    RUN: ("first", "second", "center"),
}
AT_EVERY_STREET = [(game, street) for game, streets in STREETS.items() for street in streets]


def at_table(game: str, method: str = "automated_shoe", **changes: Any) -> Play:
    """Three seats: two with a side wager, all with a progressive if the game has one."""
    face_up = changes.pop("face_up", None)
    rules = house(game, method, **changes)
    side = SIDE[game][0]
    extra = {"progressive": 100} if rules.offers("progressive") else {}
    seats = {
        number: Seat(
            "" if game == TOP else OWN[number],
            answers,
            **opening_wagers(rules, 1001, **extra, **({side: 500} if number < 5 else {})),
        )
        for number, answers in zip(OWN, ANSWERS[game])
    }
    board = "" if game == TOP else BOARD
    meters = dict.fromkeys(rules.meters, "123456.7")
    return Play(rules, seats, community=board, meters=meters, face_up=face_up)


def assert_void(round_: Play, clause: str, *, saved: bool = False) -> None:
    """Assert that every wager is returned, except a saved one, and the meters are restored."""
    round_.finish()
    assert round_.void is not None
    assert clause == round_.void.clause
    wager, won = SIDE[round_.house.game.key]
    for number in OWN:
        expected = dict(round_.box(number).stakes)
        if saved and wager in expected:
            expected[wager] = won if number == 1 else 0
        assert expected == round_.returned(number)
        not_void = {name for name, outcome in round_.outcomes(number).items() if outcome != "void"}
        assert ({wager} & set(expected) if saved else set()) == not_void
        assert round_.box(number).envy == 0
    assert all(value == Fraction("123456.7") for value in round_.meters.values())


def cases(table: dict[str, str], streets: bool = True) -> list[Any]:
    """One case per game and street, claiming the clauses of the game."""
    return [
        pytest.param(
            game, street, clauses.split()[0],
            marks=pytest.mark.proves(game, *(c for c in clauses.split() if c[0] != "A")),
        )
        for game, clauses in table.items()
        for street in (STREETS[game] if streets else STREETS[game][:1])
    ]  # fmt: skip


WRONG_NUMBER = {THB: "13.E", TOP: "13.C", UTH: "13.E", JACKPOT: "13.E", RUN: "13.C 13.F"}


@pytest.mark.parametrize(("game", "street", "clause"), cases(WRONG_NUMBER))
@pytest.mark.parametrize("where", ["seat 3", "dealer", "community"])
def test_a_wrong_number_of_cards_voids_and_saves_nothing(
    game: str, street: str, clause: str, where: str
) -> None:
    """Too many or too few cards anywhere return every wager."""
    round_ = at_table(game).until("show", street)
    if (game, where) in ((TOP, "community"), (RUN, "dealer")):
        with refuses("13.C", match="gets no cards"):
            round_.do(cmd.FindWrongNumber(where))
        round_.do(cmd.FindWrongNumber("seat 1"))
    else:
        round_.do(cmd.FindWrongNumber(where))
    assert_void(round_, clause)


EXPOSED = {THB: "13.F 13.G", TOP: "A116", UTH: "13.F 13.G", JACKPOT: "13.F 13.G"}


@pytest.mark.parametrize(("game", "street", "clause"), cases(EXPOSED))
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
def test_an_exposed_dealer_card_voids_but_saves_the_side_wager(
    game: str, street: str, clause: str, method: str
) -> None:
    """While a decision is left the main bets are returned; the saved wager gets a full board."""
    round_ = at_table(game, method).until("show", street)
    round_.do(cmd.ExposeDealerCard())
    assert_void(round_, clause, saved=game in SAVED)
    assert round_.table.round is not None
    if game in (UTH, JACKPOT):
        assert len(round_.table.round.community) == 5


@pytest.mark.parametrize(
    "game",
    [TOP, *(pytest.param(g, marks=pytest.mark.proves(g, "13.F")) for g in (THB, UTH, JACKPOT))],
)
def test_an_exposed_dealer_card_after_the_last_decision_changes_nothing(game: str) -> None:
    """Without a decision left the round is settled as usual."""
    usual = at_table(game).finish()
    round_ = at_table(game).until("settle")
    events = round_.do(cmd.ExposeDealerCard())
    assert [ev.IrregularityNoted] == [type(event) for event in events]
    round_.finish()
    assert [usual.returned(n) for n in OWN] == [round_.returned(n) for n in OWN]


def test_run_em_twice_has_no_dealer_card_to_expose() -> None:
    """A game without a dealer hand refuses the report."""
    with refuses("10.B.2", match="no dealer hand"):
        at_table(RUN).until("decide").do(cmd.ExposeDealerCard())


@pytest.mark.upholds("A117")
@pytest.mark.parametrize(("game", "street"), [c for c in AT_EVERY_STREET if c[0] != TOP])
def test_an_exposed_community_card_voids_and_saves_nothing(game: str, street: str) -> None:
    """A community card exposed too early returns every wager (A117)."""
    round_ = at_table(game).until("show", street)
    round_.do(cmd.ExposeCommunityCard())
    assert_void(round_, "A117")


@pytest.mark.parametrize(("game", "street"), AT_EVERY_STREET)
def test_a_players_own_exposed_card_stands(game: str, street: str) -> None:
    """An exposed player card is recorded and the hand is played (A117)."""
    usual = at_table(game).finish()
    round_ = at_table(game).until("show", street)
    round_.do(cmd.ExposePlayerCard(3))
    round_.finish()
    assert [usual.returned(n) for n in OWN] == [round_.returned(n) for n in OWN]


SHUFFLER = {
    THB: "13.H 13.H.2",
    TOP: "A122",
    UTH: "13.H 13.H.2",
    JACKPOT: "13.H 13.H.2",
    RUN: "A122",
}


@pytest.mark.parametrize(("game", "street", "clause"), cases(SHUFFLER))
def test_a_shuffler_jam_returns_all_bets_with_one_deck(game: str, street: str, clause: str) -> None:
    """A jam voids with one deck; with two it catches the idle deck and play goes on (A123)."""
    round_ = at_table(game, table={"decks": 1}).until("show", street)
    round_.do(cmd.JamShuffler())
    assert_void(round_, clause)
    two_decks = at_table(game).until("show", street)
    two_decks.do(cmd.JamShuffler())
    assert two_decks.finish().void is None
    by_hand = at_table(game, "manual_shoe", table={"shuffle_method": "manual", "decks": 1})
    with refuses(clause, match="no shuffler"):
        by_hand.until("show", street).do(cmd.JamShuffler())


SHOE = {THB: "A122", TOP: "13.D", UTH: "13.I 13.I.1", JACKPOT: "13.I 13.I.1", RUN: "13.D"}


@pytest.mark.parametrize(("game", "street", "clause"), cases(SHOE))
@pytest.mark.parametrize("moment", ["deal", "street"])
def test_a_shoe_jam_voids_and_returns_all_bets(
    game: str, street: str, clause: str, moment: str
) -> None:
    """A jammed automated shoe voids before the first card and at every street."""
    round_ = at_table(game)
    round_ = round_.until("deal") if moment == "deal" else round_.until("show", street)
    round_.do(cmd.JamShoe())
    assert_void(round_, clause)
    with refuses(SHOE[game].split()[0], match="no automated shoe"):
        at_table(game, "hand").until("show", street).do(cmd.JamShoe())


@pytest.mark.parametrize("game", [THB, TOP, RUN])
def test_a_shoe_jam_after_everyone_folded_changes_nothing(game: str) -> None:
    """If every player has folded, a shoe jam does not void the round."""
    rules = house(game)
    round_ = Play(rules, {1: Seat("", "fold", **opening_wagers(rules))}).until("settle")
    round_.do(cmd.JamShoe())
    assert round_.finish().void is None
    assert set(round_.returned(1).values()) == {0}


# Clauses by dealing method: not misdealt, misdealt.
COUNTS = {
    THB: {"manual_shoe": "8.G.2 8.G.1", "hand": "9.H 9.G", "automated_shoe": "10.H 10.G"},
    TOP: {"manual_shoe": "8.F.5 8.F.4", "hand": "9.D.5 9.D.4", "automated_shoe": "10.C.4 10.C.3"},
    UTH: {"manual_shoe": "8.G.2 8.G.1", "hand": "9.E.2 9.E.1", "automated_shoe": "10.E.2 10.E.1"},
    RUN: {"manual_shoe": "8.F.5 8.F.4", "hand": "9.D.5 9.D.4", "automated_shoe": "10.C.4 10.C.3"},
}
COUNTS[JACKPOT] = COUNTS[UTH]


@pytest.mark.parametrize(
    ("game", "method", "misdealt", "clause"),
    [
        pytest.param(game, method, misdealt, clause, marks=pytest.mark.proves(game, clause))
        for game, methods in COUNTS.items()
        for method, clauses in methods.items()
        for misdealt, clause in enumerate(clauses.split())
    ],
)
def test_a_wrong_count_voids_the_round(game: str, method: str, misdealt: int, clause: str) -> None:
    """A wrong stub count returns every wager, misdealt or not."""
    round_ = at_table(game, method).until("settle")
    round_.do(cmd.FindWrongCount(misdealt=bool(misdealt)))
    assert_void(round_, clause)


DRAWN = {THB: "13.D", TOP: "13.B", UTH: "13.D", JACKPOT: "13.D", RUN: "13.B"}


@pytest.mark.parametrize(("game", "street", "clause"), cases(DRAWN))
def test_an_unseen_card_drawn_in_error_is_the_next_card(
    game: str, street: str, clause: str
) -> None:
    """A card drawn too early, face unseen, is used as the next card; nothing changes."""
    usual = at_table(game).finish()
    round_ = at_table(game).until("show", street)
    noted = round_.do(cmd.DrawInError())[0]
    assert (clause,) == noted.clauses
    round_.finish()
    assert [usual.returned(n) for n in OWN] == [round_.returned(n) for n in OWN]


SKIPPED = {THB: "13.E", TOP: "13.C", UTH: "13.E", JACKPOT: "13.E"}


@pytest.mark.parametrize(("game", "street", "clause"), cases(SKIPPED, streets=False))
def test_a_skipped_player_is_a_wrong_number_of_cards(game: str, street: str, clause: str) -> None:
    """In four games a skipped seat voids the round."""
    round_ = at_table(game).until("show", street)
    round_.do(cmd.SkipPlayer(3))
    assert_void(round_, clause)


@pytest.mark.proves(RUN, "13.G")
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
def test_a_skipped_player_in_run_em_twice_waits_for_the_next_round(method: str) -> None:
    """The deal goes on as if the seat were empty; its wagers and contributions are returned."""
    round_ = at_table(RUN, method).until("deal")
    round_.do(cmd.SkipPlayer(3))
    without = at_table(RUN, method)
    del without.seats[3]
    without.deck = list(round_.deck)
    round_.finish()
    without.finish()
    assert [] == round_.box(3).cards
    assert round_.box(3).stakes == round_.returned(3)
    assert set(round_.outcomes(3).values()) == {"void"}
    assert [without.returned(n) for n in (1, 5)] == [round_.returned(n) for n in (1, 5)]
    assert [without.box(n).cards for n in (1, 5)] == [round_.box(n).cards for n in (1, 5)]
    assert without.meters == round_.meters


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_void_round_takes_no_more(game: str) -> None:
    """After a void only the settlement is left."""
    round_ = at_table(game).until("show")
    round_.do(cmd.FindWrongNumber("seat 1"))
    wrong = WRONG_NUMBER[game].split()[0]
    late = "7.D" if game in (TOP, RUN) else "7.E"
    again = [
        (cmd.FindWrongNumber("seat 1"), wrong),
        (cmd.JamShoe(), wrong),
        (cmd.SkipPlayer(1), wrong),
        (cmd.FindWrongCount(), wrong),
        (cmd.ShowStreet(), wrong),
        (cmd.DealCards(("As",)), wrong),
        (cmd.Decide(1, "fold"), late),
    ]
    for command, clause in again:
        with refuses(clause):
            round_.do(command)
    assert_void(round_, WRONG_NUMBER[game].split()[0])
