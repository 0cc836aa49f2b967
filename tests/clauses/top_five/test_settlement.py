"""Settlement of Top Five (11.B to 11.C, 12.A): live cards are counted, then ranked."""

from __future__ import annotations

import pytest

from croupier.table import events as ev
from tests.support.rounds import TOP, Play, Seat, house, play

DEAD = "9d 8h 7h 6h 5h 4h 3s"

# Player, dealer, amounts returned on an Ante and a Play of $10, clause.
STANDINGS: list[tuple[str, str, int, int, str]] = [
    # The dealer has less than queen-jack: the Ante is returned, only the Play is in contest.
    ("9s 9c 8c 7c 6c 5c 4c", "As 9h 8d 7d 6d 5d 4d", 1000, 0, "11.C.3.a"),
    ("Ks Qc 8c 7c 6c 5c 4c", "As 9h 8d 7d 6d 5d 4d", 1000, 2000, "11.C.3.b"),
    ("Ks 9c 8c 7c 6c 5c 4c", "As 9h 8d 7d 6d 5d 4d", 1000, 0, "11.C.3.c"),
    ("As 9c 8c 7c 6c 5c 4c", "Ks 9h 8d 7d 6d 5d 4d", 1000, 2000, "11.C.3.d"),
    ("Qs Tc 8c 7c 6c 5c 4c", "Jd Th 8d 7d 6d 5d 4d", 1000, 2000, "11.C.3.d"),
    ("As 9c 8c 7c 6c 5c 4c", "Ah 9h 8d 7d 6d 5d 4d", 1000, 1000, "11.C.3.e"),
    ("2s 9c 8c 7c 6c 5c 4c", "3h 9h 8d 7d 6d 5d 4d", 1000, 1000, "11.C.3.e"),
    # Queen-jack or better: both are in contest.
    ("As 9c 8c 7c 6c 5c 4c", "Qh Jh 8d 7d 6d 5d 4d", 0, 0, "11.C.4.a"),
    ("Ts Js Qc 7c 6c 5c 4c", "Ah Ad 8d 7d 6d 5d 4d", 2000, 2000, "11.C.4.b"),
    ("Ks Qc 8c 7c 6c 5c 4c", "Tc Td 8d 7d 6d 5d 4d", 0, 0, "11.C.4.c"),
    ("Ts Tc 8c 7c 6c 5c 4c", "Ah Kd 8d 7d 6d 5d 4d", 2000, 2000, "11.C.4.d"),
    ("As Jc 8c 7c 6c 5c 4c", "Ah Td 8d 7d 6d 5d 4d", 2000, 2000, "11.C.4.d"),
    ("As Kc Qc 7c 6c 5c 4c", "Ah Kd Qd 7d 6d 5d 4d", 1000, 1000, "11.C.4.e"),
]


def settle(own: str, dealer: str, answers: str = "1x", **side: int) -> Play:
    """A settled round of one seat with an Ante of $10."""
    return play(house(TOP), {2: Seat(own, answers, ante=1000, **side)}, dealer=dealer)


@pytest.mark.parametrize(
    ("own", "dealer", "ante", "placed", "clause"),
    [pytest.param(*case, marks=pytest.mark.proves(TOP, case[-1])) for case in STANDINGS],
)
def test_count_decides_before_rank(
    own: str, dealer: str, ante: int, placed: int, clause: str
) -> None:
    """More live cards win, equal counts compare by rank, the Ante needs a qualified dealer."""
    played = settle(own, dealer)
    assert {"ante": ante, "play": placed} == played.returned(2)
    assert ("12.A" if placed == 2000 else clause) == played.clauses(2)["play"]


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        pytest.param("Qh Jd 8d 7d 6d 5d 4d", True, marks=pytest.mark.proves(TOP, "11.C.4")),
        pytest.param("Kh Td 8d 7d 6d 5d 4d", True, marks=pytest.mark.proves(TOP, "11.C.4")),
        pytest.param("Th Td 8d 7d 6d 5d 4d", True, marks=pytest.mark.proves(TOP, "11.C.4")),
        pytest.param("Th Jd Qd 7d 6d 5d 4d", True, marks=pytest.mark.proves(TOP, "11.C.4")),
        pytest.param("Qh Td 8d 7d 6d 5d 4d", False, marks=pytest.mark.proves(TOP, "11.C.2")),
        pytest.param("Jh Td 8d 7d 6d 5d 4d", False, marks=pytest.mark.proves(TOP, "11.C.2")),
        pytest.param("Ah 9d 8d 7d 6d 5d 4d", False, marks=pytest.mark.proves(TOP, "11.C.2")),
        pytest.param("9h 9d 8d 7d 6d 5d 4d", False, marks=pytest.mark.proves(TOP, "11.C.2")),
    ],
)
def test_the_dealer_qualifies_with_queen_jack_or_better(dealer: str, qualifies: bool) -> None:
    """Below queen-jack a winning Ante pushes (A13)."""
    played = settle("As Ks Kc Ac Qs Qc Tc", dealer)
    assert {"ante": 2000 if qualifies else 1000, "play": 2000} == played.returned(2)
    assert ("12.A" if qualifies else "11.C.2") == played.clauses(2)["ante"]


