"""Hands rebuilt from the record alone, and found again."""

from __future__ import annotations

import datetime as dt
import json
import random
from collections.abc import Iterator

import pytest

from croupier.documents.reports import hand_history
from croupier.ledger import Ledger, NotFound
from croupier.ledger.queries.round_search import find, refused
from croupier.ledger.queries.rounds import hand, read_round
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.scenario.replay import round_result
from tests.support.manual_clock import clock
from tests.support.recorded_rounds import ANN, AT, SYSTEM, example, play, random_round
from tests.support.recorded_shifts import shift
from tests.support.rounds import EVERY_GAME, UTH, Seat, house, refuses

NOON = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """Three rounds an hour apart: a royal flush with its jackpot, a fold, a void."""
    rounds = [
        {1: Seat("Ah Kh", "4x", "ann", ante=1000, blind=1000, progressive=100)},
        {2: Seat("2c 7d", "check check fold", "bob", ante=2000, blind=2000)},
        {3: Seat("9c 9d", "4x", "cleo", ante=1000, blind=1000)},
    ]
    path = tmp_path_factory.mktemp("hands") / "ledger.db"
    with clock() as now, Ledger(path) as ledger:
        table = ledger.open_table("UTH-1", house(UTH), by=SYSTEM)
        for number, seats in enumerate(rounds):
            played = play(table, seats, at=now.at, dealer="3s 4s", community="Qh Jh Th 2s 3d")
            if number == 2:
                played.until("show")
                played.do(cmd.FindWrongNumber("dealer"))
            played.finish()
            now.hours(1)
        yield ledger


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_hand_is_rebuilt_card_by_card(lite: Ledger, game: str) -> None:
    """The cards in the order they left the deck, and each seat's result as the table had it."""
    table, rng = lite.open_table("A", example(game), by=SYSTEM), random.Random(game)
    for number in range(1, 6):
        dealt = [
            event
            for events in random_round(table, rng, seats=3)
            for event in events
            if isinstance(event, ev.CardsDealt)
        ]
        built = hand(lite, "A", number)
        told = round_result(table.table)

        assert [card for event in dealt for card in event.cards] == [c["card"] for c in built.cards]
        assert told["dealer"] == built.dealer
        assert set(told["community"]) == set(built.community)
        assert bool(built.void) == told["void"]
        for seat, one in told["seats"].items():
            mine = built.seats[int(seat)]
            assert one["cards"] == mine["cards"]
            assert one["net"] == mine["net"]
            assert one["envy"] == mine["envy"]
            settled = {w["wager"]: w["returned"] for w in mine["settled"]}
            assert {name: w["returned"] for name, w in one["wagers"].items()} == settled


def test_a_hand_as_text_says_everything(shown: Ledger) -> None:
    """People, times, cards, decisions, clauses, the award, and what proves it."""
    told = hand_history.text(hand(shown, "UTH-1", 1))

    for piece in (
        "table UTH-1, round 1: Ultimate Texas Hold",
        "dealer ann",
        "2026-01-05T12:00:00.000Z",
        "seat 1, ann: Ah Kh",
        "preflop: 4x",
        "blind: $10.00 win at 500 to 1, returned $5,010.00 [12.B.1.a]",
        "meter mega paid seat 1 $10,000.04",
        "leaf ",
    ):
        assert piece in told
    assert "VOID" in hand_history.text(hand(shown, "UTH-1", 3))


def test_a_hand_as_json_is_complete(shown: Ledger) -> None:
    """Every event of the round with its time and actor."""
    data = json.loads(hand_history.as_json(hand(shown, "UTH-1", 1)))
    recorded = read_round(shown, "UTH-1", 1)

    assert [each.sequence for each in recorded] == [s["sequence"] for s in data["steps"]]
    assert [each.position for each in recorded] == data["positions"]
    assert recorded[-1].leaf.hex() == data["leaf"]
    assert {"dealer ann"} == {step["by"] for step in data["steps"]}
    assert "ann" == data["seats"]["1"]["player"]


