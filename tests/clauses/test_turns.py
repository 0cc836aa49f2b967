"""The end of a round: seat after seat, each with its hand and its payments (A150, A151)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from croupier import submission
from croupier.errors import BadSubmission
from croupier.table import Account, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from tests.clauses.examples import STAYING
from tests.support.rounds import (
    EVERY_GAME,
    JACKPOT,
    RUN,
    THB,
    TOP,
    UTH,
    Play,
    Seat,
    house,
    opening_wagers,
    refuses,
    submission_data,
)

DEALER = Account("dealer", "system")
ORDER = {
    THB: "11.I.3 11.I.3.c",
    TOP: "11.C 11.C.5",
    UTH: "11.H.2 11.H.2.d",
    JACKPOT: "11.I.2 11.I.2.d",
    RUN: "11.I 11.I.3",
}
in_order = pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, *c.split())) for g, c in ORDER.items()]
)


def three_seats(game: str, folds: str = "", **choices: Any) -> Play:
    """Three seats without side wagers, ready to be settled; `folds` are the words of seat 3."""
    rules = house(game, **choices)
    seats = {
        seat: Seat("", folds if seat == 3 and folds else STAYING[game], **opening_wagers(rules))
        for seat in (1, 3, 6)
    }
    return Play(rules, seats).until("settle")


def told(events: Sequence[ev.Event]) -> list[tuple[str, int]]:
    """What is shown and paid, by seat; the payments of a seat count once."""
    order: list[tuple[str, int]] = []
    for event in events:
        match event:
            case ev.HandAnnounced(seat=seat):
                order.append(("hand", seat))
            case ev.CardsTurned(places=places):
                order.append(("turned", places[0] if isinstance(places[0], int) else 0))
            case ev.WagerSettled(seat=seat) if order[-1:] != [("paid", seat)]:
                order.append(("paid", seat))
            case ev.HandsShown():
                order.append(("all up", 0))
    return order


def dealer_first(game: str) -> list[tuple[str, int]]:
    """The dealer's hand, if the game has one."""
    return [] if game == RUN else [("hand", 0)]


@pytest.mark.upholds("A150")
@pytest.mark.parametrize("game", [TOP, UTH, JACKPOT, RUN])
def test_the_order_is_a_choice_where_the_text_is_unclear(game: str) -> None:
    """All hands first, then the payments in the same order; the same results."""
    events = three_seats(game, showdown_order="all_first").do(cmd.Settle())
    hands = [("hand", 6), ("hand", 3), ("hand", 1), ("all up", 0)]
    paid = [("paid", 6), ("paid", 3), ("paid", 1)]
    assert [*dealer_first(game), *hands, *paid] == told(events)
    one = three_seats(game).finish()
    assert set(one.of(ev.WagerSettled)) == {
        event for event in events if isinstance(event, ev.WagerSettled)
    }


@pytest.mark.proves(THB, "11.I.3")
def test_texas_has_no_choice() -> None:
    """Its text says "in succession for each player"."""
    with pytest.raises(BadSubmission) as caught:
        submission.build(submission_data(THB, showdown_order="all_first"))
    (issue,) = [i for i in caught.value.issues if i.field == "choices.showdown_order"]
    assert "11.I.3" == issue.clause


@in_order
def test_a_hand_is_turned_announced_and_resolved_before_the_next(game: str) -> None:
    """In one entry at a table without people, from the dealer's right."""
    events = three_seats(game).do(cmd.Settle())
    last = [("hand", 1), ("all up", 0), ("paid", 1)]
    expected = [("hand", 6), ("paid", 6), ("hand", 3), ("paid", 3), *last]
    assert [*dealer_first(game), *expected] == told(events)


