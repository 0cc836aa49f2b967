"""Hand ranking (chapter 6), compared at the table."""

from __future__ import annotations

import pytest

from croupier.table import events as ev
from tests.support.rounds import (
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    Play,
    Seat,
    house,
    opening_wagers,
    play,
)

HOLDEM = (THB, UTH, JACKPOT)
EARLY_BET = {THB: "2x check check", UTH: "4x", JACKPOT: "3x"}
DECISION = {THB: ("flop", 2000), UTH: ("play", 4000), JACKPOT: ("play", 3000)}

# The better hand, the worse hand, the shared board, and the clauses it proves.
LADDER: list[tuple[str, str, str, tuple[str, ...]]] = [
    ("As Ks", "8s 3h", "Qs Js Ts 9s 2d", ("6.D", "6.D.1", "6.D.2")),
    ("Ks 2c", "8s 8c", "Qs Js Ts 9s 2d", ("6.D.2",)),
    ("6h 2c", "Ah Kc", "2h 3h 4h 5h Kd", ("6.D.2", "6.B")),
    ("Th Jh", "9s 9d", "7h 8h 9h 9c 2d", ("6.D", "6.D.2", "6.D.3")),
    ("As Ac", "2s 2c", "Ah Ad 2h 2d 7c", ("6.D.3",)),
    ("9h 9c", "Kh Kd", "9s 9d Kc 4h 2s", ("6.D", "6.D.3", "6.D.4")),
    ("As Ac", "2s 3c", "Ah Kd Kh 2c 2d", ("6.D.4",)),
    ("Kc 2d", "Ah 3h", "4h 9h Kh Kd 2c", ("6.D", "6.D.4", "6.D.5")),
    ("Ah 9h", "5h 4h", "Kh Qh Jh 2c 3d", ("6.D.5", "6.E.1")),
    ("Ah 2h", "Tc 5d", "6h 7h 8h 9c 2d", ("6.D", "6.D.5", "6.D.6")),
    ("Jd Tc", "2c 5h", "Ah Kd Qc 3s 4d", ("6.D.6", "6.B")),
    ("6c 2d", "Ac 2h", "3s 4d 5h 9c Kd", ("6.D.6", "6.B")),
    ("Ac 2h", "Kc Ks", "3s 4d 5h 9c Kd", ("6.D.6", "6.B")),  # the ace is low in a straight
    ("8s 9d", "Kd 2c", "5c 6d 7h Kc Ks", ("6.D", "6.D.6", "6.D.7")),
    ("As Ac", "2d 2s", "Ah 2c 9d Jh 6s", ("6.D.7",)),
    ("Qh Qd", "Js 8d", "Qs 8c 3d 5h Jc", ("6.D", "6.D.7", "6.D.8")),
    ("As Kc", "3d 2c", "Ah Kd 3c 2s 9d", ("6.D.8",)),
    ("Ks 9c", "As Ac", "Kd 9h 4c 2s 7d", ("6.D", "6.D.8", "6.D.9")),
    ("As Ac", "2d Qc", "Kd 9h 4c 2s 7d", ("6.D.9",)),
    ("2d Jc", "Ac Qh", "Kd 9h 4c 2s 7d", ("6.D", "6.D.9", "6.E")),
    ("Ac 2h", "Qc Jh", "Kd 9h 6c 3s 7d", ("6.A", "6.E", "6.E.1")),
    ("Ks Ac", "Kh Qc", "Kd 9h 4c 2s 7d", ("6.A", "6.E.1")),
    ("Ks Qc", "Kh Jd", "Kd Kc Qs Jh 2d", ("6.D.4",)),
    ("2c 4h", "3c 9h", "Qc Kd Ah 2s 7d", ("6.D.9",)),  # Q-K-A-2-3 is not a straight
]
TIES = [
    ("2c 3d", "4h 5s", "Ah Kd Qc Js Tc"),
    ("As Ks", "Ad Kd", "2c 7d 9h Jc Qs"),
    ("Ah 2h", "Ad 3d", "As Ac Kd Qc 7s"),
    ("Ks 3c", "Kh 2d", "Kd Ah Ac Qs Qd"),
]


def face_off(game: str, own: str, dealer: str, board: str) -> Play:
    """A round of one seat against the dealer."""
    rules = house(game)
    seats = {3: Seat(own, EARLY_BET[game], **opening_wagers(rules))}
    return play(rules, seats, dealer=dealer, community=board)


@pytest.mark.parametrize(
    ("game", "better", "worse", "board"),
    [
        pytest.param(game, *case[:3], marks=pytest.mark.proves(game, *case[3]))
        for game in HOLDEM
        for case in LADDER
    ],
)
def test_the_better_hand_wins_whoever_holds_it(
    game: str, better: str, worse: str, board: str
) -> None:
    """The player wins with the better hand and loses with the worse one."""
    wager, stake = DECISION[game]
    won = face_off(game, better, worse, board)
    lost = face_off(game, worse, better, board)
    assert (2 * stake, 0) == (won.returned(3)[wager], lost.returned(3)[wager])


@pytest.mark.parametrize(
    ("game", "own", "dealer", "board"),
    [
        pytest.param(game, *case, marks=pytest.mark.proves(game, "6.C", "6.E.2"))
        for game in HOLDEM
        for case in TIES
    ],
)
def test_equal_hands_tie_whatever_their_suits(game: str, own: str, dealer: str, board: str) -> None:
    """No suit outranks another, and hands of equal rank tie."""
    wager, stake = DECISION[game]
    assert stake == face_off(game, own, dealer, board).returned(3)[wager]