def test_a_round_in_progress_is_shown_as_far_as_it_went(lite: Ledger) -> None:
    """It has no end yet."""
    random_round(lite.open_table("A", example(), by=SYSTEM), random.Random(1), stop_after=4)
    built = hand(lite, "A", 1)

    assert "" == built.closed
    assert built.seats


def test_rounds_that_do_not_exist_are_not_found(shown: Ledger) -> None:
    """Before the first, after the last, at another table."""
    for table, number in (("UTH-1", 0), ("UTH-1", -1), ("UTH-1", 4), ("Z", 1), ("UTH-1", 10**30)):
        with pytest.raises(NotFound):
            hand(shown, table, number)


@pytest.mark.parametrize(
    ("wanted", "rounds"),
    [
        ({}, [1, 2, 3]),
        ({"seat": 2}, [2]),
        ({"player": "cleo"}, [3]),
        ({"hand": "royal_flush"}, [1]),
        ({"hand": "Royal Flush"}, [1]),
        ({"over": 1_000_000}, [1]),
        ({"over": 10_000_000}, []),
        ({"wager": "progressive"}, [1]),
        ({"void": True}, [3]),
        ({"void": False}, [1, 2]),
        ({"since": NOON + dt.timedelta(minutes=30)}, [2, 3]),
        ({"until": NOON + dt.timedelta(minutes=90)}, [1, 2]),
        ({"since": NOON + dt.timedelta(minutes=30), "void": False}, [2]),
        ({"seat": 1, "player": "bob"}, []),
        ({"table": "UTH-1", "seat": 3}, [3]),
    ],
)
def test_rounds_are_found(shown: Ledger, wanted: dict[str, object], rounds: list[int]) -> None:
    """By whatever one remembers of them."""
    assert rounds == [found.round for found in find(shown, **wanted)]  # type: ignore[arg-type]


def test_found_rounds_are_listed(shown: Ledger) -> None:
    """A line each, or a sentence."""
    assert "royal flush" in hand_history.listing(list(find(shown, hand="royal flush")))
    assert "no round answers\n" == hand_history.listing([])
    with pytest.raises(NotFound, match="UTH-1"):
        list(find(shown, table="Z"))


def test_hands_of_an_attended_table_are_rebuilt(lite: Ledger) -> None:
    """The people of the floor are in the record too."""
    played = shift(lite, UTH, 31, acts=150)
    rounds = played.table.rounds_played

    assert rounds
    for number in range(1, rounds + 1):
        built = hand(lite, played.name, number)
        assert built.people
        assert hand_history.text(built)


def test_refused_attempts_are_listed(lite: Ledger) -> None:
    """Who, what and the clause; by table, and in the order of the record."""
    for name in "AB":
        table = lite.open_table(name, example(), by=SYSTEM)
        with refuses("7.F.1"):
            table.do(cmd.NoMoreBets(), ANN, AT)
        table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}), ANN)
    found = list(refused(lite))

    assert [("table:A", "no_more_bets"), ("table:B", "no_more_bets")] == [
        (each.stream, each.what) for each in found
    ]
    assert ["table:B"] == [each.stream for each in refused(lite, table="B")]
    assert "dealer ann  no_more_bets  refused by 7.F.1" in hand_history.attempts(found)
    assert "nothing was refused\n" == hand_history.attempts([])
    with pytest.raises(NotFound):
        list(refused(lite, table="Z"))


def test_names_cannot_act_where_they_are_shown(lite: Ledger) -> None:
    """Neither in a hand nor in a list."""
    table = lite.open_table("A", example(), by=SYSTEM)
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}, "eve\x1b[2J\n=1+1"), ANN)
    table.do(cmd.NoMoreBets(), ANN)

    told = hand_history.text(hand(lite, "A", 1)) + hand_history.as_json(hand(lite, "A", 1))
    assert "\x1b" not in told
    assert "\n=1" not in told
    assert all("\x1b" not in hand_history.listing([each]) for each in find(lite))
