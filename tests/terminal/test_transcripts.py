"""Seeded sessions compared with golden transcripts: one per game, one at a full table."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.games import CATALOGUE
from croupier.terminal.io.styled_text import text_width
from tests.terminal.scripted_sessions import answer, golden

# Each session bets, changes bets, makes invalid input, plays two rounds and quits.
SESSIONS: dict[str, tuple[str, ...]] = {
    "texas_holdem_bonus": ("bonus 5", "", "2x", "check", "bet", "25", "", "fold", "v", "q"),
    "top_five": ("top on, poker 2", "", "1x", "ante 1000", "", "1", "q"),
    "ultimate_texas_holdem": (
        *("15, trips 5, prog on", "", "check", "3x", "2x", "six on", "bad 1", ""),
        *("c", "c", "f", "g", "q"),
    ),
    "jackpot_holdem": ("player 5", "progressive", "", "check", "check", "1x", "", "3", "q"),
    "run_em_twice": ("five 5, pairs 5, progressive on", "", "1", "2x", "3", "", "fold", "q"),
}


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_a_session_matches_the_golden_file(game: str, home: Path) -> None:
    """The same seed and answers print the same transcript, and money is conserved."""
    played = answer(home, *SESSIONS[game], game=game, seed=7)
    expected, actual = golden(f"sessions/{game}")(played.text)

    assert expected == actual
    assert played.status == 0
    assert len(played.nets) >= 2 and played.conserved()
    assert max(text_width(row) for row in actual.splitlines()) <= 80


def test_every_game_has_a_session() -> None:
    """A new game needs a transcript."""
    assert {game.key for game in CATALOGUE} == set(SESSIONS)


def test_a_full_table_matches_the_golden_file(home: Path) -> None:
    """Five bots act in seat order, and their results are in one line."""
    answers = ("progressive on", "", "check", "check", "1x", "q")
    played = answer(home, *answers, game="ultimate", seed=12, players=5, seats=[3])
    expected, actual = golden("sessions/full_table")(played.text)

    assert expected == actual
    assert played.conserved()


def test_the_menu_leads_to_every_game(home: Path) -> None:
    """A number, a name or a prefix opens a table; g goes back to the menu."""
    played = answer(home, "1", "g", "top", "g", "ultimate texas", "g", "JACK", "g", "run_em", "q")

    for game in CATALOGUE:
        assert f"{game.title} at Harbor Casino" in played.text
    assert played.status == 0


def test_the_same_seed_deals_the_same_cards(home: Path) -> None:
    """Two sessions with the same seed and bankroll are equal."""
    script = ("", "check", "check", "1x", "q")
    first = answer(home, *script, game="ultimate", bankroll=500)
    second = answer(home, *script, game="ultimate", bankroll=500)

    assert first.text == second.text