@in_order
def test_a_seat_is_turned_up_and_settled_in_one_entry(game: str) -> None:
    """`SettleSeat` takes one turn; the others stay face down, and `Settle` closes the round."""
    round_ = three_seats(game)
    clause = ORDER[game].split()[0]
    with refuses(clause):
        round_.do(cmd.Showdown())
    table = round_.table
    with refuses(clause, match="settle seat 6 next"):
        round_.do(cmd.SettleSeat(3))
    assert [*dealer_first(game), ("hand", 6), ("paid", 6)] == told(round_.do(cmd.SettleSeat(6)))
    assert table.round is not None
    assert not table.round.exposed.intersection(table.round.boxes[3].cards)
    assert [("hand", 3), ("paid", 3)] == told(round_.do(cmd.SettleSeat(3)))
    events = round_.do(cmd.Settle())
    assert [("hand", 1), ("all up", 0), ("paid", 1)] == told(events)
    assert isinstance(events[-1], ev.RoundClosed)
    assert Table.replay(round_.house, round_.events) == table


FOLD = {THB: "fold", TOP: "fold", UTH: "check check fold", JACKPOT: "check check fold"}


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_folded_seat_takes_no_turn(game: str) -> None:
    """Its wagers are collected already; its loss is recorded on the way, its hand stays down."""
    round_ = three_seats(game, FOLD.get(game, "1x fold"))
    round_.do(cmd.SettleSeat(6))
    assert not round_.box(3).settled
    round_.do(cmd.SettleSeat(1))
    assert {"lose"} == set(round_.outcomes(3).values())
    round_.finish()
    current = round_.table.round
    assert current is not None
    assert not current.exposed.intersection(round_.box(3).cards)


SIDE = {THB: "texas_holdem_bonus", TOP: "poker_bonus", UTH: "trips", JACKPOT: "player_bonus"}


@pytest.mark.parametrize("game", list(SIDE))
def test_a_folded_hand_with_a_side_wager_is_turned_up_at_its_turn(game: str) -> None:
    """Between the seats to its right and to its left, without an announcement."""
    rules = house(game)
    seats = {
        seat: Seat("", words, **opening_wagers(rules, 1000, **more))
        for seat, words, more in (
            (1, STAYING[game], {}),
            (3, FOLD[game], {SIDE[game]: 500}),
            (6, STAYING[game], {}),
        )
    }
    round_ = Play(rules, seats).until("settle")
    round_.do(cmd.SettleSeat(6))
    assert [("turned", 3), ("paid", 3)] == told(round_.do(cmd.SettleSeat(3)))


@pytest.mark.proves(UTH, "7.F.7")
def test_a_wager_on_the_board_alone_turns_no_hand_up() -> None:
    """Play the Board of a folded seat is settled with the hand face down."""
    rules = house(UTH)
    seat = Seat("", FOLD[UTH], **opening_wagers(rules, 1000, play_the_board=500))
    round_ = Play(rules, {2: seat}).finish()
    assert round_.table.round is not None
    assert not round_.table.round.exposed.intersection(round_.box(2).cards)
    assert "play_the_board" in round_.box(2).settled


BONUSES = {6: {"five_card_bonus": 500}, 3: {"ultimate_pairs_bonus": 500}, 1: {"progressive": 100}}


@pytest.mark.upholds("A151")
@pytest.mark.proves(RUN, "11.H", "11.I", "11.J")
def test_run_em_twice_goes_around_three_times() -> None:
    """Bonuses, runs, progressive; each hand is turned up as late as its wagers allow."""
    rules = house(RUN)
    words = {6: "1x 1x 1x", 3: "1x 1x 1x", 1: "1x fold"}
    seats = {
        seat: Seat("", words[seat], **opening_wagers(rules, 1000, **more))
        for seat, more in BONUSES.items()
    }
    events = Play(rules, seats).until("settle").do(cmd.Settle())
    assert [
        ("paid", 6),  # the bonus on the cross alone turns nothing up
        ("turned", 3),
        ("paid", 3),
        ("hand", 6),
        ("paid", 6),
        ("hand", 3),
        ("paid", 3),
        ("paid", 1),  # the wagers lost by folding
        ("turned", 1),
        ("all up", 0),
        ("paid", 1),
    ] == told(events)
    (kept,) = Play(rules, seats).finish().of(ev.HandKept)
    assert "A151" in kept.clauses
