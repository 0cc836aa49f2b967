"""The coach of the terminal: exact values, reviews, totals, and the drill."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from croupier.analysis import advise
from croupier.coach import (
    SolvedGame,
    add_round,
    coach_messages,
    collect_rounds,
    deck_is_close,
    find_close_deck,
    phrases,
    review_decisions,
    solve_game,
)
from croupier.errors import BadInput
from croupier.games import House
from croupier.submission import example
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.coach_thread import CoachThread
from croupier.terminal.render.bet_slip import minimum_stakes
from tests.terminal.scripted_sessions import ScriptedTable, answer, golden

GAME = "top_five"  # the fastest game to solve
Report = Callable[[float, str], None]


def test_a_coached_session_matches_the_golden_file(home: Path) -> None:
    """Mistakes are reported once, after their round; the totals add up."""
    script = ("", "h", "1x", "", "fold", "", "1x", "", "fold", "l", "q")
    played = answer(home, *script, game=GAME, seed=4, solve=solve_game)
    expected, actual = golden("sessions/coached")(played.text)

    assert expected == actual


def own_cards(text: str) -> str:
    """The player's cards on the last felt."""
    faces = re.findall(r"│ *(10|[2-9JQKA])([♣♦♥♠])│", text.rpartition("YOU")[2].split("└")[0])
    return " ".join(rank.replace("10", "T") + "cdhs"["♣♦♥♠".index(suit)] for rank, suit in faces)


def test_hints_show_exact_values(home: Path) -> None:
    """`h` shows the value of each option in dollars."""
    played = answer(home, "10", "", "h", "fold", "q", game=GAME, seed=4, solve=solve_game)
    before, shown = played.text.split("1x or fold> h")
    values = dict(advise(example(GAME), own_cards(before)))
    options = shown.partition("Your decision")[2].splitlines()[1:3]

    for row in options:
        word = row.split()[0]
        assert phrases.signed_dollars(round(values[word] * 1000)) in row
        assert ("best" in row) == (values[word] == max(values.values()))


def test_luck_is_net_minus_expected_plus_mistakes(home: Path) -> None:
    """Net = expected result of the bets - mistakes + luck, to the cent."""
    solved = solve_game(example(GAME))
    totals = coach_messages.NO_MISTAKES
    for net in (1000, -500, -1000):
        totals = add_round(totals, (), net=net, expected=solved.expected({"ante": 500}))

    assert Fraction(totals.expected) == 3 * 500 * (solved.returns["main"] - 1)
    assert totals.luck == round(totals.net - Fraction(totals.expected))
    assert "luck" in phrases.totals_line(totals)
    summary = phrases.session_summary(msgspec.structs.replace(totals, decisions=3))
    assert "bad luck cost $4.93" in summary


def test_the_game_does_not_wait_for_the_coach(home: Path) -> None:
    """While the game is being solved, the status shows the progress."""
    release = threading.Event()

    def slow(house: House, report: Report) -> SolvedGame:
        report(0.25, "counting")
        release.wait(20)
        return solve_game(house)

    coach = CoachThread(slow)
    house = example(GAME)
    coach.start(house)
    assert coach.solved(house) is None
    assert "(25%)" in coach.status(house)
    release.set()
    assert coach.solved(house, wait=True) is not None
    assert "" == coach.status(house)


def test_a_late_review_names_its_round(home: Path) -> None:
    """It comes before the result of the current round."""
    release = threading.Event()

    def slow(house: House, report: Report) -> SolvedGame:
        release.wait(20)
        return solve_game(house)

    scripted = ScriptedTable(example(GAME), *["fold"] * 3)
    coach = scripted.session.coach = CoachThread(slow)
    scripted.session.play_round()
    scripted.session.play_round()
    release.set()
    coach.solved(example(GAME), wait=True)
    scripted.session.play_round()
    lines = scripted.text.splitlines()
    rows = [row for row in lines if row.startswith(("Coach", "Round 3: You"))]

    assert rows[0].startswith("Coach, round 1: “1x” on seven cards was worth")
    assert rows[1].startswith("Round 3: You")
    assert all(row.startswith("Coach: ") for row in rows[2:])


def test_a_drill_deals_only_close_decisions(home: Path) -> None:
    """Every deck of a drill has a close decision; most other decks have none."""
    solved = solve_game(example(GAME))
    shuffler = Shuffler(5)
    stakes = minimum_stakes(solved.house)
    decks = [find_close_deck(solved, 1, stakes, shuffler) for _ in range(3)]
    plain = [Shuffler(seed).deck() for seed in range(20)]

    assert all(deck_is_close(solved, 1, stakes, deck) for deck in decks)
    assert not all(deck_is_close(solved, 1, stakes, deck) for deck in plain)
    played = answer(home, "", "h", "1x", "q", game=GAME, seed=5, solve=solve_game, drill=True)
    assert "1 decision in 1 round" in played.text


def test_a_drill_needs_a_coach_and_one_seat() -> None:
    """Other options are errors."""
    with pytest.raises(BadInput, match="coach"):
        answer(Path(), "q", game=GAME, drill=True)
    with pytest.raises(BadInput, match="one seat"):
        answer(Path(), "q", game=GAME, drill=True, solve=solve_game, players=1)


def test_a_game_that_cannot_be_solved(home: Path) -> None:
    """A hint shows the error, and the game goes on."""

    def broken(house: House, report: Report) -> SolvedGame:
        raise BadInput("no kernel")

    played = answer(home, "", "h", "fold", "q", game=GAME, solve=broken)

    assert "the coach cannot solve this game: no kernel" in played.text
    assert played.conserved() and 0 == played.status


def test_bots_play_perfectly_once_the_game_is_solved(home: Path) -> None:
    """The coach finds no mistake in their decisions."""
    scripted = ScriptedTable(example(GAME), "fold", players=2)
    scripted.session.coach = CoachThread(solve_game, wait=True)
    scripted.session.play_round()
    solved = solve_game(example(GAME))
    played = next(iter(collect_rounds(example(GAME), scripted.opened.events, None)))
    decisions = [item for item in played.decisions if played.players[item.seat] != "you"]

    assert 2 == len(decisions)
    assert all(0 == choice.cost for choice in review_decisions(solved.strategy, decisions))
