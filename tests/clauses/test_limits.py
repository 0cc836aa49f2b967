"""Payout limits (chapter 12): to the cent, per box, in the order of payment."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import events as ev
from tests.support.rounds import JACKPOT, RUN, THB, UTH, Play, Seat, house, play

CAP = 50_000_00
ROYAL = {"community": "Qs Js Ts 2h 5d", "dealer": "9h 9c"}


def texas(ante: int, bonus: int, answers: str = "2x check check", **changes: Any) -> Play:
    """Aces against the dealer's aces, with a flush that also wins Ante and Flop."""
    seat = Seat("As Ac", answers, ante=ante, texas_holdem_bonus=bonus)
    return play(house(THB, **changes), {1: seat}, dealer="Ah Ad", community="Ks 9s 4s 2s 7d")


FIXED = pytest.mark.proves(THB, "12.C", "12.C.1")


@pytest.mark.parametrize(
    ("ante", "bonus", "answers", "over"),
    [
        (333, 4999, "2x check check", -1),
        (250, 4999, "2x 1x check", 0),
        pytest.param(667, 4998, "2x check check", 1, marks=FIXED),
        pytest.param(500_00, 100_00, "2x 1x 1x", 52_500_00, marks=FIXED),
    ],
)
def test_texas_pays_no_more_than_fifty_thousand(
    ante: int, bonus: int, answers: str, over: int
) -> None:
    """Main and Bonus winnings of a hand share one cap; the Bonus is paid last."""
    played = texas(ante, bonus, answers)
    main = ante * (1 + 2 + answers.count("1x"))
    assert CAP + over == main + 1000 * bonus
    assert min(CAP, CAP + over) == played.net(1)
    assert bonus + 1000 * bonus - max(over, 0) == played.returned(1)["texas_holdem_bonus"]
    assert max(over, 0) == sum(settled.withheld for settled in played.of(ev.WagerSettled))


@pytest.mark.proves(THB, "12.C", "12.C.2")
def test_texas_raises_the_cap_with_the_minimum_bets() -> None:
    """At minimums of $100 the highest possible win, $100,500, is the cap and is paid in full."""
    limits = {"ante": (100, 500), "texas_holdem_bonus": (100, 500)}
    whole = texas(100_00, 100_00, "2x 1x 1x", limits=limits)
    assert whole.net(1) == 100_500_00
    cut = texas(100_00, 101_00, "2x 1x 1x", limits=limits)
    assert cut.net(1) == 100_500_00
    assert cut.returned(1)["texas_holdem_bonus"] == 101_00 + 100_000_00


# A royal flush with a double Play wins 503 Antes, and the side wager at these odds.
SUBMITTED = {UTH: ("blind", "trips", 50), JACKPOT: ("xtra_bonus", "player_bonus", 100)}


@pytest.mark.parametrize(
    ("game", "ante", "bonus", "over"),
    [
        (UTH, 9883, 577, -1),
        (UTH, 9900, 406, 0),
        pytest.param(UTH, 9917, 235, 1, marks=pytest.mark.proves(UTH, "12.F")),
        (JACKPOT, 9833, 540, -1),
        (JACKPOT, 9900, 203, 0),
        pytest.param(JACKPOT, 9867, 369, 1, marks=pytest.mark.proves(JACKPOT, "12.F")),
    ],
)
def test_a_submitted_limit_cuts_from_the_first_cent_above(
    game: str, ante: int, bonus: int, over: int
) -> None:
    """Main and side winnings share the limit; the side wager is paid last and is cut."""
    matching, side, odds = SUBMITTED[game]
    stakes = {"ante": ante, matching: ante, side: bonus}
    rules = house(game, payout_limit=50_000)
    played = play(rules, {2: Seat("As Ks", "check 2x", **stakes)}, **ROYAL)
    assert CAP + over == 503 * ante + odds * bonus
    assert min(CAP, CAP + over) == played.net(2)
    assert bonus + odds * bonus - max(over, 0) == played.returned(2)[side]


def runs(second: int, **changes: Any) -> Play:
    """A royal flush in one run, queens in the other, any amount on each run."""
    rules = house(RUN, run_bet_steps="any_amount", **changes)
    seat = Seat("Ts Js", f"5000c {second}c 4990c", first_ante=2000, second_ante=2000)
    return play(rules, {2: seat}, community="As Ks Qd 2c Qs")


