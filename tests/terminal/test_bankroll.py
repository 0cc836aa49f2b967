"""The bankroll is remembered, and no accident with its file makes or loses money."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from croupier import terminal
from croupier.errors import BadInput
from croupier.games import GAMES
from croupier.submission import example
from croupier.terminal.bankroll import BUY_IN, FILE, Bank, home
from tests.terminal.scripted_sessions import answer


def test_the_bankroll_is_there_the_next_evening(home: Path) -> None:
    """What one session leaves the next one finds, with the last bets."""
    first = answer(home, "25", "", "1x", "q", game="top five")
    second = answer(home, "q", game="top five", seed=2)

    assert first.bankroll != BUY_IN and first.conserved()
    assert first.bankroll == second.bankroll
    assert "● Ante                  $25" in second.text


def test_a_given_bankroll_starts_over(home: Path) -> None:
    """`--bankroll` replaces what was remembered, as a new buy-in."""
    answer(home, "", "f", "q", game="top five")
    played = answer(home, "q", game="top five", bankroll="$250.50")

    assert (played.bankroll, played.bought) == (250_50, 250_50)


@pytest.mark.parametrize("value", ["0", "-5", "ten", "1e40", "0.001", True, "nan", 10**12])
def test_a_bankroll_is_an_amount_of_money(value: object, home: Path) -> None:
    """Anything else is refused before a file is touched."""
    with pytest.raises(BadInput, match="bankroll"):
        terminal.play(bankroll=value)

    assert not home.exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1, 2]", b"\xff\xfe\x00", b'{"bankroll": -5}', b'{"bankroll": 1.5}', b"null"]
    + [b'{"bankroll": "9"}', b'{"bets": {"top_five": {"ante": "x"}}}', b"[" * 100_000],
)
def test_an_unreadable_file_is_set_aside(content: bytes, home: Path) -> None:
    """It is kept under another name, the player is told, and the game begins."""
    home.mkdir()
    (home / FILE).write_bytes(content)
    played = answer(home, "", "f", "q", game="top five")

    assert "was set aside as player.json.unreadable-1" in played.text
    assert content == (home / f"{FILE}.unreadable-1").read_bytes()
    assert played.status == 0 and played.conserved()


def test_a_second_unreadable_file_does_not_replace_the_first(home: Path) -> None:
    """Every one of them may hold somebody's money."""
    home.mkdir()
    for content in (b"one", b"two"):
        (home / FILE).write_bytes(content)
        answer(home, "q", game="top five")

    assert b"one" == (home / f"{FILE}.unreadable-1").read_bytes()
    assert b"two" == (home / f"{FILE}.unreadable-2").read_bytes()


def test_remembered_bets_of_another_table_are_checked(home: Path) -> None:
    """A slip that the table would refuse becomes the smallest bets."""
    home.mkdir()
    (home / FILE).write_bytes(b'{"bets": {"top_five": {"ante": 99999900, "trips": 1}}}')
    played = answer(home, "q", game="top five")

    assert "● Ante                   $5" in played.text


def test_a_failed_write_leaves_the_old_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new bankroll is written beside it and moved; the game goes on and says so."""
    answer(home, "", "f", "q", game="top five")
    before = (home / FILE).read_bytes()

    def fail(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    played = answer(home, "", "f", "", "f", "q", game="top five")

    assert before == (home / FILE).read_bytes()
    assert [FILE, f"{FILE}.lock"] == sorted(path.name for path in home.iterdir())
    assert played.text.count("cannot be remembered: No space left on device") == 1
    assert "after 2 rounds" in played.text


def test_a_home_that_cannot_be_made_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file where the folder should be: play in memory."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path / "file"))
    played = answer(tmp_path / "none", "", "f", "q", game="top five")

    assert "cannot be remembered" in played.text and played.status == 0


def test_two_sessions_do_not_share_one_bankroll(home: Path) -> None:
    """The second one plays with chips of its own, so that neither overwrites the other."""
    first = Bank(home)
    second = Bank(home)
    second.keep(500)
    first.close()
    third = Bank(home)
    third.close()

    assert "Another session holds your bankroll" in second.notices[0]
    assert third.bankroll == BUY_IN and not third.notices


def test_meters_are_remembered_with_their_house(home: Path) -> None:
    """Exactly, fractions of a cent included; a seeded rehearsal does not touch them."""
    house = example("ultimate_texas_holdem")
    answer(home, "prog on", "", "4x", "q", game="ultimate")
    rehearsed = Bank(home)
    kept = rehearsed.meters(house.digest, house.meters)
    rehearsed.close()
    answer(home, "prog on", "", "4x", "q", game="ultimate", seed=None)
    bank = Bank(home)
    meters = bank.meters(house.digest, house.meters)
    bank.close()

    assert not kept
    assert set(house.meters) == set(meters)
    assert sum(meters.values()) != sum(meter.initial for meter in house.meters.values())


def test_where_the_file_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """$CROUPIER_HOME, then the platform's place for a user's data."""
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path))
    assert tmp_path == home()
    monkeypatch.delenv("CROUPIER_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert platformdirs.user_data_path("croupier", appauthor=False) == home()
    assert "croupier" == home().name
    if sys.platform == "linux":
        assert tmp_path / "data" / "croupier" == home()


def test_help_does_without_the_players_folder() -> None:
    """`croupier --help` loads nothing that only a game needs."""
    script = (
        "import runpy, sys\n"
        "sys.argv = ['croupier', '--help']\n"
        "try: runpy.run_module('croupier.cli', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "sys.exit(sum(name in sys.modules for name in ('filelock', 'platformdirs')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert b"play" in done.stdout
    assert 0 == done.returncode


def test_every_game_can_be_remembered(home: Path) -> None:
    """The last bets of one game do not disturb those of another."""
    for key in GAMES:
        answer(home, "", "fold", "q", "y", game=key)
    bank = Bank(home)
    bank.close()

    assert set(GAMES) == set(bank.purse.bets)


def test_a_bankroll_for_one_evening_leaves_the_purse_alone(home: Path) -> None:
    """An example from the documents never resets what somebody has won."""
    answer(home, "", "f", "f", "q", game="top five")
    before = (home / FILE).read_bytes()
    played = answer(home, "", "f", "q", game="top five", bankroll=500, start_over=False)

    assert "You play with $500.00 for this evening only." in played.text
    assert "You leave with $495.00" in played.text
    assert before == (home / FILE).read_bytes()


def test_a_killed_round_is_told_about_once(home: Path) -> None:
    """Its bets come back, and the next start says so; a round that ends leaves nothing to say."""
    bank = Bank(home)
    bank.begin("Top Five Poker, Ante $5")
    bank.close()  # as if the process had been killed
    told = answer(home, "", "f", "q", game="top five").text
    later = answer(home, "q", game="top five").text

    assert "in the middle of a round: Top Five Poker, Ante $5" in " ".join(told.split())
    assert "in the middle of a round" not in later
