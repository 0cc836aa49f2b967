"""The showdown of the hold'em games: announcements, and settlement from the right."""

from __future__ import annotations

import pytest

from croupier.table import events as ev
from tests.support.rounds import JACKPOT, THB, UTH, Seat, house, opening_wagers, play

EARLY_BET = {THB: "2x check check", UTH: "4x", JACKPOT: "3x"}
SHOWN = {
    THB: ("11.I.1", "11.I.2", "11.I.3.a", "11.I.3.b"),
    UTH: ("11.G.1", "11.G.2", "11.H.2.a", "11.H.2.b"),
    JACKPOT: ("11.H.1", "11.H.2", "11.I.2.a", "11.I.2.b"),
}
# The clauses, and the winnings of a full house, a pair of fours and a tie at an Ante of $10.
IN_TURN = {
    THB: (("11.I.3", "11.I.3.c"), (30_00, -30_00, 0)),
    UTH: (("11.H.2", "11.H.2.d"), (80_00, -60_00, 0)),
    JACKPOT: (("11.I.2", "11.I.2.d"), (80_00, -50_00, 0)),
}


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, *c)) for g, c in SHOWN.items()]
)
def test_dealer_and_player_announce_the_best_of_seven(game: str) -> None:
    """The dealer shows first; each hand is the best five of seven."""
    rules = house(game)
    seats = {4: Seat("9c 8d", EARLY_BET[game], **opening_wagers(rules))}
    played = play(rules, seats, dealer="Ks Jd", community="7h 6s 5c Kd 2h")
    assert [(0, ("Ks", "Jd"), "pair of kings"), (4, ("9c", "8d"), "straight")] == [
        (event.seat, event.cards, event.hand) for event in played.of(ev.HandAnnounced)
    ]


@pytest.mark.parametrize(
    ("game", "nets"),
    [pytest.param(g, n, marks=pytest.mark.proves(g, *c)) for g, (c, n) in IN_TURN.items()],
)
def test_seats_are_settled_from_the_dealers_right(game: str, nets: tuple[int, int, int]) -> None:
    """A winner, a loser and a tie are settled one after another, highest seat first."""
    rules = house(game)
    seats = {
        number: Seat(cards, EARLY_BET[game], **opening_wagers(rules, 10_00))
        for number, cards in ((1, "Kh Kd"), (3, "7c 8d"), (6, "Js Jd"))
    }
    played = play(rules, seats, dealer="Jh Jc", community="Kc 4s 4h 9d 2c")
    order = [settled.seat for settled in played.of(ev.WagerSettled)]
    assert sorted(order, reverse=True) == order
    assert nets == tuple(played.net(number) for number in seats)
