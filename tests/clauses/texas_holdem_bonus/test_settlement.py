"""Settlement of Texas Hold 'Em Bonus (11.I, 12.A): four bets against the dealer, the Bonus."""

from __future__ import annotations

import pytest

from croupier.table import events as ev
from tests.support.rounds import THB, Play, Seat, house, play

WIN = ("Kh Kd", "Kc 4s 4h 9d 2c", "Ac Ad")  # a full house against two pair
LOSE = ("Ac Ad", "Kc 4s 4h 9d 2c", "Kh Kd")
TIE = ("2c 3d", "Ah Kd Qc Js Th", "5h 6s")  # the board plays
PAIR_WIN = ("Ah Ad", "Qs 8c 3d 5h Jc", "Kc Kd")
STRAIGHT_WIN = ("9c 8d", "7h 6s 5c Kd 2h", "Ks Jd")
FLUSH_WIN = ("Ah 9h", "6h 4h 2h Kc Qd", "Ks Jd")


def settle(
    cards: tuple[str, str, str], answers: str = "2x 1x 1x", threshold: str = "straight", **side: int
) -> Play:
    """A settled round of one seat with an Ante of $10."""
    own, board, dealer = cards
    rules = house(THB, ante_return_threshold=threshold)
    return play(rules, {2: Seat(own, answers, ante=1000, **side)}, dealer=dealer, community=board)


@pytest.mark.proves(THB, "11.I.3.d.i", "11.I.1", "11.I.2", "11.I.3.a")
def test_a_lower_hand_loses_all_four_bets() -> None:
    """Ante, Flop, Turn and River are lost to a higher dealer hand."""
    played = settle(LOSE)
    assert {"ante": 0, "flop": 0, "turn": 0, "river": 0} == played.returned(2)
    assert set(played.clauses(2).values()) == {"11.I.3.d.i"}


@pytest.mark.proves(THB, "12.A", "11.I.3.d.ii", "11.I.3.b", "1.B.7")
def test_a_higher_hand_is_paid_even_money_on_all_four_bets() -> None:
    """Ante, Flop, Turn and River win one to one with the best five of seven."""
    played = settle(WIN)
    assert {"ante": 2000, "flop": 4000, "turn": 2000, "river": 2000} == played.returned(2)
    assert played.net(2) == 5000
    assert ["two pair", "full house"] == [event.hand for event in played.of(ev.HandAnnounced)]


@pytest.mark.proves(THB, "11.I.3.d.iv", "6.E.2")
def test_a_tie_returns_all_four_bets() -> None:
    """Equal hands return Ante, Flop, Turn and River."""
    played = settle(TIE)
    assert {"ante": 1000, "flop": 2000, "turn": 1000, "river": 1000} == played.returned(2)
    assert set(played.outcomes(2).values()) == {"push"}


@pytest.mark.proves(THB, "11.I.3.d.iii")
@pytest.mark.parametrize(
    ("cards", "threshold", "ante"),
    [
        (PAIR_WIN, "straight", 1000),
        (STRAIGHT_WIN, "straight", 2000),
        (STRAIGHT_WIN, "flush", 1000),
        (FLUSH_WIN, "flush", 2000),
    ],
)
def test_a_winning_ante_below_the_threshold_is_only_returned(
    cards: tuple[str, str, str], threshold: str, ante: int
) -> None:
    """Below the submitted hand a winning Ante pushes; the other bets still win."""
    played = settle(cards, threshold=threshold)
    assert {"ante": ante, "flop": 4000, "turn": 2000, "river": 2000} == played.returned(2)
    below = settle(PAIR_WIN, threshold=threshold)
    assert below.clauses(2)["ante"] == "11.I.3.d.iii"


@pytest.mark.proves(THB, "11.I.4", "7.G")
@pytest.mark.parametrize(
    ("cards", "answers", "main"),
    [
        (WIN, "2x check check", {"ante": 2000, "flop": 4000}),
        (LOSE, "2x check check", {"ante": 0, "flop": 0}),
        (("Kh Kd", "Kc 4s 4h 9d 2c", "4c 4d"), "2x check check", {"ante": 0, "flop": 0}),
        (WIN, "fold", {"ante": 0}),
    ],
)
def test_the_bonus_is_settled_last_on_two_cards_alone(
    cards: tuple[str, str, str], answers: str, main: dict[str, int]
) -> None:
    """The Bonus depends only on the player's two cards."""
    odds = {"Kh Kd": 10, "Ac Ad": 30}[cards[0]]
    played = settle(cards, answers, texas_holdem_bonus=500)
    assert main | {"texas_holdem_bonus": 500 + odds * 500} == played.returned(2)
    assert played.of(ev.WagerSettled)[-1].wager == "texas_holdem_bonus"


@pytest.mark.proves(THB, "12.B.1.a")
def test_a_folder_keeps_aces_against_aces() -> None:
    """Aces against the dealer's aces pay 1,000 to 1 even after a fold (A22)."""
    rules = house(THB)
    seat = Seat("As Ac", "fold", ante=1000, texas_holdem_bonus=100)
    other = Seat("2c 7d", "2x check check", ante=1000)
    played = play(rules, {1: seat, 2: other}, dealer="Ah Ad")
    assert {"ante": 0, "texas_holdem_bonus": 100_100} == played.returned(1)