# Top Five: better and worse hand with the same number of live cards.
TOP_FIVE_LADDER: list[tuple[str, str, tuple[str, ...]]] = [
    ("As Ks Qs Js Ts 2h 3d", "Qc Qh Qd Kc Kd 4h 5d", ("6.C", "6.C.1", "6.C.3")),
    ("Ac Kc Qc Jc Tc 2h 3d", "Ts Th Td As Ad 4h 5d", ("6.C", "6.C.1", "6.C.3")),
    ("Qs Qh Qd Qc 2h 3d 4c", "Ks Kh Kd Ac 5h 6d 7c", ("6.C", "6.C.2", "6.C.5")),
    ("Qs Qh Qd Qc Kd 2h 3d", "As Ah Ad Kc Ks 4h 5d", ("6.C", "6.C.2", "6.C.3")),
    ("Ts Th Td Js Jd 2h 3c", "As Kd Qh Jc Tc 4h 5d", ("6.C", "6.C.3", "6.C.4")),
    ("As Kd Qh Js Tc 2h 3d", "Ah Ad Ac Kc Qd 4h 5d", ("6.C", "6.C.4", "6.C.5")),
    ("Ts Th Td Ac 2h 3d 4c", "As Ah Ks Kd 5h 6d 7c", ("6.C", "6.C.5", "6.C.6")),
    ("Js Jd Ts Td 2h 3d 4c", "As Ah Ks Qd 5h 6d 7c", ("6.C", "6.C.6", "6.C.7")),
    ("Ts Th Jd Qd 2h 3d 4c", "As Kh Qs Jc 5h 6d 7c", ("6.C", "6.C.7")),
    ("As Ah 2c 3h 5s 6h 7h", "Ks Kh 2d 3d 5d 6d 7d", ("6.A", "6.C.7")),
    ("As Kh 2c 3h 5s 6h 7h", "Ad Qh 2d 3d 5d 6d 7d", ("6.A",)),
]


@pytest.mark.parametrize(
    ("better", "worse"),
    [pytest.param(*case[:2], marks=pytest.mark.proves(TOP, *case[2])) for case in TOP_FIVE_LADDER],
)
def test_top_five_ranks_the_live_cards(better: str, worse: str) -> None:
    """With equal numbers of live cards the better hand wins both bets."""
    rules = house(TOP)
    won = play(rules, {3: Seat(better, "1x", ante=1000)}, dealer=worse)
    lost = play(rules, {3: Seat(worse, "1x", ante=1000)}, dealer=better)
    assert ({"ante": 2000, "play": 2000}, {"ante": 0, "play": 0}) == (
        won.returned(3),
        lost.returned(3),
    )


@pytest.mark.proves(TOP, "6.B")
@pytest.mark.parametrize(
    ("own", "dealer"),
    [
        ("As Ks Qs Js Ts 2h 3d", "Ad Kd Qd Jd Td 4h 5d"),
        ("As Kh 2c 3h 5s 6h 7h", "Ad Kd 2d 3d 5d 6d 7d"),
    ],
)
def test_top_five_knows_no_suit(own: str, dealer: str) -> None:
    """The same live ranks tie, two royal flushes included."""
    played = play(house(TOP), {3: Seat(own, "1x", ante=1000)}, dealer=dealer)
    assert {"ante": 1000, "play": 1000} == played.returned(3)


# Run 'Em Twice: own cards, left and right, top and bottom, center, the better run's odds.
RUN_LADDER: list[tuple[str, str, str, str, int, tuple[str, ...]]] = [
    ("Ts Js", "As Ks", "9s 8s", "Qs", 500, ("6.C.1", "6.C.2")),
    ("Tc Jc", "Ac Kc", "2c 8c", "Qc", 500, ("6.B", "6.C.1", "6.C.5")),
    ("9h 8h", "6h 5h", "Ah 2h", "7h", 100, ("6.C.2", "6.C.5")),
    ("7s 7h", "7c Kd", "4s 4h", "7d", 40, ("6.C.3", "6.C.4")),
    ("7s 7h", "4s 4h", "Kd 2c", "7d", 12, ("6.C.4", "6.C.7")),
    ("9h 8h", "Ah 2h", "6s 5c", "7h", 8, ("6.C.5", "6.C.6")),
    ("9h 8h", "6s 5c", "Kc 2d", "7h", 5, ("6.C.6",)),
    ("Qh 8c", "Qs Qd", "8d 3s", "3d", 3, ("6.C.7", "6.C.8")),
    ("Qh 8c", "Qs 8d", "Qd 2s", "3d", 2, ("6.C.8", "6.C.9")),
    ("Ah 9c", "As 2d", "9s 4s", "3d", 1, ("6.A", "6.C.9")),
]


@pytest.mark.parametrize(
    ("own", "better", "worse", "center", "odds"),
    [
        pytest.param(*case[:5], marks=pytest.mark.proves(RUN, "6.C", *case[5]))
        for case in RUN_LADDER
    ],
)
def test_run_em_twice_pays_the_center_on_the_higher_hand(
    own: str, better: str, worse: str, center: str, odds: int
) -> None:
    """The better of the two runs sets the odds of the Center."""
    stakes = {"first_ante": 1000, "second_ante": 1000}
    for cross in (f"{better} {worse} {center}", f"{worse} {better} {center}"):
        played = play(house(RUN), {2: Seat(own, "1x 1x 1x", **stakes)}, community=cross)
        assert 1000 + odds * 1000 == played.returned(2)["center"]
        assert len(played.of(ev.HandAnnounced)) == 1
