"""Progressive meters and envy bonuses: contributions, awards, resets, to the fraction."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.table import events as ev
from tests.clauses.examples import STAYING, progressive_example
from tests.support.rounds import JACKPOT, RUN, UTH, Play, Seat, house, opening_wagers, play

TURN = {UTH: "12.D.4", JACKPOT: "12.E.11", RUN: "12.F.6.b.v"}
FOLDING = {UTH: "check check fold", JACKPOT: "check check fold", RUN: "1x 1x fold"}
TOP_METER = {UTH: "mega", JACKPOT: "spade", RUN: "mega"}


def seated(rules: Any, cards: dict[int, str], answers: str = "", **more: Any) -> dict[int, Seat]:
    """Seats that all have a progressive wager."""
    stake = rules.choices.progressive_stake
    game = rules.game.key
    return {
        number: Seat(
            own, answers or STAYING[game], **opening_wagers(rules, progressive=stake), **more
        )
        for number, own in cards.items()
    }


@pytest.mark.parametrize("game", [UTH, JACKPOT, RUN])
def test_every_progressive_wager_feeds_every_meter(game: str) -> None:
    """Three wagers contribute exactly three times stake times rate; a fold returns nothing."""
    rules = house(game)
    seats = seated(rules, {1: "2c 7d", 2: "3h 8s", 3: "4d 9c"}, FOLDING[game])
    before = {name: Fraction("100000.01") for name in rules.meters}
    meters = dict.fromkeys(before, "100000.01")
    played = play(rules, seats, meters=meters, community="Ah Kd Js 6c Tc")
    rates = {name: meter.rate_percent for name, meter in rules.meters.items()}
    assert {name: before[name] + 3 * rates[name] for name in before} == played.meters


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, c)) for g, c in TURN.items()]
)
def test_the_meter_at_a_players_turn_is_paid_and_reset_at_once(game: str) -> None:
    """Of two royal flushes the first one settled gets the meter, the second the reset amount."""
    rules = house(game, progressive_basis="best_five_of_seven")
    royal = "As Ks Qs Js Ts"
    seats = seated(rules, {2: "2c 7d", 5: "3h 8c"})
    meter = TOP_METER[game]
    played = play(rules, seats, community=royal, meters={meter: "2000000.4"})
    reset = rules.meters[meter].reset
    fed = Fraction("2000000.4") + 2 * rules.meters[meter].rate_percent
    first, second = played.of(ev.MeterPaid)
    assert (5, -(-fed // 1)) == (first.seat, first.paid)
    left = fed - first.paid + reset  # a fraction of a cent below the reset amount
    assert (2, -(-left // 1)) == (second.seat, second.paid)
    assert left - second.paid + reset == played.meters[meter]
    assert first.paid == played.returned(5)["progressive"]
    assert second.paid == played.returned(2)["progressive"]


@pytest.mark.parametrize(("policy", "paid"), [("up_to_cent", 2000005), ("down_to_cent", 2000004)])
@pytest.mark.parametrize("game", [UTH, JACKPOT, RUN])
def test_an_award_is_rounded_as_submitted(game: str, policy: str, paid: int) -> None:
    """A meter with a fraction of a cent pays rounded up or down; the rest stays on it (A46)."""
    rules = house(game, meter_rounding=policy)
    cards = progressive_example(game, "royal_flush")
    seats = seated(rules, {4: cards.pop("own")})
    meter = TOP_METER[game]
    rate = rules.meters[meter].rate_percent
    held = Fraction("2000004.4")
    played = play(rules, seats, meters={meter: str(float(held - rate))}, **cards)
    assert paid == played.returned(4)["progressive"]
    assert held - paid + rules.meters[meter].reset == played.meters[meter]


@pytest.mark.parametrize(
    ("floor", "second", "after"),
    [(False, 90_001, Fraction(810_000)), (True, 100_000, Fraction(1_000_000))],
)
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, TURN[g])) for g in (UTH, RUN)]
)
def test_ten_percent_is_of_the_meter_at_that_turn(
    game: str, floor: bool, second: int, after: Fraction
) -> None:
    """Two straight flushes get a tenth each in turn; a floor refills the meter between (A45)."""
    rules = house(
        game,
        letters={"progressive": "A"},
        progressive_basis="best_five_of_seven",
        partial_award_floor=floor,
    )
    seats = seated(rules, {1: "2c 7d", 6: "3h 8c"})
    played = play(
        rules, seats, community="9s 8s 7s 6s 5s", meters={"meter": "999994"}, dealer=dealer(game)
    )
    fed = Fraction(999_994) + 8
    first, then = played.of(ev.MeterPaid)
    assert (6, -(-fed / 10 // 1)) == (first.seat, first.paid)
    assert (1, second) == (then.seat, then.paid)
    assert after == played.meters["meter"]


def dealer(game: str) -> str:
    """Two low cards for the dealer, if the game has a dealer hand."""
    return "" if game == RUN else "2d 2h"


@pytest.mark.proves(UTH, "11.J", "11.J.1", "11.J.2.d", "1.B.6")
@pytest.mark.parametrize("answers", ["4x", "check check fold"])
def test_the_ultimate_progressive_pays_trips_or_better_whoever_wins(answers: str) -> None:
    """Three of a kind on the flop pays ten for one after a loss and after a fold."""
    rules = house(UTH)
    seat = Seat("Qh Qd", answers, ante=1000, blind=1000, progressive=100)
    played = play(rules, {1: seat}, dealer="8h 8d", community="Qs 8c 3s 8s Jc")
    assert played.returned(1)["progressive"] == 1000


@pytest.mark.proves(UTH, "12.D.2")
@pytest.mark.parametrize(
    ("basis", "returned"), [("best_five_of_seven", 1000), ("own_two_plus_flop", 0)]
)
def test_the_ultimate_basis_says_which_cards_count(basis: str, returned: int) -> None:
    """Three of a kind made on the river counts on seven cards only (A1)."""
    rules = house(UTH, progressive_basis=basis)
    seat = Seat("Qh Qd", "4x", ante=1000, blind=1000, progressive=100)
    played = play(rules, {1: seat}, dealer="8h 8d", community="8c 4s 5h Jc Qs")
    assert returned == played.returned(1)["progressive"]


@pytest.mark.proves(UTH, "11.F.2")
def test_the_ultimate_progressive_may_end_with_a_fold() -> None:
    """With `progressive_after_fold = false` a fold loses the progressive (A52)."""
    rules = house(UTH, progressive_after_fold=False)
    seat = Seat("Qh Qd", "check check fold", ante=1000, blind=1000, progressive=100)
    played = play(rules, {1: seat}, dealer="8h 8d", community="Qs 8c 8s 5h Jc")
    assert (0, "11.F.2") == (
        played.returned(1)["progressive"],
        played.clauses(1)["progressive"],
    )


@pytest.mark.parametrize(("holder_folds", "envy"), [(True, 0), (False, 100_000)])
def test_envy_where_a_fold_ends_the_progressive(holder_folds: bool, envy: int) -> None:
    """A hand folded without a live wager earns others nothing; one that folds still receives."""
    seats = {
        2: watcher(UTH, "2c 7d", "" if holder_folds else FOLDING[UTH]),
        4: watcher(UTH, "", FOLDING[UTH] if holder_folds else "", stake=100),
    }
    assert envy == envied(UTH, {"progressive_after_fold": False}, seats).box(2).envy


def envied(game: str, changes: dict[str, Any], seats: dict[int, Seat]) -> Play:
    """A round in which seat 4 makes a royal flush, the envy hand of 1.B.3."""
    rules = house(game, **changes)
    cards = progressive_example(game, "royal_flush")
    own = cards.pop("own")
    if 4 not in seats:
        seats[4] = Seat(own, STAYING[game], **opening_wagers(rules, progressive=stake_of(rules)))
    seats[4].cards = own
    return play(rules, seats, **cards)


def stake_of(rules: Any) -> int:
    """The progressive stake of the House, in cents."""
    stake: int = rules.choices.progressive_stake
    return stake


def watcher(game: str, own: str, answers: str = "", stake: int = 100, player: str = "") -> Seat:
    """A seat that may receive an envy bonus; a stake of 0 is no progressive wager."""
    more = {"progressive": stake} if stake else {}
    return Seat(own, answers or STAYING[game], player, **opening_wagers(house(game), **more))


@pytest.mark.parametrize(
    ("game", "dollars", "paid"),
    [
        pytest.param(
            UTH, 1, 100_000,
            marks=pytest.mark.proves(
                UTH, "11.J.2.e", "11.J.2.e.i", "12.D.5.a", "12.D.6", "1.B.2", "1.B.3"
            ),
        ),
        pytest.param(UTH, 5, 500_000, marks=pytest.mark.proves(UTH, "12.D.5.a", "12.D.7")),
        pytest.param(RUN, 1, 100_000, marks=pytest.mark.proves(RUN, "12.G.1", "12.H")),
        pytest.param(RUN, 5, 500_000, marks=pytest.mark.proves(RUN, "12.G.1", "12.I")),
    ],
)  # fmt: skip
def test_envy_is_paid_by_the_recipients_stake(game: str, dollars: int, paid: int) -> None:
    """Every other progressive bettor gets the bonus of the stake; others get nothing."""
    seats = {
        1: watcher(game, "2c 7d", stake=dollars * 100),
        2: watcher(game, "3h 8c", stake=0),
        6: watcher(game, "4d 6c", stake=dollars * 100),
    }
    played = envied(game, {"progressive_stake": dollars}, seats)
    assert {1: paid, 2: 0, 4: 0, 6: paid} == {n: played.box(n).envy for n in (1, 2, 4, 6)}


@pytest.mark.proves(UTH, "11.J.2.e.iv")
def test_no_envy_for_ones_own_hand_or_the_dealers() -> None:
    """Two boxes of one player pay each other no envy bonus, nor does the dealer's hand."""
    seats = {
        3: watcher(UTH, "2c 7d", player="Ann"),
        4: watcher(UTH, "", player="Ann"),
        5: watcher(UTH, "3h 8c", player="Bob"),
    }
    played = envied(UTH, {"table": {"max_adjacent_boxes": 2}}, seats)
    assert {3: 0, 4: 0, 5: 100_000} == {n: played.box(n).envy for n in (3, 4, 5)}
    rules = house(UTH)
    dealers = play(rules, {1: watcher(UTH, "2c 7d")}, dealer="As Ks", community="Qs Js Ts 3h 4d")
    assert dealers.box(1).envy == 0


