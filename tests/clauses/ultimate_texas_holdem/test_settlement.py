"""Settlement of Ultimate Texas Hold'Em (11.G to 11.I, 12.A): Ante, Blind, Play, side wagers."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import events as ev
from tests.support.rounds import UTH, Play, Seat, house, play

ROUND = {"ante": 1500, "blind": 1500}
FLUSH = ("Ah 9h", "6h 4h 2h Kc Qd", "Ks Jd")  # against a pair of kings
STRAIGHT = ("9c 8d", "7h 6s 5c Kd 2h", "Ks Jd")
PAIR = ("Ah Ad", "Qs 8c 3d 5h Jc", "Kc Kd")
NO_PAIR = ("Kh Jd", "8c 5s 3d 2h 9c", "Td 7c")  # neither has a pair
STRAIGHT_AGAINST_NOTHING = ("9c 8d", "7h 6s 5c Kd 2h", "As Jd")
BEATEN = ("Kc Kd", "Qs 8c 3d 5h Jc", "Ah Ad")
BEATEN_BY_NOTHING = ("Td 7c", "8c 5s 3d 2h 9c", "Kh Jd")
TIE = ("2c 3d", "Ah Ad Qc Js Th", "4h 5s")  # a pair on the board plays
TIE_WITHOUT_PAIR = ("2c 3d", "Ah Kd Qc Js 9h", "4h 5s")


def settle(
    cards: tuple[str, str, str],
    answers: str = "4x",
    *,
    box: str = "",
    blind: str = "A",
    **side: int,
) -> Play:
    """A settled round of one seat with an Ante and a Blind of $15."""
    own, board, dealer = cards
    rules = house(UTH, letters={"blind": blind})
    seats = {4: Seat(own, answers, **ROUND, **side)}
    return play(rules, seats, dealer=dealer, community=board, box=box)


CONTESTS: list[tuple[tuple[str, str, str], str, tuple[int, int, int], tuple[str, ...]]] = [
    (FLUSH, "A", (3000, 1500 + 2250, 12000), ("12.A", "11.H.3.b", "12.B.1.e")),
    (STRAIGHT, "A", (3000, 3000, 12000), ("12.A", "12.B.1.f")),
    (STRAIGHT, "B", (3000, 1500, 12000), ("12.A", "11.H.3.c")),
    (PAIR, "A", (3000, 1500, 12000), ("12.A", "12.B.1.g")),
    (NO_PAIR, "A", (1500, 1500, 12000), ("11.H.1", "12.A")),
    (STRAIGHT_AGAINST_NOTHING, "A", (1500, 3000, 12000), ("11.H.1", "12.A")),
    (BEATEN, "A", (0, 0, 0), ("11.H.3.a",)),
    (BEATEN_BY_NOTHING, "A", (1500, 0, 0), ("11.H.1", "11.H.3.a")),
    (TIE, "A", (1500, 1500, 6000), ("11.H.3.d",)),
    (TIE_WITHOUT_PAIR, "A", (1500, 1500, 6000), ("11.H.1", "11.H.3.d")),
]


@pytest.mark.parametrize(
    ("cards", "letter", "returned"),
    [pytest.param(*case[:3], marks=pytest.mark.proves(UTH, *case[3])) for case in CONTESTS],
)
def test_the_contest_settles_ante_blind_and_play(
    cards: tuple[str, str, str], letter: str, returned: tuple[int, int, int]
) -> None:
    """Below a pair of the dealer the Ante pushes; Blind and Play follow the better hand."""
    played = settle(cards, blind=letter)
    assert dict(zip(("ante", "blind", "play"), returned)) == played.returned(4)


@pytest.mark.proves(UTH, "11.I.1", "11.I.2")
@pytest.mark.parametrize(
    ("dealer", "answers"), [("Kc Kd", "4x"), ("Qc Jc", "4x"), ("Kc Kd", "check check fold")]
)
def test_trips_does_not_ask_about_the_dealer(dealer: str, answers: str) -> None:
    """A full house pays 8 to 1 after a win, a loss or a fold."""
    played = settle(("8h 8d", "Qs 8c 3d Qh Kh", dealer), answers, trips=500)
    assert played.returned(4)["trips"] == 500 + 8 * 500


@pytest.mark.proves(UTH, "11.I.3", "11.I.4", "6.F", "7.F.4.a")
@pytest.mark.parametrize("answers", ["4x", "check check fold"])
def test_the_six_card_bonus_sees_box_and_own_cards_only(answers: str) -> None:
    """Only the box and the own cards make the hand; board and contest do not matter."""
    quads_on_board = ("Ah Kd", "7s 7h 7d 7c 2s", "9c 9d")
    played = settle(quads_on_board, answers, box="As Ac Kc 3d", trips=500, six_card_bonus=500)
    assert played.returned(4)["six_card_bonus"] == 500 + 20 * 500  # aces over kings
    lost = settle(quads_on_board, answers, box="9s 8c 4c 3d", trips=500, six_card_bonus=500)
    assert lost.returned(4)["six_card_bonus"] == 0
    assert [("As", "Ac", "Kc", "3d")] == [shown.cards for shown in played.of(ev.BoxShown)]


SIX_CARD = [
    ("As Ks", "Qs Js Ts 2h", 1000, "6.F.1"),
    ("9h 8h", "7h 6h 5h 2c", 200, "6.F.2"),
    ("Ah 2h", "3h 4h 5h Kc", 200, "6.F.2"),
    ("7s 7h", "7d 7c Kd 2h", 50, "6.F.3"),
    ("Kh Kd", "Kc 4s 4h 9d", 20, "6.F.4"),
    ("Ah 9h", "6h 4h 2h Kc", 15, "6.F.5"),
    ("9c 8d", "7h 6s 5c Kd", 10, "6.F.6"),
    ("Ac 2d", "3h 4s 5c Kd", 10, "6.F.6"),
    ("Qh Qd", "Qs 8c 3d 5h", 5, "6.F.7"),
]


@pytest.mark.parametrize(
    ("own", "box", "odds"),
    [pytest.param(*case[:3], marks=pytest.mark.proves(UTH, case[3], "6.F")) for case in SIX_CARD],
)
def test_the_six_card_bonus_ranks_the_best_five_of_six(own: str, box: str, odds: int) -> None:
    """Each listed hand of six cards pays its own odds, including the low ace (A19)."""
    played = settle((own, "", ""), box=box, trips=500, six_card_bonus=700)
    assert 700 + odds * 700 == played.returned(4)["six_card_bonus"]


@pytest.mark.proves(UTH, "6.F.8", "7.F.4.a")
@pytest.mark.parametrize(
    ("letter", "suit", "dollars"),
    [("A", "d", 1_000_000), ("A", "s", 100_000), ("B", "d", 100_000), ("B", "h", 100_000)],
)
def test_nine_to_ace_of_one_suit_is_a_super_royal(letter: str, suit: str, dollars: int) -> None:
    """The super royal uses all six cards and pays a fixed sum plus the stake (A20, A28)."""
    rules = house(UTH, letters={"six_card_bonus": letter})
    seat = Seat(f"T{suit} 9{suit}", "4x", **ROUND, trips=500, six_card_bonus=500)
    box = f"A{suit} K{suit} Q{suit} J{suit}"
    played = play(rules, {4: seat}, box=box)
    assert 500 + dollars * 100 == played.returned(4)["six_card_bonus"]


SIDE = ["trips", "six_card_bonus", "ultimate_pairs", "bad_beat", "play_the_board", "progressive"]


@pytest.mark.proves(UTH, "11.I.1", "11.I.3", "11.J")
@pytest.mark.upholds("A15", "A17")
def test_side_wagers_are_settled_in_their_order() -> None:
    """Trips, Six Card, Pairs, Bad Beat, the Board, and the progressive at the end (A17)."""
    stakes = dict.fromkeys(SIDE, 500) | {"progressive": 100}
    played = settle(FLUSH, "4x", box="", blind="A", **stakes)
    order = [settled.wager for settled in played.of(ev.WagerSettled)]
    assert ["ante", "blind", "play", *SIDE] == order


BEAT = ("8h 8d", "Qs 8c 3d 5h Jc", "Qh Qd")  # trips lose to trips
BEATS = ("Qh Qd", "Qs 8c 3d 5h Jc", "8h 8d")


@pytest.mark.parametrize(
    ("cards", "answers", "choices", "returned"),
    [
        (BEAT, "4x", {}, 5000),
        (BEATS, "4x", {}, 5000),
        (BEAT, "4x", {"bad_beat_scope": "player_hand"}, 5000),
        (BEATS, "4x", {"bad_beat_scope": "player_hand"}, 0),
        (("2c 3d", "Ah Kd Qc Js Th", "4h 5s"), "4x", {}, 0),
        (BEAT, "check check fold", {}, 5000),
        (BEAT, "check check fold", {"bad_beat_after_fold": False}, 0),
    ],
)
def test_the_bad_beat_pays_on_the_losing_hand(
    cards: tuple[str, str, str], answers: str, choices: dict[str, Any], returned: int
) -> None:
    """A losing three of a kind pays 9 to 1, by the submission; a tie is not a bad beat."""
    own, board, dealer = cards
    seats = {4: Seat(own, answers, **ROUND, bad_beat=500)}
    played = play(house(UTH, **choices), seats, dealer=dealer, community=board)
    assert returned == played.returned(4)["bad_beat"]


@pytest.mark.parametrize(
    ("rounding", "winnings"),
    [({}, 22_50), ({"chip_rounding": "up_to_chip", "lowest_chip": 1}, 23_00)],
)
def test_three_to_two_is_never_rounded_down(rounding: dict[str, Any], winnings: int) -> None:
    """A flush on $15 wins $22.50, or the next chip above it (A24)."""
    own, board, dealer = FLUSH
    played = play(
        house(UTH, **rounding), {1: Seat(own, "4x", **ROUND)}, dealer=dealer, community=board
    )
    assert 1500 + winnings == played.returned(1)["blind"]


def test_half_a_cent_is_rounded_up() -> None:
    """A flush on an odd number of cents is rounded up to the cent."""
    own, board, dealer = FLUSH
    seat = Seat(own, "4x", ante=1001, blind=1001)
    played = play(house(UTH), {1: seat}, dealer=dealer, community=board)
    assert played.returned(1)["blind"] == 1001 + 1502
