"""The coach at the terminal: exact grades, told once, an account that adds up, and the drill."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from croupier.analysis import advise
from croupier.coach import Best, added, coach_messages, follow, phrases, solved, valued_all
from croupier.errors import BadInput
from croupier.games import House
from croupier.submission import example
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.coach_thread import CoachThread
from croupier.terminal.drill import close_deck, is_close
from tests.terminal.scripted_sessions import Evening as TableEvening
from tests.terminal.scripted_sessions import answer, golden

GAME = "top_five"  # solved in a moment
Report = Callable[[float, str], None]


def test_a_coached_evening_reads_as_it_did(home: Path) -> None:
    """Mistakes are told once after their round, right decisions are not, the account adds up."""
    script = ("", "h", "1x", "", "fold", "", "1x", "", "fold", "l", "q")
    played = answer(home, *script, game=GAME, seed=4, solve=solved)
    expected, actual = golden("sessions/coached")(played.text)

    assert expected == actual


def own_cards(text: str) -> str:
    """The person's cards as the last felt shows them."""
    faces = re.findall(r"│ *(10|[2-9JQKA])([♣♦♥♠])│", text.rpartition("YOU")[2].split("└")[0])
    return " ".join(rank.replace("10", "T") + "cdhs"["♣♦♥♠".index(suit)] for rank, suit in faces)


def test_worths_are_those_of_the_study(home: Path) -> None:
    """`h` shows each option in dollars beside its word: the exact worth, times the ante."""
    played = answer(home, "10", "", "h", "fold", "q", game=GAME, seed=4, solve=solved)
    before, shown = played.text.split("1x or fold> h")
    worth = dict(advise(example(GAME), own_cards(before)))
    options = shown.partition("Your decision")[2].splitlines()[1:3]

    for row in options:
        word = row.split()[0]
        assert phrases.signed(round(worth[word] * 1000)) in row
        assert ("best" in row) == (worth[word] == max(worth.values()))


def test_the_account_is_net_less_worth_and_mistakes(home: Path) -> None:
    """Result = worth of the bets under the best play - mistakes + luck, to the cent."""
    best = solved(example(GAME))
    account = coach_messages.NOTHING
    for net in (1000, -500, -1000):
        account = added(account, (), net=net, expected=best.expected({"ante": 500}))

    assert Fraction(account.expected) == 3 * 500 * (best.returns["main"] - 1)
    assert account.luck == round(account.net - Fraction(account.expected))
    assert "luck" in phrases.account(account)
    assert "luck took $4.93" in phrases.summary(msgspec.structs.replace(account, decisions=3))


def test_nobody_waits_for_the_coach(home: Path) -> None:
    """A person plays on while the best play is worked out, and h says how far that is."""
    release = threading.Event()

    def slow(house: House, report: Report) -> Best:
        report(0.25, "counting")
        release.wait(20)
        return solved(house)

    tutor = CoachThread(slow)
    house = example(GAME)
    tutor.begin(house)
    assert tutor.best(house) is None
    assert "(25%)" in tutor.working(house)
    release.set()
    assert tutor.best(house, wait=True) is not None
    assert "" == tutor.working(house)


def test_a_round_that_waited_for_the_coach_is_named(home: Path) -> None:
    """Its mistake is told before what is new, and not taken for one of the round just played."""
    release = threading.Event()

    def slow(house: House, report: Report) -> Best:
        release.wait(20)
        return solved(house)

    evening = TableEvening(example(GAME), *["fold"] * 3)
    tutor = evening.sitting.tutor = CoachThread(slow)
    evening.sitting.play_round()
    evening.sitting.play_round()
    release.set()
    tutor.best(example(GAME), wait=True)
    evening.sitting.play_round()
    lines = evening.text.splitlines()
    told = [row for row in lines if row.startswith(("Coach", "Round 3: net"))]

    assert told[0].startswith("Coach, round 1: The decision that mattered was “fold”")
    assert told[1].startswith("Round 3: net")
    assert all(row.startswith("Coach: ") for row in told[2:])


def test_a_drill_deals_only_close_decisions(home: Path) -> None:
    """Every deck of a drill has a decision that is nearly even; others mostly have none."""
    best = solved(example(GAME))
    shuffler = Shuffler(5)
    decks = [close_deck(best, 1, shuffler) for _ in range(3)]
    plain = [Shuffler(seed).deck() for seed in range(20)]

    assert all(is_close(best, 1, deck) for deck in decks)
    assert not all(is_close(best, 1, deck) for deck in plain)
    played = answer(home, "", "h", "1x", "q", game=GAME, seed=5, solve=solved, drill=True)
    assert "1 decision in 1 round" in played.text


def test_a_drill_needs_a_coach_and_one_box() -> None:
    """Refused before anything is shown."""
    with pytest.raises(BadInput, match="coach"):
        answer(Path(), "q", game=GAME, drill=True)
    with pytest.raises(BadInput, match="one box"):
        answer(Path(), "q", game=GAME, drill=True, solve=solved, players=1)


def test_a_table_that_cannot_be_worked_out_is_told_about(home: Path) -> None:
    """The game goes on without the coach."""

    def broken(house: House, report: Report) -> Best:
        raise BadInput("no kernel")

    played = answer(home, "", "h", "fold", "q", game=GAME, solve=broken)

    assert "the coach cannot work out this table: no kernel" in played.text
    assert played.conserved() and 0 == played.status


def test_the_others_play_best_once_the_coach_knows_how(home: Path) -> None:
    """A companion's decision is never one that the coach would call a mistake."""
    evening = TableEvening(example(GAME), "fold", players=2)
    evening.sitting.tutor = CoachThread(solved, patient=True)
    evening.sitting.play_round()
    best = solved(example(GAME))
    played = next(iter(follow(example(GAME), evening.opened.events, None)))
    others = [asked for asked in played.asked if played.players[asked.seat] != "you"]

    assert 2 == len(others)
    assert all(0 == choice.cost for choice in valued_all(best.strategy, others))