@pytest.mark.proves(UTH, "11.J.2.e.iii")
def test_one_envy_bonus_for_each_qualifying_holder() -> None:
    """A royal and a straight flush pay a third seat two bonuses and each other one."""
    rules = house(UTH)
    seats = {1: "As Ks", 2: "9s 8s", 3: "2c 2d"}
    played = play(rules, seated(rules, seats), community="Qs Js Ts 3h 4d", dealer="5c 5d")
    assert {1: 30_000, 2: 100_000, 3: 130_000} == {n: played.box(n).envy for n in seats}
    several = [(paid.seat, "11.J.2.e.iii" in paid.clauses) for paid in played.of(ev.EnvyPaid)]
    assert [(1, False), (2, False), (3, False), (3, True)] == sorted(several)
    assert [False, True] == [cited for seat, cited in several if seat == 3]


@pytest.mark.parametrize("game", [UTH, RUN])
@pytest.mark.parametrize(
    ("choices", "holder_wagers", "holder_folds", "watcher_folds", "envy"),
    [
        ({}, True, False, False, 100_000),
        ({}, False, False, False, 100_000),
        ({"envy_holder_must_wager": True}, False, False, False, 0),
        ({"envy_holder_must_wager": True}, True, False, False, 100_000),
        ({}, True, True, False, 100_000),
        ({}, False, True, False, 0),  # a folded hand without a live wager is in the discard rack
        ({}, True, False, True, 100_000),
        ({"envy_on_folded_hand": False}, True, True, False, 0),
        ({"envy_on_folded_hand": False}, True, False, True, 0),
        ({"envy_on_folded_hand": False}, True, False, False, 100_000),
    ],
)
def test_the_readings_of_envy(
    game: str,
    choices: dict[str, Any],
    holder_wagers: bool,
    holder_folds: bool,
    watcher_folds: bool,
    envy: int,
) -> None:
    """Whose hand pays an envy bonus and who receives one, by the submission (A52 to A54)."""
    seats = {
        2: watcher(game, "2c 7d", FOLDING[game] if watcher_folds else ""),
        4: watcher(
            game, "", FOLDING[game] if holder_folds else "", stake=100 if holder_wagers else 0
        ),
    }
    played = envied(game, choices, seats)
    assert envy == played.box(2).envy