@pytest.mark.parametrize(
    ("second", "over"),
    [
        (4999, -1),
        (5000, 0),
        pytest.param(5001, 1, marks=pytest.mark.proves(RUN, "12.C", "12.C.1")),
    ],
)
def test_run_em_twice_caps_runs_and_center_together(second: int, over: int) -> None:
    """The runs and the Center share the cap, the Center last; the Antes do not count."""
    played = runs(second)
    assert CAP + over == 500 * 5000 + second + 500 * 4990
    assert 2000 + 2000 + min(CAP, CAP + over) == played.net(2)
    assert 4990 + 500 * 4990 - max(over, 0) == played.returned(2)["center"]


@pytest.mark.proves(RUN, "12.C", "12.C.2")
def test_run_em_twice_raises_the_cap_with_the_minimum_ante() -> None:
    """At an Ante of $20 the highest win, $66,000, is paid in full; a dollar more is cut."""
    for ante, cut in ((20_00, 0), (21_00, 3_300_00)):
        rules = house(RUN, limits={"first_ante": (20, 500)})
        seat = Seat("Ts Js", "3x 3x 3x", first_ante=ante, second_ante=ante)
        played = play(rules, {2: seat}, community="As Ks 9s 8s Qs")
        assert 3300 * ante - cut + 2 * ante == played.net(2)


@pytest.mark.proves(UTH, "12.F.2")
def test_the_ultimate_limit_leaves_progressive_and_six_card_alone() -> None:
    """Meter and Six Card awards are paid beyond an exhausted limit."""
    rules = house(UTH, payout_limit=50_000)
    seat = Seat(
        "As Ks", "4x",
        ante=100_00, blind=100_00, trips=100, six_card_bonus=500, progressive=100,
    )  # fmt: skip
    played = play(rules, {2: seat}, box="Ah Kh Kd Ad", **ROYAL)
    assert played.returned(2)["trips"] == 100
    assert played.returned(2)["six_card_bonus"] == 500 + 20 * 500
    assert played.returned(2)["progressive"] == 10_000_04


@pytest.mark.proves(JACKPOT, "12.F.2")
def test_the_jackpot_limit_leaves_the_progressive_alone() -> None:
    """The spade meter is paid in full beyond an exhausted limit."""
    rules = house(JACKPOT, payout_limit=50_000)
    seat = Seat("As Ks", "3x", ante=100_00, xtra_bonus=100_00, player_bonus=100, progressive=100)
    played = play(rules, {2: seat}, **ROYAL)
    assert played.returned(2)["player_bonus"] == 100
    assert played.returned(2)["progressive"] == 5_000_08


# The side wager that the limit cuts, and what a flush is paid on the progressive, for one.
FLUSHED = {UTH: ("trips", "4x", 40), JACKPOT: ("player_bonus", "3x", 30)}


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=pytest.mark.proves(game, "12.F.2")) for game in (UTH, JACKPOT)],
)
def test_fixed_odds_of_the_progressive_are_beyond_the_limit_too(game: str) -> None:
    """A flush on the progressive is paid in full beyond an exhausted limit."""
    side, answer, odds = FLUSHED[game]
    matching = SUBMITTED[game][0]
    stakes = {"ante": 5000_00, matching: 5000_00, side: 5000_00, "progressive": 100}
    played = play(
        house(game, payout_limit=50_000),
        {2: Seat("As 8s", answer, **stakes)},
        dealer="9h 9c",
        community="Ks 5s 2s Jd 3h",
    )
    assert odds * 100 == played.returned(2)["progressive"]
    assert 0 < next(each.withheld for each in played.of(ev.WagerSettled) if each.wager == side)
    assert CAP + (odds - 1) * 100 == played.net(2)


@pytest.mark.parametrize(("reaches", "pairs"), [(False, 500 + 25 * 500), (True, 500)])
def test_the_ultimate_limit_reaches_the_side_wagers_if_submitted(reaches: bool, pairs: int) -> None:
    """Pairs, Bad Beat and the Board count toward the limit only if submitted so (A64)."""
    rules = house(UTH, payout_limit=50_000, limit_covers_side_wagers=reaches)
    seat = Seat("As Ks", "4x", ante=100_00, blind=100_00, ultimate_pairs=500)
    played = play(rules, {2: seat}, **ROYAL)
    assert pairs == played.returned(2)["ultimate_pairs"]
    assert played.outcomes(2)["ultimate_pairs"] == "win"


def test_a_limit_is_for_each_box() -> None:
    """Two boxes with the same royal flush on the board are each paid up to the limit."""
    rules = house(UTH, payout_limit=50_000)
    seats = {n: Seat("", "4x", ante=100_00, blind=100_00, trips=500_00) for n in (1, 2)}
    played = play(rules, seats, community="As Ks Qs Js Ts")
    for number in seats:  # the board ties with the dealer, so that only Trips win
        assert played.returned(number)["trips"] == 500_00 + 25_000_00
