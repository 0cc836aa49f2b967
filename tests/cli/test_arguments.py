"""Arguments shared by commands: a game or a file, counts, and errors before any work."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from croupier.cli import arguments, console, output_files
from croupier.errors import BadInput
from croupier.submission import example_path
from tests.support.cli import invoke

GAME = "top_five"


@pytest.fixture
def submission(tmp_path: Path) -> str:
    """A Rules Submission in a file."""
    path = tmp_path / "harbor.toml"
    path.write_bytes(example_path(GAME).read_bytes())
    return str(path)


@pytest.mark.parametrize(
    "command",
    [
        ("check", "{}", "--json"),
        ("session", "{}", "--rounds", "1e2", "--json"),
        ("felt", "{}", "-o", "FILE.svg"),
        ("par", "{}", "-o", "FILE.csv"),
        ("par", "{}"),
        ("rulebook", "{}", "7.A"),
    ],
    ids=lambda command: " ".join(command[:1] + command[2:]),
)
def test_a_command_takes_a_game_or_a_file(
    command: tuple[str, ...], submission: str, tmp_path: Path
) -> None:
    """A file is its Rules Submission, a game is the example, here the same."""
    output = []
    for source in (GAME, submission):
        file = str(tmp_path / f"{Path(source).stem}-out")
        result = invoke(tuple(w.replace("FILE", file).replace("{}", source) for w in command))
        assert 0 == result.exit_code, result.output
        written = [path.read_text("utf-8") for path in tmp_path.glob(f"{Path(file).name}.*")]
        output.append((result.stdout.replace(submission, GAME).replace(file, ""), written))
    assert output[0] == output[1]


def test_analyze_a_file(submission: str) -> None:
    """It equals the option; of a game all paytables and readings are analyzed."""
    file, option, game = (
        json.loads(invoke(("analyze", *words, "--json")).stdout)
        for words in ((submission,), ("--submission", submission), (GAME,))
    )
    assert file == option != game
    assert file["game"] == game["game"]


def test_one_submission_only(submission: str) -> None:
    """A file and another one as an option contradict each other."""
    with pytest.raises(BadInput, match="expected one submission"):
        arguments.load_house(submission, Path("other.toml"))
    assert GAME == arguments.load_house(submission, Path(submission)).game.key


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ultimat3e", "did you mean ultimate_texas_holdem?"),
        ("jackpott", "did you mean jackpot_holdem?"),
        ("poker", "expected one of: "),
    ],
)
def test_a_misspelled_game(name: str, meant: str) -> None:
    """The message names the game that was probably meant."""
    result = invoke(("analyze", name))
    assert 2 == result.exit_code
    assert meant in result.stderr


def test_a_missing_file() -> None:
    """A text with a suffix or a folder is a file, not a game."""
    for name in ("harbor.toml", os.path.join("folder", "harbor")):
        result = invoke(("analyze", name))
        assert 2 == result.exit_code
        assert f"{name} cannot be read: No such file or directory" in result.stderr


@pytest.mark.parametrize(
    ("text", "count"),
    [("1e3", 1000), ("1_000", 1000), ("1,000", 1000), ("2.5e1", 25), ("123456789012345678", None)],
)
def test_counts(text: str, count: int | None) -> None:
    """Whole numbers are exact, and may have an exponent or separators."""
    assert (count or int(text)) == arguments.parse_count(text, "--rounds")


@pytest.mark.parametrize("text", ["", "0", "-5", "1.5", "1e-3", "ten", "inf", "nan", "1e30"])
def test_counts_that_are_refused(text: str) -> None:
    """The message has the option, the value and an example."""
    with pytest.raises(BadInput, match=r"--rounds: .* is not a number; expected for example"):
        arguments.parse_count(text, "--rounds")


def test_an_output_folder_without_permission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is reported before any work; root may write everywhere, so the answer is injected."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(BadInput, match="no permission to write to"):
        output_files.check_output(tmp_path / "felt.svg", (".svg",))


def test_errors_fit_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are folded between words, and not in a pipe."""
    error = "one two three four five six"
    console.print_error(error)
    monkeypatch.setenv("COLUMNS", "20")
    console.print_error(error)
    assert "error: one two three four five six\nerror: one two three\n    four five six\n" == (
        capsys.readouterr().err
    )


def test_an_impossible_port() -> None:
    """The command refuses it; no socket does."""
    result = invoke(("serve", "--port", "99999"))
    assert 2 == result.exit_code
    assert "99999 is not in the range" in result.stderr
