"""Rounds rebuilt from the record, and round search."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier.cards import names
from croupier.documents.formatting import json_values
from croupier.documents.reports import hand_history
from croupier.errors import BadInput
from croupier.ledger import Ledger, NotFound
from croupier.ledger.backup_and_export import write_round_proof
from croupier.ledger.queries.periods import period_between
from croupier.ledger.queries.round_search import (
    RoundQuery,
    check_irregularity,
    find_openings,
    find_refusals,
    find_rounds,
    search_rounds,
    summarize_round,
)
from croupier.ledger.queries.rounds import read_round_entries, rebuild_round
from croupier.ledger.round_index import IRREGULARITIES
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.scenario.replay import round_result
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import ANN, AT, SYSTEM, example_house, play_round, random_round
from tests.support.recorded_shifts import play_shift
from tests.support.rounds import EVERY_GAME, UTH, Seat, house, refuses

NOON = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def rounds_ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """Three rounds an hour apart: a royal flush with its jackpot, a fold, a void."""
    rounds = [
        {1: Seat("Ah Kh", "4x", "ann", ante=1000, blind=1000, progressive=100)},
        {2: Seat("2c 7d", "check check fold", "bob", ante=2000, blind=2000)},
        {3: Seat("9c 9d", "4x", "cleo", ante=1000, blind=1000)},
    ]
    path = tmp_path_factory.mktemp("hands") / "ledger.db"
    with manual_clock() as now, Ledger(path) as ledger:
        table = ledger.open_table("UTH-1", house(UTH), by=SYSTEM)
        for number, seats in enumerate(rounds):
            played = play_round(table, seats, at=now.at, dealer="3s 4s", community="Qh Jh Th 2s 3d")
            if number == 2:
                played.until("show")
                played.do(cmd.FindWrongNumber("dealer"))
            played.finish()
            now.hours(1)
        yield ledger


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_hand_is_rebuilt_card_by_card(lite: Ledger, game: str) -> None:
    """The cards in dealing order, and the result of each seat as at the table."""
    table, rng = lite.open_table("A", example_house(game), by=SYSTEM), random.Random(game)
    for number in range(1, 6):
        dealt = [
            event
            for events in random_round(table, rng, seats=3)
            for event in events
            if isinstance(event, ev.CardsDealt)
        ]
        built = rebuild_round(lite, "A", number)
        expected = round_result(table.table)

        assert [card for event in dealt for card in event.cards] == [c["card"] for c in built.cards]
        assert expected["dealer"] == built.dealer
        assert set(expected["community"]) == set(built.community)
        assert bool(built.void) == expected["void"]
        for number_of_seat, seat in expected["seats"].items():
            actual = built.seats[int(number_of_seat)]
            assert seat["cards"] == actual["cards"]
            assert seat["net"] == actual["net"]
            assert seat["envy"] == actual["envy"]
            settled = {w["wager"]: w["returned"] for w in actual["settled"]}
            assert {name: w["returned"] for name, w in seat["wagers"].items()} == settled


def test_a_hand_as_text_is_complete(rounds_ledger: Ledger) -> None:
    """People, times, cards, decisions, clauses, the award, and the leaf hash."""
    text = hand_history.text(rebuild_round(rounds_ledger, "UTH-1", 1))

    for piece in (
        "table UTH-1, round 1: Ultimate Texas Hold",
        "system ann",
        "2026-01-05T12:00:00.000Z",
        "seat 1, ann: Ah Kh",
        "preflop: 4x",
        "blind: $10.00 -> $5,010.00 [12.B.1.a]",
        "Ann's Blind $10 wins 500 to 1, +$5,000. [12.B.1.a 11.H.3.b]",
        "The mega meter pays Ann $10,000.04 and is now at $10,000. [12.D.4]",
        "The round is over; discard rack: Ah Kh ",
        "leaf ",
    ):
        assert piece in text
    assert "VOID" in hand_history.text(rebuild_round(rounds_ledger, "UTH-1", 3))


def test_a_hand_as_json_is_complete(rounds_ledger: Ledger) -> None:
    """Every event of the round with its time and actor."""
    data = json_values(rebuild_round(rounds_ledger, "UTH-1", 1))
    recorded = read_round_entries(rounds_ledger, "UTH-1", 1)

    assert [entry.sequence for entry in recorded] == [s["sequence"] for s in data["steps"]]
    assert [entry.position for entry in recorded] == data["positions"]
    assert recorded[-1].leaf.hex() == data["leaf"]
    assert {"system ann"} == {step["by"] for step in data["steps"]}
    assert "ann" == data["seats"]["1"]["player"]


def test_a_round_in_progress_is_rebuilt(lite: Ledger) -> None:
    """Up to its last entry."""
    random_round(lite.open_table("A", example_house(), by=SYSTEM), random.Random(1), stop_after=4)
    built = rebuild_round(lite, "A", 1)

    assert "" == built.closed
    assert built.seats


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_round_in_progress_shows_what_a_camera_sees(
    lite: Ledger, tmp_path: Path, game: str
) -> None:
    """No card that lies face down is in the hand or its steps, and no proof of it is exported."""
    concealed = set[str]()
    for length in (5, 6, 8, 10):
        table = lite.open_table(f"A{length}", example_house(game), by=SYSTEM)
        random_round(table, random.Random(length), stop_after=length, trouble=0.0)
        current = table.table.open_round
        if current is None:
            continue
        dealt = [card for card in current.left_deck if card is not None]
        hidden = set(names(card for card in dealt if card not in current.exposed))
        concealed |= hidden
        built = rebuild_round(lite, f"A{length}", 1)
        text = hand_history.text(built) + msgspec.json.encode(built).decode()
        assert [] == [card for card in hidden if re.search(rf"\b{card}\b", text)]
        with pytest.raises(BadInput, match="in progress"):
            write_round_proof(lite.store, built, "", tmp_path / "open.proof")
    assert concealed


def test_rounds_that_do_not_exist_are_not_found(rounds_ledger: Ledger) -> None:
    """Before the first, after the last, at another table."""
    for table, number in (("UTH-1", 0), ("UTH-1", -1), ("UTH-1", 4), ("Z", 1), ("UTH-1", 10**30)):
        with pytest.raises(NotFound):
            rebuild_round(rounds_ledger, table, number)


@pytest.mark.parametrize(
    ("criteria", "rounds"),
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
        ({"player": " ANN"}, [1]),
        ({"hand": "flush"}, [1]),
        ({"hand": "Four of a kind"}, []),
        ({"irregularity": "any"}, [3]),
        ({"irregularity": "wrong_number_of_cards"}, [3]),
        ({"irregularity": "shoe_jam"}, []),
        ({"dealer": "dana"}, []),
        ({"over": 0}, [1, 3]),
    ],
)
def test_rounds_are_found(
    rounds_ledger: Ledger, criteria: dict[str, object], rounds: list[int]
) -> None:
    """By any combination of criteria."""
    outer = {name: criteria.pop(name) for name in ("since", "until", "table") if name in criteria}
    query = RoundQuery(**criteria)  # type: ignore[arg-type]
    found = find_rounds(rounds_ledger, query, **outer)  # type: ignore[arg-type]
    assert rounds == [match.round for match in found]


def test_the_index_finds_the_rounds_that_match(lite: Ledger) -> None:
    """In random rounds at two tables, it finds as much as reading all of them."""
    rng = random.Random(11)
    for name in "AB":
        table = lite.open_table(name, example_house(), by=SYSTEM)
        for _ in range(12):
            random_round(table, rng, seats=3)
    every = list(find_rounds(lite, RoundQuery()))
    period = period_between(lite)
    hands = {hand for found in every for hand in found.hands}
    players = {player for found in every for player in found.players}
    assert 24 == len(every)
    for query in (
        *(RoundQuery(hand=hand) for hand in hands),
        *(RoundQuery(player=player) for player in players),
        *(RoundQuery(seat=seat) for seat in (1, 2, 3, 4)),
        *(RoundQuery(over=over) for over in (0, 1_000, 2_500, 4_000, 10_000)),
        *(RoundQuery(over=over, player=min(players), seat=1) for over in (0, 2_500)),
    ):
        expected = [
            (table, number)
            for table in "AB"
            for number in range(1, 13)
            if summarize_round(table, read_round_entries(lite, table, number), query)
        ]
        found = [(each.table, each.round) for each in find_rounds(lite, query)]
        openings = find_openings(lite, query, "AB", period)
        assert expected == sorted(found)
        if query.over is not None and not query.player:
            assert len(openings) == len(expected)  # so that no other round is read


def test_the_latest_rounds_come_first_in_pages(lite: Ledger) -> None:
    """A page ends after some matches, or after reading some rounds; the next one continues."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    for number in range(7):
        random_round(table, random.Random(number), seats=2)
    pages = []
    for matches, read in ((3, 99), (99, 3)):
        before, numbers = 0, []
        while True:
            page = search_rounds(
                lite,
                RoundQuery(),
                tables=["A"],
                before=before,
                rounds_max=matches,
                read_max=read,
            )
            numbers.append([found.round for found in page.rounds])
            before = page.before
            if not before:
                break
        pages.append(numbers)
    assert [[[7, 6, 5], [4, 3, 2], [1]]] * 2 == pages
    assert [] == search_rounds(lite, RoundQuery(), tables=[]).rounds


