"""The bankroll is saved between sessions, and file errors neither create nor lose money."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from croupier import terminal
from croupier.errors import BadInput
from croupier.games import GAMES
from croupier.submission import example
from croupier.terminal.bankroll import BUY_IN, FILE_NAME, Bankroll, data_folder
from tests.terminal.scripted_sessions import answer


def test_the_bankroll_is_saved(home: Path) -> None:
    """The next session starts with the saved bankroll and the last bets."""
    first = answer(home, "25", "", "1x", "q", game="top five")
    second = answer(home, "q", game="top five", seed=2)

    assert first.bankroll != BUY_IN and first.conserved()
    assert first.bankroll == second.bankroll
    assert "● Ante                  $25" in second.text


def test_start_over_replaces_the_bankroll(home: Path) -> None:
    """The new bankroll counts as a buy-in."""
    answer(home, "", "f", "q", game="top five")
    played = answer(home, "q", game="top five", bankroll="$250.50")

    assert (played.bankroll, played.bought) == (250_50, 250_50)


@pytest.mark.parametrize("value", ["0", "-5", "ten", "1e40", "0.001", True, "nan", 10**12])
def test_an_invalid_bankroll_is_refused(value: object, home: Path) -> None:
    """No file is written."""
    with pytest.raises(BadInput, match="bankroll"):
        terminal.play(bankroll=value)

    assert not home.exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1, 2]", b"\xff\xfe\x00", b'{"bankroll": -5}', b'{"bankroll": 1.5}', b"null"]
    + [b'{"bankroll": "9"}', b'{"bets": {"top_five": {"ante": "x"}}}', b"[" * 100_000],
)
def test_an_unreadable_file_is_renamed(content: bytes, home: Path) -> None:
    """The player is notified, and the game starts."""
    home.mkdir()
    (home / FILE_NAME).write_bytes(content)
    played = answer(home, "", "f", "q", game="top five")

    assert "was renamed to player.json.unreadable-1" in played.text
    assert content == (home / f"{FILE_NAME}.unreadable-1").read_bytes()
    assert played.status == 0 and played.conserved()


def test_a_second_unreadable_file_does_not_replace_the_first(home: Path) -> None:
    """Both files are kept."""
    home.mkdir()
    for content in (b"one", b"two"):
        (home / FILE_NAME).write_bytes(content)
        answer(home, "q", game="top five")

    assert b"one" == (home / f"{FILE_NAME}.unreadable-1").read_bytes()
    assert b"two" == (home / f"{FILE_NAME}.unreadable-2").read_bytes()


def test_saved_bets_are_checked(home: Path) -> None:
    """Bets that the table refuses are replaced by the minimum bets."""
    home.mkdir()
    (home / FILE_NAME).write_bytes(b'{"bets": {"top_five": {"ante": 99999900, "trips": 1}}}')
    played = answer(home, "q", game="top five")

    assert "● Ante                   $5" in played.text


def test_a_failed_write_leaves_the_old_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game goes on and shows one notice."""
    answer(home, "", "f", "q", game="top five")
    before = (home / FILE_NAME).read_bytes()

    def fail(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    played = answer(home, "", "f", "", "f", "q", game="top five")

    assert before == (home / FILE_NAME).read_bytes()
    assert [FILE_NAME, f"{FILE_NAME}.lock"] == sorted(path.name for path in home.iterdir())
    assert played.text.count("cannot be saved: No space left on device") == 1
    assert "after 2 rounds" in played.text


def test_without_a_data_folder_the_game_runs_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is in place of the folder."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path / "file"))
    played = answer(tmp_path / "none", "", "f", "q", game="top five")

    assert "cannot be saved" in played.text and played.status == 0


def test_two_sessions_do_not_share_one_bankroll(home: Path) -> None:
    """The second session has separate chips, which are not saved."""
    first = Bankroll(home)
    second = Bankroll(home)
    second.update(500)
    first.close()
    third = Bankroll(home)
    third.close()

    assert "Your bankroll is in use by another session" in second.notices[0]
    assert third.amount == BUY_IN and not third.notices


def test_meters_are_saved_by_house(home: Path) -> None:
    """A seeded session does not save them."""
    house = example("ultimate_texas_holdem")
    answer(home, "prog on", "", "4x", "q", game="ultimate")
    seeded = Bankroll(home)
    seeded_meters = seeded.meters(house.digest, house.meters)
    seeded.close()
    answer(home, "prog on", "", "4x", "q", game="ultimate", seed=None)
    bankroll = Bankroll(home)
    meters = bankroll.meters(house.digest, house.meters)
    bankroll.close()

    assert not seeded_meters
    assert set(house.meters) == set(meters)
    assert sum(meters.values()) != sum(meter.initial for meter in house.meters.values())


def test_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """$CROUPIER_HOME, then the platform's data folder."""
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path))
    assert tmp_path == data_folder()
    monkeypatch.delenv("CROUPIER_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert platformdirs.user_data_path("croupier", appauthor=False) == data_folder()
    assert "croupier" == data_folder().name
    if sys.platform == "linux":
        assert tmp_path / "data" / "croupier" == data_folder()


def test_bets_are_saved_by_game(home: Path) -> None:
    """The bets of one game do not replace those of another."""
    for key in GAMES:
        answer(home, "", "fold", "q", "y", game=key)
    bankroll = Bankroll(home)
    bankroll.close()

    assert set(GAMES) == set(bankroll.saved.bets)


def test_a_session_bankroll_keeps_the_saved_one(home: Path) -> None:
    """`--bankroll` without `--start-over` does not write the file."""
    answer(home, "", "f", "f", "q", game="top five")
    before = (home / FILE_NAME).read_bytes()
    played = answer(home, "", "f", "q", game="top five", bankroll=500, start_over=False)

    assert "You play with $500.00 in this session only." in played.text
    assert "You leave with $495.00" in played.text
    assert before == (home / FILE_NAME).read_bytes()


def test_an_interrupted_round_is_reported_once(home: Path) -> None:
    """The next session shows a notice, the one after it does not."""
    bankroll = Bankroll(home)
    bankroll.start_round("Top Five Poker, Ante $5")
    bankroll.close()  # as if the process had been killed
    first = answer(home, "", "f", "q", game="top five").text
    later = answer(home, "q", game="top five").text

    assert "ended during a round: Top Five Poker, Ante $5" in " ".join(first.split())
    assert "ended during a round" not in later
