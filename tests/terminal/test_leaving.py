"""Quitting at any prompt: no traceback, the round is settled, and money is conserved."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.games import CATALOGUE
from tests.support.run_python import run_python
from tests.terminal.scripted_sessions import Typed, answer, typed

GAMES = [game.key for game in CATALOGUE]
CTRL_C = KeyboardInterrupt
# The longest round, checking as long as possible.
ROUND = ("", "check", "check", "1x", "", "1x", "1x", "1x", "fold")
WAYS: dict[str, tuple[Typed, ...]] = {
    "end of input": (),
    "q": ("q", "y"),
    "quit, no, quit": ("quit", "n", "q", "yes"),
    "Ctrl-C twice": (CTRL_C, CTRL_C),
    "Ctrl-C, end": (CTRL_C,),
    "Ctrl-C among the rules": ("?", CTRL_C, CTRL_C, CTRL_C),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_leaving_at_every_prompt(game: str, way: str, tmp_path: Path) -> None:
    """The player quits after each number of answers; the bankroll is what was settled."""
    for count in range(len(ROUND) + 1):
        folder = tmp_path / "home"
        played = typed(folder, *ROUND[:count], *WAYS[way], game=game, bankroll=1000)

        assert played.status == 0
        assert played.conserved(), played.text
        assert "You leave with" in played.text


def test_quitting_adds_no_chips(home: Path) -> None:
    """Ultimate: two checks, then a fold; Trips is settled although the hand is folded."""
    played = typed(home, "trips 5", "", "q", "y", game="ultimate")

    assert "You fold. [11.F]" in played.text
    assert "Your hand stays in play for Trips. [11.F.3.a]" in played.text
    assert "Ante $5 loses: you folded [11.F.2]" in played.text
    assert "Trips $5 wins 6 to 1, +$30: your best five of seven cards: flush" in played.text
    assert played.nets == [20_00] and played.conserved()


def test_quitting_at_the_menu(home: Path) -> None:
    """No round is played."""
    for keys in (("q",), (), (CTRL_C,)):
        played = typed(home, *keys)

        assert played.status == 0 and not played.nets


def test_the_round_goes_on_after_no(home: Path) -> None:
    """Ctrl-C asks for confirmation."""
    played = typed(home, "", CTRL_C, "no", "4x", "q", game="ultimate")

    assert "You bet 4x: Play $20" in played.text
    assert played.conserved()


ANSWERS = st.sampled_from(
    ["", "", "", "check", "c", "1x", "2", "3x", "4", "fold", "f", "?", "r", "h", "v", "q", "y", "n"]
    + ["g", "1", "3", "5", "25", "min", "trips 5", "progressive on", "bonus off", "player", "b"]
    + ["ante 500", "999999999", "-5", "$7", "?? 11", "? a1", "[bold]", "\x1b[31m", "play", "0.001"]
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    answers=st.lists(ANSWERS | st.text(max_size=12), max_size=40),
    seed=st.integers(0, 10**9),
    players=st.integers(0, 5),
    bankroll=st.sampled_from([5, 12, 60, 1000]),
)
def test_no_answers_break_the_session(
    answers: list[str], seed: int, players: int, bankroll: int, tmp_path: Path
) -> None:
    """With any answers the session ends and money is conserved."""
    lines = [line.replace("\n", " ").replace("\r", " ") for line in answers]
    played = answer(tmp_path / "home", *lines, seed=seed, players=players, bankroll=bankroll)

    assert played.status == 0
    assert played.conserved()


BUSY = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
from croupier import cli, submission, terminal
from croupier.terminal.coach_thread import SolverTask
pool = ThreadPoolExecutor(1)
solving = threading.Event()
def solve(house, report):
    asked = pool.submit(threading.Event().wait, 60)
    solving.set()
    return asked.result()
SolverTask(submission.example("top_five"), solve)
solving.wait()
sys.argv = ["croupier", "--version"]
cli.main()
"""


def test_the_program_exits_while_the_coach_is_solving() -> None:
    """The threads of the solver do not keep the process alive."""
    done = run_python("-c", BUSY, timeout=30)

    assert (0, "croupier ") == (done.returncode, done.stdout[:9]), done.stderr