def test_rounds_are_found_by_dealer_and_irregularity(lite: Ledger) -> None:
    """Every irregularity that the record has is in the index, under a name that can be searched."""
    played = play_shift(lite, UTH, 31, acts=400)
    every = list(find_rounds(lite, RoundQuery()))
    dealers = {name for found in every for name in found.dealer.split(", ") if name}
    irregularities = {each for found in every for each in found.irregularities}

    assert dealers and irregularities
    assert irregularities <= set(IRREGULARITIES)
    for name in dealers:
        expected = [found.round for found in every if name in found.dealer.split(", ")]
        found = list(find_rounds(lite, RoundQuery(dealer=name.upper())))
        assert expected == [each.round for each in found if each.table == played.name]
    for name in irregularities:
        expected = [found.round for found in every if name in found.irregularities]
        assert expected == [e.round for e in find_rounds(lite, RoundQuery(irregularity=name))]
    with pytest.raises(BadInput, match="shoe_jam"):
        check_irregularity("sho jam")


def test_found_rounds_are_listed(rounds_ledger: Ledger) -> None:
    """One line per round, or a message if there is none."""
    assert "royal flush" in hand_history.rounds_text(
        list(find_rounds(rounds_ledger, RoundQuery(hand="royal flush")))
    )
    assert "no matching rounds\n" == hand_history.rounds_text([])
    with pytest.raises(NotFound, match="UTH-1"):
        list(find_rounds(rounds_ledger, RoundQuery(), table="Z"))