@pytest.mark.proves(TOP, "12.A")
def test_ante_and_play_pay_even_money() -> None:
    """A winner is paid one to one on both bets."""
    played = settle("As Ks Qs 7c 6c 5c 4c", "Qh Jd 8d 7d 6d 5d 4d")
    assert {"ante": 2000, "play": 2000} == played.returned(2)
    assert {"ante": "12.A", "play": "12.A"} == played.clauses(2)


@pytest.mark.proves(TOP, "11.B.4", "11.C", "11.C.1")
def test_deuces_to_nines_are_not_announced() -> None:
    """Dealer and players are announced by their live cards alone, dealer first."""
    played = settle("Ts 9c 9d 9h 9s 8c 8d", "Qh Jd 8h 8s 7s 7d 7c")
    announced = played.of(ev.HandAnnounced)
    assert [(0, "2 live cards, high card"), (2, "1 live card, high card")] == [
        (event.seat, event.hand) for event in announced
    ]
    assert "11.B.4" in announced[0].clauses and "11.C.1" in announced[1].clauses


@pytest.mark.proves(TOP, "11.C.5", "11.C")
def test_seats_are_settled_from_the_dealers_right() -> None:
    """A winner, a loser and a tie are settled one after another, highest seat first."""
    seats = {
        1: Seat("As Ks Qs 2c 2d 2h 2s", "1x", ante=1000),
        3: Seat("Ts 3c 3d 3h 3s 4c 4d", "1x", ante=1000),
        6: Seat("Qc Jc 5c 5d 5h 5s 6c", "1x", ante=1000),
    }
    played = play(house(TOP), seats, dealer="Qh Jh 7c 7d 7h 7s 8c")
    assert [6, 6, 3, 3, 1, 1] == [settled.seat for settled in played.of(ev.WagerSettled)]
    assert (2000, -2000, 0) == (played.net(1), played.net(3), played.net(6))


@pytest.mark.proves(TOP, "11.C.5.a", "11.C.5.b", "11.C.5.c", "11.C.5.d")
def test_a_loser_is_paid_on_the_bonuses() -> None:
    """The main bets lose and both bonuses are still paid."""
    own, dealer = "As Ah Ts Td 2h 3d 4c", "Kc Kd Kh Ks Qc Qd Qh"
    played = settle(own, dealer, top_five_bonus=500, poker_bonus=300)
    expected = {"ante": 0, "play": 0, "top_five_bonus": 1000, "poker_bonus": 300 + 900}
    assert expected == played.returned(2)


@pytest.mark.proves(TOP, "11.C.6", "11.C.7", "11.C.8", "11.C.9")
@pytest.mark.parametrize("answers", ["1x", "fold"])
def test_the_bonuses_follow_the_main_bets_in_order(answers: str) -> None:
    """Ante and Play, then the Top Five Bonus, then the Poker Bonus; a fold does not end them."""
    own = "As Kd Qh Js Tc 2h 3d"
    played = settle(own, DEAD, answers, top_five_bonus=500, poker_bonus=300)
    order = [settled.wager for settled in played.of(ev.WagerSettled)]
    main = ["ante", "play"] if answers == "1x" else ["ante"]
    assert [*main, "top_five_bonus", "poker_bonus"] == order
    assert (500 + 2500, 300 + 7500) == tuple(played.returned(2)[name] for name in order[-2:])


@pytest.mark.proves(TOP, "7.E.2.a", "7.E.2.b")
def test_one_bonus_counts_and_the_other_ranks() -> None:
    """Four live cards without a pair win the Top Five Bonus and lose the Poker Bonus."""
    played = settle("As Kd Qh Js 9c 3d 2h", DEAD, top_five_bonus=500, poker_bonus=300)
    assert (1000, 0) == (played.returned(2)["top_five_bonus"], played.returned(2)["poker_bonus"])


@pytest.mark.parametrize(
    ("extra_cards", "placed"),
    [(True, 2000), (False, 1000)],
)
def test_the_sixth_live_card_breaks_a_tie_if_submitted(extra_cards: bool, placed: int) -> None:
    """Two straights with a sixth card: the higher one wins, or they tie (A11)."""
    rules = house(TOP, tie_break_extra_cards=extra_cards)
    seat = Seat("As Kd Qh Js Tc Ac 3d", "1x", ante=1000)
    played = play(rules, {1: seat}, dealer="Ah Kc Qd Jc Td Kh 3c")
    assert {"ante": placed, "play": placed} == played.returned(1)
