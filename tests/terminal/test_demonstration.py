"""The demonstration runs without a terminal and exits with status 0."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier import terminal
from croupier.coach import SolvedGame, solve_game
from croupier.errors import BadInput, UnknownGame
from croupier.games import CATALOGUE, House
from croupier.submission import example_path
from croupier.terminal.io.styled_text import text_width
from tests.support.rounds import refuses
from tests.support.run_python import run_python

RUN = "import sys; from croupier import terminal; sys.exit(terminal.play())"


def demonstration(**options: object) -> str:
    """The output of a demonstration."""
    output = io.StringIO()
    status = terminal.play(stdin=io.StringIO(), stdout=output, **options)  # type: ignore[arg-type]
    assert status == 0
    return output.getvalue()


def test_every_game_is_demonstrated(home: Path) -> None:
    """Each in a few dozen lines, with clauses and their summaries, and the net result."""
    text = demonstration()
    parts = text.split("\n== ")[1:]

    assert [game.title for game in CATALOGUE] == [part.split(" ==")[0] for part in parts]
    for part in parts:
        assert 24 <= len(part.splitlines()) <= 75
        assert part.count("[") > 10
        assert "Round 1: You " in part
    assert max(map(text_width, text.splitlines())) <= 80
    assert not home.exists(), "a demonstration does not touch the bankroll"


def test_perfect_play_decides() -> None:
    """With a solver, every decision shows its advantage over the next best option."""
    solved: list[str] = []

    def solve(house: House, progress: object) -> SolvedGame:
        solved.append(house.game.key)
        return solve_game(house)

    text = demonstration(game="ultimate", seed=3, best=solve)

    assert ["ultimate_texas_holdem"] == solved
    assert "made by perfect play" in text and "a simple bot" not in text
    reasons = [row for row in text.splitlines() if "Reason: " in row]
    assert "You check. [11.B.2.b] Reason: worth $9.60 more than 3x." in reasons[0]
    assert "Reason: worth $4.96 more than 1x." in reasons[2]


def test_one_game_can_be_demonstrated() -> None:
    """With a game and a seed."""
    first, second = (demonstration(game="run em", seed=seed) for seed in (1, 2))

    assert 1 == first.count("\n== ") and "seed 1." in first
    assert first != second


def test_many_seeds_are_demonstrated() -> None:
    """It works with any deck."""
    for seed in range(25):
        assert demonstration(seed=seed).count("Round 1: You") == len(CATALOGUE)


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are closed in a POSIX shell")
@pytest.mark.parametrize("redirection", ["<&-", "</dev/null", "< <(sleep 5 >/dev/null 2>&1)"])
def test_it_ends_without_input(redirection: str, tmp_path: Path) -> None:
    """Standard input is closed, empty, or a silent pipe."""
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "{RUN}" {redirection}'],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        env=os.environ | {"CROUPIER_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert "End of the demonstration." in done.stdout


def test_answers_are_read_from_a_pipe_when_seeded(tmp_path: Path) -> None:
    """With a seed, standard input is read to its end."""
    done = run_python(
        "-c",
        RUN.replace("play()", "play(seed=3)"),
        input="2\n\n1x\n",
        timeout=60,
        env=os.environ | {"CROUPIER_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert "Play " in done.stdout and "You leave with" in done.stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"game": "blackjack"}, "unknown game 'blackjack'"),
        ({"seats": [0]}, "expected 1 to 6"),
        ({"seats": [7]}, "expected 1 to 6"),
        ({"players": 6}, "expected 0 to 5"),
        ({"players": -1}, "expected 0 to 5"),
        ({"seats": [1, 2], "players": 5}, "expected 0 to 4"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], problem: str) -> None:
    """Each is a CroupierError."""
    with pytest.raises((BadInput, UnknownGame), match=problem):
        terminal.play(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"seats": [4]}, "seat 4: expected 1 to 3"),
        ({"players": 3}, "3 other players: expected 0 to 2 at a table of 3"),
    ],
)
def test_a_table_with_three_positions(
    options: dict[str, object], problem: str, tmp_path: Path
) -> None:
    """The seats are those of the submission."""
    file = tmp_path / "three.toml"
    text = example_path("jackpot_holdem").read_text("utf-8")
    file.write_text(text.replace("positions = 6", "positions = 3"), "utf-8")
    with pytest.raises(BadInput, match=problem):
        terminal.play(submission=file, **options)  # type: ignore[arg-type]


def test_the_table_checks_the_seats(home: Path) -> None:
    """Seats that are not adjacent, or too many, are refused with the clause."""
    for seats in ([1, 3], [1, 2, 3]):
        with refuses("7.G"):
            terminal.play(
                game="ultimate",
                seats=seats,
                answers=True,
                stdin=io.StringIO("q\n"),
                stdout=io.StringIO(),
            )