def test_hands_of_an_attended_table_are_rebuilt(lite: Ledger) -> None:
    """With the staff of the table."""
    played = play_shift(lite, UTH, 31, acts=150)
    rounds = played.table.rounds_played

    assert rounds
    for number in range(1, rounds + 1):
        built = rebuild_round(lite, played.name, number)
        assert built.people
        assert hand_history.text(built)


def test_refused_attempts_are_listed(lite: Ledger) -> None:
    """Who, what and the clause; by table, in the order of the log."""
    for name in "AB":
        table = lite.open_table(name, example_house(), by=SYSTEM)
        with refuses("7.F.1"):
            table.do(cmd.NoMoreBets(), ANN, AT)
        table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}), ANN)
    refusals = list(find_refusals(lite))

    assert [("table:A", "no_more_bets"), ("table:B", "no_more_bets")] == [
        (refusal.stream, refusal.what) for refusal in refusals
    ]
    assert ["table:B"] == [refusal.stream for refusal in find_refusals(lite, table="B")]
    assert "system ann  no_more_bets  refused by 7.F.1" in hand_history.attempts_text(refusals)
    assert "nothing was refused\n" == hand_history.attempts_text([])
    with pytest.raises(NotFound):
        list(find_refusals(lite, table="Z"))


def test_refused_commands_of_a_round_in_progress_name_no_cards(lite: Ledger) -> None:
    """Only their kind is shown until the round is over; those of earlier rounds are shown."""

    def attempt(card: str, clause: str = "10.A.2.a") -> None:
        with refuses(clause):
            table.do(cmd.ReadCards(1, (card,)), ANN, AT)
        lite.open_table(card, example_house(), by=SYSTEM)  # recorded after the refusal

    def shown() -> list[object]:
        attempts = list(find_refusals(lite))
        assert {"read_cards"} == {each.what for each in attempts}
        return [each.command.get("cards") for each in attempts]

    table = lite.open_table("A", example_house(), by=SYSTEM)
    attempt("2c")
    random_round(table, random.Random(1))
    attempt("3c")  # between rounds, perhaps of the next deck
    assert [["2c"], ["3c"]] == [list(cards) for cards in shown()]  # type: ignore[call-overload]
    random_round(table, random.Random(1), stop_after=5)
    assert table.table.open_round is not None
    attempt("4c", "10.B.3")
    assert [True, False, False] == [cards is not None for cards in shown()]
    text = hand_history.attempts_text(list(find_refusals(lite)))
    assert "2c" in text and not {"3c", "4c"} & {*re.findall(r"\dc", text)}


def test_control_characters_in_names_are_escaped(lite: Ledger) -> None:
    """In a hand and in a list."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}, "eve\x1b[2J\n=1+1"), ANN)
    table.do(cmd.NoMoreBets(), ANN)

    built = rebuild_round(lite, "A", 1)
    text = hand_history.text(built)
    assert "\x1b" not in text
    assert "\n=1" not in text
    assert all(
        "\x1b" not in hand_history.rounds_text([summary])
        for summary in find_rounds(lite, RoundQuery())
    )
