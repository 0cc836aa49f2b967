"""Settlement of Run 'Em Twice (11.G to 11.J, 12.A): two hands through one cross."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import events as ev
from tests.support.rounds import RUN, Play, Seat, house, play

ANTES = {"first_ante": 1000, "second_ante": 1000}
SIDE = ("five_card_bonus", "ultimate_pairs_bonus", "progressive")


def settle(cross: str, own: str = "Kh 9d", answers: str = "1x 2x 3x", **choices: Any) -> Play:
    """A settled round of one seat with two Antes of $10."""
    side = {name: choices.pop(name) for name in list(choices) if name in SIDE}
    rules = house(RUN, **choices)
    return play(rules, {3: Seat(own, answers, **ANTES, **side)}, community=cross)


# Left and right, top and bottom, then first and second Ante, runs and Center, with Kh 9d.
RUNS: list[tuple[str, str, tuple[int, ...], tuple[str, ...]]] = [
    ("Ks 4d", "Kc 5d", (2000, 2000, 2000, 4000, 6000), ("12.A", "11.I.3.e", "12.B.9")),
    ("Ks 4d", "9s 5d", (2000, 1000, 2000, 2000, 6000), ("12.A", "11.I.3.e", "12.B.10")),
    ("Ks 4d", "3s 5d", (2000, 0, 2000, 0, 6000), ("12.A", "11.I.3.e", "11.I.3.a")),
    ("9s 4d", "9c 5d", (1000, 1000, 1000, 2000, 3000), ("12.B.10",)),
    ("9s 4d", "3s 5d", (1000, 0, 1000, 0, 3000), ("11.I.3.b", "11.I.3.a")),
    ("3s 4d", "9s 5d", (0, 1000, 0, 2000, 3000), ("11.I.3.c", "11.I.3.a")),
    ("3s 4d", "6s 5d", (0, 0, 0, 0, 0), ("11.I.3.d", "11.I.3.a")),
    ("Ks 9s", "3s 5d", (2000, 0, 3000, 0, 9000), ("12.B.8", "11.I.3.e")),
    ("3s 5d", "Ks Kc", (0, 2000, 0, 8000, 12000), ("12.B.7", "11.I.3.e")),
]


@pytest.mark.proves(RUN, "12.B")
@pytest.mark.parametrize(
    ("horizontal", "vertical", "returned"),
    [pytest.param(*case[:3], marks=pytest.mark.proves(RUN, *case[3])) for case in RUNS],
)
def test_each_ante_follows_its_run_and_the_center_the_better_one(
    horizontal: str, vertical: str, returned: tuple[int, ...]
) -> None:
    """Each run is paid on its hand; the Center is paid like the higher hand."""
    played = settle(f"{horizontal} {vertical} 7c")
    names = ("first_ante", "second_ante", "first_run", "second_run", "center")
    assert dict(zip(names, returned)) == played.returned(3)


@pytest.mark.parametrize(("rule", "antes"), [("own_run", (2000, 0)), ("better_run", (2000, 2000))])
def test_the_antes_follow_the_submitted_rule(rule: str, antes: tuple[int, int]) -> None:
    """Each Ante follows its own run, or both the better one (A29)."""
    played = settle("Ks 4d 3s 5d 7c", ante_rule=rule)
    assert antes == tuple(played.returned(3)[name] for name in ANTES)


@pytest.mark.parametrize(("rule", "center"), [("higher_run_table", 12000), ("even_money", 6000)])
def test_the_center_is_paid_by_the_submitted_rule(rule: str, center: int) -> None:
    """A winning Center is paid at the higher run's odds, or at even money (A30)."""
    played = settle("3s 5d Ks Kc 7c", center_rule=rule)
    assert center == played.returned(3)["center"]


@pytest.mark.proves(RUN, "11.I", "11.I.1", "11.I.2", "11.G")
def test_both_run_hands_are_announced() -> None:
    """Own cards with the horizontal line, then with the vertical one; the center is in both."""
    played = settle("Ks Kd 9s 7d 7c")
    assert ["1st run three of a kind, 2nd run two pair"] == [
        event.hand for event in played.of(ev.HandAnnounced)
    ]


