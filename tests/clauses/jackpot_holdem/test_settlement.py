"""Settlement of Jackpot Hold 'Em (11.H to 11.K, 12.A): Ante, X-tra Bonus, Play, side wagers."""

from __future__ import annotations

import pytest

from croupier.table import events as ev
from tests.support.rounds import JACKPOT, Play, Seat, house, play

ROUND = {"ante": 1000, "xtra_bonus": 1000}
STRAIGHT = ("9c 8d", "7h 6s 5c Kd 2h", "Ks Jd")  # against a pair of kings
PAIR = ("Ah Ad", "Qs 8c 3d 5h Jc", "Kc Kd")
NO_PAIR = ("Kh Jd", "8c 5s 3d 2h 9c", "Td 7c")  # neither has a pair
BEATEN = ("Kc Kd", "Qs 8c 3d 5h Jc", "Ah Ad")
BEATEN_BY_NOTHING = ("Td 7c", "8c 5s 3d 2h 9c", "Kh Jd")
TIE = ("2c 3d", "Ah Ad Qc Js Th", "4h 5s")  # a pair on the board plays
TIE_WITHOUT_PAIR = ("2c 3d", "Ah Kd Qc Js 9h", "4h 5s")


def settle(cards: tuple[str, str, str], answers: str = "3x", **side: int) -> Play:
    """A settled round of one seat with an Ante and an X-tra Bonus of $10."""
    own, board, dealer = cards
    seats = {4: Seat(own, answers, **ROUND, **side)}
    return play(house(JACKPOT), seats, dealer=dealer, community=board)


CONTESTS = [
    (STRAIGHT, (2000, 2000, 6000), ("12.A", "11.I.3.b", "12.B.1.f")),
    (PAIR, (2000, 1000, 6000), ("12.A", "12.B.1.g")),
    (NO_PAIR, (1000, 1000, 6000), ("11.I.1", "12.A")),
    (BEATEN, (0, 0, 0), ("11.I.3.a",)),
    (BEATEN_BY_NOTHING, (1000, 0, 0), ("11.I.1", "11.I.3.a")),
    (TIE, (1000, 1000, 3000), ("11.I.3.c",)),
    (TIE_WITHOUT_PAIR, (1000, 1000, 3000), ("11.I.1", "11.I.3.c")),
]


@pytest.mark.parametrize(
    ("cards", "returned"),
    [pytest.param(c, r, marks=pytest.mark.proves(JACKPOT, *claims)) for c, r, claims in CONTESTS],
)
def test_the_contest_settles_ante_xtra_bonus_and_play(
    cards: tuple[str, str, str], returned: tuple[int, int, int]
) -> None:
    """Below a pair of the dealer the Ante pushes; X-tra Bonus and Play follow the better hand."""
    played = settle(cards)
    assert dict(zip(("ante", "xtra_bonus", "play"), returned)) == played.returned(4)


@pytest.mark.proves(JACKPOT, "11.J.1", "11.J.2")
@pytest.mark.parametrize(
    ("dealer", "answers"), [("Kc Kd", "3x"), ("Qc Jc", "3x"), ("Kc Kd", "check check fold")]
)
def test_the_player_bonus_does_not_ask_about_the_dealer(dealer: str, answers: str) -> None:
    """Three of a kind pays 3 to 1 after a win, a loss or a fold."""
    cards = ("8h 8d", "Qs 8c 3d Qh Kh", dealer)
    played = settle(cards, answers, player_bonus=500)
    assert played.returned(4)["player_bonus"] == 500 + 8 * 500


@pytest.mark.proves(JACKPOT, "11.K", "11.K.1", "11.K.2.d")
@pytest.mark.parametrize("answers", ["3x", "check check fold"])
def test_the_progressive_is_settled_last_and_survives_a_fold(answers: str) -> None:
    """A full house with the first three board cards pays 50 for 1, won or lost."""
    cards = ("Kh Kd", "Kc 4s 4h 9d 2c", "4c 4d")
    played = settle(cards, answers, player_bonus=500, progressive=100)
    assert played.returned(4)["progressive"] == 5000
    assert played.of(ev.WagerSettled)[-1].wager == "progressive"


@pytest.mark.parametrize(
    ("basis", "returned"), [("best_five_of_seven", 5000), ("own_two_plus_first_three", 0)]
)
def test_the_basis_says_which_cards_the_progressive_sees(basis: str, returned: int) -> None:
    """A full house made by the last card counts on seven cards only (A2)."""
    rules = house(JACKPOT, progressive_basis=basis)
    seat = Seat("Kh Kd", "3x", **ROUND, progressive=100)
    played = play(rules, {1: seat}, dealer="Ac Ad", community="4s 9d 2c 4h Kc")
    assert returned == played.returned(1)["progressive"]
