"""Side wagers on a single hand: lost without a paytable hand, paid with one."""

from __future__ import annotations

import pytest

from tests.clauses.attended.claims import proving
from tests.support.rounds import JACKPOT, RUN, THB, TOP, UTH, Seat, house, opening_wagers, play

# A hand on no paytable: own cards, decisions, and the other cards on the table.
JUNK: dict[str, tuple[str, str, dict[str, str]]] = {
    THB: ("7h 2c", "2x check check", {"dealer": "Ks Jd", "community": "9c 4s 3d Qh 8s"}),
    TOP: ("Ah Qc Jd 2s 3s 4s 5s", "1x", {"dealer": "As Ks Kh Td 6c 7c 8c"}),
    UTH: ("7h 2c", "4x", {"dealer": "Ks Jd", "community": "9c 4s 3d Qh 8s", "box": "Th 6s 5d Jc"}),
    JACKPOT: ("7h 2c", "3x", {"dealer": "Ks Kd", "community": "9c 4s 3d Qh 8s"}),
    RUN: ("7h 2c", "1x 1x 1x", {"community": "9c 4s Qh 8s 3d"}),
}
SIDE = {
    THB: ("texas_holdem_bonus",),
    TOP: ("top_five_bonus", "poker_bonus"),
    UTH: ("trips", "six_card_bonus", "ultimate_pairs", "bad_beat", "play_the_board", "progressive"),
    JACKPOT: ("player_bonus", "progressive"),
    RUN: ("five_card_bonus", "ultimate_pairs_bonus", "progressive"),
}


def lost(game: str) -> None:
    """Assert that every side wager of a box with no paytable hand loses in full."""
    cards, answers, others = JUNK[game]
    rules = house(game)
    stakes = dict.fromkeys(SIDE[game], 500) | ({"progressive": 100} if game in PROGRESSIVE else {})
    played = play(rules, {2: Seat(cards, answers, **opening_wagers(rules), **stakes)}, **others)
    returned = played.returned(2)
    assert dict.fromkeys(SIDE[game], 0) == {wager: returned[wager] for wager in SIDE[game]}


PROGRESSIVE = (UTH, JACKPOT, RUN)


@proving(
    T="11.I.4",
    F="11.C.6 11.C.8",
    U="11.I.1 11.I.3 6.F 11.J",
    J="11.J.1 11.K",
    R="11.H 11.H.1 11.J",
)
def test_a_hand_on_no_paytable_loses_every_side_wager(game: str) -> None:
    """The wagers are neither returned nor paid."""
    lost(game)


@pytest.mark.upholds("A15", "A17")
def test_what_no_clause_settles_loses_with_nothing_and_is_paid_with_its_hand() -> None:
    """Ultimate Pairs, Bad Beat and Play the Board: aces, trips that lost, a pair of tens."""
    lost(UTH)
    rules = house(UTH)
    stakes = {"ultimate_pairs": 500, "bad_beat": 500, "play_the_board": 500}
    played = play(
        rules,
        {2: Seat("As Ah", "4x", **opening_wagers(rules), **stakes)},
        dealer="Th 3c",
        community="Ts Td 5h 6c Ac",
    )
    returned = played.returned(2)
    paid = {"ultimate_pairs": 31 * 500, "bad_beat": 10 * 500, "play_the_board": 2 * 500}
    assert paid == {wager: returned[wager] for wager in paid}