@pytest.mark.proves(RUN, "11.H", "11.H.1", "11.H.2", "11.I", "11.I.3")
def test_bonuses_first_around_the_table_then_the_runs() -> None:
    """The first pass pays the bonuses from the dealer's right, then the runs, then the meters."""
    stakes = ANTES | {"five_card_bonus": 500, "ultimate_pairs_bonus": 300, "progressive": 100}
    seats = {1: Seat("Ah Kh", "1x 1x 1x", **stakes), 4: Seat("2c 5d", "1x 1x 1x", **stakes)}
    played = play(house(RUN), seats, community="Ks Td 9s 7d 7c")
    bonuses = ["five_card_bonus", "ultimate_pairs_bonus"]
    runs = ["first_ante", "second_ante", "first_run", "second_run", "center"]
    order = [(settled.seat, settled.wager) for settled in played.of(ev.WagerSettled)]
    expected = [(seat, wager) for seat in (4, 1) for wager in bonuses]
    expected += [(seat, wager) for seat in (4, 1) for wager in runs]
    expected += [(seat, "progressive") for seat in (4, 1)]
    assert expected == order
    assert (1000, 300 + 25 * 300) == tuple(played.returned(1)[wager] for wager in bonuses)
    assert (1000, 0) == tuple(played.returned(4)[wager] for wager in bonuses)


@pytest.mark.proves(RUN, "7.E.2.a", "7.E.2.b", "7.E.2.c")
@pytest.mark.parametrize("answers", ["fold", "1x fold", "1x 1x fold"])
def test_a_folder_is_still_paid_the_bonuses(answers: str) -> None:
    """Bonuses on the board, pocket aces and a progressive hand are paid after any fold."""
    stakes = {"five_card_bonus": 500, "ultimate_pairs_bonus": 300, "progressive": 100}
    rules = house(RUN)
    seats = {1: Seat("Ah Ad", answers, **ANTES, **stakes), 2: Seat("", "1x 1x 1x", **ANTES)}
    played = play(rules, seats, community="As 9d 7s 7d 3c")
    paid = {name: played.returned(1)[name] for name in stakes}
    assert {"five_card_bonus": 1000, "ultimate_pairs_bonus": 9300, "progressive": 900} == paid


@pytest.mark.proves(RUN, "12.F.5", "11.J")
@pytest.mark.parametrize(
    ("basis", "returned"),
    [("higher_run", 900), ("first_run", 0), ("best_five_of_seven", 5000)],
)
def test_only_one_hand_earns_the_progressive(basis: str, returned: int) -> None:
    """Two pair in one run, trips in the other, a full house in seven: one counts (A3)."""
    played = settle("9s 4d Ks Kc 7c", progressive_basis=basis, progressive=100)
    assert returned == played.returned(3)["progressive"]


@pytest.mark.parametrize(("ace_low", "returned"), [(True, 6000), (False, 0)])
def test_the_wheel_is_a_straight_if_submitted(ace_low: bool, returned: int) -> None:
    """A-2-3-4-5 pays five to one, or nothing (A8)."""
    played = settle("3s 4d 8s 9d 5c", own="Ah 2d", ace_low_straight=ace_low)
    assert returned == played.returned(3)["first_run"]


@pytest.mark.proves(RUN, "11.J")
def test_the_progressive_outlives_a_fold() -> None:
    """A folded three of a kind is paid 9 for 1 (A52)."""
    rules = house(RUN)
    seats = {
        1: Seat("Ah Ad", "1x 1x fold", **ANTES, five_card_bonus=100, progressive=100),
        2: Seat("", "1x 1x 1x", **ANTES, progressive=100),
    }
    played = play(rules, seats, community="As 9d 7s 6d 3c")
    assert 900 == played.returned(1)["progressive"]
